package language

import (
	"strings"

	"longline/internal/tool"
)

// Databases in files, which Python opens by itself. What is done in one is read as its
// own client would read it.

// pyStore are methods and attributes of connections and cursors that only look.
const pyStore = `cursor commit rollback fetchone fetchall fetchmany row_factory lastrowid rowcount description connection total_changes in_transaction text_factory`

// store is the opening of a database; its arguments begin at i.
func (p *pyReader) store(i int, v *constant) {
	for at := p.nextArgument(i); at < len(p.tokens) && !p.at(at).is(")"); at = p.nextArgument(at) {
		if !p.keyword(at) || !HasWord("timeout check_same_thread isolation_level detect_types", p.at(at).text) {
			p.fail("an unusual way to open a database")
		}
	}
	if v == nil {
		p.add(tool.Read, nil)
		p.add(tool.Write, nil)
		return
	}
	if v.text != ":memory:" || v.home {
		p.add(tool.Read, *v)
		p.stores = append(p.stores, *v)
	}
}

// databaseMethod is the method at i of a database: true if it is one.
func (p *pyReader) databaseMethod(i int) bool {
	name := p.tokens[i].text
	if !p.uses("sqlite3") {
		return false
	}
	if !HasWord("execute executemany executescript", name) {
		return HasWord(pyStore, name)
	}
	if !p.called(i + 1) {
		return false
	}
	list, next, ok := p.possible(p.afterLines(i+2), p.begun)
	if !ok || !p.at(p.afterLines(next)).isOne(",", ")") {
		p.fail("a statement that is known only at run time")
		return true
	}
	for _, v := range list {
		if v.open && name == "executescript" {
			p.fail("statements that are known only at run time")
		}
		p.statement(*v)
	}
	return true
}

// begun is a text of which at least the beginning is known.
func (p *pyReader) begun(i int) (constant, int, bool) { return p.valueIn(i, 0) }

// statement is a statement that a database executes. Of one that is not wholly known the
// first word says what it does: there is no second one.
func (p *pyReader) statement(v constant) {
	text := v.text
	if v.open {
		word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		if !strings.EqualFold(word, "select") {
			p.fail("a statement that is known only at run time")
			return
		}
		text = "select 1"
	}
	d := sqlDeeds("sqlite", text)
	if d.Problem != "" {
		p.fail(d.Problem)
	}
	p.deeds.List = append(p.deeds.List, d.List...)
}

// keepStores notes that databases are written that a statement changes.
func (p *pyReader) keepStores() {
	for _, d := range p.deeds.List {
		if d.Kind != tool.Control || d.Target == "database.read" {
			continue
		}
		for _, v := range p.stores {
			p.add(tool.Write, v)
		}
		return
	}
}
