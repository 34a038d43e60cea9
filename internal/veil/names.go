package veil

import "strings"

// Words of names: those that make a secret of what they name, those that do so as a pair at the
// end, and those that say that only something about it is meant. A test holds them against the
// notion that the rest of longline has; this package links nothing of it.
const (
	secretWords  = " token tokens secret secrets password passwords passwd passphrase passcode credential credentials creds apikey authtoken bearer pgpassword pgpass jwt dsn requirepass masterauth kubeconfig "
	secretPairs  = " stripe_sk clerk_sk live_sk test_sk api_sk seed_phrase recovery_phrase mnemonic_phrase pass_phrase wallet_mnemonic deployer_mnemonic seed_mnemonic "
	aboutWords   = " file path dir name id ids arn count length size ttl expiry expires expiration timeout days hours minutes seconds type limit budget lifetime policy manager endpoint enabled required helper "
	serviceWords = " database db webhook redis mongo mongodb postgres postgresql mysql mariadb amqp rabbitmq broker celery cloudinary clickhouse sqlalchemy sentry smtp "
	openKeys     = " public primary foreign cache sort partition index object row storage i18n "
	openWords    = " port host hostname env environment level log mode debug region zone name user username email mail from to db database bucket " +
		"url uri urls origin origins domain address path dir file version locale lang language timezone tz driver connection engine provider model " +
		"stage channel enabled disabled size limit count timeout ttl interval id ids type format prefix suffix title description owner group " +
		"project org team shell editor term home "
)

func has(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// secretName says whether a variable or a key of this name is likely to hold a secret.
func secretName(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	switch {
	case last == "tokens" && has(" max min num total input output prompt completion ", words[0]):
		return false // counted, not held
	case has(" url uri urls uris ", last):
		for _, w := range words {
			if has(serviceWords, w) {
				return true
			}
		}
		return false
	case has(aboutWords, last):
		return false
	}
	for i, w := range words {
		if has(secretWords, w) || w == "connection" && i+1 < len(words) && has(" string strings ", words[i+1]) {
			return true
		}
	}
	if len(words) == 1 {
		return has(" pass pat mnemonic ", last)
	}
	before := words[len(words)-2]
	return has(secretPairs, before+"_"+last) || last == "key" && !has(openKeys, before) || has(" pass pwd auth pat cookie ", last)
}

// secretKey is secretName for the keys of files that hold credentials, which are shorter.
func secretKey(key string) bool {
	return secretName(key) || has(" auth _auth key client-key-data authorization proxy-authorization pwd access refresh session sessionid ", strings.ToLower(key))
}

// openName says whether a name in a dotenv file says that its value is no secret. Names that look
// like secrets are never open, except where a prefix says that the value is sent to every browser.
func openName(name string) bool {
	upper := strings.ToUpper(name)
	for prefix := range strings.FieldsSeq("PUBLIC_ VITE_ NEXT_PUBLIC_ REACT_APP_ EXPO_PUBLIC_ NUXT_PUBLIC_ GATSBY_ VUE_APP_ STORYBOOK_") {
		if strings.HasPrefix(upper, prefix) {
			return true
		}
	}
	if secretName(name) {
		return false
	}
	words := nameWords(name)
	return len(words) > 0 && has(openWords, words[len(words)-1])
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
		switch c := name[i]; {
		case c == '_' || !isAlnum(c):
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

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }

// alnums says it for each byte.
var alnums = func() (is [256]bool) {
	for c := range is {
		is[c] = isAlnum(byte(c))
	}
	return is
}()
