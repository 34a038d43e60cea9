// Package mask takes secrets out of text that is kept or shown: passwords,
// tokens and keys that somebody wrote into a command. Where the command could be
// read it goes by what each word is (the value of a variable or flag named like a
// secret, a header, the password in an address, a word that a model calls a
// secret); well-known shapes of tokens are found in any text.
package mask

import (
	"slices"
	"strings"
	"unicode/utf8"

	"longline/internal/command"
	"longline/internal/tool"
)

// Mark stands where a secret was.
const Mark = "***"

// Script masks a shell script, of which invs is the reading.
func Script(script string, invs []*command.Invocation) string {
	masked, _ := Both(script, "", invs)
	return masked
}

// Both masks a shell script and what longline says about it: a reason may quote
// any word of the script.
func Both(script, reason string, invs []*command.Invocation) (masked, said string) {
	m := masker{text: script}
	if len(invs) == 0 {
		invs = rough(script)
	}
	m.invocations(invs)
	if len(m.spans) == 0 && isDull(script) { // as most are
		return script, Text(reason)
	}
	if reason != "" {
		said = without(m.secrets(script), reason)
	}
	return Text(m.apply()), said
}

// Reasons returns what masks a text that quotes words of a script.
func Reasons(script string, invs []*command.Invocation) func(reason string) string {
	m := masker{text: script}
	if len(invs) == 0 {
		invs = rough(script)
	}
	m.invocations(invs)
	secrets := m.secrets(script)
	return func(reason string) string { return without(secrets, reason) }
}

// secrets are those of the script, and of texts that stand for it or its words, that others may quote.
func (m *masker) secrets(texts ...string) []string {
	list := addressSecrets(m.text)
	// What is known by its shape in the script may be quoted as part of a path, where
	// it has that shape no more.
	for _, text := range texts {
		for _, secret := range shaped(text) {
			list = append(append(list, secret, strings.ReplaceAll(secret, "//", "/")), lines(secret)...)
		}
	}
	for _, s := range m.spans {
		// What is shorter says little, and would be found in other words too.
		if secret := strings.Trim(m.text[s.Start:s.End], `'"`); len(secret) > 3 {
			list = append(list, secret)
		}
	}
	return distinct(list)
}

// distinct is a list without what was in it before.
func distinct(list []string) []string {
	if len(list) < 2 {
		return list
	}
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}

// without masks secrets in a text, and what looks like one.
func without(secrets []string, text string) string {
	for _, secret := range secrets {
		if len(secret) <= len(text) {
			text = strings.ReplaceAll(text, secret, Mark)
		}
	}
	return Text(text)
}

// Hidden returns what puts stars in the place of the secrets of a script, wherever they are
// quoted. What is marked in a text by its place stays where it is.
func Hidden(script string, invs []*command.Invocation) func(text string) string {
	m := masker{text: script}
	m.invocations(invs)
	texts := []string{script}
	for _, inv := range invs {
		for _, w := range inv.Words {
			texts = append(texts, w.Text)
		}
	}
	secrets := m.secrets(texts...)
	return func(text string) string {
		for _, secret := range secrets {
			for line := range strings.SplitSeq(secret, "\n") { // they are shown one by one
				if len(line) > 3 {
					text = strings.ReplaceAll(text, line, stars(line))
				}
			}
		}
		return text
	}
}

func stars(text string) string { return strings.Repeat("*", utf8.RuneCountInString(text)) }

// lines are the lines of a secret that has several, as keys have. The shell may see
// each as a word of its own, and between them stand line ends, the signs for line
// ends in a string, indentation, or the ends of strings that are joined. A line of a
// key is long; what is shorter may be any word.
func lines(secret string) []string {
	list := strings.FieldsFunc(strings.NewReplacer(`\\n`, "\n", `\\r`, "\n", `\n`, "\n", `\r`, "\n").Replace(secret), func(c rune) bool {
		return c <= ' ' || strings.ContainsRune("\"'`\\,;#", c)
	})
	if len(list) < 2 {
		return nil
	}
	return slices.DeleteFunc(list, func(line string) bool { return len(line) < 16 })
}

// shaped lists what [Text] masks in a text: what is not there any more.
func shaped(text string) []string {
	masked := Text(text)
	if masked == text {
		return nil
	}
	var list []string
	rest := text
	for i, piece := range strings.Split(masked, Mark) {
		at := strings.Index(rest, piece)
		if at < 0 {
			break
		}
		if i > 0 && piece == "" {
			at = len(rest) // the text ends with a secret, or two are side by side
		}
		if secret := rest[:at]; i > 0 && len(secret) > 7 {
			list = append(list, secret)
		}
		rest = rest[at+len(piece):]
	}
	return list
}

// Placeholder stands for a word that is left out altogether.
const Placeholder = "_"

// Structure is what is left of a script when only the names of programs, their
// subcommands and flags are kept.
func Structure(invs []*command.Invocation) string {
	var b strings.Builder
	for i, inv := range invs {
		if i > 0 {
			b.WriteString("; ")
		}
		words := []string{inv.Name}
		for i, word := range inv.Path {
			switch {
			case i == 0:
			case strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-_:.") == "":
				words = append(words, word)
			default: // no name of a subcommand
				words = append(words, Placeholder)
			}
		}
		if words[0] == "" {
			words[0] = Placeholder
		}
		words = append(words, inv.Flags...)
		for range inv.Operands {
			words = append(words, Placeholder)
		}
		b.WriteString(strings.Join(words, " "))
	}
	return b.String()
}

// masker collects the parts of a text that are secret.
type masker struct {
	text  string
	spans []tool.Span
}

func (m *masker) add(start, end int) {
	if 0 <= start && start < end && end <= len(m.text) {
		m.spans = append(m.spans, tool.Span{Start: start, End: end})
	}
}

func (m *masker) apply() string {
	if len(m.spans) == 0 {
		return m.text
	}
	slices.SortFunc(m.spans, func(a, b tool.Span) int { return a.Start - b.Start })
	var b strings.Builder
	at := 0
	for _, s := range m.spans {
		if s.End <= at {
			continue
		}
		b.WriteString(m.text[at:max(s.Start, at)])
		b.WriteString(Mark)
		at = s.End
	}
	b.WriteString(m.text[at:])
	return b.String()
}

func (m *masker) invocations(invs []*command.Invocation) {
	for _, inv := range invs {
		m.invocation(inv)
	}
	eachPlace(invs, m.place)
}

func (m *masker) invocation(inv *command.Invocation) {
	m.given(inv)
	login := namesUser(inv)
	for i, w := range inv.Words {
		if readsSecret(w.Text) && inv.Stdin.Text != "" {
			m.anywhere(strings.TrimSpace(inv.Stdin.Text))
		}
		if i == 0 {
			continue
		}
		next := command.Word{}
		if i+1 < len(inv.Words) {
			next = inv.Words[i+1]
		}
		m.secretFlag(w, next)
		m.header(w)
		m.user(inv.Words[i-1].Text, w)
		if login && isPasswordFlag(w.Text) && !isPort(next.Text) {
			m.value(next)
		}
		if strings.HasPrefix(w.Text, "pass:") {
			m.after(w, len("pass:"))
		}
	}
}

// given masks what is known to be a secret of an invocation: values of variables, and what its
// model says.
func (m *masker) given(inv *command.Invocation) {
	for _, a := range inv.Env {
		if a.Prefix && command.SecretName(a.Name) {
			m.value(a.Value)
		}
	}
	for _, w := range inv.Secrets {
		if w.At <= 0 && w.Span == (tool.Span{}) {
			m.anywhere(w.Text)
		} else {
			m.value(w)
		}
	}
}

// readsSecret says whether a flag means that a secret comes from the standard input.
func readsSecret(flag string) bool { return flag == "--with-token" || flag == "--password-stdin" }

// isPasswordFlag says whether a flag is one for a password where a command says who logs in.
func isPasswordFlag(flag string) bool { return flag == "-p" || flag == "-P" || flag == "-w" }

// secretFlag masks the value of a flag or a pair whose name is that of a secret.
func (m *masker) secretFlag(w, next command.Word) {
	name, value, glued := strings.Cut(w.Text, "=")
	if isCode(name) || glued && isReference(value) {
		return // what addresses and code hold is found by its shape
	}
	secret := command.SecretName(strings.TrimLeft(name, "-"))
	switch {
	case glued:
		if (secret || isProperty(name)) && !isAmount(name, value) {
			m.after(w, len(name)+1)
		}
	case secret && takesNext(w.Text, next.Text):
		m.value(next)
	}
}

// isCode says whether a text is an address or code rather than a name.
func isCode(name string) bool {
	return strings.Contains(name, "://") || strings.ContainsAny(name, " \t\n(;")
}

// takesNext says whether a word is a flag whose value can be the next word.
func takesNext(word, next string) bool {
	return strings.HasPrefix(word, "-") && len(word) > 2 && !strings.HasPrefix(next, "-") && !isAmount(word, next)
}

// isProperty says whether a name is that of a secret property, as build tools and
// Java take them: -Drepo.password, -PsigningKey.
func isProperty(name string) bool {
	return hasPrefixOf(name, "-D -P") && (command.SecretName(name[2:]) || strings.HasSuffix(name, ".login"))
}

// user masks the password in user:password or user%password, which follows a
// flag for a login or is glued to it.
func (m *masker) user(flag string, w command.Word) {
	text := w.Text
	skip, ok := loginAt(flag, text)
	if !ok {
		return
	}
	switch i := strings.IndexAny(text[skip:], ":%"); {
	case i < 0 || isPort(text[skip:]):
	case skip+i+1 == len(text) && i > 9 && varied(text[skip:]):
		m.after(w, skip) // a token in the place of the user's name
	default:
		m.after(w, skip+i+1)
	}
}

// loginAt finds where in a word a login begins, if it follows the flag or is glued to its own.
func loginAt(flag, text string) (skip int, ok bool) {
	switch {
	case isUserFlag(flag), cluster(flag) && flag[len(flag)-1] == 'u' && strings.Contains(text, ":"):
		return 0, true
	case strings.HasPrefix(text, "--"):
		name, _, glued := strings.Cut(text, "=")
		return len(name) + 1, glued && isUserFlag(name)
	}
	return 2, len(text) > 2 && isUserFlag(text[:2])
}

func isUserFlag(flag string) bool {
	switch flag {
	case "-u", "-U", "-a", "--user", "--proxy-user", "--auth", "--creds", "--src-creds", "--dest-creds":
		return true
	}
	return false
}

// namesUser says whether a command says who logs in, so that -p is a password
// and neither a port nor a project.
func namesUser(inv *command.Invocation) bool {
	for _, w := range inv.Words {
		switch name, _, _ := strings.Cut(w.Text, "="); name {
		case "-u", "-U", "-D", "--user", "--username", "login":
			return true
		}
	}
	return false
}

// isPort says whether a text is made of numbers, as ports, addresses and ids of
// users are.
func isPort(text string) bool { return strings.Trim(text, "0123456789.:-/") == "" }

// anywhere masks a text wherever it stands in the script: what a stream holds
// has no place of its own.
func (m *masker) anywhere(text string) {
	for from := 0; len(text) > 3; {
		i := strings.Index(m.text[from:], text)
		if i < 0 {
			return
		}
		m.add(from+i, from+i+len(text))
		from += i + len(text)
	}
}

// value masks a whole value.
func (m *masker) value(w command.Word) {
	if w.Text == "" || w.Reach == tool.Anywhere || isReference(w.Text) {
		return
	}
	m.after(w, 0)
}

// isReference says whether a value only says where a secret is.
func isReference(text string) bool {
	return hasPrefixOf(text, "/ ./ @ env: file: fd: id= src=") || text == "true" || text == "false" || text == "-"
}

// hasPrefixOf says whether a text begins with one of a list, which blanks divide.
func hasPrefixOf(text, list string) bool {
	for prefix := range strings.FieldsSeq(list) {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// isAmount says whether a value counts tokens, as those of language models are.
func isAmount(name, value string) bool {
	return len(value) < 8 && strings.Trim(value, "0123456789_k") == "" && strings.Contains(strings.ToLower(name), "token")
}

// after masks what follows the first n bytes of a word's text.
func (m *masker) after(w command.Word, n int) {
	if n >= len(w.Text) {
		return // what follows, if anything, is a variable's value
	}
	if at, ok := w.At.Offset(); ok {
		m.add(at+n, at+len(w.Text))
		return
	}
	// The text does not stand there verbatim; look for its beginning.
	written := m.text[min(w.Span.Start, len(m.text)):min(w.Span.End, len(m.text))]
	lead := w.Lead + w.Text[:n]
	if i := strings.Index(written, lead); lead != "" && i >= 0 {
		m.add(w.Span.Start+i+len(lead), w.Span.End)
		return
	}
	if i := strings.IndexByte(written, '='); i >= 0 {
		m.add(w.Span.Start+i+1, w.Span.End)
		return
	}
	m.add(w.Span.Start, w.Span.End)
}

// header masks the value of a header that authenticates.
func (m *masker) header(w command.Word) {
	name, value, ok := strings.Cut(w.Text, ":")
	if !ok {
		return
	}
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie":
	default:
		if !command.SecretName(name) || strings.ContainsAny(name, " /") || strings.Contains(strings.TrimSpace(value), " ") {
			return // a sentence
		}
	}
	skip := len(name) + 1 + len(value) - len(strings.TrimLeft(value, " "))
	scheme, _, two := strings.Cut(strings.TrimLeft(value, " "), " ")
	switch strings.ToLower(scheme) {
	case "bearer", "basic", "token", "digest", "apikey":
		if !two {
			return
		}
		skip += len(scheme) + 1
	}
	m.after(w, skip)
}
