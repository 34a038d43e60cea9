package veil

import (
	"strings"

	"longline/internal/language"
)

// openWords are words that names end with whose values are no secrets.
const openWords = "port host hostname env environment level log mode debug region zone name user username email mail from to db database bucket " +
	"url uri urls origin origins domain address path dir file version locale lang language timezone tz driver connection engine provider model " +
	"stage channel enabled disabled size limit count timeout ttl interval id ids type format prefix suffix title description owner group " +
	"project org team shell editor term home "

// secretKey is [language.SecretName] for the keys of files that hold credentials, which are shorter.
func secretKey(key string) bool {
	return language.SecretName(key) || language.HasWord("auth _auth key client-key-data authorization proxy-authorization pwd access refresh session sessionid", strings.ToLower(key))
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
	if language.SecretName(name) {
		return false
	}
	words := language.NameWords(name)
	return len(words) > 0 && language.HasWord(openWords, words[len(words)-1])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }
