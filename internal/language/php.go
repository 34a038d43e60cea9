package language

import (
	"strings"

	"longline/internal/tool"
)

// phpNames are keywords, constants and functions that compute and print.
// Functions that take the name of another function are not among them.
const phpNames = `echo print if else elseif foreach for while do switch case break continue default as return and or xor array list isset empty unset exit die true false null endif endforeach endfor endwhile
print_r var_dump var_export printf sprintf vsprintf number_format implode explode join str_split count sizeof strlen strtolower strtoupper ucfirst ucwords lcfirst trim ltrim rtrim str_replace str_repeat str_pad
substr strpos stripos strrpos strstr strrev substr_count str_contains str_starts_with str_ends_with wordwrap nl2br htmlspecialchars htmlentities html_entity_decode strip_tags addslashes sprintf md5 sha1 crc32 hash hash_algos
base64_encode base64_decode bin2hex hex2bin urlencode urldecode rawurlencode rawurldecode http_build_query parse_url json_encode json_decode json_last_error json_last_error_msg serialize
array_keys array_values array_merge array_combine array_flip array_slice array_splice array_sum array_product array_unique array_reverse array_search array_key_exists array_key_first array_key_last array_column array_fill array_pad array_chunk array_diff array_intersect array_push array_pop
array_shift array_unshift in_array range sort rsort ksort krsort asort arsort max min abs ceil floor round sqrt pow intdiv fmod pi rand mt_rand random_int random_bytes dechex hexdec bindec decbin octdec
is_array is_string is_int is_numeric is_null is_bool is_float intval floatval strval boolval settype gettype
date time microtime mktime strtotime gmdate checkdate date_default_timezone_get phpversion php_sapi_name php_uname php_ini_loaded_file php_ini_scanned_files extension_loaded get_loaded_extensions ini_get sys_get_temp_dir memory_get_usage memory_get_peak_usage
function_exists class_exists preg_match preg_match_all preg_split preg_quote mb_strlen mb_substr mb_strtoupper mb_strtolower iconv utf8_encode utf8_decode ctype_digit ctype_alpha
file_exists is_file is_dir basename dirname pathinfo filesize filemtime getcwd zend_version uniqid usleep sleep
PHP_VERSION PHP_OS PHP_OS_FAMILY PHP_EOL PHP_INT_MAX PHP_INT_SIZE PHP_BINARY PHP_MAJOR_VERSION PHP_MINOR_VERSION PHP_RELEASE_VERSION PHP_VERSION_ID PHP_SAPI PHP_EXTENSION_DIR DIRECTORY_SEPARATOR M_PI E_ALL
JSON_PRETTY_PRINT JSON_UNESCAPED_SLASHES JSON_UNESCAPED_UNICODE JSON_THROW_ON_ERROR`

// phpGlobals are variables that hold what the program was called with, and all others.
const phpGlobals = `_ENV _SERVER GLOBALS _REQUEST _GET _POST _COOKIE _FILES _SESSION`

// phpDeeds reads a program as php -r takes it.
func phpDeeds(text string) Deeds {
	p := phpReader{lexer{cursor: cursor{text: text}}}
	p.scan()
	for i := 0; i < len(p.tokens) && p.deeds.Problem == ""; i++ {
		p.judge(i)
	}
	return p.deeds
}

type phpReader struct{ lexer }

// judge looks at the token at i.
func (p *phpReader) judge(i int) {
	t, prev, next := p.tokens[i], tokenAt(p.tokens, i-1), tokenAt(p.tokens, i+1)
	switch {
	case next.is("(") && phpCallable(t), t.is("$"):
		p.fail("a function whose name is computed")
	case t.kind == tokRegex: // a variable
		if HasWord(phpGlobals, t.text) {
			p.fail("the variable " + Quote(t.text))
		}
	case t.kind != tokName:
	case prev.isOne("->", "?->"):
		if next.is("(") {
			p.fail("a method")
		}
	case HasWord("getenv file_get_contents", strings.ToLower(t.text)):
		p.looks(i)
	case !phpKnows(t.text):
		p.fail("the name " + Quote(t.text))
	}
}

// phpKnows says whether a name is one that computes or prints. Those of functions may be
// written in capital letters.
func phpKnows(name string) bool {
	return HasWord(phpNames, name) || HasWord(phpNames, strings.ToLower(name))
}

// phpCallable says whether a token that is no name can be called: strings, variables and
// the results of expressions can.
func phpCallable(t token) bool { return t.kind == tokString || t.kind == tokRegex || t.closes() }

// looks is a look at a variable of the environment or at a file, whose name must be
// written there.
func (p *phpReader) looks(i int) {
	name, arg := p.tokens[i].text, tokenAt(p.tokens, i+2)
	switch {
	case !looks(p.tokens, i+1, "( TEXT )"):
		p.fail("the function " + Quote(name) + " with an argument that is computed")
	case strings.EqualFold(name, "getenv"):
		if SecretName(arg.text) || arg.text == "" {
			p.fail("a look at the environment")
		}
	case arg.text == "php://stdin":
	case strings.Contains(arg.text, ":"):
		p.fail("an address")
	default:
		p.deeds.add(tool.Read, arg.text)
	}
}

// scan takes a program apart. Variables have the kind tokRegex.
func (p *phpReader) scan() {
	for p.going() {
		switch c := p.text[p.at]; {
		case isSpace(c):
			p.at++
		case p.strange(c):
			p.fail("something that longline does not follow in PHP")
		case p.remark(c), p.literal(c):
		case p.ahead("->"):
			p.op(2)
		default:
			p.op(1)
		}
	}
}

// remark passes over a comment.
func (p *phpReader) remark(c byte) bool {
	switch {
	case c == '#', p.ahead("//"):
		if line := p.line(); strings.Contains(line, "\r") || strings.Contains(line, "?>") {
			p.fail("a comment that may end early")
		}
	case p.ahead("/*"):
		p.comment("/*", "*/")
	default:
		return false
	}
	return true
}

// literal reads a string, a variable, a name or a number.
func (p *phpReader) literal(c byte) bool {
	switch {
	case isQuote(c):
		p.str(c, true)
		if s := p.last(); c == '"' && s.kind == tokString {
			p.tokens[len(p.tokens)-1].plain = s.plain && !strings.Contains(s.text, "$")
			p.interpolated(s.text)
		}
	case c == '$' && isLetter(p.peek(1)):
		p.at++
		p.emit(token{kind: tokRegex, text: p.word()})
	case isWordByte(c):
		p.emit(p.nameOrNumber())
	default:
		return false
	}
	return true
}

// strange says whether something begins here that is not followed.
func (p *phpReader) strange(c byte) bool {
	return c >= 0x80 || c < ' ' || strings.IndexByte("`\\@", c) >= 0 || p.ahead("<<<") || p.ahead("?>") || p.ahead("::") || p.ahead("#[")
}

// interpolated makes sure that a string has no more put into it than variables.
func (p *phpReader) interpolated(body string) {
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '\\':
			i++
		case '$':
			if i > 0 && body[i-1] == '{' || !phpPutsVariable(body[i+1:]) {
				p.fail("an expression in a string")
			}
		}
	}
}

// phpPutsVariable says whether a dollar sign in a string, and what follows it, puts in no
// more than a variable.
func phpPutsVariable(rest string) bool {
	name := rest[:wordLength(rest)]
	after := rest[len(name):]
	if name == "" && strings.HasPrefix(after, "{") || HasWord(phpGlobals, name) {
		return false
	}
	return !strings.HasPrefix(after, "[") && !strings.HasPrefix(after, "->")
}
