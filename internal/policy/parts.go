package policy

import "longline/internal/record"

// Most parts of most rules are empty. So a rule begins with one bit for each
// part that says whether it follows: reading an absent one costs next to nothing.

type partsWriter struct {
	mask uint64
	bit  uint
	body record.Writer
}

// has notes whether the next part follows.
func (p *partsWriter) has(present bool) bool {
	if present {
		p.mask |= 1 << p.bit
	}
	p.bit++
	return present
}

func (p *partsWriter) text(s string) {
	if p.has(s != "") {
		p.body.Text(s)
	}
}

func (p *partsWriter) texts(list []string) {
	if p.has(len(list) > 0) {
		p.body.Texts(list)
	}
}

func (p *partsWriter) number(v uint64) {
	if p.has(v != 0) {
		p.body.Uint(v)
	}
}

func (p *partsWriter) lists(l Lists) {
	p.texts(l.Any)
	p.texts(l.All)
	p.texts(l.None)
	p.texts(l.Only)
}

func (p *partsWriter) places(l *Places) {
	p.number(uint64(l.Zones))
	p.texts(l.Paths)
	p.texts(l.Hosts)
	p.texts(l.Names)
}

// end writes the parts.
func (p *partsWriter) end(w *record.Writer) {
	w.Uint(p.mask)
	w.Raw(p.body.Bytes())
}

// partsReader reads parts in the order in which they were written.
type partsReader struct {
	*record.Reader
	mask uint64
}

func parts(r *record.Reader) partsReader { return partsReader{r, r.Uint()} }

func (p *partsReader) has() bool {
	present := p.mask&1 != 0
	p.mask >>= 1
	return present
}

func (p *partsReader) text() string {
	if !p.has() {
		return ""
	}
	return p.Text()
}

func (p *partsReader) texts() []string {
	if !p.has() {
		return nil
	}
	return p.Texts()
}

// number reads a number below a limit.
func (p *partsReader) number(limit uint64) uint64 {
	if !p.has() {
		return 0
	}
	v := p.Uint()
	if v >= limit {
		p.Fail()
		return 0
	}
	return v
}

func (p *partsReader) lists() Lists {
	return Lists{Any: p.texts(), All: p.texts(), None: p.texts(), Only: p.texts()}
}

func (p *partsReader) places() Places {
	return Places{Zones: ZoneSet(p.number(1 << zoneCount)), Paths: p.texts(), Hosts: p.texts(), Names: p.texts()}
}
