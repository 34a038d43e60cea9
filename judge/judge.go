// Package judge says what longline answers to a shell command under a policy. It reads no file and runs nothing, so
// the answer depends on its arguments alone: scripts and links on the disk, the session, the agent's permissions, and the means that
// contain a command (snapshots, walls) are left out, and what depends on them asks.
//
// The names in this package are stable: they stay, and keep their meaning. Fields may be added.
package judge

import (
	"io/fs"
	"path"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// Decision is an answer. A stricter one is greater.
type Decision int

// The answers. Pass is "no objection, but no approval": the agent's own rules decide.
const (
	Allow Decision = iota
	Pass
	Ask
	Deny
)

func (d Decision) String() string {
	return [...]string{"allow", "pass", "ask", "deny"}[min(max(d, 0), Deny)]
}

// Policy is a set of rules. It is not for concurrent use.
type Policy struct{ guard guard.Guard }

// New is the policy of the built-in rules and of a rules file, which is a text in the format of docs/rules.md; "" is none.
// The error names line and column.
func New(rules string) (*Policy, error) {
	packs, err := policy.BuiltinFile()
	if err != nil {
		return nil, err
	}
	var own *policy.File
	if rules != "" {
		if own, err = rulesfile.Parse("rules", []byte(rules), nil); err != nil {
			return nil, err
		}
	}
	set, _, err := policy.Merge(packs, nil, own, nil)
	if err != nil {
		return nil, err
	}
	return &Policy{guard.Guard{Library: command.Builtin(), Policy: set}}, nil
}

// Command is a script and where it would run.
type Command struct {
	Script  string
	Dir     string // absolute; "" is the project
	Project string // root of the project; "" is below Home
	Home    string // home directory; "" is /home/user
}

// Verdict is the answer to a command.
type Verdict struct {
	Decision Decision
	Rule     string // id of the rule that decided; "" if none had to
	Reason   string
	Suggest  string // what to do instead; "" if there is nothing to say
	Findings []Finding
}

// Finding is one rule that matched, with the piece of the script that it speaks of.
type Finding struct {
	Rule       string
	Decision   Decision
	Reason     string
	Start, End int
}

// Judge answers a command. It always answers; what goes wrong inside asks.
func (p *Policy) Judge(c Command) Verdict {
	if c.Home == "" {
		c.Home = "/home/user"
	}
	if c.Project == "" {
		c.Project = path.Join(c.Home, "project")
	}
	if c.Dir == "" {
		c.Dir = c.Project
	}
	world := &tool.World{
		Home: c.Home, Project: c.Project,
		Guard:    []string{c.Home + "/.config/longline", "/etc/longline"},
		Getenv:   func(name string) (string, bool) { return c.Home, name == "HOME" },
		ReadFile: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		Readlink: func(string) (string, error) { return "", fs.ErrNotExist },
		Exists:   func(string) bool { return false },
	}
	v, _ := p.guard.Judge(tool.Call{Agent: "judge", Tool: "Bash", Dir: c.Dir, Script: c.Script, Shell: true, Attended: true}, world)
	answer := Verdict{Decision: decision(v.Decision), Rule: v.Rule, Reason: v.Reason, Suggest: v.Suggest}
	for _, f := range v.Findings {
		answer.Findings = append(answer.Findings, Finding{f.Rule, decision(f.Decision), f.Reason, f.Span.Start, f.Span.End})
	}
	return answer
}

// decision takes an answer over; one that is none of the four asks.
func decision(d tool.Decision) Decision {
	switch d {
	case tool.Allow:
		return Allow
	case tool.Pass:
		return Pass
	case tool.Deny:
		return Deny
	}
	return Ask
}
