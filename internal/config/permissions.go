package config

import (
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/permission"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// Settings are the files of Claude Code's settings that hold at a place. A
// project's own may only tighten.
type Settings struct {
	Managed []string
	User    string // "" if there is no home directory
	Project []string

	// confirmed are the permissions of the project's own settings for this user that
	// a person has agreed with, as lines of [permission.Entry].
	confirmed []string

	// texts are what the files hold, while a configuration is put together: more than
	// one part of it comes from them. Judging reads them anew, unless the
	// configuration is good for one call only.
	texts []settingsText
	once  bool
}

type settingsText struct {
	path string
	text []byte
	root strictjson.Value
	err  error // it is there, and is no JSON
}

// text is what a settings file holds, read once.
func (s *Settings) text(path string) []byte { return s.read(path).text }

// root is what it says; nothing if it cannot be read.
func (s *Settings) root(path string) strictjson.Value { return s.read(path).root }

func (s *Settings) read(path string) *settingsText {
	for i := range s.texts {
		if t := &s.texts[i]; t.path == path {
			return t
		}
	}
	t := settingsText{path: path, text: ReadSettings(path)}
	if strings.TrimSpace(string(t.text)) != "" {
		t.root, t.err = strictjson.Parse(t.text)
	}
	s.texts = append(s.texts, t)
	return &s.texts[len(s.texts)-1]
}

// now is what a settings file holds when a call is judged.
func (s *Settings) now(path string) []byte {
	if s.once {
		return s.text(path)
	}
	return ReadSettings(path)
}

// LocalSettings are the settings of a project for one user. They lie in the project,
// where agents and archives put files too: they count once a person has confirmed them.
const LocalSettings = agent.ClaudeLocal

// Waiting lists the permissions in the project that nobody has confirmed yet.
func (s *Settings) Waiting() []permission.Entry {
	var list []permission.Entry
	for _, path := range s.Project {
		if !strings.HasSuffix(path, "/"+LocalSettings) {
			continue
		}
		root, _ := strictjson.Parse(ReadSettings(path))
		for _, e := range permission.Entries(root) {
			if !s.isConfirmed(e.Line()) {
				list = append(list, e)
			}
		}
	}
	return list
}

func (s *Settings) isConfirmed(line string) bool { return slices.Contains(s.confirmed, line) }

// directories are those that the user's settings, and what is confirmed of the
// project's, add to the project.
func (s *Settings) directories(home, project string) []string {
	var dirs []string
	all := func(string) bool { return true }
	for _, path := range s.Managed {
		dirs = append(dirs, s.directoriesOf(path, home, project, all)...)
	}
	if s.User != "" {
		dirs = append(dirs, s.directoriesOf(s.User, home, project, all)...)
	}
	for _, path := range s.Project {
		dirs = append(dirs, s.directoriesOf(path, home, project, s.isConfirmed)...)
	}
	return dirs
}

// directoriesOf are those that one file adds, as far as its lines count.
func (s *Settings) directoriesOf(path, home, project string, counts func(line string) bool) (dirs []string) {
	for _, e := range permission.Entries(s.root(path)) {
		if e.Kind != "directory" || !counts(e.Line()) {
			continue
		}
		dir := e.Text
		switch rest, ok := strings.CutPrefix(dir, "~/"); {
		case ok && home != "":
			dir = filepath.Join(home, rest)
		case !filepath.IsAbs(dir) && project != "":
			dir = filepath.Join(project, dir)
		}
		if filepath.IsAbs(dir) {
			dirs = append(dirs, filepath.Clean(dir))
		}
	}
	return dirs
}

// All lists the files, those with the most authority first.
func (s *Settings) All() []string {
	return slices.Concat(s.Managed, []string{s.User}, s.Project)
}

func (p *places) settings(admin string) Settings {
	s := Settings{once: p.once}
	if exists(admin) { // as on few machines
		more, _ := filepath.Glob(filepath.Join(admin, agent.ClaudeDropIns, "*.json"))
		s.Managed = append([]string{filepath.Join(admin, agent.ClaudeManaged)}, more...)
	}
	if len(p.Claude) > 0 {
		s.User = below(p.Claude[0], agent.ClaudeSettings)
	}
	for _, root := range p.clientRoots() {
		here := len(s.Project)
		for _, name := range [...]string{agent.ClaudeProject, LocalSettings} {
			if path := below(root, name); path != s.User {
				s.Project = append(s.Project, path)
			}
		}
		if p.look.at(below(root, agent.ClaudeDir)).kind == nothing {
			for _, path := range s.Project[here:] {
				s.texts = append(s.texts, settingsText{path: path})
			}
		}
	}
	return s
}

// clientRoots are the directories whose settings are the project's: its root, and below it
// the one that the client was started in, which is the only one that Claude Code itself reads.
func (p *places) clientRoots() []string {
	switch root := p.site.Project; {
	case root == "":
		return nil
	case p.start == root || !Within(p.start, root):
		return []string{root}
	default:
		return []string{root, p.start}
	}
}

// permissions reads the rules. A file that cannot be read as the client reads it
// is dropped, as the client does; doctor says so.
func (s *Settings) permissions(project string) *permission.Set {
	set, own := new(permission.Set), true
	add := func(from permission.Source) {
		if text := s.now(from.Path); text != nil {
			if from.Layer == "managed" && permission.ManagedOnly(text) {
				own = false
			}
			_ = set.Add(from, text)
		}
	}
	for _, path := range s.Managed {
		add(permission.Source{Path: path, Layer: "managed"})
	}
	if s.User != "" {
		add(permission.Source{Path: s.User, Layer: "user", Base: Judged(filepath.Dir(s.User)), Tighten: !own})
	}
	for _, path := range s.Project {
		local := strings.HasSuffix(path, "/"+LocalSettings)
		add(permission.Source{Path: path, Layer: "project", Base: project, Tighten: !own || !local || len(s.confirmed) == 0, Confirmed: s.isConfirmed})
	}
	return set
}

// permitted holds what Claude Code's user has allowed and forbidden beside a
// verdict. Other agents have rules of their own, which say nothing about these.
func (c *Config) permitted(call *tool.Call, v tool.Verdict, invs []*command.Invocation) tool.Verdict {
	if !agent.Permissions(call.Agent) {
		return v
	}
	judged := *call
	judged.Script = v.Judged(call.Script)
	v = c.Settings.permissions(c.World.Project).Apply(&judged, v, invs, c.World)
	if v.Decision == tool.Deny {
		v.Rewrite, v.Context, v.Walled, v.Means = "", "", nil, 0
	}
	if v.Decision == tool.Allow && c.Guard.Policy.OnAllowPass {
		v.Decision = tool.Pass
	}
	return v
}

// forbidden holds what Claude Code's user has forbidden against a command that is about
// to be changed.
func (c *Config) forbidden(call *tool.Call, v tool.Verdict, invs []*command.Invocation) tool.Verdict {
	if !agent.Permissions(call.Agent) {
		return v
	}
	return c.Settings.permissions(c.World.Project).Object(call, v, invs, c.World)
}

// ReadSettings returns nil for a file that cannot be read, which to the client is
// no file.
func ReadSettings(path string) []byte {
	if path == "" {
		return nil
	}
	text, err := readFile(path, maxFile)
	if err != nil {
		return nil
	}
	return text
}

// runByClient lists the files of the user's and the project's that the client runs by itself, because settings name them in a
// command: who changes one changes what the client does.
func (p *places) runByClient(s *Settings, project string) (files []string) {
	expand := strings.NewReplacer("${CLAUDE_PROJECT_DIR}", project, "$CLAUDE_PROJECT_DIR", project, "${HOME}", p.Home, "$HOME", p.Home, `"`, "", "'", "")
	for _, from := range append([]string{s.User}, s.Project...) {
		if from == "" {
			continue
		}
		for _, text := range agent.ClaudeRuns(s.root(from)) {
			for _, word := range strings.FieldsFunc(expand.Replace(text), func(r rune) bool { return strings.ContainsRune(" \t\n;&|()<>=", r) }) {
				if rest, ok := strings.CutPrefix(word, "~/"); ok {
					word = below(p.Home, rest)
				} else if !filepath.IsAbs(word) && strings.ContainsAny(word, "./") && project != "" {
					word = filepath.Join(project, word)
				}
				if word = filepath.Clean(word); (p.Home != "" && Within(word, p.Home) || project != "" && Within(word, project)) && p.look.at(word).kind > directory && !slices.Contains(files, word) {
					files = append(files, word)
				}
			}
		}
	}
	return files
}
