package language

import "strings"

// Words of names: those of which each makes a secret of what it names, those that do so as a pair at the end, and those that say
// that only something about it is meant.
const (
	secretWords = `token tokens secret secrets password passwords passwd passphrase passcode credential credentials creds apikey authtoken bearer pgpassword pgpass jwt dsn requirepass masterauth kubeconfig`
	secretPairs = `stripe_sk clerk_sk live_sk test_sk api_sk seed_phrase recovery_phrase mnemonic_phrase pass_phrase wallet_mnemonic deployer_mnemonic seed_mnemonic`
	aboutWords  = `file path dir name id ids arn count length size ttl expiry expires expiration timeout days hours minutes seconds type limit budget lifetime policy manager endpoint enabled required helper`
)

// SecretName reports whether a variable, flag or field of this name is likely to
// hold a secret. It goes by the words of the name: KEYBOARD and AUTHOR hold none.
func SecretName(name string) bool {
	words := NameWords(name)
	if len(words) == 0 {
		return false
	}
	switch last := words[len(words)-1]; {
	case last == "tokens" && HasWord("max min num total input output prompt completion", words[0]):
		return false // counted, not held
	case HasWord("url uri urls uris", last):
		return serviceNamed(words)
	case HasWord(aboutWords, last):
		return false
	}
	for i, w := range words {
		if HasWord(secretWords, w) || w == "connection" && isString(words[i+1:]) {
			return true // the password is in the string
		}
	}
	return endsSecret(words)
}

// isString says whether a name goes on with the word for a text.
func isString(words []string) bool { return len(words) > 0 && HasWord("string strings", words[0]) }

// serviceNamed says whether an address of these words is one with a password or a token
// in it.
func serviceNamed(words []string) bool {
	for _, w := range words {
		if HasWord("database db webhook redis mongo mongodb postgres postgresql mysql mariadb amqp rabbitmq broker celery cloudinary clickhouse sqlalchemy sentry smtp", w) {
			return true
		}
	}
	return false
}

// endsSecret says whether the last word of a name makes a secret of it, with the one
// before it.
func endsSecret(words []string) bool {
	last := words[len(words)-1]
	if len(words) == 1 {
		return HasWord("pass pat mnemonic", last)
	}
	if HasWord(secretPairs, words[len(words)-2]+"_"+last) {
		return true
	}
	if last == "key" {
		return !HasWord("public primary foreign cache sort partition index object row storage i18n", words[len(words)-2])
	}
	return HasWord("pass pwd auth pat cookie", last)
}

// NameWords takes a name apart: GITHUB_TOKEN, api-key, accessToken.
func NameWords(name string) []string {
	var words []string
	start := 0
	flush := func(end int) {
		if start < end {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_' || !isWordByte(c):
			flush(i)
			start = i + 1
		case i > 0 && isUpper(c) && isLower(name[i-1]):
			flush(i)
			start = i
		}
	}
	flush(len(name))
	return words
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
