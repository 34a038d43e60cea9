package install

import (
	"bytes"
	"encoding/json"
	"path"

	"longline/internal/agent"
)

func kiroEditor() installer {
	return installer{
		agent: "kiro", files: kiroFiles, examine: examineKiro,
	}
}

func kiroFiles(p *Place) ([]target, error) {
	text := func(c Command) string {
		hook := obj(str("name", "longline"), str("trigger", "PreToolUse"), str("matcher", "*"),
			field{"action", obj(str("type", "command"), str("command", c.line("kiro")))}, num("timeout", seconds))
		return pretty(obj(str("version", "v1"), field{"hooks", list(hook)}))
	}
	switch p.Scope {
	case User:
		return []target{ownFile(path.Join(p.Home, ".kiro/hooks/longline.json"), 0o644, isOurHooks, text)}, nil
	case Project:
		return []target{ownFile(path.Join(p.Project, ".kiro/hooks/longline.json"), 0o644, isOurHooks, text)}, nil
	}
	return nil, noScope("Kiro", p.Scope, User, Project)
}

// pretty lays out a file of our own.
func pretty(compact string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(compact), "", "  "); err != nil {
		return compact
	}
	return b.String() + "\n"
}

func examineKiro(x *Exam) {
	for _, dir := range []string{x.Place.Home, x.Place.Project} {
		for _, file := range x.Glob(path.Join(dir, ".kiro/hooks/*.json")) {
			for _, h := range x.json(file, false).Get("hooks").Items {
				if program := agent.Program(h.Get("action")); program != "" {
					x.program(file, program)
				} else if h.Get("trigger").Text == "PreToolUse" {
					x.other(file, h.Get("action"))
				}
			}
		}
	}
}
