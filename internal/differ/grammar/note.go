package grammar

import "math/rand/v2"

// Note is a program that does nothing with its words, whatever they are.
const Note = "pathchk"

// Noted puts calls of [Note] at random places of statements and behind them, with what variables and
// other expansions are worth there. The functions that statements call are mostly defined before.
func (g *Grammar) Noted(r *rand.Rand, list []string) []string {
	var noted []string
	if r.IntN(4) > 0 {
		noted = append(noted, g.text(r, "defined"))
	}
	for _, s := range list {
		if places := Positions(s); len(places) > 0 && r.IntN(3) > 0 {
			at := places[r.IntN(len(places))]
			s = s[:at] + g.note(r) + "\n" + s[at:]
		}
		noted = append(noted, s)
	}
	return append(noted, g.note(r))
}

// note writes a call of [Note].
func (g *Grammar) note(r *rand.Rand) string { return Note + " -- " + g.text(r, "noted") }

// text writes a symbol.
func (g *Grammar) text(r *rand.Rand, symbol string) string {
	w := &writer{grammar: g.symbols, rand: r}
	w.write(symbol)
	return w.b.String()
}
