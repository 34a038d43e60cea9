package modelfile

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
)

// listsFiles matches the names of flags whose value is a file with names of files.
var listsFiles = regexp.MustCompile(`files?0?-?from(-|$)|infile-?list|file-?list$|^-+list-?file|path-?list|paths-from|pathspec-from`)

// onlyNames are flags of that name by which the files of the list are not shown, packed or
// changed, and why.
var onlyNames = map[string]string{
	"svlint --filelist":        "a list with options; rules that are broken are shown, not the lines",
	"libtool -filelist":        "object files that are linked",
	"xxh3sum --filelist":       "only sums are shown",
	"xxhsum --files-from":      "only sums are shown",
	"xxhsum --filesfrom":       "only sums are shown",
	"pod2usage -pathlist":      "directories in which one program is looked for",
	"cppcheck --file-list":     "code that is checked; what is no code is an error with one word of it",
	"git --pathspec-from-file": "paths that are restored from, or taken out of, what is committed",
	"git --paths-from-file":    "paths whose history is rewritten",
	"cloc -list-file":          "only counts are shown",
	"du --files0-from":         "only sizes are shown",
	"file --files-from":        "only the kind of content is shown",
	"checksec --listfile":      "only properties of binaries are shown",
	"clamscan --file-list":     "only names are shown",
	"aa -exclude-path-list":    "what is left out of an archive",
	"aa -include-path-list":    "which parts of a tree that is packed anyway",
}

// TestListsOfFilesAreRead fails for a flag whose value is a list of files, if the model speaks
// of the list alone and not of the files that it names.
func TestListsOfFilesAreRead(t *testing.T) {
	_, parsed := load(t)
	seen := map[string]bool{}
	var look func(program string, l *command.Level)
	look = func(program string, l *command.Level) {
		flags := slices.Concat(l.Flags.All(), l.Global.All())
		for _, m := range l.Modes {
			flags = append(flags, m.Flags...)
		}
		for _, f := range flags {
			id := program + " " + f.Name
			if !listsFiles.MatchString(f.Name) || len(f.Values) == 0 || followsList(&f) {
				continue
			}
			if seen[id] = true; onlyNames[id] == "" {
				t.Errorf("%s: the value of %q is a list of files (%v), but nothing says that those are read", program, f.Name, f.Values[0])
			}
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
	for id := range onlyNames {
		if !seen[id] {
			t.Errorf("%s is settled, but it is no list of files", id)
		}
	}
}

// followsList says whether a model says what becomes of the files that a list names.
func followsList(f *command.Flag) bool {
	return slices.ContainsFunc(f.Values[0], func(u command.Use) bool {
		switch u.Name {
		case "name-list", "gap", "write", "hook", "script":
			return true
		}
		return false
	})
}

// TestPatternsOfNamesAreMatched fails for a program that shows or packs whatever it comes
// across, if a pattern of names is no more than text to its model, or if a mode asks what
// such a pattern looks like: it is held against the names that are there.
func TestPatternsOfNamesAreMatched(t *testing.T) {
	patterns := []string{"--exclude", "--include", "--glob", "--iglob"}
	_, parsed := load(t)
	for _, f := range parsed {
		for _, m := range f.Models {
			eachLevel(&m.Level, func(l *command.Level) {
				if !sweeps(l) {
					return
				}
				for _, flag := range l.Flags.All() {
					// To pcre2grep it is a regular expression, and leaves nothing out here.
					if slices.Contains(patterns, flag.Name) && isText(&flag) && m.Names[0] != "pcre2grep" {
						t.Errorf("%s: the value of %s is text; it is a pattern that excludes or includes names", m.Names[0], flag.Name)
					}
				}
				for _, name := range patterns {
					for i := range l.Modes {
						if asks(&l.Modes[i], name) {
							t.Errorf("%s: a mode depends on what %s looks like", m.Names[0], name)
						}
					}
				}
			})
		}
	}
}

func eachLevel(l *command.Level, do func(*command.Level)) {
	do(l)
	for i := range l.Subs.All() {
		eachLevel(l.Subs.All()[i].Level, do)
	}
}

// sweeps says whether a program shows or packs what it comes across.
func sweeps(l *command.Level) bool {
	return showsAll(l.Effects, l.Output) || slices.ContainsFunc(l.Modes, func(m command.Mode) bool { return showsAll(m.Effects, m.Output) })
}

func showsAll(effects []command.Spec, output string) bool {
	return slices.Contains(effects, command.Spec{Kind: "read", Target: "@swept"}) || strings.HasPrefix(output, "archive")
}

// asks says whether a mode in which everything is shown depends on a flag.
func asks(m *command.Mode, flag string) bool {
	return showsAll(m.Effects, m.Output) && slices.ContainsFunc(m.Unless, func(cond string) bool {
		name, _, _ := strings.Cut(cond, "=")
		return name == flag
	})
}
