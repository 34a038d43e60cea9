package reader

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// A secret is a value that the script got hold of without anybody seeing it: a variable named like one, or what a file of secrets sets. It may be
// kept, compared and handed to programs. It may not come to light, and the shell itself brings to light more than echo does.

// reveals notes that the shell shows a word at some place if it holds a secret.
func (r *reader) reveals(w command.Word, span tool.Span) {
	if w.Taint&command.FromSecret == 0 || slices.Contains(r.revealed, span) || len(r.revealed) > maxGaps {
		return
	}
	r.revealed = append(r.revealed, span)
	r.record(&command.Invocation{Span: span, Output: command.Data{Reach: tool.Exact}, Effects: []tool.Effect{shows(span)}})
}

// shows is the effect that a secret comes to light.
func shows(span tool.Span) tool.Effect {
	return tool.Effect{Kind: tool.Control, Target: "env.secret", Reach: tool.Exact, Span: span}
}

// complains notes the words of a builtin that hold a secret and that it may show, if only to say that it cannot use them.
func (r *reader) complains(name string, inv *command.Invocation) {
	switch name {
	case ":", "set", "eval", "trap", "test", "[", "printf": // which keep them to themselves, or are asked about
		return
	}
	for _, w := range inv.Words[1:] {
		if w.Taint&command.FromSecret != 0 && !assigns(w) {
			inv.Effects = append(inv.Effects, shows(w.Span))
			return
		}
	}
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

func (r *reader) isSecret(path string) bool {
	return r.world.Secret != nil && r.world.Secret(tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact})
}

// sourceSecrets reads a file of secrets for the variables that it sets. It says whether it does nothing else. What the values are is not told to
// anybody, so nothing is made of the file but names.
func (r *reader) sourceSecrets(path string, inv *command.Invocation) bool {
	if r.world.ReadSecret == nil || r.remote || !r.isSecret(path) {
		return false
	}
	data, err := r.world.ReadSecret(path)
	if err != nil || len(data) > scan.MaxScript {
		return false
	}
	settings, ok := settingsIn(string(data))
	if !ok {
		return false
	}
	if r.s.opts.traced {
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact, Span: inv.Span})
	}
	for _, v := range settings {
		w := command.Word{Taint: command.FromSecret | command.FromFile, Plain: v.plain, Span: inv.Span}
		if v.mild && !command.SecretName(v.name) {
			w = command.Known(v.text, inv.Span)
		}
		r.assign(v.name, variable{alts: []command.Word{w}, exported: v.export || r.allexport}, inv.Span)
	}
	return true
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
	return list, len(list) < 256
}

// assignsOnly are the assignments of a statement; ok is false if it does anything but assign, or export what it assigns.
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
	if v.name = a.Name.Value; a.Value != nil && !v.add(a.Value.Parts) {
		return v, false
	}
	v.plain = !v.interpolates && command.Known(v.text, tool.Span{}).IsPlain()
	v.mild = !v.interpolates && mild(v.text)
	return v, true
}

// add appends parts of a value; it says whether they do nothing but stand for text.
func (v *setting) add(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			v.text += p.Value
		case *syntax.SglQuoted:
			v.text += p.Value
			v.interpolates = v.interpolates || p.Dollar
		case *syntax.DblQuoted:
			if p.Dollar || !v.add(p.Parts) {
				return false
			}
		case *syntax.ParamExp:
			v.interpolates = true
			if p.Param == nil || !isName(p.Param.Value) || p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Length || p.Names != 0 || p.Index != nil || p.Excl {
				return false
			}
		default:
			return false
		}
	}
	return true
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

// activates says whether a file is what a virtual environment brings to be sourced: it sets the variables of the environment that it lies in and
// does nothing else.
func activates(file, text string) bool {
	env, own := path.Dir(path.Dir(file)), false
	if !switchesTo(file) {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if !settles(line) {
			return false
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if ok && key == "VIRTUAL_ENV" && !strings.Contains(value, "$") {
			if strings.Trim(value, `"'`) != env {
				return false // another environment's
			}
			own = true
		}
	}
	return own
}

// switchesTo says whether a file has the name of one that is sourced to switch to a virtual environment.
func switchesTo(file string) bool {
	dir, name := path.Split(file)
	place := path.Base(path.Clean(dir))
	return name == "activate" && (place == "bin" || place == "Scripts")
}

// settles says whether a line of such a file can only set or forget variables of the environment.
func settles(line string) bool {
	if !isCalm(line) {
		return false
	}
	first := line
	if i := strings.IndexAny(line, " =("); i > 0 {
		first = line[:i]
	}
	switch first {
	case "if", "elif", "else", "fi", "then", "case", "esac", "{", "}", ";;", "*)", "unset", "export", "hash", "deactivate", "return", "[":
		return first != "hash" || strings.HasPrefix(line, "hash -r")
	case "PATH", "PS1", "PYTHONHOME", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT", "TCL_LIBRARY", "TK_LIBRARY", "PKG_CONFIG_PATH":
		return true
	}
	return strings.HasPrefix(first, "_OLD_") || strings.HasSuffix(line, "*)")
}

// isCalm says whether no sign in a line runs, joins or redirects anything but what such files are known to.
func isCalm(line string) bool {
	for rest := line; ; {
		i := strings.IndexAny(rest, "`&<>|;$")
		if i < 0 {
			return true
		}
		at := rest[i:]
		switch {
		case at == ";;":
			return true
		case !isKnownSign(at, line):
			return false
		case strings.HasPrefix(at, "|| "), strings.HasPrefix(at, "&& "):
			rest = at[2:]
		default:
			rest = at[1:]
		}
	}
}

// isKnownSign says whether the sign that a part of a line begins with is harmless.
func isKnownSign(at, line string) bool {
	for _, sign := range [...]string{"$(uname)", "$(cygpath ", "$(basename ", "; then", "> /dev/null", "|| [ ", "&& [ "} {
		if strings.HasPrefix(at, sign) {
			return true
		}
	}
	switch at[0] {
	case '$':
		return !strings.HasPrefix(at, "$(")
	case '|':
		return strings.HasSuffix(line, "*)") // patterns of a case
	}
	return false
}
