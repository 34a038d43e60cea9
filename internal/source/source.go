// Package source reads YAML and JSON that people write, and says what is wrong
// with it in their terms: every error at once, each with file, line, column,
// the line itself with a caret, and the nearest known word.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// MaxSize bounds a file that people write: a tree takes a thousand times its
// text. Aliases are refused, so it is no larger than that.
const MaxSize = 1 << 20

// File is one source text and the errors found in it.
type File struct {
	Name   string
	lines  []string
	errors []Error
}

// Error is one thing wrong at one place.
type Error struct {
	File         string
	Line, Column int // from 1; 0 if the place is not known
	Message      string
	Hint         string // what to do, if there is something to say
	Text         string // the source line
}

func (e Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, max(e.Column, 1))
	}
	b.WriteString(": " + e.Message)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	if e.Text != "" {
		text, before := around(e.Text, e.Column-1)
		// Tabs stay tabs in the second line, so that the caret stands under its place.
		pad := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, before)
		b.WriteString("\n\t" + text + "\n\t" + pad + "^")
	}
	return b.String()
}

// maxShown is how many characters of a line are shown around an error.
const maxShown = 160

// around returns the part of a line around its character at a place, and what of
// that part stands before the place.
func around(line string, at int) (part, before string) {
	if utf8.RuneCountInString(line) <= maxShown {
		place := 0
		for ; at > 0 && place < len(line); at-- {
			_, size := utf8.DecodeRuneInString(line[place:])
			place += size
		}
		return line, line[:place]
	}
	runes := []rune(line)
	at = min(max(at, 0), len(runes))
	from := max(0, at-maxShown/2)
	to := min(len(runes), from+maxShown)
	return string(runes[from:to]), string(runes[from:at])
}

// Errors is every error of one or more files.
type Errors []Error

// maxErrors is how many errors are told, and maxKept how many are kept; who sees
// so many mends the first ones first. A file can hold a million.
const (
	maxErrors = 20
	maxKept   = 1000
)

func (es Errors) Error() string {
	parts := make([]string, 0, maxErrors+1)
	for i, e := range es {
		if i == maxErrors {
			parts = append(parts, "and more like these")
			break
		}
		parts = append(parts, e.Error())
	}
	return strings.Join(parts, "\n")
}

// Node is one value of the file, which knows its place.
type Node struct {
	file *File
	yaml *yaml.Node
}

// Parse reads all documents of a YAML (or JSON) text. It returns nil nodes for
// what could not be read; the errors are in f.
func Parse(name string, text []byte) (f *File, docs []Node) {
	if len(text) > MaxSize {
		tooLong := Error{File: name, Message: fmt.Sprintf("the file is %d bytes long; at most %d are read", len(text), MaxSize)}
		return &File{Name: name, errors: []Error{tooLong}}, nil
	}
	f = &File{Name: name, lines: lineEnd.Split(strings.ToValidUTF8(string(text), "\ufffd"), -1)}
	if at, problem := noText(text); problem != "" {
		before := lineEnd.Split(string(text[:at]), -1)
		f.add(Error{File: name, Line: len(before), Column: utf8.RuneCountInString(before[len(before)-1]) + 1, Message: problem})
		return f, nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return f, docs
		}
		if err != nil {
			f.syntax(err)
			return f, docs
		}
		if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
			root := doc.Content[0]
			if f.check(root, 0) {
				docs = append(docs, Node{f, root})
			}
		}
	}
}

// lineEnd is what ends a line for YAML.
var lineEnd = regexp.MustCompile("\r\n|[\r\n\u0085\u2028\u2029]")

// noText says where a file stops being text, and why. YAML forbids control
// characters, but its reader does not say where they are.
func noText(text []byte) (at int, problem string) {
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return at, "the file is not UTF-8 text"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0xfffe, r == 0xffff:
			return at, fmt.Sprintf("the control character %U is not allowed", r)
		}
		at += size
	}
	return 0, ""
}

// check refuses what has no place in a policy: aliases (which can make a small
// file huge) and nesting without end.
func (f *File) check(n *yaml.Node, depth int) bool {
	node := Node{f, n}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		node.Errorf("anchors and aliases are not supported")
		return false
	}
	if depth > 64 {
		node.Errorf("nested too deeply")
		return false
	}
	for _, c := range n.Content {
		if !f.check(c, depth+1) {
			return false
		}
	}
	if n.Kind == yaml.MappingNode {
		first := make(map[string]int, len(n.Content)/2)
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode {
				Node{f, key}.Errorf("a key must be text")
				return false
			}
			if line, twice := first[key.Value]; twice {
				Node{f, key}.Errorf("%q is given twice, first in line %d", key.Value, line)
				continue
			}
			first[key.Value] = key.Line
		}
	}
	return true
}

func (f *File) syntax(err error) {
	e := Error{File: f.Name, Message: err.Error()}
	var load *yaml.LoadError
	if errors.As(err, &load) {
		e.Line, e.Column, e.Message = load.Mark.Line, load.Mark.Column, load.Message
	}
	f.add(e)
}

// maxMessage bounds a message, which may quote a word as long as the file.
const maxMessage = 500

func (f *File) add(e Error) {
	if len(f.errors) >= maxKept {
		return
	}
	if e.Line > 0 && e.Line <= len(f.lines) {
		e.Text = f.lines[e.Line-1]
	}
	if len(e.Message) > maxMessage {
		// The middle goes: what is quoted stands in front, why it is wrong behind.
		e.Message = strings.ToValidUTF8(e.Message[:maxMessage/2]+" ... "+e.Message[len(e.Message)-maxMessage/2:], "")
	}
	f.errors = append(f.errors, e)
}

// Err returns all errors found so far, in the order of their places, or nil.
func (f *File) Err() error {
	if len(f.errors) == 0 {
		return nil
	}
	slices.SortStableFunc(f.errors, func(a, b Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return Errors(f.errors)
}

// Attempt runs read and returns the errors that it noted; they do not count as the
// file's.
func (n Node) Attempt(read func()) Errors {
	before := len(n.file.errors)
	read()
	wrong := slices.Clone(n.file.errors[before:])
	n.file.errors = n.file.errors[:before]
	return wrong
}

// Errorf notes an error at the node's place.
func (n Node) Errorf(format string, args ...any) { n.fail("", format, args...) }

func (n Node) fail(hint, format string, args ...any) {
	if len(n.file.errors) >= maxKept {
		return
	}
	n.file.add(Error{File: n.file.Name, Line: n.yaml.Line, Column: n.yaml.Column, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// Unknown notes that word is none of the known words, and which is nearest.
func (n Node) Unknown(what, word string, known []string) {
	if len(n.file.errors) >= maxKept {
		return
	}
	hint := "expected one of " + strings.Join(known, ", ")
	if near := Nearest(word, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if len(known) > 12 {
		hint = ""
	}
	n.fail(hint, "unknown %s %q", what, word)
}

// Pos is "file:line".
func (n Node) Pos() string { return fmt.Sprintf("%s:%d", n.file.Name, n.yaml.Line) }

// IsZero reports whether there is no node.
func (n Node) IsZero() bool { return n.yaml == nil }

// Line is the node's line, from 1.
func (n Node) Line() int { return n.yaml.Line }

// IsMap, IsList and IsScalar tell the node's shape; null is none of them.
func (n Node) IsMap() bool    { return n.yaml != nil && n.yaml.Kind == yaml.MappingNode }
func (n Node) IsList() bool   { return n.yaml != nil && n.yaml.Kind == yaml.SequenceNode }
func (n Node) IsScalar() bool { return n.yaml != nil && n.yaml.Kind == yaml.ScalarNode && !n.IsNull() }

// IsNull reports whether the value was left out.
func (n Node) IsNull() bool {
	return n.yaml == nil || n.yaml.Kind == yaml.ScalarNode && n.yaml.ShortTag() == "!!null"
}

// Pair is one entry of a mapping.
type Pair struct{ Key, Value Node }

// Name is the entry's key as text.
func (p Pair) Name() string { return p.Key.yaml.Value }

// Pairs returns the entries of a mapping, in order. What is not a mapping is an
// error and has none; what was left out has none either.
func (n Node) Pairs() []Pair {
	if n.IsNull() {
		return nil
	}
	if !n.IsMap() {
		n.Errorf("expected a mapping (key: value), found %s", n.shape())
		return nil
	}
	pairs := make([]Pair, 0, len(n.yaml.Content)/2)
	for i := 0; i+1 < len(n.yaml.Content); i += 2 {
		pairs = append(pairs, Pair{Node{n.file, n.yaml.Content[i]}, Node{n.file, n.yaml.Content[i+1]}})
	}
	return pairs
}

// Fields hands each entry of a mapping to the function of that name. Other
// names are errors.
func (n Node) Fields(fields map[string]func(Node)) {
	for _, p := range n.Pairs() {
		if read, ok := fields[p.Name()]; ok {
			read(p.Value)
			continue
		}
		p.Key.Unknown("key", p.Name(), slices.Sorted(maps.Keys(fields)))
	}
}

// List returns the elements of a sequence; anything else is an error.
func (n Node) List() []Node {
	if n.IsNull() {
		return nil
	}
	if !n.IsList() {
		n.Errorf("expected a list, found %s", n.shape())
		return nil
	}
	nodes := make([]Node, len(n.yaml.Content))
	for i, c := range n.yaml.Content {
		nodes[i] = Node{n.file, c}
	}
	return nodes
}

// Text returns the text of a scalar; anything else is an error.
func (n Node) Text() string {
	if n.yaml == nil || n.yaml.Kind != yaml.ScalarNode || n.IsNull() {
		n.Errorf("expected text, found %s", n.shape())
		return ""
	}
	return n.yaml.Value
}

// Bool returns true or false; anything else is an error.
func (n Node) Bool() bool {
	if n.yaml == nil || n.yaml.Kind != yaml.ScalarNode || n.yaml.ShortTag() != "!!bool" {
		n.Errorf("expected true or false, found %s", n.shape())
		return false
	}
	return strings.EqualFold(n.yaml.Value, "true")
}

// Texts returns a list of texts; a single text is a list of one.
func (n Node) Texts() []string {
	if n.IsScalar() {
		return []string{n.Text()}
	}
	var texts []string
	for _, c := range n.List() {
		texts = append(texts, c.Text())
	}
	return texts
}

// Words returns the blank-separated words of a text, or of each text of a list.
func (n Node) Words() []string {
	var words []string
	for _, t := range n.Texts() {
		words = append(words, strings.Fields(t)...)
	}
	return words
}

func (n Node) shape() string {
	switch {
	case n.IsNull():
		return "nothing"
	case n.IsMap():
		return "a mapping"
	case n.IsList():
		return "a list"
	}
	return fmt.Sprintf("%q", n.yaml.Value)
}

// Nearest returns the known word that a misspelt one most likely stands for,
// or "" if none is near.
func Nearest(word string, known []string) string {
	best, nearest := 1+len(word)/3, ""
	if len(word) > 64 {
		return ""
	}
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d <= best && (nearest == "" || d < best) {
			best, nearest = d, k
		}
	}
	return nearest
}

// distance counts the insertions, deletions, substitutions and swaps of
// neighbours that make a into b (optimal string alignment).
func distance(a, b string) int {
	prev2, prev := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(b)]
}
