package reader

import (
	"path"
	"strings"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// sourceSecrets reads a file of secrets for the variables that it sets, and says whether it does nothing else. What the values are is told to
// nobody.
func (r *reader) sourceSecrets(file string, inv *command.Invocation) bool {
	if r.world.ReadSecret == nil || r.remote {
		return false
	}
	data, err := r.world.ReadSecret(file)
	if err != nil || len(data) > scan.MaxScript {
		return false
	}
	list, ok := settingsIn(string(data))
	if !ok {
		return false
	}
	if r.s.opts.traced {
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Span: inv.Span})
	}
	for _, a := range list {
		w := command.Word{Taint: command.FromSecret | command.FromFile, Hollow: true, Span: inv.Span}
		if text, known := settingOf(a.Value); known {
			if w.Plain = command.Known(text, tool.Span{}).IsPlain(); mild(text) && !command.SecretName(a.Name.Value) {
				w = command.Known(text, inv.Span)
			}
			w.Hollow = w.Hollow && text == ""
		}
		r.assign(a.Name.Value, single(w), inv.Span)
		if a.Export {
			r.declared("export", "", a.Name.Value, inv.Span)
		}
	}
	return true
}

// setting is an assignment of a file that sets variables.
type setting struct {
	*syntax.Assign
	Export bool
}

// settingsIn reads such a file; ok is false if it does anything else.
func settingsIn(text string) (list []setting, ok bool) {
	sc := scan.Run(text)
	if sc.Refused != "" || len(sc.Odd) > 0 || strings.ContainsAny(text, "`\x00") {
		return nil, false
	}
	file, err := syntax.Parse(sc.Text)
	if err != nil || len(file.Stmts) > maxEnv*4 {
		return nil, false
	}
	for _, st := range file.Stmts {
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
		}
		if len(assigns) == 0 || len(st.Redirs) > 0 || st.Background || st.Negated {
			return nil, false
		}
		for _, a := range assigns {
			if a.Name == nil || a.Array != nil || a.Index != nil || a.Append || a.Naked || !standsForText(a.Value) {
				return nil, false
			}
			list = append(list, setting{a, export})
		}
	}
	return list, true
}

// standsForText says whether a word is made of text and values of variables alone.
func standsForText(w *syntax.Word) bool {
	ok := true
	if w == nil {
		return ok
	}
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
		case *syntax.ParamExp:
			ok = ok && n.Param != nil && isName(n.Param.Value) && n.Index == nil && !n.Excl && !n.Length && n.Exp == nil && n.Repl == nil && n.Slice == nil
		default:
			ok = false
		}
		return ok && n != nil
	})
	return ok
}

// settingOf is the text that a word stands for, if it is nothing but text.
func settingOf(w *syntax.Word) (text string, known bool) {
	if w == nil {
		return "", true
	}
	parts := w.Parts
	if q, is := parts[0].(*syntax.DblQuoted); is && len(parts) == 1 && !q.Dollar {
		parts = q.Parts
	}
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text += p.Value
		case *syntax.SglQuoted:
			if text += p.Value; p.Dollar {
				return "", false
			}
		default:
			return "", false
		}
	}
	return text, !strings.ContainsAny(text, `\~`)
}

// mild says whether a value is too small to be a secret: a port, a switch.
func mild(text string) bool {
	switch text {
	case "true", "false", "no", "on", "off", "localhost", "127.0.0.1", "0.0.0.0", "development", "production", "staging", "test", "debug":
		return true
	}
	return len(text) <= 5 && isNumber(text)
}

// switchesTo says whether a file has the name of one that is sourced to switch to a virtual environment.
func switchesTo(file string) bool {
	place := path.Base(path.Dir(file))
	return path.Base(file) == "activate" && (place == "bin" || place == "Scripts")
}

// activates says whether a file is what a virtual environment brings to be sourced: it sets the variables of the environment that it lies in and
// does nothing else.
func activates(file, text string) bool {
	env, own := path.Dir(path.Dir(file)), false
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

// settles says whether a line of such a file can only set or forget variables of the environment.
func settles(line string) bool {
	calm := strings.NewReplacer("$(uname)", "", "$(cygpath ", "", "$(basename ", "", "> /dev/null", "", "|| [ ", "", "&& [ ", "").Replace(line)
	if calm = strings.TrimSuffix(strings.TrimSuffix(calm, "; then"), ";;"); strings.HasSuffix(calm, "*)") {
		calm = strings.ReplaceAll(calm, "|", "") // patterns of a case
	}
	if strings.ContainsAny(calm, "`&<>|;") || strings.Contains(calm, "$(") {
		return false
	}
	first, rest, _ := strings.Cut(line, " ")
	switch name, _, _ := strings.Cut(first, "="); name {
	case "else", "fi", "then", "esac", "{", "}", ";;", "*)":
		return rest == ""
	case "if", "elif":
		return strings.HasPrefix(rest, "[ ")
	case "hash":
		return strings.HasPrefix(rest, "-r")
	case "case", "unset", "export", "deactivate", "deactivate()", "return", "[":
		return true
	case "PATH", "PS1", "PYTHONHOME", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT", "TCL_LIBRARY", "TK_LIBRARY", "PKG_CONFIG_PATH":
		return first != name
	}
	return strings.HasPrefix(first, "_OLD_") && strings.Contains(first, "=") || strings.HasSuffix(line, "*)") && rest == ""
}
