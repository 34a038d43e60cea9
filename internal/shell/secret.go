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

// keepLast notes that $_ may be a secret, as a word of a command before it is one.
func (s *state) keepLast(words []command.Word) {
	for _, w := range words {
		if w.Taint&command.FromSecret != 0 {
			s.set("_", w)
			return
		}
	}
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
	words, is := testedWords(inv)
	if !is {
		return
	}
	for i, w := range words {
		if w.Taint&command.FromSecret != 0 && !fitsTest(words, i) {
			inv.Effects = append(inv.Effects, dumped(w.Span))
			return
		}
	}
}

// testedWords are the words that test or [ is given, if the invocation is one of them.
func testedWords(inv *command.Invocation) (words []command.Word, is bool) {
	if len(inv.Words) == 0 || !inv.Words[0].IsKnown() {
		return nil, false
	}
	words = inv.Words[1:]
	switch name := inv.Words[0].Text; name[strings.LastIndexByte(name, '/')+1:] {
	case "test":
		return words, true
	case "[":
		return words[:max(len(words)-1, 0)], true
	}
	return nil, false
}

// fitsTest says whether the i-th word of test stands where it takes any text.
func fitsTest(words []command.Word, i int) bool {
	fits := len(words) == 1
	switch before := testOperator(words, i-1); {
	case comparesTexts(before):
		fits = true
	case before == "", before == "!", before == "-a", before == "-o", before == "(":
	default: // of one operand
		fits = len(before) == 2 && before[0] == '-' && before != "-t" && before != "-v" && before != "-R"
	}
	switch after := testOperator(words, i+1); {
	case comparesTexts(after):
		return true
	case after == "", after == "-a", after == "-o", after == ")":
		return fits
	}
	return false
}

// testOperator is the i-th word of test, if there is one and it is known.
func testOperator(words []command.Word, i int) string {
	if i >= 0 && i < len(words) && words[i].IsKnown() {
		return words[i].Text
	}
	return ""
}

// comparesTexts says whether an operator of test takes any text on both sides.
func comparesTexts(operator string) bool {
	switch operator {
	case "=", "==", "!=", "<", ">", "-nt", "-ot", "-ef":
		return true
	}
	return false
}

// sourceSecrets reads a file of secrets for the variables that it sets. It says
// whether it does nothing else. What the values are is not told to anybody, so
// nothing is made of the file but names.
func (led *ledger) sourceSecrets(s *state, path string, inv *command.Invocation) bool {
	settings, ok := led.secretSettings(path)
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

// secretSettings are the variables that a file sets; ok is false if it is no file of secrets, or
// does anything else.
func (here *site) secretSettings(path string) (list []setting, ok bool) {
	if here.world.ReadSecret == nil || here.remote || !here.isSecret(path) {
		return nil, false
	}
	data, err := here.world.ReadSecret(path)
	if err != nil || len(data) > scan.MaxScript {
		return nil, false
	}
	return settingsIn(string(data))
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
		assigns, export, ok := assignsOnly(st)
		if !ok {
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

// assignsOnly are the assignments of a statement; ok is false if it does anything but assign,
// or export what it assigns.
func assignsOnly(st *syntax.Stmt) (assigns []*syntax.Assign, export, ok bool) {
	if len(st.Redirs) > 0 || st.Background || st.Negated {
		return nil, false, false
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		return c.Assigns, false, len(c.Args) == 0
	case *syntax.DeclClause:
		return c.Args, true, c.Variant.Value == "export"
	}
	return nil, false, false
}

// settingOf reads an assignment; ok is false if it is more than one of a text.
func settingOf(a *syntax.Assign) (v setting, ok bool) {
	if a.Name == nil || a.Array != nil || a.Index != nil || a.Append || a.Naked {
		return v, false
	}
	v.name = a.Name.Value
	if a.Value != nil && !v.addAll(a.Value.Parts) {
		return v, false
	}
	w := command.Known(v.text, tool.Span{})
	v.plain = !v.interpolates && w.IsPlain()
	v.mild = !v.interpolates && mild(v.text)
	return v, true
}

// addAll appends parts of a value; it says whether they do nothing but stand for text.
func (v *setting) addAll(parts []syntax.WordPart) bool {
	for _, p := range parts {
		if !v.add(p) {
			return false
		}
	}
	return true
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
		return v.addAll(p.Parts) && !p.Dollar
	case *syntax.ParamExp:
		v.interpolates = true
		return isPlainParam(p)
	}
	return false
}

// isPlainParam says whether an expansion is the value of a variable and nothing more.
func isPlainParam(p *syntax.ParamExp) bool {
	return p.Param != nil && isName(p.Param.Value) && !hasOperator(p) && p.Index == nil && !p.Excl
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
