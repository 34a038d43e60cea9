package policy

import (
	"slices"
	"strings"

	"longline/internal/record"
	"longline/internal/tool"
)

// book is the rules of one file in their compact form, with what is needed to
// find those that a call may concern. A rule is read when it is first needed,
// so a call does not pay for the rules that have nothing to do with it.
type book struct {
	rules   record.Table    // one record for each rule, in their order
	heads   string          // two bytes for each rule: see head
	names   record.Table    // program to the numbers of the rules that name it
	ids     record.Table    // id to the number of the rule
	kinds   [kindCount]text // for each kind of effect, numbers and beginnings
	general text            // numbers of what neither a name nor a kind narrows down
	session text            // numbers of what objects because of the session, and what it wants of that
	spoken  text            // the rules that overrides name, and where

	layer Layer
	tight bool    // of an untrusted project or an expired bundle: what allows does not count
	off   []int32 // numbers of rules that are disabled
	seen  []*Rule // those read so far
	index [kindCount][]indexed
}

const kindCount = tool.Control + 1

// text is a list in its compact form.
type text = string

// allRules are the rules of a file, however it was read.
func (f *File) allRules() []Rule {
	var rules []Rule
	for i := range f.books {
		for n := range f.books[i].len() {
			rules = append(rules, *f.books[i].rule(n))
		}
	}
	return append(rules, f.ownRules()...)
}

// ownRules are the rules of a file that was not decoded, allowlists first.
func (f *File) ownRules() []Rule {
	rules := make([]Rule, 0, len(f.AllowCommands)+len(f.AllowPaths)+len(f.Rules))
	for _, entry := range f.AllowCommands {
		rules = append(rules, Rule{
			ID: "allowlist", Level: Critical, Decision: tool.Allow, Reason: entry.Reason, Source: entry.Source, Listed: true,
			Match: Match{Commands: []Command{strings.Fields(entry.Text)}},
		})
	}
	for _, entry := range f.AllowPaths {
		rules = append(rules, Rule{
			ID: "allowlist", Level: Critical, Decision: tool.Allow, Reason: entry.Reason, Source: entry.Source, Listed: true,
			Match: Match{Effect: Effect{
				Kinds:  KindSet(0).With(tool.Read).With(tool.Create).With(tool.Write).With(tool.Delete),
				Places: Places{Paths: listedPaths(entry.Text)},
			}},
			Overrides: placeRules,
		})
	}
	return append(rules, f.Rules...)
}

// listedPaths are the paths that an entry of the list stands for: of dir/** also what is unpacked into dir.
func listedPaths(glob string) []string {
	if dir, ok := strings.CutSuffix(glob, "/**"); ok && dir != "" {
		return []string{glob, dir}
	}
	return []string{glob}
}

// placeRules are the rules of the packs that ask about nothing but the place: what they say of a
// path that somebody has listed is that nobody has.
var placeRules = []string{"outside-project"}

// list puts a rule that stands for an entry of an allowlist back into the list.
func (f *File) list(r *Rule) {
	entry := Allowed{Reason: r.Reason, Source: r.Source}
	if len(r.Match.Commands) > 0 {
		entry.Text = strings.Join(r.Match.Commands[0], " ")
		f.AllowCommands = append(f.AllowCommands, entry)
	} else if len(r.Match.Effect.Paths) > 0 {
		entry.Text = r.Match.Effect.Paths[0]
		f.AllowPaths = append(f.AllowPaths, entry)
	}
}

// Append adds what another file says to the lists of this one.
func (f *File) Append(more *File) {
	f.AllowCommands = slices.Concat(f.AllowCommands, more.AllowCommands)
	f.AllowPaths = slices.Concat(f.AllowPaths, more.AllowPaths)
	f.Rules = slices.Concat(f.Rules, more.Rules)
	f.Disable = slices.Concat(f.Disable, more.Disable)
	f.Tests = slices.Concat(f.Tests, more.Tests)
	f.books = slices.Concat(f.books, more.books)
}

// allBooks returns the rules of a file, compiled if they are not yet.
func (f *File) allBooks() []book {
	own := f.ownRules()
	if len(own) == 0 {
		return f.books
	}
	b, err := openBook(string(encodeBook(own)))
	if err != nil {
		panic("rules that were just written cannot be read: " + err.Error())
	}
	return append(slices.Clone(f.books), b)
}

func encodeBook(rules []Rule) []byte {
	var x indexWriter
	entries := make([]record.Entry, len(rules))
	var ids []record.Entry
	var heads []byte
	for i := range rules {
		r := &rules[i]
		var w record.Writer
		writeRule(&w, r)
		entries[i].Record = string(w.Bytes())
		first := byte(r.Level)
		if r.Listed {
			first |= listedBit
		} else {
			ids = append(ids, record.Entry{Name: r.ID, Record: number(i)})
		}
		heads = append(heads, first, byte(r.Decision-tool.Allow))
		x.add(i, r)
	}
	var w record.Writer
	w.Text(string(record.AppendTable(nil, entries)))
	w.Text(string(heads))
	w.Text(string(record.AppendTable(nil, x.names())))
	w.Text(string(record.AppendTable(nil, ids)))
	for k := range x.kinds {
		w.Text(string(x.kinds[k].Bytes()))
	}
	w.Text(string(x.general.Bytes()))
	w.Text(string(x.session.Bytes()))
	w.Text(string(x.spoken.Bytes()))
	return w.Bytes()
}

func openBook(data string) (b book, err error) {
	r := record.NewReader(data)
	rules := r.Text()
	b.heads = r.Text()
	names, ids := r.Text(), r.Text()
	for k := range b.kinds {
		b.kinds[k] = r.Text()
	}
	b.general, b.session, b.spoken = r.Text(), r.Text(), r.Text()
	if err := r.End(); err != nil {
		return book{}, err
	}
	if b.rules, err = record.OpenTable(rules); err != nil {
		return book{}, err
	}
	if b.names, err = record.OpenTable(names); err != nil {
		return book{}, err
	}
	if b.ids, err = record.OpenTable(ids); err != nil {
		return book{}, err
	}
	if len(b.heads) != 2*b.len() {
		return book{}, record.ErrCorrupt
	}
	return b, nil
}

func (b *book) len() int { return b.rules.Len() }

// head is what is known of a rule without reading it.
func (b *book) head(n int) (level Level, listed bool, decision tool.Decision) {
	first := b.heads[2*n]
	return Level(first &^ listedBit), first&listedBit != 0, tool.Decision(b.heads[2*n+1]) + tool.Allow
}

const listedBit = 0x80

// active says whether a rule counts at a safety level.
func (b *book) active(n int, safety Level) bool {
	level, listed, decision := b.head(n)
	if level > safety || b.tight && (listed || decision <= tool.Pass) {
		return false
	}
	return !slices.Contains(b.off, int32(n))
}

// read reads one rule.
func (b *book) read(n int) (*Rule, error) {
	r := record.NewReader(b.rules.At(n).Record)
	rule := readRule(r)
	if err := r.End(); err != nil {
		return nil, err
	}
	level, listed, decision := b.head(n)
	if rule.Level != level || rule.Listed != listed || rule.Decision != decision {
		return nil, record.ErrCorrupt
	}
	rule.Layer = b.layer
	if b.tight {
		rule.Overrides, rule.Contain = nil, false
		if rule.Wall == WallNever {
			rule.Wall = WallUsual
		}
	}
	return rule, nil
}

// rule returns a rule. If it cannot be read it panics, which makes the judge ask:
// what it would have said is not known.
func (b *book) rule(n int) *Rule {
	if b.seen == nil {
		b.seen = make([]*Rule, b.len())
	}
	if b.seen[n] == nil {
		r, err := b.read(n)
		if err != nil {
			panic("the compiled rules are damaged")
		}
		b.seen[n] = r
	}
	return b.seen[n]
}

// find calls f with the number of each rule of that id.
func (b *book) find(id string, f func(n int)) {
	for i := b.ids.Search(id); i < b.ids.Len(); i++ {
		entry := b.ids.At(i)
		if entry.Name != id {
			return
		}
		if n := record.NewReader(entry.Record).Uint(); n < uint64(b.len()) {
			f(int(n))
		}
	}
}

func number(n int) string {
	var w record.Writer
	w.Uint(uint64(n))
	return string(w.Bytes())
}
