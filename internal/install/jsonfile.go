package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// entry is one element that longline adds to a list in a JSON file.
type entry struct {
	path    []string // keys from the root to the list
	element string   // compact JSON
	first   bool     // it has to stand before the others
}

// listFile is a JSON file with lists, to which longline's entries are added.
type listFile struct {
	// comments says that the agent reads comments and trailing commas. Others
	// throw away the whole file for one.
	comments bool
	seed     string // what a new file holds besides; "" is {}
	entries  func(c Command) []entry
	// check says why the agent would reject a file that is good JSON; nil if
	// nothing is known.
	check func(root strictjson.Value) error
}

func (f *listFile) target(path string) target {
	return target{
		path: path, mode: 0o644,
		put:  func(old []byte, c Command, _ reader) ([]byte, error) { return f.put(old, f.entries(c)) },
		take: func(old []byte, _ reader) ([]byte, error) { return f.take(old) },
	}
}

func (f *listFile) put(old []byte, entries []entry) ([]byte, error) {
	base, err := f.take(old) // an older installation is replaced
	if err != nil {
		return nil, err
	}
	if f.check != nil && len(bytes.TrimSpace(base)) > 0 {
		d, err := f.read(base)
		if err != nil {
			return nil, err
		}
		if err := f.check(d.root); err != nil {
			return nil, &Rejected{fmt.Errorf("%w; the agent would ignore this whole file, so fix it first", err), "fix the entry"}
		}
	}
	return f.insertAll(base, entries)
}

// insertAll adds entries to a file that holds none of longline's.
func (f *listFile) insertAll(text []byte, entries []entry) ([]byte, error) {
	// No file, an empty file and an empty object must remain tellable apart: what
	// longline begins is indented with tabs, and what blanks there are stay in front.
	fresh, begun := text == nil, len(bytes.TrimSpace(text)) == 0
	if begun {
		seed := f.seed
		if seed == "" {
			seed = "{}"
		}
		if bytes.Contains(text, []byte("\r\n")) {
			seed = strings.ReplaceAll(seed, "\n", "\r\n")
		}
		text = append(bytes.Clone(text), seed...)
	}
	for _, e := range entries {
		d, err := f.read(text)
		if err != nil {
			return nil, err
		}
		if begun {
			d.unit = "\t"
		}
		if text, err = d.insert(e); err != nil {
			return nil, err
		}
	}
	if fresh {
		text = append(text, '\n')
	}
	return text, nil
}

// take removes what is longline's. Containers that are empty afterwards were
// either made by the installation or empty before. Which, is tried out: the
// original is the text that becomes the present one when the same entries are
// installed in it.
func (f *listFile) take(text []byte) ([]byte, error) {
	if !bytes.Contains(text, []byte("longline")) {
		return text, nil // nor does it matter whether the file can be read
	}
	left := bytes.Clone(text)
	var found []entry
	for {
		d, err := f.read(left)
		if err != nil {
			return nil, err
		}
		e, cut, ok := f.cutOne(d)
		if !ok {
			break
		}
		left = cut
		found = append(found, e)
	}
	if len(found) == 0 {
		return text, nil
	}
	slices.SortStableFunc(found, func(a, b entry) int { return f.rank(a) - f.rank(b) })
	blanks := text[:len(text)-len(bytes.TrimLeft(text, " \t\r\n"))]
	pruned := f.prunings(left, found)
	slices.Reverse(pruned)
	for _, c := range append([][]byte{nil, blanks}, pruned...) {
		if again, err := f.insertAll(c, found); err == nil && bytes.Equal(again, text) {
			return c, nil
		}
	}
	// Somebody has edited the file since; nothing of longline's stays behind.
	return pruned[0], nil
}

// rank orders entries as an installation makes them.
func (f *listFile) rank(e entry) int {
	return slices.IndexFunc(f.entries(Command{Program: "/longline"}), func(x entry) bool { return slices.Equal(x.path, e.path) })
}

// cutOne removes the first element that is longline's.
func (f *listFile) cutOne(d *jsonText) (entry, []byte, bool) {
	var done [][]string
	for _, e := range f.entries(Command{Program: "/longline"}) {
		if slices.ContainsFunc(done, func(p []string) bool { return slices.Equal(p, e.path) }) {
			continue
		}
		done = append(done, e.path)
		list := d.at(e.path)
		for i, item := range list.Items {
			// Longline's hook in a group that also holds others goes alone.
			hooks := item.Get("hooks")
			for j, h := range hooks.Items {
				if len(hooks.Items) > 1 && agent.Starts(h) {
					return entry{path: e.path, element: compact(h.Raw), first: e.first}, d.cut(hooks, j), true
				}
			}
			if agent.Starts(item) || len(hooks.Items) == 1 && agent.Starts(hooks.Items[0]) {
				return entry{path: e.path, element: compact(item.Raw), first: e.first}, d.cut(list, i), true
			}
		}
	}
	return entry{}, nil, false
}

// prunings are the texts that come of leaving or removing each container that
// was emptied; the last is the one without any.
func (f *listFile) prunings(text []byte, found []entry) [][]byte {
	all := [][]byte{text}
	var paths [][]string
	for _, e := range found {
		for n := len(e.path); n > 0; n-- {
			if !slices.ContainsFunc(paths, func(p []string) bool { return slices.Equal(p, e.path[:n]) }) {
				paths = append(paths, e.path[:n])
			}
		}
	}
	slices.SortStableFunc(paths, func(a, b []string) int { return len(b) - len(a) }) // inner ones first
	for _, p := range paths {
		for _, t := range slices.Clone(all) {
			d, err := f.read(t)
			if err != nil {
				continue
			}
			if cut, ok := d.prune(p); ok {
				all = append(all, cut)
			}
		}
	}
	return all
}

func compact(raw string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(raw)); err != nil {
		return raw
	}
	return b.String()
}

// jsonText is a JSON document that is edited as text.
type jsonText struct {
	text []byte
	// plain is the text with comments and trailing commas blanked out, so that
	// places in one are places in the other.
	plain   []byte
	root    strictjson.Value
	newline string
	unit    string // of indentation
}

func (f *listFile) read(text []byte) (*jsonText, error) {
	d := &jsonText{text: text, plain: text, newline: "\n", unit: "  "}
	if f.comments {
		bom := 0
		if bytes.HasPrefix(text, []byte("\ufeff")) {
			bom = 3
		}
		// A comment in the last line need not have a line end; hujson wants one.
		plain, err := hujson.Standardize(append(bytes.Clone(text[bom:]), '\n'))
		if err != nil {
			return nil, &Rejected{errors.New(strings.TrimPrefix(err.Error(), "hujson: ")), "fix it; comments and trailing commas are fine here"}
		}
		d.plain = append(bytes.Clone(text[:bom]), plain[:len(text)-bom]...)
	}
	root, err := strictjson.Parse(d.plain)
	if err != nil {
		return nil, &Rejected{place(d.plain, err), "it must be plain JSON: no comments, no trailing commas, no key twice"}
	}
	if root.Kind != strictjson.Object {
		return nil, &Rejected{fmt.Errorf("the file holds %s (want an object)", root.Kind), "make it an object"}
	}
	d.root = root
	if bytes.Contains(text, []byte("\r\n")) {
		d.newline = "\r\n"
	}
	if lead := d.lead(root); strings.Contains(lead, "\n") {
		if unit := lead[strings.LastIndexByte(lead, '\n')+1:]; unit != "" {
			d.unit = unit
		}
	}
	return d, nil
}

// place says an error's line and column, which is how people find it.
func place(text []byte, err error) error {
	var e *strictjson.Error
	if !errors.As(err, &e) {
		return err
	}
	before := text[:min(e.Offset, len(text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%d:%d: %s; the agent would ignore this file, so fix it first", line, column, e.Problem)
}

// at walks to a value; it is absent if there is none.
func (d *jsonText) at(keys []string) strictjson.Value {
	v := d.root
	for _, k := range keys {
		v = v.Get(k)
	}
	return v
}

// lead is the blank space between a container's bracket and its first element.
func (d *jsonText) lead(v strictjson.Value) string {
	start := v.Offset + 1
	end := start
	for end < len(d.plain) && strings.IndexByte(" \t\r\n", d.plain[end]) >= 0 {
		end++
	}
	return string(d.plain[start:end])
}

// insert adds an entry, making the containers that are missing.
func (d *jsonText) insert(e entry) ([]byte, error) {
	v := d.root
	for i, key := range e.path {
		if v.Kind != strictjson.Object {
			return nil, fmt.Errorf("%q is %s (want an object)", strings.Join(e.path[:i], "."), v.Kind)
		}
		next := v.Get(key)
		if next.Kind == strictjson.Absent {
			value := "[" + e.element + "]"
			for j := len(e.path) - 1; j > i; j-- {
				value = "{" + strictjson.Quote(e.path[j]) + ":" + value + "}"
			}
			return d.put(v, i, strictjson.Quote(key)+":"+value, false), nil
		}
		v = next
	}
	if v.Kind != strictjson.Array {
		return nil, fmt.Errorf("%q is %s (want a list)", strings.Join(e.path, "."), v.Kind)
	}
	return d.put(v, len(e.path), e.element, e.first), nil
}

// put adds one element or member to a container at some depth, in the layout
// that the container has.
func (d *jsonText) put(v strictjson.Value, depth int, addition string, first bool) []byte {
	var last strictjson.Value
	switch {
	case len(v.Members) > 0:
		last = v.Members[len(v.Members)-1].Value
	case len(v.Items) > 0:
		last = v.Items[len(v.Items)-1]
	}
	lead := d.lead(v)
	if i := strings.LastIndexByte(lead, '\n'); i >= 0 {
		lead = d.newline + lead[i+1:]
	} else {
		lead = ""
	}
	switch {
	case last.Kind == strictjson.Absent && depth == 0:
		return d.splice(v.Offset+1, d.newline+d.unit+d.layout(addition, d.unit)+d.newline)
	case last.Kind == strictjson.Absent:
		// Blanks around tell a container that was empty from one that was made.
		return d.splice(v.Offset+1, " "+addition+" ")
	case first:
		return d.splice(v.Offset+1, lead+d.layout(addition, strings.TrimLeft(lead, "\r\n"))+",")
	case lead == "":
		return d.splice(last.Offset+len(last.Raw), ","+addition)
	}
	return d.splice(last.Offset+len(last.Raw), ","+lead+d.layout(addition, strings.TrimLeft(lead, "\r\n")))
}

// layout spreads a compact element or member over lines.
func (d *jsonText) layout(addition, indent string) string {
	key := ""
	if value, ok := memberValue(addition); ok {
		key = addition[:len(addition)-len(value)-1] + ": "
		addition = value
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(addition), indent, d.unit); err != nil {
		return key + addition
	}
	return key + strings.ReplaceAll(b.String(), "\n", d.newline)
}

// memberValue splits off the value of `"key":value`.
func memberValue(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", false
	}
	_, value, ok := strings.Cut(s, `":`)
	return value, ok
}

func (d *jsonText) splice(at int, s string) []byte {
	return slices.Concat(d.text[:at], []byte(s), d.text[at:])
}

// cut removes element i of a list, with one comma and the blanks that go with it.
func (d *jsonText) cut(list strictjson.Value, i int) []byte {
	item := list.Items[i]
	from, to := item.Offset, item.Offset+len(item.Raw)
	before := list.Offset + 1
	if i > 0 {
		before = list.Items[i-1].Offset + len(list.Items[i-1].Raw)
	}
	after := list.Offset + len(list.Raw) - 1
	if i+1 < len(list.Items) {
		after = list.Items[i+1].Offset
	}
	return d.remove(before, from, to, after, i > 0, i+1 < len(list.Items))
}

// prune removes a container that is empty, and its key.
func (d *jsonText) prune(keys []string) ([]byte, bool) {
	v := d.at(keys)
	if v.Kind != strictjson.Array && v.Kind != strictjson.Object || len(v.Items)+len(v.Members) > 0 {
		return nil, false
	}
	outer, key := d.at(keys[:len(keys)-1]), keys[len(keys)-1]
	i := slices.IndexFunc(outer.Members, func(m strictjson.Member) bool { return m.Key == key })
	before := outer.Offset + 1
	if i > 0 {
		before = outer.Members[i-1].Value.Offset + len(outer.Members[i-1].Value.Raw)
	}
	// The key is the last string before the value.
	colon := bytes.LastIndexByte(d.plain[:v.Offset], ':')
	end := bytes.LastIndexByte(d.plain[:colon], '"')
	from := end - len(strictjson.Quote(key)) + 1
	if from < before || string(d.plain[from:end+1]) != strictjson.Quote(key) {
		return nil, false
	}
	after := outer.Offset + len(outer.Raw) - 1
	more := i+1 < len(outer.Members)
	if more {
		next := bytes.IndexByte(d.plain[v.Offset+len(v.Raw):], '"')
		after = v.Offset + len(v.Raw) + next
	}
	return d.remove(before, from, v.Offset+len(v.Raw), after, i > 0, more), true
}

// remove takes out from:to of a container. The text between its neighbours,
// before:from and to:after, loses one comma and, where nothing but blanks is
// left, those too; comments stay.
func (d *jsonText) remove(before, from, to, after int, hasBefore, hasAfter bool) []byte {
	if hasBefore {
		return d.removeAfter(before, from, to)
	}
	if isBlank(d.text[before:from]) {
		from = before
	}
	if !hasAfter {
		return slices.Concat(d.text[:from], d.text[to+d.around(to, after):])
	}
	comma := bytes.IndexByte(d.plain[to:after], ',')
	if comma >= 0 && !isBlank(d.text[to:to+comma]) {
		return slices.Concat(d.text[:from], d.text[to:to+comma], d.text[to+comma+1:])
	}
	return slices.Concat(d.text[:from], d.text[to+comma+1:])
}

// removeAfter takes out from:to with the comma before it.
func (d *jsonText) removeAfter(before, from, to int) []byte {
	if gap := d.text[before:from]; len(gap) > 0 && gap[0] == ',' && isBlank(gap[1:]) {
		from = before
	} else if comma := bytes.IndexByte(d.plain[before:from], ','); comma >= 0 {
		return slices.Concat(d.text[:before+comma], d.text[before+comma+1:from], d.text[to:])
	}
	return slices.Concat(d.text[:from], d.text[to:])
}

// around is how much stands between an only element and the end of its container that put
// has added, and no more: blanks that were in the empty container before stay.
func (d *jsonText) around(to, after int) int {
	rest := d.text[to:after]
	comma := bytes.IndexByte(rest, ',')
	switch {
	case comma >= 0 && d.plain[to+comma] != ',' && isBlank(rest[:comma]):
		return comma + 1 // a trailing one
	case bytes.HasPrefix(rest, []byte(d.newline)):
		return len(d.newline)
	case bytes.HasPrefix(rest, []byte(" ")):
		return 1
	}
	return 0
}

func isBlank(s []byte) bool { return len(bytes.Trim(s, " \t\r\n")) == 0 }
