package language

import (
	"strings"

	"longline/internal/tool"
)

// jqNames are the functions and keywords of jq and of yq that compute and
// print. Both are read by one reader, since a machine's yq may be either.
const jqNames = `and or not if then elif else end as def reduce foreach try catch label break limit first last nth until repeat
inputs input debug stderr input_filename input_line_number halt halt_error error empty null true false
IN INDEX JOIN GROUP_BY acos acosh add all any arrays ascii ascii_downcase ascii_upcase asin asinh atan atan2 atanh booleans bsearch builtins capture cbrt ceil
combinations contains copysign cos cosh del delpaths drem endswith erf erfc exp exp10 exp2 explode expm1 fabs fdim finites flatten floor fma fmax
fmin fmod format frexp from_entries fromdate fromdateiso8601 fromjson fromstream gamma getpath gmtime group_by gsub has hypot implode in index indices
infinite inside isempty isfinite isinfinite isnan isnormal isvalid iterables j0 j1 jn join keys keys_unsorted ldexp leaf_paths length lgamma lgamma_r localtime
log log10 log1p log2 logb ltrimstr rtrimstr trimstr map map_values match max max_by min min_by mktime modf nan nearbyint nextafter nexttoward normals now nulls
numbers objects path paths pow pow10 range recurse recurse_down remainder reverse rindex rint round scalars scalars_or_empty scalb scalbln scan select
setpath significand sin sinh sort sort_by split splits sqrt startswith strflocaltime strftime strings strptime sub tan tanh test tgamma to_entries todate
todateiso8601 dateadd datesub date tojson tonumber tostream tostring transpose trunc truncate_stream type unique unique_by utf8bytelength values walk while with_entries
y0 y1 yn abs toarray pick have_decnum have_literal_numbers ltrim rtrim trim getpath error tojson ascii add splits min_by limit skip significand getpath
trimstr toboolean tobool env __loc__ ENV ARGS named positional $__loc__
ireduce with omit pivot shuffle sort_keys sortKeys split_doc splitDoc to_number to_string to_json from_json to_yaml from_yaml to_xml from_xml to_csv from_csv
to_tsv from_tsv to_props from_props to_toml from_toml downcase upcase any_c all_c array_to_map parent parents key is_key kind tag style anchor alias explode line column
line_comment lineComment head_comment headComment foot_comment footComment comments filename fileIndex file_index fi documentIndex document_index di
format_datetime with_dtf from_unix to_unix tz ref collect first flatten filter_by filter entries eq merge to_base64 to_uri to_sh strenv`

// jqDeeds reads a filter of jq or yq: the variables, modules and files it looks
// at beside its input.
func jqDeeds(text string) Deeds {
	j := jqReader{text: text}
	j.scan(0)
	if j.deeds.Problem == "" {
		j.judge()
	}
	return j.deeds
}

type jqReader struct {
	text   string
	at     int
	tokens []token
	deeds  Deeds
}

// scan reads tokens to the end, or inside a string's \( to its ")".
func (j *jqReader) scan(nested int) {
	if nested > 30 {
		j.deeds.fail("it is nested too deeply")
	}
	open := 0
	for j.at < len(j.text) && j.deeds.Problem == "" {
		c := j.text[j.at]
		switch {
		case isBlank(c) || c == '\r':
			j.at++
		case c == '#':
			for j.at < len(j.text) && j.text[j.at] != '\n' {
				j.at++
			}
		case c == '"':
			j.str(nested)
		case isLetter(c) || (c == '$' || c == '@') && j.at+1 < len(j.text) && isLetter(j.text[j.at+1]):
			start := j.at
			for j.at++; j.at < len(j.text) && isWordByte(j.text[j.at]); j.at++ {
			}
			t := token{kind: tokName, text: j.text[start:j.at]}
			// A name right behind a dot is a field.
			if start > 0 && j.text[start-1] == '.' && c != '$' && c != '@' {
				t = token{kind: tokString, text: t.text}
			}
			j.tokens = append(j.tokens, t)
		case isDigit(c):
			n := numberLength(j.text[j.at:])
			j.tokens = append(j.tokens, token{kind: tokNumber, text: j.text[j.at : j.at+n]})
			j.at += n
		case strings.IndexByte("()[]{}", c) >= 0:
			j.at++
			if c == '(' {
				open++
			} else if c == ')' {
				if open--; open < 0 {
					if nested == 0 {
						j.deeds.fail("parentheses do not match")
					}
					return
				}
			}
			j.op(string(c))
		case strings.IndexByte(".|,:;?=<>!+-*/%&~$", c) >= 0:
			j.at++
			j.op(string(c))
		default:
			j.deeds.fail("a character outside of text that longline does not know")
		}
	}
	if nested > 0 && j.deeds.Problem == "" {
		j.deeds.fail("a string does not end")
	}
}

func (j *jqReader) op(text string) { j.tokens = append(j.tokens, token{kind: tokOp, text: text}) }

// str reads a string, with the filters that stand in it between "\(" and ")".
func (j *jqReader) str(nested int) {
	start := j.at + 1
	plain, at := true, len(j.tokens)
	j.tokens = append(j.tokens, token{kind: tokString})
	for j.at++; j.at < len(j.text) && j.deeds.Problem == ""; {
		switch c := j.text[j.at]; {
		case c == '"':
			j.tokens[at].text, j.tokens[at].plain = j.text[start:j.at], plain
			j.at++
			return
		case c == '\\' && j.at+1 < len(j.text) && j.text[j.at+1] == '(':
			plain = false
			j.at += 2
			j.op("(")
			j.scan(nested + 1)
			j.op(")")
		case c == '\\':
			plain = false
			j.at += 2
		default:
			j.at++
		}
	}
	j.deeds.fail("a string does not end")
}

func (j *jqReader) judge() {
	ts := j.tokens
	var open []string
	own := j.defined()
	for i, t := range ts {
		switch t.kind {
		case tokOp:
			switch t.text {
			case "(", "[", "{":
				open = append(open, t.text)
			case ")", "]", "}":
				if len(open) > 0 {
					open = open[:len(open)-1]
				}
			}
		case tokName:
			prev, next := tokenAt(ts, i-1), tokenAt(ts, i+1)
			key := len(open) > 0 && open[len(open)-1] == "{" && prev.isOne("{", ",")
			switch {
			case t.text[0] == '@', key && t.text[0] != '$' && next.isOne(":", ",", "}"):
			case prev.is("(") && (tokenAt(ts, i-2).isName("env") || tokenAt(ts, i-2).isName("strenv")): // judged with them
			case t.text == "env", t.text == "$ENV", t.text == "strenv":
				j.env(i)
			case t.text == "envsubst":
				j.deeds.add(tool.Control, "env.dump")
			case t.text == "load", strings.HasPrefix(t.text, "load_"):
				if next.is("(") && tokenAt(ts, i+2).plain && tokenAt(ts, i+3).is(")") {
					j.deeds.add(tool.Read, ts[i+2].text)
				} else {
					j.deeds.addOpen(tool.Read)
				}
			case t.text == "import", t.text == "include", t.text == "modulemeta", t.text == "eval", t.text == "system":
				j.deeds.addOpen(tool.Execute)
			case t.text[0] == '$', HasWord(own, t.text), HasWord(jqNames, t.text):
			default:
				j.deeds.fail("unknown function " + Quote(t.text))
			}
		}
	}
}

// defined lists the functions that the filter defines, and their parameters.
func (j *jqReader) defined() string {
	var b strings.Builder
	for i, t := range j.tokens {
		if !t.isName("def") {
			continue
		}
		for k := i + 1; k < len(j.tokens) && !j.tokens[k].is(":"); k++ {
			if j.tokens[k].kind == tokName && j.tokens[k].text[0] != '$' {
				b.WriteString(" " + j.tokens[k].text)
			}
		}
	}
	return b.String()
}

// env is a look at one variable that holds no secret, or at all of them:
// $ENV.HOME, env["HOME"], and yq's env(HOME).
func (j *jqReader) env(i int) {
	next, name := tokenAt(j.tokens, i+1), tokenAt(j.tokens, i+2)
	simple := next.is(".") && name.kind == tokString ||
		next.is("[") && name.plain && tokenAt(j.tokens, i+3).is("]") ||
		next.is("(") && name.kind == tokName && tokenAt(j.tokens, i+3).is(")") ||
		next.is(".") && name.is("[") && tokenAt(j.tokens, i+3).plain && tokenAt(j.tokens, i+4).is("]")
	if name.is("[") {
		name = tokenAt(j.tokens, i+3)
	}
	if !simple || SecretName(name.text) {
		j.deeds.add(tool.Control, "env.dump")
	}
}
