package language

import "strings"

// SecretName reports whether a variable, flag or field of this name is likely to
// hold a secret. It goes by the words of the name: KEYBOARD and AUTHOR hold none.
func SecretName(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if last == "tokens" && HasWord("max min num total input output prompt completion", words[0]) {
		return false // counted, not held
	}
	if HasWord("file path dir name id ids arn count length size ttl expiry expires type limit budget lifetime policy manager url uri endpoint enabled required helper", last) {
		if last == "url" {
			for _, w := range words[:len(words)-1] {
				if HasWord("database webhook redis mongo mongodb postgres mysql amqp sentry", w) {
					return true // with a password or a token in it
				}
			}
		}
		return false
	}
	for i, w := range words {
		switch {
		case HasWord("token tokens secret secrets password passwords passwd passphrase passcode credential credentials apikey authtoken bearer pgpassword jwt dsn requirepass masterauth kubeconfig", w):
			return true
		case w == "connection" && i+1 < len(words) && HasWord("string strings", words[i+1]):
			return true // with the password in it
		case w == "key" && i == len(words)-1 && len(words) > 1:
			return !HasWord("public primary foreign cache sort partition index object row storage i18n", words[i-1])
		case HasWord("pass pwd auth pat cookie", w) && i == len(words)-1:
			return len(words) > 1 || w == "pass" || w == "pat"
		}
	}
	return false
}

// nameWords takes a name apart: GITHUB_TOKEN, api-key, accessToken.
func nameWords(name string) []string {
	var words []string
	start := 0
	flush := func(end int) {
		if start < end {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case !isDigit(c) && (!isLetter(c) || c == '_'):
			flush(i)
			start = i + 1
		case i > 0 && c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z':
			flush(i)
			start = i
		}
	}
	flush(len(name))
	return words
}
