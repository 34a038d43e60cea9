// Package veil takes the values of secrets out of what programs print. It knows the secrets at
// hand (variables, files, shapes of tokens), filters streams and runs programs with their output
// through such a filter. Values stay in memory: nothing here writes, logs or quotes one.
package veil

import (
	"path"
	"strconv"
	"strings"

	"longline/internal/language"
)

// What stands in the place of a secret, with its name between.
const (
	opening = "‹hidden:"
	closing = "›"
)

// Secrets are values with names. The zero value has none; the filter knows tokens by their shapes
// all the same.
type Secrets struct {
	values []value
	known  map[string]bool // the values
	taken  map[string]bool // the names
}

type value struct{ text, name string }

// least is how long the shortest secret is.
const least = 6

// Environment takes in the variables that are named like secrets, and the passwords in URLs of all.
func (s *Secrets) Environment(env []string) {
	for _, entry := range env {
		name, text, _ := strings.Cut(entry, "=")
		if language.SecretName(name) {
			s.add(name, "", text, true)
		} else {
			s.within(name, "", text)
		}
	}
}

// add takes in a value if it counts, and whatever is within it.
func (s *Secrets) add(name, file, text string, named bool) {
	text = strings.TrimSpace(text)
	s.within(name, file, text)
	if strings.Contains(text, "-----BEGIN ") || !counts(text, named) {
		return
	}
	name = s.put(name, file, text)
	if strings.Contains(text, "\n") {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); len(line) >= 16 && counts(line, true) {
				s.keep(line, name)
			}
		}
	}
	// Kubernetes and Docker keep secrets in base64; the second says who they are for.
	if plain, err := language.Base64(text); named && err == nil && isText(plain) {
		s.within(name, file, string(plain))
		if _, password, ok := strings.Cut(string(plain), ":"); ok {
			s.add(name, file, password, true)
		}
		s.add(name, file, string(plain), true)
	}
}

// within takes in the private keys and the passwords of URLs in a value.
func (s *Secrets) within(name, file, text string) {
	s.keys(name, file, text)
	urlSecrets(text, func(secret string) {
		if counts(secret, true) {
			s.put(name, file, secret)
		}
	})
}

func isText(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c > '~' {
			return false
		}
	}
	return len(text) >= least
}

// put remembers a value under a name that no other value has: its own, else that with the file's,
// else that with a number.
func (s *Secrets) put(name, file, text string) string {
	if s.known[text] {
		for _, v := range s.values {
			if v.text == text {
				return v.name
			}
		}
	}
	wanted := plainName(name)
	if s.taken[wanted] && file != "" {
		wanted = plainName(path.Base(file) + ":" + name)
	}
	name = wanted
	for n := 2; s.taken[name]; n++ {
		name = wanted + "#" + strconv.Itoa(n)
	}
	s.keep(text, name)
	return name
}

// keep remembers a value, or a part of one, under a name.
func (s *Secrets) keep(text, name string) {
	if len(text) < least || s.known[text] {
		return
	}
	if s.known == nil {
		s.known, s.taken = map[string]bool{}, map[string]bool{}
	}
	s.known[text], s.taken[name] = true, true
	s.values = append(s.values, value{text, name})
}

// plainName leaves of a name what no terminal and no parser stumbles over.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < 128 && (isAlnum(byte(r)) || strings.ContainsRune("_-.:#", r)) {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		name = "secret"
	}
	return name[:min(len(name), 80)]
}

// Least is how long the shortest secret is.
const Least = least

// Hider puts the names of secrets into whole texts.
type Hider struct {
	table  *table
	Hidden map[string]int // how often each was
}

// Hider compiles what takes these secrets out of texts.
func (s *Secrets) Hider() *Hider { return &Hider{s.table(), map[string]int{}} }

// Text is a text with names in place of secrets.
func (h *Hider) Text(text string) string {
	var b strings.Builder
	f := newFilter(&b, h.table, idle)
	_, _ = f.Write([]byte(text))
	_ = f.Close()
	for name, n := range f.hidden {
		h.Hidden[name] += n
	}
	return b.String()
}
