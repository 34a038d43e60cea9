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
	j := jqReader{lexer{cursor: cursor{text: text}}}
	j.scan(0)
	if j.deeds.Problem == "" {
		j.judge()
	}
	return j.deeds
}

type jqReader struct{ lexer }

// scan reads tokens to the end, or inside a string's \( to its ")".
func (j *jqReader) scan(nested int) {
	if nested > 30 {
		j.fail("it is nested too deeply")
	}
	open := 0
	for j.going() {
		c := j.text[j.at]
		open += strings.Count(string(c), "(") - strings.Count(string(c), ")")
		switch {
		case j.pause(c), j.literal(c, nested):
		case open < 0:
			j.at++
			if nested == 0 {
				j.fail("parentheses do not match")
			}
			return
		case strings.IndexByte("()[]{}.|,:;?=<>!+-*/%&~$", c) >= 0:
			j.at++
			j.op(string(c))
		default:
			j.fail("a character outside of text that longline does not know")
		}
	}
	if nested > 0 {
		j.fail("a string does not end")
	}
}

// pause passes over blanks and comments.
func (j *jqReader) pause(c byte) bool {
	switch {
	case isSpace(c):
		j.at++
	case c == '#':
		if strings.HasSuffix(strings.TrimRight(j.line(), "\r"), `\`) {
			j.fail("a comment that may go on in the next line")
		}
	default:
		return false
	}
	return true
}

// literal reads a string, a name or a number.
func (j *jqReader) literal(c byte, nested int) bool {
	switch {
	case c == '"':
		j.str(nested)
	case isLetter(c), strings.IndexByte("$@", c) >= 0 && isLetter(j.peek(1)):
		j.name(c)
	case isDigit(c):
		j.emit(token{kind: tokNumber, text: j.take(numberLength(j.rest()))})
	default:
		return false
	}
	return true
}

// name reads a name. One right behind a dot is a field.
func (j *jqReader) name(c byte) {
	field := j.peek(-1) == '.' && isLetter(c)
	t := token{kind: tokName, text: j.take(1) + j.word()}
	if field {
		t = token{kind: tokString, text: t.text, plain: true}
	}
	j.emit(t)
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
	j.fail("a string does not end")
}

func (j *jqReader) judge() {
	var open []string
	own := j.defined()
	for i, t := range j.tokens {
		switch {
		case t.opens():
			open = append(open, t.text)
		case t.closes():
			open = open[:max(len(open)-1, 0)]
		case t.kind == tokName:
			if key := len(open) > 0 && open[len(open)-1] == "{" && j.isKey(i); !key {
				j.function(i, own)
			}
		}
	}
}

// isKey says whether the name at i is a key of an object, if it stands in one.
func (j *jqReader) isKey(i int) bool {
	return tokenAt(j.tokens, i-1).isOne("{", ",") && j.tokens[i].text[0] != '$' && tokenAt(j.tokens, i+1).isOne(":", ",", "}")
}

// function judges the function, variable or format at i.
func (j *jqReader) function(i int, own map[string]bool) {
	name := j.tokens[i].text
	switch {
	case name[0] == '@', tokenAt(j.tokens, i-1).is("(") && tokenAt(j.tokens, i-2).named("env strenv"): // judged with them
	case HasWord("env $ENV strenv", name):
		j.env(i)
	case name == "envsubst":
		j.deeds.add(tool.Control, "env.dump")
	case name == "load", strings.HasPrefix(name, "load_"):
		if looks(j.tokens, i+1, "( TEXT )") {
			j.deeds.add(tool.Read, j.tokens[i+2].text)
		} else {
			j.deeds.addOpen(tool.Read)
		}
	case HasWord("import include modulemeta eval system", name):
		j.deeds.addOpen(tool.Execute)
	case name[0] == '$', own[name], HasWord(jqNames, name):
	default:
		j.fail("unknown function " + Quote(name))
	}
}

// defined lists the functions that the filter defines, and their parameters.
func (j *jqReader) defined() map[string]bool {
	var own map[string]bool
	for i, t := range j.tokens {
		if !t.isName("def") {
			continue
		}
		for k := i + 1; k < len(j.tokens) && !j.tokens[k].is(":") && !j.tokens[k].isName("def"); k++ {
			if j.tokens[k].kind == tokName && j.tokens[k].text[0] != '$' {
				if own == nil {
					own = map[string]bool{}
				}
				own[j.tokens[k].text] = true
			}
		}
	}
	return own
}

// env is a look at one variable that holds no secret, or at all of them:
// $ENV.HOME, env["HOME"], env.["HOME"] and yq's env(HOME).
func (j *jqReader) env(i int) {
	at := i + 1
	if tokenAt(j.tokens, at).is(".") && tokenAt(j.tokens, at+1).is("[") {
		at++
	}
	name, end := tokenAt(j.tokens, at+1), tokenAt(j.tokens, at+2)
	simple := false
	switch tokenAt(j.tokens, at).text {
	case ".":
		simple = name.plain
	case "[":
		simple = name.plain && end.is("]")
	case "(":
		simple = name.kind == tokName && end.is(")")
	}
	if !simple || SecretName(name.text) {
		j.deeds.add(tool.Control, "env.dump")
	}
}
