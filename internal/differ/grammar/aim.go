package grammar

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

//go:embed ways.txt
var waysText string

// Aims writes scripts that are about one value: they give it to a variable in
// one of many ways, change it in others, and then do something with it that is
// harmless or does harm, depending on what the value is.
type Aims struct {
	noise *Grammar
	// ways are statements that give a variable a value, frames what statements stand
	// in, ends what is done with a value, by kind.
	ways, frames []string
	ends         map[string][]string
	// deeds are statements that write, move and remove files, and takes those that give a
	// variable what a file holds, or run it.
	deeds, takes []string
}

// values are what the ends of a kind are about: what may happen, and what is harm.
var values = map[string]struct{ good, bad []string }{
	"delete": {
		[]string{"build", "build/a", "./build", "build/out", "src/../build", "build/."},
		[]string{"../docs", "..", "../docs/precious.txt", "src", "../build", ".", "./../docs", "build/../src", "build/../../docs"},
	},
	"write": {
		[]string{"out.txt", "build/new", "src/new.txt", "./out"},
		[]string{"../docs/new", "../docs/precious.txt", "../new", "src/../../docs/new", "../.profile"},
	},
	"read": {
		[]string{"a.txt", "list.txt", "./b.txt", "src/sub/f.txt"},
		[]string{"../.ssh/id_rsa", "./../.ssh/id_rsa", "../.ssh/../.ssh/id_rsa"},
	},
	"run": {
		[]string{"ls", "pwd", "echo rm -rf build"},
		[]string{"rm -rf ../docs", "touch ../docs/new", "rm -rf src", "cp a.txt ../docs"},
	},
}

// NewAims reads the ways.
func NewAims() (*Aims, error) {
	noise, err := New()
	if err != nil {
		return nil, err
	}
	a := &Aims{noise: noise, ends: map[string][]string{}}
	section := ""
	for i, l := range strings.Split(waysText, "\n") {
		switch {
		case l == "" || strings.HasPrefix(l, "# "):
		case strings.HasPrefix(l, "[") && strings.HasSuffix(l, "]") && !strings.Contains(l, " "):
			section = l[1 : len(l)-1]
		case !a.add(section, strings.ReplaceAll(l, "⏎", "\n")):
			return nil, fmt.Errorf("ways.txt:%d: unknown section %q", i+1, section)
		}
	}
	return a, nil
}

// add takes a line of a section; it says whether there is such a section.
func (a *Aims) add(section, line string) bool {
	switch _, kind := values[section]; {
	case section == "ways":
		a.ways = append(a.ways, line)
	case section == "frames":
		a.frames = append(a.frames, line)
	case section == "deeds":
		a.deeds = append(a.deeds, line)
	case section == "takes":
		a.takes = append(a.takes, line)
	case kind:
		a.ends[section] = append(a.ends[section], line)
	default:
		return false
	}
	return true
}

var aimed = []string{"x", "y", "x", "v1"}

// Statements writes a script as a list of statements.
func (a *Aims) Statements(r *rand.Rand) []string {
	kinds := []string{"delete", "delete", "delete", "write", "read", "run"}
	kind := kinds[r.IntN(len(kinds))]
	of := values[kind]
	value := func(good bool) string {
		if good {
			return of.good[r.IntN(len(of.good))]
		}
		return of.bad[r.IntN(len(of.bad))]
	}
	variable := aimed[r.IntN(len(aimed))]
	var list []string
	add := func(s string) {
		for r.IntN(4) == 0 && len(s) < maxLength {
			s = a.frame(r, s)
		}
		list = append(list, s)
	}
	// The first value is mostly harmless, so that longline has something to allow.
	add(a.set(r, variable, value(r.IntN(8) > 0), value(r.IntN(2) == 0)))
	for range r.IntN(4) {
		switch r.IntN(8) {
		case 0, 1:
			add(a.noise.Statements(r)[0])
		case 2:
			add([]string{"y=$" + variable, variable + "=$y", "x=$" + variable, variable + "=$x$y", "z=$y; " + variable + "=$z", variable + "=${" + variable + "%/*}", variable + "=${" + variable + "##*/}", variable + "=./$" + variable, variable + "+=/a", variable + "=$" + variable + "/..", "cd src", "cd -", "cd ..", "cd build"}[r.IntN(14)])
		default:
			good := r.IntN(3) > 0
			add(a.set(r, variable, value(good), value(r.IntN(2) == 0 != good)))
		}
	}
	ends := a.ends[kind]
	for range 1 + r.IntN(2) {
		add(fill(ends[r.IntN(len(ends))], map[string]string{"V": variable}))
	}
	return list
}

// frame puts a statement into another.
func (a *Aims) frame(r *rand.Rand, s string) string {
	f := a.frames[r.IntN(len(a.frames))]
	if strings.Contains(f, "'@'") {
		f = strings.ReplaceAll(f, "'@'", single(s))
	}
	if strings.Contains(f, `"@"`) {
		f = strings.ReplaceAll(f, `"@"`, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", "$", `\$`).Replace(s)+`"`)
	}
	return strings.ReplaceAll(f, "@", s)
}

// places are the files that deeds are about: there may be nothing, and the directories are made first.
var places = []string{"t", "t", "t", "t", "t", "u", "u", "p/t", "q/t", "s"}

// inFiles writes statements that give a variable what came out of a few deeds. The file holds the
// value, or code that assigns it.
func (a *Aims) inFiles(r *rand.Rand) string {
	code := []string{"", "%V%="}[r.IntN(2)]
	list := []string{"mkdir -p p q"}
	deed := func(from []string) string {
		text := []string{"%D%", "%W%"}[r.IntN(2)]
		return fill(from[r.IntN(len(from))], map[string]string{"F": places[r.IntN(len(places))], "G": places[r.IntN(len(places))], "C": code + text, "P": code})
	}
	list = append(list, fill("echo '%C%' > %F%", map[string]string{"F": places[r.IntN(4)], "C": code + "%D%"}))
	for range 1 + r.IntN(3) {
		list = append(list, deed(a.deeds))
	}
	takes := slices.DeleteFunc(slices.Clone(a.takes), func(l string) bool { return strings.Contains(l, "%P%") != (code != "") })
	return strings.ReplaceAll(strings.Join(append(list, deed(takes)), "; "), "%P%", "")
}

// set writes a statement that gives a variable a value. The other value is near.
func (a *Aims) set(r *rand.Rand, variable, to, other string) string {
	way := a.ways[r.IntN(len(a.ways))]
	if r.IntN(6) == 0 {
		way = a.inFiles(r)
	}
	cut := r.IntN(len(to) + 1)
	return fill(way, map[string]string{
		"V": variable, "W": to, "D": other, "A": to[:cut], "B": to[cut:],
		"R": reversed(to), "U": strings.ToUpper(to), "E": base64.StdEncoding.EncodeToString([]byte(to)),
		"X": escaped(to, `\x%02x`), "O": escaped(to, `\%03o`), "Z": escaped(to, `\0%03o`), "H": escaped(to, "%02x"), "L": fmt.Sprint(len(other)), "M": fmt.Sprint(len(to)),
		"S": strings.Join(strings.Split(to, "/"), " "), "G": strings.Replace(to, "o", "?", 1), "T": turned(to),
	})
}

// fill replaces %V% and the like.
func fill(way string, with map[string]string) string {
	var pairs []string
	for name, text := range with {
		pairs = append(pairs, "%"+name+"%", text)
	}
	return strings.NewReplacer(pairs...).Replace(way)
}

func single(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

func escaped(s, format string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, format, s[i])
	}
	return b.String()
}

// turned replaces letters as tr a-z n-za-m does.
func turned(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' {
			return 'a' + (c-'a'+13)%26
		}
		return c
	}, s)
}
