// Package rulesfile reads YAML rules files of version 1 and hooks.config.json
// into [policy.File]. It reports all errors, each with its place.
package rulesfile

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/source"
	"longline/internal/tool"
)

// Opener finds and reads a file that another one includes. It returns the
// file's full name, by which a cycle is noticed.
type Opener func(from, name string) (full string, text []byte, err error)

// maxIncludes bounds how many files one rules file brings in.
const maxIncludes = 64

// Parse reads a rules file of version 1 and what it includes. The error is
// [source.Errors]. With a nil open, include is an error.
func Parse(name string, text []byte, open Opener) (*policy.File, error) {
	p := &parser{open: open, ids: map[string]string{}}
	f := p.file(name, text)
	if len(p.errors) > 0 {
		return nil, p.errors
	}
	return f, nil
}

// ParseNamed reads a file in the format that its name says.
func ParseNamed(name string, text []byte, open func(from, name string) (full string, text []byte, err error)) (*policy.File, error) {
	if strings.HasSuffix(name, ".json") {
		return ParseHooksConfig(name, text)
	}
	return Parse(name, text, open)
}

type parser struct {
	open   Opener
	stack  []string // the files being read, outermost first
	files  int
	ids    map[string]string // rule id to where it is written
	errors source.Errors
}

func (p *parser) file(name string, text []byte) *policy.File {
	p.stack = append(p.stack, name)
	defer func() { p.stack = p.stack[:len(p.stack)-1] }()
	src, docs := source.Parse(name, text)
	f := &policy.File{Name: name}
	switch len(docs) {
	case 0:
		if src.Err() == nil {
			// An editor that is about to write it has emptied it, or somebody has.
			p.errors = append(p.errors, source.Error{File: name, Line: 1, Column: 1, Message: "the file is empty", Hint: `write "version: 1" into it, or remove it`})
		}
	case 1:
		p.document(f, docs[0])
	default:
		docs[1].Errorf("expected one document; a second begins here")
	}
	if err := src.Err(); err != nil {
		var list source.Errors
		if errors.As(err, &list) {
			p.errors = append(p.errors, list...)
		}
	}
	return f
}

func (p *parser) document(f *policy.File, doc source.Node) {
	versioned := false
	doc.Fields(map[string]func(source.Node){
		"version": func(n source.Node) {
			versioned = true
			if n.Text() != "1" {
				n.Errorf("unknown version %q; this longline reads version 1", n.Text())
			}
		},
		"default_decision": func(n source.Node) { f.Default, f.HasDefault = decision(n), true },
		"safety_level":     func(n source.Node) { f.Safety = level(n) },
		"on_allow": func(n source.Node) {
			switch word := n.Text(); word {
			case "allow":
			case "pass":
				f.OnAllowPass = true
			default:
				n.Unknown("answer", word, []string{"allow", "pass"})
			}
		},
		"builtin": func(n source.Node) { f.NoBuiltin = !n.Bool() },
		"include": func(n source.Node) { p.include(f, n) },
		"disable": func(n source.Node) {
			for _, id := range nodes(n) {
				f.Disable = append(f.Disable, policy.Named{ID: id.Text(), Source: id.Pos()})
			}
		},
		"log": func(n source.Node) {
			n.Fields(map[string]func(source.Node){
				"path":    func(n source.Node) { f.LogPath = n.Text() },
				"content": func(n source.Node) { f.LogContent = logContent(n) },
				"keep":    func(n source.Node) { f.LogKeep = days(n) },
			})
		},
		"sandbox":    func(n source.Node) { f.Sandbox = sandbox(n) },
		"walls":      func(n source.Node) { f.Walls = walls(n) },
		"content":    func(n source.Node) { f.Content = contentOf(n) },
		"undo":       func(n source.Node) { f.Undo = undo(n) },
		"allowlists": func(n source.Node) { allowlists(f, n) },
		"rules": func(n source.Node) {
			for _, r := range n.List() {
				f.Rules = append(f.Rules, p.rule(r))
			}
		},
		"tests": func(n source.Node) {
			for _, t := range n.List() {
				f.Tests = append(f.Tests, test(t))
			}
		},
	})
	if !versioned && doc.IsMap() {
		doc.Errorf(`the version is missing; write "version: 1" first`)
	}
}

// walls reads whether there are walls, and what they leave open besides.
func walls(n source.Node) (w policy.Walls) {
	on := func(n source.Node) {
		w.Said = true
		switch word := n.Text(); word {
		case "on", "true", "yes":
			w.On = true
		case "off", "false", "no":
		default:
			n.Unknown("answer", word, []string{"on", "off"})
		}
	}
	places := func(list *[]string) func(source.Node) {
		return func(n source.Node) {
			for _, one := range nodes(n) {
				text := one.Text()
				if !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "~/") && !strings.HasPrefix(text, "./") || paths.Wild(text) {
					one.Errorf("%q is not a path; write /…, ~/… or ./…, without wildcards", text)
				}
				*list = append(*list, text)
			}
		}
	}
	if !n.IsMap() {
		on(n)
		return w
	}
	n.Fields(map[string]func(source.Node){
		"on":      on,
		"write":   places(&w.Write),
		"sockets": places(&w.Sockets),
		"hosts":   func(n source.Node) { w.Hosts = wallHosts(n) },
		"env":     func(n source.Node) { w.Env = n.Texts() },
	})
	return w
}

// wallHosts reads names of machines: whole ones, or all below one.
func wallHosts(n source.Node) (list []string) {
	for _, item := range n.List() {
		name := strings.ToLower(item.Text())
		if rest := strings.TrimPrefix(name, "*."); rest == "" || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" || !strings.Contains(rest, ".") {
			item.Errorf("%q is not the name of a machine, or *.NAME for all below one", item.Text())
		}
		list = append(list, name)
	}
	return list
}

// undo reads what is kept to bring files back.
func undo(n source.Node) policy.Undo {
	u := policy.Undo{Given: true}
	if !n.IsMap() {
		switch word := n.Text(); word {
		case "on", "true", "yes":
		case "off", "false", "no":
			u.Off = true
		default:
			n.Unknown("answer", word, []string{"on", "off"})
		}
		return u
	}
	globs := func(list *[]string) func(source.Node) {
		return func(n source.Node) {
			for _, one := range nodes(n) {
				if text := one.Text(); text == "" || text[0] == '~' || strings.HasPrefix(text, "../") {
					one.Errorf("%q is not a glob of names in the project", text)
				}
				*list = append(*list, one.Text())
			}
		}
	}
	n.Fields(map[string]func(source.Node){
		"off":     func(n source.Node) { u.Off = n.Bool() },
		"days":    func(n source.Node) { u.Days = days(n) },
		"size":    func(n source.Node) { u.Size = megabytes(n) },
		"exclude": globs(&u.Exclude),
		"include": globs(&u.Include),
	})
	return u
}

// megabytes reads a size such as 500 MB or 2 GB.
func megabytes(n source.Node) int {
	text, unit := n.Text(), 1
	number, giga := strings.CutSuffix(text, "GB")
	if giga {
		unit = 1000
	} else {
		number = strings.TrimSuffix(text, "MB")
	}
	count, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || number == text || count < 1 || count > 1<<20 {
		n.Errorf("%q is not a size; write it as 500 MB or 2 GB", text)
		return 0
	}
	return count * unit
}

// sandbox reads where downloads belong.
func sandbox(n source.Node) (s policy.Sandbox) {
	n.Fields(map[string]func(source.Node){
		"dir": func(n source.Node) {
			s.Dir = n.Text()
			if s.Dir != "" && s.Dir[0] != '/' && !strings.HasPrefix(s.Dir, "~/") {
				n.Errorf("the sandbox %q is not an absolute path; write /… or ~/…", s.Dir)
			}
		},
		"mode": func(n source.Node) {
			switch mode := n.Text(); mode {
			case "rewrite":
			case "block":
				s.Block = true
			default:
				n.Unknown("mode", mode, []string{"rewrite", "block"})
			}
		},
	})
	if s.Dir == "" && n.IsMap() {
		n.Errorf("the sandbox needs a dir")
	}
	return s
}

// include brings in what other files say. Their rules come first, and what the
// including file sets itself prevails, wherever in the file include stands.
func (p *parser) include(f *policy.File, n source.Node) {
	for _, node := range nodes(n) {
		name := node.Text()
		if name == "" {
			continue
		}
		if p.open == nil {
			node.Errorf("include cannot be used here")
			continue
		}
		full, text, err := p.open(f.Name, name)
		if err != nil {
			node.Errorf("cannot include %q: %v", name, err)
			continue
		}
		if p.files++; p.files > maxIncludes {
			node.Errorf("more than %d files are included", maxIncludes)
			return
		}
		if slices.Contains(p.stack, full) {
			node.Errorf("%q includes itself: %s", name, strings.Join(append(p.stack, full), " > "))
			continue
		}
		inherit(f, p.file(full, text))
	}
}

// inherit adds to a file what one that it includes says.
func inherit(f, in *policy.File) {
	if !f.HasDefault {
		f.Default, f.HasDefault = in.Default, in.HasDefault
	}
	if f.Sandbox.Dir == "" {
		f.Sandbox = in.Sandbox
	}
	if !f.Content.Given {
		f.Content = in.Content
	}
	if !f.Undo.Given {
		f.Undo = in.Undo
	}
	f.Safety = cmp.Or(f.Safety, in.Safety)
	f.LogPath = cmp.Or(f.LogPath, in.LogPath)
	f.LogContent = cmp.Or(f.LogContent, in.LogContent)
	f.LogKeep = cmp.Or(f.LogKeep, in.LogKeep)
	f.OnAllowPass = f.OnAllowPass || in.OnAllowPass
	f.NoBuiltin = f.NoBuiltin || in.NoBuiltin
	f.AllowCommands = append(in.AllowCommands, f.AllowCommands...)
	f.AllowPaths = append(in.AllowPaths, f.AllowPaths...)
	f.Rules = append(in.Rules, f.Rules...)
	f.Disable = append(in.Disable, f.Disable...)
	f.Tests = append(in.Tests, f.Tests...)
}

func allowlists(f *policy.File, n source.Node) {
	n.Fields(map[string]func(source.Node){
		"commands": func(n source.Node) {
			for _, entry := range nodes(n) {
				text := strings.Join(strings.Fields(entry.Text()), " ")
				if text == "" {
					entry.Errorf("an empty entry would allow every command")
					continue
				}
				checkCommand(entry, text)
				f.AllowCommands = append(f.AllowCommands, policy.Allowed{Text: text, Source: entry.Pos()})
			}
		},
		"paths": func(n source.Node) {
			for _, entry := range nodes(n) {
				for _, glob := range expandGlobs(entry) {
					f.AllowPaths = append(f.AllowPaths, policy.Allowed{Text: glob, Source: entry.Pos()})
				}
			}
		},
	})
}

func test(n source.Node) policy.Test {
	t := policy.Test{Source: n.Pos()}
	decided := false
	n.Fields(map[string]func(source.Node){
		"id":           func(n source.Node) { t.ID = n.Text() },
		"command":      func(n source.Node) { t.Command = n.Text() },
		"cwd":          func(n source.Node) { t.Dir = n.Text() },
		"edits":        func(n source.Node) { t.Edits = n.Bool() },
		"means":        func(n source.Node) { t.Means = means(n) },
		"safety_level": func(n source.Node) { t.Safety = level(n) },
		"session":      func(n source.Node) { t.Session = testSession(n) },
		"expected": func(n source.Node) {
			n.Fields(map[string]func(source.Node){
				"decision": func(n source.Node) { t.Decision, decided = decision(n), true },
				"rule_id":  func(n source.Node) { t.Rule = n.Text() },
			})
		},
	})
	if (n.IsMap() || n.IsNull()) && (t.Command == "" || !decided) {
		n.Errorf("a test needs a command and expected.decision")
	}
	return t
}

// means reads a list of means.
func means(n source.Node) (set tool.Means) {
	for _, n := range nodes(n) {
		m := tool.ParseMeans(n.Text())
		if m == 0 {
			n.Unknown("means", n.Text(), tool.AllMeans.Names())
		}
		set |= m
	}
	return set
}

// testSession reads what the session of a test is known for.
func testSession(n source.Node) *policy.TestSession {
	s := new(policy.TestSession)
	n.Fields(map[string]func(source.Node){
		"untrusted": func(n source.Node) { s.Untrusted = n.Bool() },
		"injection": func(n source.Node) { s.Injection = n.Bool() },
		"secret":    func(n source.Node) { s.Secret = n.Bool() },
		"fetched":   func(n source.Node) { s.Fetched = n.Texts() },
		"written":   func(n source.Node) { s.Written = n.Texts() },
		"denied":    func(n source.Node) { s.Denied = n.Texts() },
	})
	return s
}

func logContent(n source.Node) policy.LogContent {
	word := n.Text()
	i := slices.Index(policy.LogContentNames(), word)
	if i < 0 && word != "" {
		n.Unknown("content", word, policy.LogContentNames())
	}
	return policy.LogContent(i + 1)
}

// days reads a number of days, at least one.
func days(n source.Node) int {
	text := n.Text()
	count, err := strconv.Atoi(strings.TrimSuffix(text, "d"))
	if text != "" && (err != nil || count < 1 || count > 100_000) {
		n.Errorf("%q is not a number of days, such as 90", text)
		return 0
	}
	return count
}

func decisionWords() []string { return []string{"allow", "pass", "ask", "deny"} }

func decision(n source.Node) tool.Decision {
	word := n.Text()
	d, ok := tool.ParseDecision(word)
	if !ok && word != "" {
		n.Unknown("decision", word, decisionWords())
	}
	return d
}

func level(n source.Node) policy.Level {
	word := n.Text()
	for i, name := range policy.LevelNames() {
		if name == word {
			return policy.Level(i + 1)
		}
	}
	if word != "" {
		n.Unknown("level", word, policy.LevelNames())
	}
	return policy.High
}

// nodes returns the elements of a list; a single text is a list of one.
func nodes(n source.Node) []source.Node {
	if n.IsScalar() {
		return []source.Node{n}
	}
	return n.List()
}
