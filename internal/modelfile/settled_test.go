package modelfile

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
)

// settledFile lists the flags whose values models call text, with the reasons why
// these name no file, host, code or command. Lines of a class are "names: GLOB..." for
// names that are harmless in any program, or "PROGRAM: FLAG..." for what was settled for that
// program alone.
const settledFile = "testdata/settled.txt"

// settledClass is one class of a file of what was settled: a line "class NAME: WHY", and the
// lines below it.
type settledClass struct {
	name  string
	lines []string
}

// readClasses reads a file of what was settled. Each class gives its reason.
func readClasses(t *testing.T, name string) (classes []settledClass) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		rest, begins := strings.CutPrefix(line, "class ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case begins:
			class, why, _ := strings.Cut(rest, ":")
			if len(strings.Fields(why)) < 4 {
				t.Errorf("%s: class %q gives no reason", name, class)
			}
			classes = append(classes, settledClass{name: class})
		case len(classes) == 0:
			t.Fatalf("%s: %q is in no class", name, line)
		default:
			last := &classes[len(classes)-1]
			last.lines = append(last.lines, line)
		}
	}
	return classes
}

type settled struct {
	classes []string
	names   map[string][]string          // globs by class
	flags   map[string]map[string]string // flags by program, with their class
	used    map[string]bool              // globs and program flags that some model needs
}

func readSettled(t *testing.T) *settled {
	t.Helper()
	s := &settled{names: map[string][]string{}, flags: map[string]map[string]string{}, used: map[string]bool{}}
	for _, c := range readClasses(t, settledFile) {
		s.classes = append(s.classes, c.name)
		for _, line := range c.lines {
			who, what, ok := strings.Cut(line, ": ")
			switch {
			case !ok:
				t.Fatalf("%s: cannot read %q", settledFile, line)
			case who == "names":
				s.names[c.name] = append(s.names[c.name], strings.Fields(what)...)
			default:
				if s.flags[who] == nil {
					s.flags[who] = map[string]string{}
				}
				for _, flag := range strings.Fields(what) {
					if before := s.flags[who][flag]; before != "" {
						t.Errorf("%s: %s %s is in the classes %q and %q", settledFile, who, flag, before, c.name)
					}
					s.flags[who][flag] = c.name
				}
			}
		}
	}
	return s
}

// speaksOf are parts of names that make a flag look as if its value were a file, a
// host, code or a command. No name with one of them is harmless in any program: each
// is settled for its program. So are flags of one letter, whose names say nothing.
var speaksOf = strings.Fields(`file path dir folder output dest log url uri host server endpoint addr conf cmd command exec script program tool template
	cert sock proxy plugin module load lib include import input image report save dump export store cache root home prefix suffix postfix extension naming remote registry repo source
	manifest schema data body upload send from mount shell editor pager browser hook env init run eval code snapshot bundle archive package trace record
	capture pid target api site web peer gateway bind listen connect origin redirect callback ssh ftp`)

func (s *settled) class(flag string) string {
	bare := strings.ToLower(strings.TrimLeft(flag, "-"))
	for _, class := range s.classes {
		for _, glob := range s.names[class] {
			if ok, err := path.Match(glob, bare); err == nil && ok {
				s.used["names "+glob] = true
				return class
			}
		}
	}
	if len(bare) < 2 || slices.ContainsFunc(speaksOf, func(part string) bool { return strings.Contains(bare, part) }) {
		return ""
	}
	return "plain"
}

// maxByName is how many flags are settled without a manual. It only falls.
const maxByName = 2419

// TestTextIsSettled fails for a flag whose value a model calls text, a number, a
// pattern or a reference, until somebody has looked up that it names no file, host,
// code or command and has put it into the list; and for an entry that nothing needs.
func TestTextIsSettled(t *testing.T) {
	s := readSettled(t)
	if !slices.Contains(s.classes, "plain") {
		t.Errorf("%s has no class %q", settledFile, "plain")
	}
	_, parsed := load(t)
	byClass := map[string]int{}
	seen := map[string]bool{}
	var look func(program string, l *command.Level)
	look = func(program string, l *command.Level) {
		flags := slices.Concat(l.Flags.All(), l.Global.All())
		for _, m := range l.Modes {
			flags = append(flags, m.Flags...)
		}
		for _, f := range flags {
			if !isText(&f) || seen[program+" "+f.Name] {
				continue
			}
			seen[program+" "+f.Name] = true
			class := s.class(f.Name)
			if class == "" {
				if class = s.flags[program][f.Name]; class != "" {
					s.used[program+" "+f.Name] = true
				}
			}
			if class == "" {
				t.Errorf("%s: the value of %q is text; look up what it can name, and put it into %s", program, f.Name, settledFile)
			}
			byClass[class]++
		}
		for i := range l.Subs.All() {
			look(program, l.Subs.All()[i].Level)
		}
	}
	for _, f := range parsed {
		for _, m := range f.Models {
			look(m.Names[0], &m.Level)
		}
	}
	for program, flags := range s.flags {
		for flag := range flags {
			if !s.used[program+" "+flag] {
				t.Errorf("%s: %s %s is settled, but it is not text", settledFile, program, flag)
			}
		}
	}
	if n := byClass["by name"]; n > maxByName {
		t.Errorf("%d flags are settled by their name alone, at most %d were: look the new ones up", n, maxByName)
	}
	t.Logf("%d flags: %v", len(seen), byClass)
}

// isText says whether all that a model says of a flag's values is that they are text.
func isText(f *command.Flag) bool {
	if len(f.Values) == 0 {
		return false
	}
	for _, uses := range f.Values {
		if len(uses) == 0 {
			return false
		}
		for _, u := range uses {
			switch u.Name {
			case "text", "number", "ref", "pattern":
			default:
				return false
			}
		}
	}
	return true
}
