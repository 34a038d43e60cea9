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

// phpDeeds reads a program as php -r takes it.
func phpDeeds(text string) Deeds {
	var d Deeds
	ts := phpTokens(text, &d)
	for i := 0; i < len(ts) && d.Problem == ""; i++ {
		t, prev, next := ts[i], tokenAt(ts, i-1), tokenAt(ts, i+1)
		// Strings, variables and the results of expressions can be called too.
		callable := t.kind == tokString || t.kind == tokRegex || t.isOne(")", "]", "}")
		switch {
		case callable && next.is("("), t.is("$"):
			d.fail("a function whose name is computed")
		case t.kind == tokRegex: // a variable
			if HasWord("_ENV _SERVER GLOBALS _REQUEST _GET _POST _COOKIE _FILES _SESSION", t.text) {
				d.fail("the variable " + Quote(t.text))
			}
		case t.kind != tokName:
		case prev.is("->") || prev.is("?->"):
			if next.is("(") {
				d.fail("a method")
			}
		case HasWord("getenv file_get_contents", strings.ToLower(t.text)):
			arg := tokenAt(ts, i+2)
			switch {
			case !next.is("(") || !arg.plain || !tokenAt(ts, i+3).is(")"):
				d.fail("the function " + Quote(t.text) + " with an argument that is computed")
			case strings.EqualFold(t.text, "getenv"):
				if SecretName(arg.text) || arg.text == "" {
					d.fail("a look at the environment")
				}
			case arg.text == "php://stdin":
			case strings.Contains(arg.text, ":"):
				d.fail("an address")
			default:
				d.add(tool.Read, arg.text)
			}
		case !HasWord(phpNames, t.text) && !HasWord(phpNames, strings.ToLower(t.text)):
			d.fail("the name " + Quote(t.text))
		}
	}
	return d
}

// nameOrNumber is the token that a letter or a digit begins.
func nameOrNumber(rest string) token {
	if isDigit(rest[0]) {
		return token{kind: tokNumber, text: rest[:numeralLength(rest)]}
	}
	return token{kind: tokName, text: rest[:wordLength(rest)]}
}

// phpTokens takes a program apart. Variables have the kind tokRegex.
func phpTokens(text string, d *Deeds) []token {
	var ts []token
	for i := 0; i < len(text) && d.Problem == ""; {
		c, rest := text[i], text[i:]
		switch {
		case isBlank(c) || c == '\r':
			i++
		case c == '#' && !strings.HasPrefix(rest, "#[") || strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			if strings.ContainsAny(line, "\r") || strings.Contains(line, "?>") {
				d.fail("a comment that may end early")
			}
			i += len(line)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				d.fail("a comment does not end")
				break
			}
			i += end + 4
		case c == '\'' || c == '"':
			end, plain := 1, true
			for end < len(rest) && rest[end] != c {
				if rest[end] == '\\' {
					plain = false
					end++
				} else if c == '"' && rest[end] == '$' {
					plain = false
					// "$name" is a variable; more than that may be code.
					k := end + 1 + wordLength(rest[end+1:])
					name := rest[end+1 : k]
					if rest[end-1] == '{' || name == "" && k < len(rest) && rest[k] == '{' || k < len(rest) && (rest[k] == '[' || strings.HasPrefix(rest[k:], "->")) || HasWord("_ENV _SERVER GLOBALS", name) {
						d.fail("an expression in a string")
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
		case c == '$' && i+1 < len(text) && isLetter(text[i+1]):
			n := 1 + wordLength(rest[1:])
			ts = append(ts, token{kind: tokRegex, text: rest[1:n]})
			i += n
		case isLetter(c), isDigit(c):
			t := nameOrNumber(rest)
			ts = append(ts, t)
			i += len(t.text)
		case strings.HasPrefix(rest, "<<<"), strings.HasPrefix(rest, "?>"), strings.HasPrefix(rest, "::"), strings.HasPrefix(rest, "#["), c == '`', c == '\\', c == '@', c >= 0x80, c < ' ':
			d.fail("something that longline does not follow in PHP")
		case strings.HasPrefix(rest, "->"):
			ts = append(ts, token{kind: tokOp, text: "->"})
			i += 2
		default:
			ts = append(ts, token{kind: tokOp, text: rest[:1]})
			i++
		}
	}
	return ts
}

// numeralLength takes all that may belong to a number that begins text: what
// follows a digit without a break is never a name of its own.
func numeralLength(text string) int {
	n := 0
	for n < len(text) && (isWordByte(text[n]) || text[n] == '.') {
		n++
	}
	return n
}
