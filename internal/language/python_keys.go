package language

import "strings"

// Clients of services keep the key that they found in the environment, and classes of settings hold what they found there.

const (
	// clientKeys are members of clients that are keys. Much else that is called a token is a part of a text.
	clientKeys = `api_key apikey apiKey access_token accessToken auth_token authToken secret_key secretKey secret_access_key client_secret clientSecret private_key refresh_token refreshToken password`
	// keyCalls are functions that return such a key.
	keyCalls = `get_api_key get_secret get_secret_value get_password get_credentials export_keys`
	// settingsBase is what classes of settings are derived from.
	settingsBase = "BaseSettings"
)

// holdsKey says whether the name at i is the key of a client that comes from a module which is not Python's own, and more of it shows
// than whether it is set.
func holdsKey(p *pyReader, i int) bool {
	name := p.at(i).text
	if what := p.bound[name]; !p.at(i-1).is(".") && what != "" {
		name = what[strings.LastIndexByte(what, '.')+1:] // it is imported under a name of its own
	} else if p.at(i).kind != tokName || !p.at(i-1).is(".") {
		return false
	}
	part := secretPart{start: i, end: i + 1}
	part.wholeOf(p.tokens)
	if called := p.called(i + 1); called && !HasWord(keyCalls, name) && !hubToken(p, name) || !called && !HasWord(clientKeys, name) {
		return false
	} else if called {
		part.end = p.closing(i+1) + 1
	}
	return fromForeign(p, part.start) && !p.condition(part.start, part.end) && !(p.at(part.start-1).is("(") && p.at(part.start-2).named("bool len type"))
}

// tokenHubs are modules whose function get_token returns the token of the user. In others it is a part of a text.
const tokenHubs = `huggingface_hub transformers datasets`

// hubToken says whether a function returns the token of the user.
func hubToken(p *pyReader, function string) bool {
	if function != "get_token" {
		return false
	}
	for _, what := range p.bound {
		if head, _, _ := strings.Cut(what, "."); HasWord(tokenHubs, head) {
			return true
		}
	}
	return false
}

// fromForeign says whether the name at i is something of a module that is not Python's own, or a variable that is given such a thing.
func fromForeign(p *pyReader, i int) bool {
	name := p.at(i).text
	what := p.bound[name]
	if at, once := p.only(name); once && what == "" {
		what = p.bound[p.at(at).text]
	}
	return what != "" && !pyKnown(what)
}

// showsSettingsClass says whether the name at i stands for an object of a class of settings with a secret in it, all of which shows.
func showsSettingsClass(p *pyReader, i int) bool {
	name := p.at(i).text
	if p.at(i).kind != tokName || p.at(i-1).is(".") || p.keyword(i) {
		return false
	}
	end := i + 1
	if at, once := p.only(name); once {
		name = p.at(at).text
	} else if p.called(end) {
		end = p.closing(end) + 1
	}
	whole := p.at(end).isOne(",", ")") || p.at(end).is(".") && p.at(end+1).named("model_dump model_dump_json dict json")
	return whole && !pyMeasured(p, i) && isSettingsClass(p, name)
}

// isSettingsClass says whether a class of the program is one of settings that has a secret.
func isSettingsClass(p *pyReader, name string) bool {
	for i := range p.tokens {
		if !p.spend(1) || !p.at(i).isName("class") || !p.at(i+1).isName(name) || !looks(p.tokens, i+2, "( "+settingsBase) {
			continue
		}
		for k := p.closing(i + 2); k < len(p.tokens) && !p.at(k).isName("class") && p.spend(1); k++ {
			if SecretName(p.at(k).text) && p.at(k).kind == tokName && p.at(k+1).is(":") {
				return true
			}
		}
	}
	return false
}
