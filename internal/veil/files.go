package veil

import (
	"path"
	"strconv"
	"strings"

	"longline/internal/language"
	"longline/internal/mask"
)

// longest is how much of a file is read for its keys and values.
const longest = 1 << 20

// File takes in the secrets of a file that is known to hold some: a dotenv file, keys, settings
// with credentials, a cookie jar. What kind it is goes by its name, else by what is in it.
func (s *Secrets) File(name string, text []byte) {
	t := strings.ReplaceAll(string(text[:min(len(text), longest)]), "\r\n", "\n")
	base := strings.ToLower(path.Base(name))
	switch {
	case isSample(base):
		return
	case isDotenv(base):
		pairs(t, true, func(key, value string) {
			if !openName(key) {
				s.add(key, name, value, language.SecretName(key))
			} else {
				s.within(key, name, value)
			}
		})
	case strings.Contains(base, "netrc") || strings.Contains(base, "authinfo"):
		s.netrc(name, t)
	case strings.Contains(base, "pgpass"):
		s.lines(name, t, ":", 5, 4)
	case strings.Contains(t, "-----BEGIN ") && strings.HasPrefix(t, "-----"):
	case strings.Contains(base, "cookie") || strings.HasPrefix(t, "# Netscape"):
		s.lines(name, t, "\t", 7, 6)
	case isBare(t):
		s.add(path.Base(name), "", t, true)
	default:
		pairs(t, false, func(key, value string) {
			if secretKey(key) {
				s.add(key, name, scheme(value), true)
			}
		})
		mask.Elements(t, func(from, end, to int) {
			if key := t[from:end]; secretKey(key) && strings.HasPrefix(t[to:], "</"+key+">") {
				s.add(key, name, t[end+1:to], true)
			}
		})
	}
	s.keys(path.Base(name), "", t)
	line := 0
	for text := range strings.Lines(t) {
		line++
		at := path.Base(name) + ":" + strconv.Itoa(line)
		s.within(at, "", text)
		mask.Shapes().In([]byte(text), 0, nil, true, func(t mask.Token) { s.put(at, "", text[t.Start:t.End]) }, nil)
	}
}

// isSample: what stands in samples is in every copy of the project.
func isSample(base string) bool {
	for suffix := range strings.FieldsSeq(".example .sample .template .dist .tpl") {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return false
}

func isDotenv(base string) bool {
	return strings.HasPrefix(base, ".env") || strings.HasSuffix(base, ".env") || base == "env" || base == ".dev.vars" || base == ".flaskenv"
}

// isBare: a file that is one word, as a token or a password is.
func isBare(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && len(text) <= 4096 && !strings.ContainsAny(text, " \t\n{<") && !strings.Contains(text[:len(text)-1], "=")
}

// scheme is a value without the word before it in a header.
func scheme(value string) string {
	for _, word := range [...]string{"Bearer ", "Basic ", "Token ", "token "} {
		value = strings.TrimPrefix(value, word)
	}
	return value
}

// netrc: the word after "password", on the same line or a later one.
func (s *Secrets) netrc(name, text string) {
	line, after := 0, false
	for l := range strings.Lines(text) {
		line++
		for word := range strings.FieldsSeq(l) {
			if after {
				s.add(path.Base(name)+":"+strconv.Itoa(line), "", strings.Trim(word, `"`), true)
			}
			after = !after && (word == "password" || word == "account")
		}
	}
}

// lines takes in one field of each line that has as many. In a cookie jar the one before is its
// name, and in a list of passwords the login.
func (s *Secrets) lines(name, text, divider string, fields, field int) {
	for l := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimRight(l, "\n"), divider, fields)
		if len(f) == fields && (l[0] != '#' || strings.HasPrefix(l, "#HttpOnly_")) {
			s.add(f[field-1], name, strings.ReplaceAll(f[field], `\:`, ":"), true)
		}
	}
}

// keys takes in the private keys of a text: each line, as programs print lines, and the whole, as
// it may be found in base64.
func (s *Secrets) keys(name, file, text string) {
	if !strings.Contains(text, "PRIVATE KEY") {
		return
	}
	text = strings.NewReplacer(`\r`, "", `\n`, "\n", "\r", "").Replace(text)
	for {
		at := strings.Index(text, "-----BEGIN ")
		if at < 0 {
			return
		}
		text = text[at:]
		label, body, ok := strings.Cut(text[len("-----BEGIN "):], "-----")
		trailer := "-----END " + label + "-----"
		end := strings.Index(body, trailer)
		if !ok || end < 0 || !strings.Contains(label, "PRIVATE KEY") {
			text = text[len("-----BEGIN "):]
			continue
		}
		whole := "-----BEGIN " + label + "-----" + body[:end] + trailer
		var lines []string
		for line := range strings.Lines(whole) {
			lines = append(lines, strings.Trim(line, " \t\n\"',+\\"))
		}
		if len(lines) > 2 {
			name := s.put(name, file, strings.Join(lines, "\n"))
			for _, line := range lines[1 : len(lines)-1] {
				if len(line) >= 16 && !strings.Contains(line, ": ") {
					s.keep(line, name)
				}
			}
		}
		text = body[end:]
	}
}

// pairs calls each for what looks like a key with a value in a text: KEY=value, "key": "value",
// key: value. In a dotenv file a line has one pair; elsewhere values are searched in turn.
func pairs(text string, dotenv bool, each func(key, value string)) {
	signs := ":="
	if dotenv {
		signs = "="
	}
	for at := 0; at < len(text); {
		next := strings.IndexAny(text[at:], signs)
		if next < 0 {
			return
		}
		sign := at + next
		key := keyBefore(text[:sign])
		at = sign + 1
		line := text[strings.LastIndexByte(text[:sign], '\n')+1 : sign]
		for at < len(text) && strings.IndexByte("=> \t", text[at]) >= 0 {
			at++
		}
		value, quoted, end := valueAt(text, at, sign)
		if key != "" && (!dotenv || language.SecretName(key) || !strings.Contains(line, "#")) {
			each(key, value)
		}
		if quoted || dotenv {
			at = end
		}
	}
}

// keyBefore is the key that a text ends with, without quotes.
func keyBefore(text string) string {
	text = strings.TrimRight(text, " \t?+")
	if text == "" {
		return ""
	}
	if q := text[len(text)-1]; q == '"' || q == '\'' {
		text = text[:len(text)-1]
		return text[strings.LastIndexByte(text, q)+1:]
	}
	start := len(text)
	for start > 0 && (isAlnum(text[start-1]) || strings.IndexByte("_-.", text[start-1]) >= 0) {
		start--
	}
	return text[start:]
}

// valueAt is the value that begins at an offset: quoted, a block of YAML, or the rest of the line.
func valueAt(text string, at, sign int) (value string, quoted bool, end int) {
	if at < len(text) && (text[at] == '"' || text[at] == '\'' || text[at] == '`') {
		q := text[at]
		for end = at + 1; end < len(text) && text[end] != q; end++ {
			if text[end] == '\\' && q == '"' {
				end++
			}
		}
		if end < len(text) {
			if value = text[at+1 : end]; q == '"' {
				value = plain(value)
			}
			return value, true, end + 1
		}
	}
	line, _, _ := strings.Cut(text[at:], "\n")
	end = at + len(line)
	if strings.HasSuffix(strings.TrimRight(text[:sign], " "), `"`) { // in JSON what has no quotes is no text
		return "", false, at
	}
	value = strings.TrimSpace(line)
	if value != "" && strings.Trim(value, "|>-+") == "" {
		return block(text[min(end+1, len(text)):], indent(text[strings.LastIndexByte(text[:sign], '\n')+1:])), false, end
	}
	if comment := strings.Index(value, " #"); comment >= 0 {
		value = strings.TrimSpace(value[:comment])
	}
	return strings.TrimRight(value, ",;"), false, end
}

// block is the lines that are indented deeper than the key they belong to.
func block(text string, than int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && indent(line) <= than {
			break
		}
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// plain undoes the escapes within double quotes.
func plain(quoted string) string {
	if !strings.Contains(quoted, `\`) {
		return quoted
	}
	if text, err := strconv.Unquote(`"` + strings.NewReplacer("\n", `\n`, `\/`, "/", `\$`, "$", "\\`", "`").Replace(quoted) + `"`); err == nil {
		return text
	}
	return quoted
}
