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
	r := rubyReader{lexer{cursor: cursor{text: text}}}
	r.scan()
	if first := rubyNext(r.tokens, 0); first.isOne(".", "&", "|") || first.named("and or") {
		r.fail("a program that goes on from the one before") // "-e A -e B" are two lines of one program
	}
	for i := 0; i < len(r.tokens) && r.deeds.Problem == ""; i++ {
		t := r.tokens[i]
		if t.is("&") && r.token(i-1).isOne("(", ",") && !r.token(i+1).is(":") {
			r.fail("a method whose name is computed")
		}
		if t.kind == tokName {
			i += r.name(i)
		}
	}
	return r.deeds
}

type rubyReader struct{ lexer }

func (r *rubyReader) token(i int) token { return tokenAt(r.tokens, i) }

// name judges the name at i and says how many tokens behind it belong to it.
func (r *rubyReader) name(i int) int {
	name := r.tokens[i].text
	switch name {
	case "ENV":
		r.environment(i)
	case "File":
		return r.file(i)
	case "Dir":
		if !looks(r.tokens, i, "Dir . pwd") {
			r.fail("the class Dir")
		}
		return 2
	case "Gem":
		if !looks(r.tokens, i, "Gem : : VERSION") {
			r.fail("the module Gem")
		}
		return 3
	case "require":
		r.require(i)
	default:
		if !r.harmless(name, r.token(i-1).is("."), r.token(i-2)) {
			r.fail("the name " + Quote(name))
		}
	}
	return 0
}

// harmless says whether a name only computes and prints, as a member of what stands in
// front of it or alone.
func (r *rubyReader) harmless(name string, member bool, from token) bool {
	stream := from.kind == tokRegex
	if HasWord("read gets readlines each_line", name) {
		// Without a receiver they read the files that the arguments name.
		return member && (stream || from.text == "STDIN" || from.kind == tokString)
	}
	if member && HasWord("write puts print printf flush sync", name) {
		return stream || HasWord("STDOUT STDERR", from.text)
	}
	// No method of all objects has so short a name, but for p and pp.
	return len(name) <= 2 && name[0] >= '_' || HasWord(rubyNames, name)
}

// environment is a look at one variable that holds no secret.
func (r *rubyReader) environment(i int) {
	if !looks(r.tokens, i, "ENV [ TEXT ]") || SecretName(r.token(i+2).text) || r.token(i+4).is("=") {
		r.fail("a look at the environment")
	}
}

// file is what is used of the class File: names, and reading a file that is named.
func (r *rubyReader) file(i int) int {
	method, arg := r.token(i+2).text, r.token(i+4)
	if r.token(i+1).is(".") && HasWord("basename dirname extname join exist? file? directory? expand_path", method) {
		return 2
	}
	if !looks(r.tokens, i, "File . read ( TEXT )") || strings.HasPrefix(arg.text, "|") {
		r.fail("the class File")
		return 0
	}
	r.deeds.add(tool.Read, arg.text)
	return 2
}

// require is the loading of a library. A string may go on with a further one or a
// method, even in the next line.
func (r *rubyReader) require(i int) {
	library := r.token(i + 1)
	if !library.plain || !RubyLibrary(library.text) || i+2 < len(r.tokens) && r.token(i+2).kind != tokLine || rubyNext(r.tokens, i+2).isOne(".", "&", "|") {
		r.fail("a library")
	}
}

// scan takes a program apart. Streams such as $stdin have the kind tokRegex.
func (r *rubyReader) scan() {
	for r.going() {
		switch c := r.text[r.at]; {
		case r.pause(c):
		case isQuote(c):
			r.str(c)
		case c == '$':
			r.stream()
		case isLetter(c):
			r.word()
		case isDigit(c):
			r.number()
		case c == '/':
			r.slash()
		default:
			r.symbol(c)
		}
	}
}

// pause passes over blanks, comments and the ends of statements.
func (r *rubyReader) pause(c byte) bool {
	switch c {
	case ' ', '\t':
		r.at++
	case '\n', ';':
		r.at++
		r.emit(token{kind: tokLine})
	case '#':
		if strings.Contains(r.line(), "coding") {
			r.fail("a comment that may change how the program is read")
		}
	default:
		return false
	}
	return true
}

// str reads a string. The tokens of the expressions in it stand in parentheses in
// front of its own.
func (r *rubyReader) str(quote byte) {
	if r.among(-1, "?:%") || isWordByte(r.peek(-1)) {
		r.fail("a quote that may be something else")
		return
	}
	plain := true
	start := r.at + 1
	for r.at++; r.more() && r.text[r.at] != quote; r.at++ {
		switch c := r.text[r.at]; {
		case c == '\\':
			plain = false
			r.at++
		case c == '#' && quote == '"':
			plain = r.expression() && plain
		}
	}
	if !r.more() {
		r.fail("a string does not end")
		return
	}
	r.emit(token{kind: tokString, text: r.text[start:r.at], plain: plain})
	r.at++
}

// expression reads what "#{" puts into a string, up to its "}". It says whether there
// is none.
func (r *rubyReader) expression() bool {
	inner, ok := rubyInner(r.rest())
	if !ok {
		r.fail("an expression in a string")
	}
	if inner == "" {
		return true
	}
	code := rubyReader{lexer{cursor: cursor{text: inner}, deeds: r.deeds}}
	code.scan()
	r.deeds = code.deeds
	r.emit(token{kind: tokOp, text: "("})
	r.tokens = append(r.tokens, code.tokens...)
	r.emit(token{kind: tokOp, text: ")"})
	r.at += len(inner) + 2
	return false
}

// stream reads a global variable, which must be one of the standard streams.
func (r *rubyReader) stream() {
	name := r.take(1) + r.cursor.word()
	if !HasWord("$stdin $stdout $stderr $_", name) {
		r.fail("the variable " + Quote(name))
	}
	r.emit(token{kind: tokRegex, text: name[1:]})
}

// word reads a name, with the mark that may end it.
func (r *rubyReader) word() {
	name := r.cursor.word()
	if r.among(0, "?!") && r.peek(1) != '=' && HasWord(rubyNames+" exist? file? directory?", name+string(r.peek(0))) {
		name += r.take(1)
	}
	r.emit(token{kind: tokName, text: name})
}

func (r *rubyReader) number() {
	r.emit(token{kind: tokNumber, text: r.decimal()})
	if isWordByte(r.peek(0)) {
		r.fail("a number with a name right behind it") // after "1if" a slash begins a pattern
	}
}

// slash reads a division, which has a value before it, or a pattern where nothing else
// can stand.
func (r *rubyReader) slash() {
	last := r.last()
	if last.kind == tokNumber || last.isOne(")", "]") {
		r.op(1)
		return
	}
	body, _, ended := strings.Cut(r.rest()[1:], "/")
	if !last.isOne("(", ",") && !rubyMatches(r.tokens) || !ended || strings.ContainsAny(body, "\\#\n") {
		r.fail("a slash that may begin a pattern")
		return
	}
	r.take(len(body) + 2)
	r.emit(token{kind: tokString, text: body})
}

// symbol reads an operator, if it can be nothing else.
func (r *rubyReader) symbol(c byte) {
	switch {
	case c == '%' && !r.divides():
		r.fail("a percent sign that may begin a string or a command")
	case c == '?' && !isBlank(r.peek(1)):
		r.fail("a question mark that may quote the next sign")
	case c == '&' && r.handsOn():
		r.fail("a method whose name is computed") // it may be handed on as a block
	case r.ahead("=begin"):
		r.fail("a comment that longline does not follow")
	case r.heredoc():
		r.fail("text that may go on in the next lines")
	case strings.IndexByte("{}()[],.+-*<>=!&|^~?:%", c) < 0:
		r.fail("something that longline does not follow in Ruby")
	default:
		r.op(1)
	}
}

// divides says whether a value that can be divided surely stands in front of a percent
// sign.
func (r *rubyReader) divides() bool {
	last := r.last()
	return last.kind == tokNumber || last.kind == tokString || last.isOne(")", "]")
}

// handsOn says whether the ampersand that comes next may stand in front of a value, not
// between two.
func (r *rubyReader) handsOn() bool {
	return isBlank(r.peek(-1)) && !isBlank(r.peek(1)) && !r.among(1, ":&.=")
}

// heredoc says whether what comes next may begin a text that stands in the next lines.
func (r *rubyReader) heredoc() bool {
	return r.ahead("<<") && len(r.rest()) > 2 && r.peek(2) != ' '
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
	if !strings.HasPrefix(text, "#{") {
		return "", !strings.HasPrefix(text, "#$") && !strings.HasPrefix(text, "#@")
	}
	end := strings.IndexByte(text, '}')
	// Braces, quotes and escapes inside would have to be read once more.
	if end < 3 || strings.ContainsAny(text[2:end], `{"'\#`+"`") {
		return "", false
	}
	return text[2:end], true
}
