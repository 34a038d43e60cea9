package grammar

import (
	_ "embed"
	"maps"
	"math/rand/v2"
	"strings"
)

//go:embed places.txt
var placesText string

// Places writes scripts that compute the name of a place in one of many ways, go there or move it, and
// read, run, change or delete what lies there.
type Places struct {
	aims  *Aims
	kinds []grammar // what the variable holds: a name, a directory or a file
}

// NewPlaces reads the statements.
func NewPlaces() (*Places, error) {
	aims, err := NewAims()
	if err != nil {
		return nil, err
	}
	all, err := parseGrammar(placesText)
	if err != nil {
		return nil, err
	}
	p := &Places{aims: aims}
	for _, kind := range []string{"name", "dir", "file"} {
		of := maps.Clone(all)
		for _, symbol := range []string{"value", "dir", "file", "step"} {
			of[symbol] = all[symbol+"-"+kind]
		}
		p.kinds = append(p.kinds, of)
	}
	return p, nil
}

// Statements writes a script as a list of statements.
func (p *Places) Statements(r *rand.Rand) []string {
	kind := &Grammar{p.kinds[max(0, r.IntN(6)-3)]}
	variable := aimed[r.IntN(len(aimed))]
	text := func(symbol string) string {
		return strings.ReplaceAll(kind.text(r, symbol), "%V%", variable)
	}
	var list []string
	add := func(s string) {
		for r.IntN(10) == 0 && len(s) < maxLength {
			s = p.aims.frame(r, s)
		}
		list = append(list, s)
	}
	// Something is known of every variable that statements use.
	list = append(list, "i=1 n=2 y="+text("n")+" a=("+text("n")+" "+text("n")+")", variable+"="+text("value"))
	for range r.IntN(5) {
		switch r.IntN(8) {
		case 0:
			add(p.aims.noise.Statements(r)[0])
		case 1, 2, 3:
			add(p.aims.set(r, variable, text("value"), text("value")))
		default:
			add(text("step"))
		}
	}
	for range 1 + r.IntN(2) {
		add(text("end"))
	}
	return list
}
