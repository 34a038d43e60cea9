package language

import (
	"strings"

	"longline/internal/tool"
)

// rubyNames are keywords, constants and methods that compute and print. None of
// them calls a method by a name that is computed, opens a file or runs a program.
const rubyNames = `if elsif else unless end then while until do for in return next break case when and or not nil true false begin rescue ensure self loop
puts print p pp printf putc format sprintf warn raise exit rand sleep Integer Float String Array Rational Complex
RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_ENGINE_VERSION RUBY_PATCHLEVEL RUBY_RELEASE_DATE RUBY_COPYRIGHT RUBY_DESCRIPTION INFINITY PI MAX EPSILON NAN
JSON Math Time Date DateTime Set Comparable STDIN STDOUT STDERR ARGV Base64 SecureRandom Digest MD5 SHA1 SHA256 SHA512
parse generate pretty_generate now today at iso8601 strftime utc localtime year month day hour min sec to_date to_time hexdigest base64digest strict_encode64 strict_decode64 encode64 decode64 urlsafe_encode64 urlsafe_decode64 hex uuid alphanumeric
symbolize_names read gets each_line readlines chomp chop strip lstrip rstrip squeeze upcase downcase capitalize swapcase reverse length size bytesize bytes chars lines codepoints ord chr hex oct
to_s to_i to_f to_r to_c to_a to_h inspect dup freeze frozen? nil? empty? any? all? none? one? include? member? start_with? end_with? match? match scan gsub sub tr delete count index rindex slice split join center ljust rjust
concat prepend insert replace succ pred upto downto times step even? odd? zero? positive? negative? abs floor ceil round truncate divmod modulo fdiv pow gcd lcm digits bit_length clamp between? integer? finite? infinite?
sqrt cbrt sin cos tan atan log log2 log10 exp hypot first last take drop take_while drop_while push pop shift unshift append compact flatten uniq sort sort_by max max_by min min_by minmax sum each each_with_index each_with_object each_slice each_cons each_char each_pair each_key each_value
map collect flat_map filter_map select filter reject find detect find_index partition group_by chunk_while slice_when zip product combination permutation transpose rotate sample shuffle tally with_index with_object cycle lazy entries
keys values key? value? has_key? has_value? fetch dig key merge transform_values transform_keys invert except fill values_at assoc compare_by_identity sum
encoding force_encoding encode valid_encoding? unicode_normalize unpack unpack1 pack hash object_id class is_a? kind_of? respond_to? instance_of? equal? eql? itself tap then
data line str key val value item items arr json obj total list name num idx res result row rows word words text acc out input file_name char bin left right user users version config`

// RubyLibrary reports whether a library of Ruby only defines things when it is loaded.
func RubyLibrary(name string) bool {
	return HasWord("json yaml date time set digest base64 securerandom pp csv bigdecimal", name)
}

// rubyDeeds reads a Ruby program. Whatever it does beyond arithmetic it does by
// a name, so every name has to be known, and whatever could hide one is refused.
func rubyDeeds(text string) Deeds {
	var d Deeds
	ts := rubyTokens(text, &d)
	if first := rubyNext(ts, 0); first.isOne(".", "&", "|") || first.isName("and") || first.isName("or") {
		d.fail("a program that goes on from the one before") // "-e A -e B" are two lines of one program
	}
	for i := 0; i < len(ts) && d.Problem == ""; i++ {
		t, prev, next := ts[i], tokenAt(ts, i-1), tokenAt(ts, i+1)
		if t.is("&") && prev.isOne("(", ",") && !next.is(":") {
			d.fail("a method whose name is computed")
		}
		if t.kind != tokName {
			continue
		}
		called := tokenAt(ts, i+2)
		switch {
		case t.text == "ENV":
			if arg := called; !next.is("[") || !arg.plain || SecretName(arg.text) || !tokenAt(ts, i+3).is("]") || tokenAt(ts, i+4).is("=") {
				d.fail("a look at the environment")
			}
		case t.text == "File":
			arg := tokenAt(ts, i+4)
			switch {
			case !next.is("."):
				d.fail("the class File")
			case HasWord("basename dirname extname join exist? file? directory? expand_path", called.text):
				i += 2
			case called.text != "read" || !tokenAt(ts, i+3).is("(") || !arg.plain || !tokenAt(ts, i+5).is(")") || strings.HasPrefix(arg.text, "|"):
				d.fail("the class File")
			default:
				d.add(tool.Read, arg.text)
				i += 2
			}
		case t.text == "Dir":
			if !next.is(".") || called.text != "pwd" {
				d.fail("the class Dir")
			}
			i += 2
		case t.text == "Gem":
			if !next.is(":") || !called.is(":") || !tokenAt(ts, i+3).isName("VERSION") {
				d.fail("the module Gem")
			}
			i += 3
		case t.text == "require":
			// A string may go on with a further one or a method, even in the next line.
			if !next.plain || !RubyLibrary(next.text) || i+2 < len(ts) && called.kind != tokLine || rubyNext(ts, i+2).isOne(".", "&", "|") {
				d.fail("a library")
			}
		case HasWord("read gets readlines each_line", t.text):
			// Without a receiver they read the files that the arguments name.
			if from := tokenAt(ts, i-2); !prev.is(".") || from.kind != tokRegex && !HasWord("STDIN", from.text) && from.kind != tokString {
				d.fail("the method " + Quote(t.text))
			}
		case HasWord("parse", t.text) && prev.is(".") && HasWord("JSON Date Time DateTime", tokenAt(ts, i-2).text):
		case HasWord("write puts print printf flush sync", t.text) && prev.is("."):
			if from := tokenAt(ts, i-2); from.kind != tokRegex && !HasWord("STDOUT STDERR", from.text) {
				d.fail("the method " + Quote(t.text))
			}
		case len(t.text) <= 2 && t.text[0] >= '_', HasWord(rubyNames, t.text): // no method of all objects has so short a name, but for p and pp
		default:
			d.fail("the name " + Quote(t.text))
		}
	}
	return d
}

// rubyTokens takes a program apart. Streams such as $stdin have the kind tokRegex.
func rubyTokens(text string, d *Deeds) []token {
	var ts []token
	for i := 0; i < len(text) && d.Problem == ""; {
		c, rest := text[i], text[i:]
		last := tokenAt(ts, len(ts)-1)
		switch {
		case isBlank(c) || c == '\n' || c == ';':
			i++
			if c != ' ' && c != '\t' {
				ts = append(ts, token{kind: tokLine})
			}
		case c == '\'' || c == '"':
			if i > 0 && (text[i-1] == '?' || text[i-1] == ':' || text[i-1] == '%' || isWordByte(text[i-1])) {
				d.fail("a quote that may be something else")
				break
			}
			end, plain := 1, true
			for end < len(rest) && rest[end] != c {
				if rest[end] == '\\' {
					plain = false
					end++
				} else if c == '"' && rest[end] == '#' {
					inner, ok := rubyInner(rest[end:])
					if !ok {
						d.fail("an expression in a string")
						break
					}
					if inner != "" {
						plain = false
						ts = append(ts, token{kind: tokOp, text: "("})
						ts = append(ts, rubyTokens(inner, d)...)
						ts = append(ts, token{kind: tokOp, text: ")"})
						end += len(inner) + 2
					}
				}
				end++
			}
			if end >= len(rest) {
				d.fail("a string does not end")
				break
			}
			ts = append(ts, token{kind: tokString, text: rest[1:end], plain: plain})
			i += end + 1
		case c == '#':
			line, _, _ := strings.Cut(rest, "\n")
			if strings.Contains(line, "coding") {
				d.fail("a comment that may change how the program is read")
			}
			i += len(line)
		case c == '$':
			end := 1 + wordLength(rest[1:])
			if !HasWord("$stdin $stdout $stderr $_", rest[:end]) {
				d.fail("the variable " + Quote(rest[:end]))
			}
			ts = append(ts, token{kind: tokRegex, text: rest[1:end]})
			i += end
		case isLetter(c):
			end := wordLength(rest)
			if end < len(rest) && (rest[end] == '?' || rest[end] == '!') && (end+1 >= len(rest) || rest[end+1] != '=') && HasWord(rubyNames+" exist? file? directory?", rest[:end+1]) {
				end++
			}
			ts = append(ts, token{kind: tokName, text: rest[:end]})
			i += end
		case isDigit(c):
			end := 0
			for end < len(rest) && (isDigit(rest[end]) || rest[end] == '_' || rest[end] == '.' && end+1 < len(rest) && isDigit(rest[end+1])) {
				end++
			}
			if end < len(rest) && isWordByte(rest[end]) {
				d.fail("a number with a name right behind it") // after "1if" a slash begins a pattern
				break
			}
			ts = append(ts, token{kind: tokNumber, text: rest[:end]})
			i += end
		case c == '/':
			// A division has a value before it; all else could begin a pattern.
			if last.kind == tokNumber || last.isOne(")", "]") {
				ts = append(ts, token{kind: tokOp, text: "/"})
				i++
				break
			}
			end := strings.IndexByte(rest[1:], '/')
			if !last.isOne("(", ",") && !rubyMatches(ts) || end < 0 || strings.ContainsAny(rest[1:end+1], "\\#\n") {
				d.fail("a slash that may begin a pattern")
				break
			}
			ts = append(ts, token{kind: tokString, text: rest[1 : end+1]})
			i += end + 2
		case c == '%' && (last.kind != tokNumber && last.kind != tokString && !last.isOne(")", "]")):
			d.fail("a percent sign that may begin a string or a command")
		case c == '?' && (len(rest) < 2 || !isBlank(rest[1])):
			d.fail("a question mark that may quote the next sign")
		case strings.HasPrefix(rest, "=begin"):
			d.fail("a comment that longline does not follow")
		case c == '<' && len(rest) > 2 && rest[1] == '<' && rest[2] != ' ':
			d.fail("text that may go on in the next lines")
		case strings.IndexByte("{}()[],.+-*<>=!&|^~?:%", c) < 0:
			d.fail("something that longline does not follow in Ruby")
		default:
			ts = append(ts, token{kind: tokOp, text: rest[:1]})
			i++
		}
	}
	return ts
}

// rubyNext is the first token from i on that is no end of line.
func rubyNext(ts []token, i int) token {
	for i < len(ts) && ts[i].kind == tokLine {
		i++
	}
	return tokenAt(ts, i)
}

// rubyMatches says whether the tokens end with a value and =~ or !~. A symbol
// such as :=~ is itself a value, after which a slash divides.
func rubyMatches(ts []token) bool {
	n := len(ts)
	value := tokenAt(ts, n-3)
	return tokenAt(ts, n-1).is("~") && tokenAt(ts, n-2).isOne("=", "!") && (value.kind == tokName && !tokenAt(ts, n-4).isOne(".", ":") || value.kind == tokString || value.kind == tokRegex || value.isOne(")", "]"))
}

// rubyInner is the program inside "#{...}" at the beginning of text, or nothing
// where the sign is only a sign.
func rubyInner(text string) (inner string, ok bool) {
	if len(text) < 2 || text[1] != '{' {
		return "", len(text) < 2 || text[1] != '$' && text[1] != '@'
	}
	end := strings.IndexByte(text, '}')
	// Braces, quotes and escapes inside would have to be read once more.
	if end < 3 || strings.ContainsAny(text[2:end], `{"'\#`+"`") {
		return "", false
	}
	return text[2:end], true
}
