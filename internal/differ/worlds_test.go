//go:build unix

package differ

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"longline/internal/differ/grammar"
)

// worlds tries scripts in worlds that differ in one link. The project holds many places: build/NAME/k,
// each with a mark of its own. A script that longline allows there is run, and its marks show which places
// it really read, ran, changed or deleted. Where one of them is a link to secrets, longline must not allow
// the same script; if it does and the script shows a secret, or changes the home directory, that is a
// finding. So every path that longline computes is held against the one that the shell makes, whatever is
// done with it.
type worlds struct {
	*checker
	link string // what is a link now
}

func newWorlds(r *rig) (*worlds, error) {
	c, err := newChecker(r)
	return &worlds{checker: c}, err
}

// places are the directories of the project that hold a file k. Those with a slash in the name after
// build come after what they are in.
var places = func() []string {
	list := []string{".", "build"}
	for _, name := range strings.Split(`a b c d e f x y z A B 0 1 2 3 4 5 6 7 8 9 10 11 12 aa ab ba bb abc AB xy .h a,b * $y a/a a/b a/1 b/a b/b b/1 1/a 1/1`, " ") {
		list = append(list, "build/"+name)
	}
	return append(list, "build/a b")
}()

// mark is what the file of a place prints, and holds.
func mark(place int) string { return fmt.Sprintf("echo place%02dk\n", place) }

var marks = regexp.MustCompile(`(?i)place(\d\d)k`)

// plain is what the home directory holds where no place is a link.
var plain = func() []entry {
	list := append(append([]entry{}, tree...), entry{".ssh/k", "echo " + secret + "\n"},
		entry{"proj/names.txt", "b\nc\naa\n"}, entry{"proj/table.txt", "a:b\nb:x\nab:1\n"})
	for i, place := range places {
		if place != "." && place != "build" {
			list = append(list, entry{"proj/" + place + "/", ""})
		}
		list = append(list, entry{filepath.Join("proj", place, "k"), mark(i)})
	}
	return list
}()

// arrow stands between a link and where it leads, seen from the home directory.
const arrow = " -> "

// in makes the home directory one in which a path of the project is a link to the directory of secrets,
// or to the file k there, unless an arrow says where it leads; none if it is empty.
func (w *worlds) in(link string) error {
	before := w.link
	w.link = link
	w.tree = nil
	for _, e := range plain {
		if !isIn(e.path, link) {
			w.tree = append(w.tree, e)
		}
	}
	if link != "" {
		w.tree = append(w.tree, w.linked(link))
	}
	if w.used || before == link {
		return w.fresh()
	}
	return errors.Join(w.restore(before), w.replace(link))
}

// linked is the link that a path of the project is.
func (w *worlds) linked(link string) entry {
	path, to, given := strings.Cut(link, arrow)
	switch {
	case given:
		to, _ = filepath.Rel(filepath.Join(w.project(), filepath.Dir(path)), filepath.Join(w.home(), to))
	case filepath.Base(path) == "k":
		to = w.home() + "/.ssh/k"
	default:
		to = w.home() + "/.ssh"
	}
	return entry{"proj/" + path, "-> " + to}
}

// restore makes a path of the project what it is without a link.
func (w *worlds) restore(link string) error {
	if link == "" {
		return nil
	}
	err := os.Remove(w.home() + "/" + w.linked(link).path)
	for _, e := range plain {
		if isIn(e.path, link) {
			err = errors.Join(err, makeOpen(w.home()+"/"+e.path, e.text))
		}
	}
	return err
}

// replace makes a path of the project a link.
func (w *worlds) replace(link string) error {
	if link == "" {
		return nil
	}
	e := w.linked(link)
	return errors.Join(os.RemoveAll(w.home()+"/"+e.path), makeOpen(w.home()+"/"+e.path, e.text))
}

// isIn says whether a path of the home directory is a link, or below it.
func isIn(path, link string) bool {
	link, _, _ = strings.Cut(link, arrow)
	return link != "" && strings.HasPrefix(strings.TrimSuffix(path, "/")+"/", "proj/"+link+"/")
}

// one tries the script of a seed.
func (w *worlds) one(p *grammar.Places, seed uint64, shells []string) (*finding, error) {
	r := rand.New(rand.NewPCG(seed, 2))
	list := p.Statements(r)
	m := someManner(r, shells)
	w.config.World.Zsh = m.shell == "zsh" // an agent knows which it is
	f, err := w.try(m, strings.Join(list, "\n"))
	if f == nil || err != nil {
		return nil, err
	}
	if f, err = shrink(f, list, func(m manner, list []string) (*finding, error) { return w.confirm(m, strings.Join(list, "\n")) }); err != nil {
		return nil, err
	}
	return shrink(f, pieces.FindAllString(f.script, -1), func(m manner, list []string) (*finding, error) { return w.confirm(m, strings.Join(list, "")) })
}

// try runs a script if longline allows it in the world without a link, and tries it again in worlds in
// which a place that it got to is one.
func (w *worlds) try(m manner, script string) (*finding, error) {
	w.count.scripts++
	did, f, err := w.run(m, script)
	if f != nil || err != nil || did == nil {
		return f, err
	}
	w.count.quiet++
	reached := w.reached(*did)
	if len(reached) > 0 {
		w.count.reached++
	}
	for _, m.link = range someLinks(script, reached) {
		if f, err := w.confirm(m, script); f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

// someLinks are the links with which a script is tried that got to some places: each of these, or the file in it, is one. One
// more link leads to another one, or nowhere, or has a name that the script may put something under.
func someLinks(script string, reached []string) (list []string) {
	r := rand.New(rand.NewPCG(uint64(len(script)), uint64(len(reached))))
	r.Shuffle(len(reached), func(i, j int) { reached[i], reached[j] = reached[j], reached[i] })
	reached = reached[:min(3, len(reached))]
	var more []string
	for _, place := range reached {
		file := filepath.Join(place, "k")
		list = append(list, place, file)
		more = append(more, file+arrow+"new", file+arrow+"proj/ship/keys/k", place+arrow+"proj/ship/keys", place+arrow+"new")
	}
	for _, name := range []string{"build/q", "build/r", "build/t"} {
		if strings.Contains(script, name) {
			more = append(more, name, name+arrow+".ssh/k", name+arrow+"new", name+arrow+"docs", name+arrow+"proj/ship/up")
		}
	}
	if len(more) > 0 {
		list = append(list, more[r.IntN(len(more))])
	}
	return slices.DeleteFunc(list, func(link string) bool { return link == "." || strings.HasPrefix(link, "."+arrow) })
}

// confirm says whether a script is a finding in the world of a manner.
func (w *worlds) confirm(m manner, script string) (*finding, error) {
	_, f, err := w.run(m, script)
	return f, err
}

// run runs a script in the world of a manner, if longline allows it there, and returns what it did; nil if
// it was not allowed.
func (w *worlds) run(m manner, script string) (*outcome, *finding, error) {
	if err := w.in(m.link); err != nil {
		return nil, nil, err
	}
	believed, allowed := w.reads(script)
	if !allowed {
		return nil, nil, nil
	}
	w.count.runs++
	did, err := w.rig.run(m, script)
	if err != nil {
		return nil, nil, err
	}
	unforeseen := uncovered(did.calls, believed)
	if !did.leaked && did.spoilt == "" && unforeseen == nil {
		return &did, nil, nil
	}
	return &did, &finding{m, script, unforeseen}, nil
}

// reached are the places of which a script has shown the mark, or that it has changed.
func (w *worlds) reached(did outcome) (list []string) {
	seen := map[int]bool{}
	see := func(text string) {
		for _, m := range marks.FindAllStringSubmatch(text, -1) {
			if i, _ := strconv.Atoi(m[1]); i < len(places) {
				seen[i] = true
			}
		}
	}
	see(did.shown)
	for i, place := range places {
		if text, err := os.ReadFile(filepath.Join(w.project(), place, "k")); err != nil || string(text) != mark(i) {
			seen[i] = true
		}
	}
	_ = filepath.WalkDir(w.project(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != "k" {
			text, _ := os.ReadFile(path)
			see(string(text))
		}
		return nil
	})
	for i, place := range places {
		if seen[i] {
			list = append(list, place)
		}
	}
	return list
}
