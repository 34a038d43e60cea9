// Package migrate reads the rules that people have written for other guards, and the
// permissions that they have given agents, as entries from which rules for longline
// can be drafted. Each entry says what it is about or why it cannot be taken over;
// none is lost.
package migrate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/source"
	"longline/internal/tool"
)

// Draft is what a file of another guard says.
type Draft struct {
	Kind     string // what kind of file it is, for people
	Hint     string // what to know before using the draft
	Settings []Setting
	Entries  []Entry
	Tests    []policy.Test // golden tests that came with it
}

// Opener finds and reads a file that another one includes.
type Opener = func(from, name string) (full string, text []byte, err error)

// Setting is a key of the rules file with its value.
type Setting struct{ Key, Value string }

// Entry is one thing that the file says.
type Entry struct {
	Source   string // file:line
	Text     string // as it is written
	Decision tool.Decision

	// Match is the match of a rule, in YAML. An entry of an allowlist has Command or
	// Path instead, and one that was not taken over has none of them.
	Match   string
	Command string
	Path    string

	Level, Reason string
	Overrides     []string // rules that it has to name
	ID            string   // that the rule should have
	// Given says that the match allows just what the file allowed. Else an allowed
	// command becomes the narrowest rule that is needed for its example.
	Given bool
	// Prefix says that more words may follow those of the example.
	Prefix  bool
	Example string // a command that the entry is about
	Why     string // why it is not taken over
	Note    string // what differs
}

// Read reads a file in the format that its name and content tell. The error is
// [source.Errors], or says that the format is not known.
func Read(name string, text []byte, open Opener) (Draft, error) {
	switch base := path.Base(name); {
	case strings.HasSuffix(base, ".toml"):
		return dcg(name, text)
	case strings.HasSuffix(base, ".yaml"), strings.HasSuffix(base, ".yml"):
		return fromYAML(name, text, open)
	case strings.HasSuffix(base, ".json") || strings.HasPrefix(strings.TrimSpace(string(text)), "{"):
		return fromJSON(name, text)
	case looksLikeDippy(string(text)):
		return dippy(name, string(text))
	}
	return Draft{}, fmt.Errorf("%s: unknown format; expected Claude Code's settings.json, hooks.config.json, rules.yaml of the Rust longline, or the configuration of Dippy, cc-safety-net, nah and dcg", name)
}

// fromYAML reads what is told by its keys; all other is of the Rust longline.
func fromYAML(name string, text []byte, open Opener) (Draft, error) {
	src, docs := source.Parse(name, text)
	keys := map[string]source.Node{}
	if src.Err() == nil && len(docs) == 1 && docs[0].IsMap() {
		for _, p := range docs[0].Pairs() {
			keys[p.Name()] = p.Value
		}
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return !keys[n].IsZero() })
	}
	switch {
	case has("destructive_patterns"):
		return dcgPack(keys), src.Err()
	case !has("version", "rules", "allowlists") && has("actions", "classify", "sensitive_paths", "trusted_paths", "sensitive_basenames"):
		return nah(keys), src.Err()
	}
	return older(name, text, open)
}

func fromJSON(name string, text []byte) (Draft, error) {
	src, docs := source.Parse(name, rulesfile.PlainJSON(text))
	if err := src.Err(); err != nil {
		return Draft{}, err
	}
	if len(docs) != 1 || !docs[0].IsMap() {
		return Draft{}, fmt.Errorf("%s: expected one JSON object", name)
	}
	keys := map[string]source.Node{}
	for _, p := range docs[0].Pairs() {
		keys[p.Name()] = p.Value
	}
	switch {
	case !keys["permissions"].IsZero():
		return claude(name, keys["permissions"])
	case !keys["PreToolUse"].IsZero():
		return hooksConfig(name, text)
	case !keys["rules"].IsZero():
		return safetyNet(keys)
	}
	return Draft{}, fmt.Errorf("%s: nothing to import: it has none of the keys permissions, PreToolUse and rules", name)
}

// byWords is a match for commands that begin with words, wherever their flags are.
func byWords(words []string) string {
	at := slices.IndexFunc(words, isFlag)
	if at < 0 {
		return "{command: " + rulesfile.Quote(strings.Join(words, " ")) + "}"
	}
	var flags, args []string
	for _, w := range words[at:] {
		if isFlag(w) {
			flags = append(flags, w)
		} else {
			args = append(args, paths.Escape(w))
		}
	}
	match := "{command: " + rulesfile.Quote(strings.Join(words[:at], " ")) + ", flags: {all_of: " + rulesfile.QuoteList(flags) + "}"
	if len(args) > 0 {
		match += ", args: {all_of: " + rulesfile.QuoteList(args) + "}"
	}
	return match + "}"
}

func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' && word != "--" }

// byText is a match for a program whose arguments match an expression.
func byText(program, expression string) string {
	match := "{"
	if program != "" {
		match += "command: " + rulesfile.Quote(program) + ", "
	}
	return match + "text: " + rulesfile.Quote(expression) + "}"
}

// expression makes an extended regular expression of a pattern in which a star is any
// text. With question a question mark is one character and brackets are a choice.
func expression(glob string, question bool) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '*':
			b.WriteString(".*")
		case c == '?' && question:
			b.WriteByte('.')
		case c == '[' && question:
			end := strings.IndexByte(glob[min(i+2, len(glob)):], ']')
			if end < 0 {
				b.WriteString(`\[`)
				continue
			}
			class := glob[i+1 : i+2+end]
			if class[0] == '!' {
				class = "^" + class[1:]
			}
			b.WriteString("[" + class + "]")
			i += 2 + end
		case strings.IndexByte(`.+?()[]{}|^$\`, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// shellSyntax is what makes a text more than the words of one command.
const shellSyntax = "|&;<>()$`\"'\\\n"
