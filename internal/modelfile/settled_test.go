package modelfile

import (
	"bufio"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
)

// settledFile lists the flags whose values models call text, with the reasons why
// these name no file, host, code or command. A class is a line "class NAME: WHY";
// lines below it are "names: GLOB..." for names that are harmless in any program, or
// "PROGRAM: FLAG..." for what was settled for that program alone.
const settledFile = "testdata/settled.txt"

type settled struct {
	names   map[string][]string        // globs by class
	flags   map[string]map[string]bool // flags by program
	used    map[string]bool            // globs and program flags that some model needs
	reasons map[string]string          // by class
}

func readSettled(t *testing.T) *settled {
	t.Helper()
	f, err := os.Open(settledFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := &settled{map[string][]string{}, map[string]map[string]bool{}, map[string]bool{}, map[string]string{}}
	class := ""
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "class "); ok {
			name, why, _ := strings.Cut(rest, ":")
			if strings.TrimSpace(why) == "" {
				t.Errorf("class %q has no reason", name)
			}
			class, s.reasons[name] = name, why
			continue
		}
		who, what, ok := strings.Cut(line, ": ")
		switch {
		case !ok || class == "":
			t.Fatalf("%s: cannot read %q", settledFile, line)
		case who == "names":
			s.names[class] = append(s.names[class], strings.Fields(what)...)
		default:
			if s.flags[who] == nil {
				s.flags[who] = map[string]bool{}
			}
			for _, flag := range strings.Fields(what) {
				s.flags[who][flag] = true
			}
		}
	}
	return s
}

// speaksOf are parts of names that make a flag look as if its value were a file, a
// host, code or a command. No name with one of them is harmless in any program: each
// is settled for its program. So are flags of one letter, whose names say nothing.
var speaksOf = strings.Fields(`file path dir folder output dest log url uri host server endpoint addr conf cmd command exec script program tool template
	cert sock proxy plugin module load lib include import input image report save dump export store cache root home prefix remote registry repo source
	manifest schema data body upload send from mount shell editor pager browser hook env init run eval code snapshot bundle archive package trace record
	capture pid target api site web peer gateway bind listen connect origin redirect callback ssh ftp`)

func (s *settled) class(flag string) string {
	bare := strings.ToLower(strings.TrimLeft(flag, "-"))
	for class, globs := range s.names {
		for _, glob := range globs {
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

// TestTextIsSettled fails for a flag whose value a model calls text, a number, a
// pattern or a reference, until somebody has looked up that it names no file, host,
// code or command and has put it into the list; and for an entry that nothing needs.
func TestTextIsSettled(t *testing.T) {
	s := readSettled(t)
	if s.reasons["plain"] == "" {
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
			if class == "" && s.flags[program][f.Name] {
				class = "looked up"
				s.used[program+" "+f.Name] = true
			}
			if class == "" {
				t.Errorf("%s: the value of %q is text; look up what it can name, and put it into %s", program, f.Name, settledFile)
			}
			byClass[class]++
		}
		for i := range l.Subs {
			look(program, l.Subs[i].Level)
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
