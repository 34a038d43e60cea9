package veil

import (
	"os"
	"strings"

	"longline/internal/language"
	"longline/internal/mask"
)

// Words that are so common as values that to hide them would spoil every text and tell nothing,
// and what stands in the place of a value that somebody has yet to fill in.
const (
	commonWords = " localhost development production staging testing default disabled enabled password passwd secret secrets postgres postgresql mysql " +
		"mongodb redis admin administrator username undefined anonymous required optional verbose warning information application/json utf-8 " +
		"test-key test-token testtest dummy-key fake-key letmein password1 password123 secretkey supersecret sqlite3 sandbox private public " +
		"memory database session cookie bearer basic none null true false guest root user info debug error trace "
	placeholders = "changeme change-me change_me changeit your- your_ yourpass yourtoken yoursecret yourkey placeholder replace-me replace_me replaceme replace-with replace_with insert- insert_ xxxx **** .... <your todo fixme dummy example"
)

// counts says whether a value is a secret worth hiding; named is whether its name says so. A value
// counts if it has eight characters, or six of several kinds: what is shorter is found in other
// words, and a filter that changes ordinary text is turned off. It does not count if it is
//   - a common word or a placeholder: who sees it learns nothing;
//   - a number of up to six digits, a date, a version or an address of a machine: ports, sizes and
//     days are everywhere;
//   - the reference to another variable: the value is elsewhere;
//   - a path that exists, an e-mail address, a URL (its password counts by itself): these are
//     what an agent works with, and they open nothing;
//   - plain words, unless the name says that they are a passphrase.
func counts(value string, named bool) bool {
	if len(value) < 6 || len(value) < 8 && !severalKinds(value) || strings.Trim(value, value[:1]) == "" {
		return false
	}
	lower := strings.ToLower(value)
	if language.HasWord(commonWords, lower) || isPlaceholder(lower) || isReference(value) {
		return false
	}
	if isNumeric(value) || isMail(value) || isURL(value) || isPath(value) {
		return false
	}
	return named || !isPlain(value)
}

// severalKinds says whether letters are mixed with digits or signs.
func severalKinds(value string) bool {
	letters, others := false, false
	for i := range len(value) {
		letter := isAlnum(value[i]) && !isDigit(value[i])
		letters, others = letters || letter, others || !letter
	}
	return letters && others
}

func isPlaceholder(lower string) bool {
	for p := range strings.FieldsSeq(placeholders) {
		if strings.HasPrefix(lower, p) || len(p) > 6 && strings.Contains(lower, p) && len(lower) < 2*len(p)+8 {
			return true
		}
	}
	return lower[0] == '<' && strings.HasSuffix(lower, ">") || strings.HasPrefix(lower, opening)
}

// isReference: ${NAME}, $NAME, {{ name }}, $(command), %NAME%, op://vault/item.
func isReference(value string) bool {
	name, ok := strings.CutPrefix(value, "$")
	if ok && name != "" && (name[0] == '(' || name[0] == '{' && strings.IndexByte(name, '}') == len(name)-1) {
		return true
	}
	if ok && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" {
		return true
	}
	return strings.HasPrefix(value, "{{") && strings.HasSuffix(value, "}}") || strings.HasPrefix(value, "op://") || strings.HasPrefix(value, "vault:")
}

// isNumeric: numbers of up to six digits, dates, times, versions, addresses of machines, sums of
// these with the letters that versions have. A long number may be a PIN or a card.
func isNumeric(value string) bool {
	if strings.Trim(value, "0123456789") == "" {
		return len(value) <= 6 || len(value) == 8 && (value[:2] == "19" || value[:2] == "20")
	}
	rest := strings.TrimPrefix(value, "v")
	if rest == "" || !isDigit(rest[0]) {
		return false
	}
	core, tail, _ := strings.Cut(rest, "-")
	if strings.Contains(core, ".") && strings.Trim(core, "0123456789.:/") == "" && len(tail) < 16 {
		return true // 1.2.3-rc.1, 127.0.0.1:80, 10.0.0.0/8
	}
	return len(rest) <= 35 && strings.Trim(rest, "0123456789-:.+/ TZ") == "" && strings.Count(rest, "-")+strings.Count(rest, ":")+strings.Count(rest, "/") >= 2
}

func isMail(value string) bool {
	user, host, ok := strings.Cut(value, "@")
	return ok && user != "" && !strings.ContainsAny(user, " :/$!#&*=") && strings.Contains(host, ".") && isHost(host)
}

// isHost: names with dots, and a port.
func isHost(value string) bool {
	host, port, _ := strings.Cut(value, ":")
	if strings.Trim(port, "0123456789") != "" || !strings.Contains(host, ".") && port == "" {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 30 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}

// isURL: the secrets of a URL are collected by [urlSecrets].
func isURL(value string) bool {
	scheme, rest, ok := strings.Cut(value, "://")
	return ok && rest != "" && !strings.ContainsAny(value, " \t\n") && strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

// isPath asks the disk: a password may well have a slash in it.
func isPath(value string) bool {
	path, home := strings.CutPrefix(value, "~/")
	if home || strings.HasPrefix(value, "$HOME/") {
		return true
	}
	if !strings.Contains(path, "/") || len(path) > 4000 || strings.ContainsAny(path, "\x00\n") {
		return false
	}
	_, err := os.Lstat(path)
	return err == nil
}

// isPlain: words as people write them, and numbers between them, alone or as a sentence.
func isPlain(value string) bool {
	if isHost(strings.ToLower(value)) {
		return true
	}
	letters := false
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("-_./ ,:;'!?()", r) }) {
		if strings.Trim(word, "0123456789") == "" {
			continue
		}
		letters = true
		tail := word[1:]
		if len(word) > 14 || strings.Trim(tail, "abcdefghijklmnopqrstuvwxyz") != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || !isAlnum(word[0]) || isDigit(word[0]) {
			return false
		}
	}
	return letters
}

// urlSecrets calls add for the secrets within URLs of a text: those of [mask.Addresses], and values
// of parameters named like secrets.
func urlSecrets(text string, add func(secret string)) {
	both := func(secret string) {
		add(secret)
		if meant := language.Unescaped(secret); meant != secret {
			add(meant)
		}
	}
	mask.Addresses(text, func(start, end int) { both(text[start:end]) })
	for {
		_, after, ok := strings.Cut(text, "://")
		if !ok {
			return
		}
		text = after
		place := text[:len(text)-len(strings.TrimLeftFunc(text, func(r rune) bool { return !strings.ContainsRune(" \t\r\n\"'`<>", r) }))]
		_, query, _ := strings.Cut(place, "?")
		for pair := range strings.SplitSeq(query, "&") {
			if key, value, _ := strings.Cut(pair, "="); secretKey(key) || mask.IsParameter(key) {
				both(value)
			}
		}
	}
}
