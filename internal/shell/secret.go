package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// A secret is a value that the script got hold of without anybody seeing it: a
// variable named like one, or what a file of secrets sets. It may be kept, compared
// and handed to programs. It may not come to light, and the shell itself brings to
// light more than echo does: the words of an error message, a trace, a menu, the
// names of files.

// reveals notes that the shell shows a word at some place if it holds a secret.
func (led *ledger) reveals(w command.Word, span tool.Span) {
	if w.Taint&command.FromSecret == 0 || slices.Contains(led.revealed, span) || len(led.revealed) > maxGaps {
		return
	}
	led.revealed = append(led.revealed, span)
	led.list1(&command.Invocation{Span: span, Output: command.Data{Reach: tool.Exact}, Effects: []tool.Effect{dumped(span)}})
}

func dumped(span tool.Span) tool.Effect {
	return tool.Effect{Kind: tool.Control, Target: "env.secret", Reach: tool.Exact, Span: span}
}

// traces says whether the shell may show the commands that it runs, with their words.
func (s *state) traces() bool { return (s.opts|s.doubt)&optXtrace != 0 }

// complains notes the words of a builtin that hold a secret and that it may show, if
// only to say that it cannot use them. Some keep their words to themselves.
func complains(name string, inv *command.Invocation) {
	if keeps(name) {
		return
	}
	for _, w := range inv.Words[1:] {
		if w.Taint&command.FromSecret != 0 && !assigns(w) {
			inv.Effects = append(inv.Effects, dumped(w.Span))
			return
		}
	}
}

// keeps says whether a builtin does not show its words, whatever they are. Those that
// run them have more to be asked about.
func keeps(name string) bool {
	switch name {
	case ":", "set", "eval", "trap", "test", "[", "printf":
		return true
	}
	return false
}

// assigns says whether a word is an assignment to a variable that is known.
func assigns(w command.Word) bool {
	name, _, ok := strings.Cut(w.Text, "=")
	return ok && w.Reach != tool.Under && isName(strings.TrimSuffix(name, "+"))
}

// discreet are the words of a builtin without the secrets that it keeps to itself.
func discreet(name string, words []command.Word) []command.Word {
	switch name {
	case ":", "set", "eval", "export", "declare", "typeset", "local", "readonly":
	default:
		return words
	}
	words = slices.Clone(words)
	for i := range words {
		if name == ":" || name == "set" || name == "eval" || assigns(words[i]) {
			words[i].Taint &^= command.FromSecret
		}
	}
	return words
}

// weighs notes the operands of test that hold a secret, where it wants a number or
// does not know what to make of them: it says so, and what they are.
func weighs(inv *command.Invocation) {
	if len(inv.Words) == 0 || !inv.Words[0].IsKnown() {
		return
	}
	words := inv.Words[1:]
	switch name := inv.Words[0].Text; name[strings.LastIndexByte(name, '/')+1:] {
	case "test":
	case "[":
		if n := len(words); n > 0 {
			words = words[:n-1]
		}
	default:
		return
	}
	operator := func(i int) string {
		if i >= 0 && i < len(words) && words[i].IsKnown() {
			return words[i].Text
		}
		return ""
	}
	for i, w := range words {
		if w.Taint&command.FromSecret == 0 {
			continue
		}
		fits := len(words) == 1
		switch before := operator(i - 1); before {
		case "=", "==", "!=", "<", ">", "-nt", "-ot", "-ef":
			fits = true
		case "", "!", "-a", "-o", "(":
		default: // of one operand
			fits = len(before) == 2 && before[0] == '-' && before != "-t" && before != "-v" && before != "-R"
		}
		switch operator(i + 1) {
		case "=", "==", "!=", "<", ">", "-nt", "-ot", "-ef":
			fits = true
		case "", "-a", "-o", ")":
		default:
			fits = false
		}
		if !fits {
			inv.Effects = append(inv.Effects, dumped(w.Span))
			return
		}
	}
}

// sourceSecrets reads a file of secrets for the variables that it sets. It says
// whether it does nothing else. What the values are is not told to anybody, so
// nothing is made of the file but names.
func (led *ledger) sourceSecrets(s *state, path string, inv *command.Invocation) bool {
	if led.world.ReadSecret == nil || led.remote || !led.isSecret(path) {
		return false
	}
	data, err := led.world.ReadSecret(path)
	if err != nil || len(data) > scan.MaxScript {
		return false
	}
	settings, ok := settingsIn(string(data))
	if !ok {
		return false
	}
	if (s.opts|s.doubt)&(optXtrace|optVerbose) != 0 {
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact, Span: inv.Span})
	}
	for _, v := range settings {
		if v.export {
			s.variable(v.name).attrs |= exported
			s.export(s.variable(v.name))
		}
		w := command.Word{Taint: command.FromSecret | command.FromFile, Plain: v.plain, Span: inv.Span}
		if v.mild && !command.SecretName(v.name) {
			w = command.Known(v.text, inv.Span)
		}
		led.assign(s, v.name, w, inv.Span)
	}
	return true
}

func (here *site) isSecret(path string) bool {
	return here.world.Secret != nil && here.world.Secret(tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact})
}

// setting is a variable that a file sets.
type setting struct {
	name, text   string
	export       bool
	plain        bool // the value is one plain word
	mild         bool // it is too small to be a secret
	interpolates bool // other variables are part of it
}

// settingsIn reads a file that sets variables; ok is false if it does anything else.
func settingsIn(text string) (list []setting, ok bool) {
	sc := scan.Run(text)
	if sc.Refused != "" || len(sc.Odd) > 0 || strings.ContainsAny(text, "`\x00") {
		return nil, false
	}
	file, err := syntax.Parse(sc.Text)
	if err != nil {
		return nil, false
	}
	for _, st := range file.Stmts {
		if len(st.Redirs) > 0 || st.Background || st.Negated {
			return nil, false
		}
		var assigns []*syntax.Assign
		export := false
		switch c := st.Cmd.(type) {
		case *syntax.CallExpr:
			if assigns = c.Assigns; len(c.Args) > 0 {
				return nil, false
			}
		case *syntax.DeclClause:
			if assigns, export = c.Args, true; c.Variant.Value != "export" {
				return nil, false
			}
		default:
			return nil, false
		}
		for _, a := range assigns {
			v, ok := settingOf(a)
			if !ok {
				return nil, false
			}
			v.export = export
			list = append(list, v)
		}
	}
	return list, len(list) < maxElems
}

func settingOf(a *syntax.Assign) (v setting, ok bool) {
	if a.Name == nil || a.Array != nil || a.Index != nil || a.Append || a.Naked {
		return v, false
	}
	v.name = a.Name.Value
	if a.Value != nil {
		for _, p := range a.Value.Parts {
			if !v.add(p) {
				return v, false
			}
		}
	}
	w := command.Known(v.text, tool.Span{})
	v.plain = !v.interpolates && w.IsPlain()
	v.mild = !v.interpolates && mild(v.text)
	return v, true
}

// add appends a part of a value; it says whether that does nothing but stand for text.
func (v *setting) add(p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.Lit:
		v.text += p.Value
		return true
	case *syntax.SglQuoted:
		v.text += p.Value
		v.interpolates = v.interpolates || p.Dollar
		return true
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			if !v.add(inner) {
				return false
			}
		}
		return !p.Dollar
	case *syntax.ParamExp:
		v.interpolates = true
		return p.Param != nil && isName(p.Param.Value) && p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil && !p.Excl
	}
	return false
}

// mild says whether a value is too small to be a secret: a port, a switch.
func mild(text string) bool {
	if len(text) <= 5 && strings.Trim(text, "0123456789") == "" {
		return true
	}
	switch text {
	case "true", "false", "no", "on", "off", "localhost", "127.0.0.1", "0.0.0.0", "development", "production", "staging", "test", "debug":
		return true
	}
	return false
}
