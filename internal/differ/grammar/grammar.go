// Package grammar writes random shell scripts: statements, expansions and control
// flow that end by themselves and write only below the directory they run in.
package grammar

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

//go:embed grammar.txt
var grammarText string

// grammar is a set of symbols and the ways to write each.
type grammar map[string][]production

type production struct {
	weight int
	parts  []part
}

// part is literal text or, with symbol set, what that symbol is written as.
type part struct{ text, symbol string }

// parseGrammar reads the form that grammar.txt describes.
func parseGrammar(text string) (grammar, error) {
	g := grammar{}
	symbol := ""
	type line struct{ symbol, text string }
	var lines []line
	for i, l := range strings.Split(text, "\n") {
		switch {
		case l == "" || strings.HasPrefix(l, "# "):
		case isSection(l):
			if symbol = l[1 : len(l)-1]; g[symbol] != nil {
				return nil, fmt.Errorf("grammar.txt:%d: symbol %q is defined twice", i+1, symbol)
			}
			g[symbol] = []production{}
		default:
			lines = append(lines, line{symbol, l})
		}
	}
	for _, l := range lines {
		g[l.symbol] = append(g[l.symbol], g.production(l.text))
	}
	for name, ways := range g {
		if len(ways) == 0 {
			return nil, fmt.Errorf("grammar.txt: nothing is said of %q", name)
		}
	}
	return g, nil
}

// isSection says whether a line begins what is said of a symbol.
func isSection(line string) bool {
	return strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && !strings.ContainsAny(line[1:], "[<$ ")
}

// production reads a way to write a symbol, of which the weight may stand before it.
func (g grammar) production(text string) production {
	p := production{weight: 1}
	if n, after, ok := strings.Cut(text, "| "); ok {
		if w, err := strconv.Atoi(n); err == nil {
			p.weight, text = w, after
		}
	}
	p.parts = g.parts(strings.ReplaceAll(text, "⏎", "\n"))
	return p
}

// parts divides a text at the symbols in it. What looks like one and is none is text.
func (g grammar) parts(rest string) (list []part) {
	for rest != "" {
		open := strings.IndexByte(rest, '<')
		if open < 0 {
			return append(list, part{text: rest})
		}
		end := strings.IndexByte(rest[open:], '>')
		if end > 0 {
			if name := rest[open+1 : open+end]; g[name] != nil {
				list = append(list, part{text: rest[:open]}, part{symbol: name})
				rest = rest[open+end+1:]
				continue
			}
		}
		list = append(list, part{text: rest[:open+1]})
		rest = rest[open+1:]
	}
	return list
}

// writer expands symbols. Beyond a certain depth or size it takes the shortest way.
type writer struct {
	grammar grammar
	rand    *rand.Rand
	b       strings.Builder
	depth   int
}

const (
	maxDepth  = 11
	maxLength = 600
)

func (w *writer) write(symbol string) {
	ways := w.grammar[symbol]
	w.depth++
	defer func() { w.depth-- }()
	chosen := w.choose(ways)
	if w.depth > maxDepth || w.b.Len() > maxLength {
		chosen = plainest(ways)
	}
	if w.depth > 40 {
		w.b.WriteByte('a')
		return
	}
	for _, p := range chosen.parts {
		if p.symbol != "" {
			w.write(p.symbol)
		} else {
			w.b.WriteString(p.text)
		}
	}
}

func (w *writer) choose(ways []production) production {
	sum := 0
	for _, p := range ways {
		sum += p.weight
	}
	n := w.rand.IntN(sum)
	for _, p := range ways {
		if n -= p.weight; n < 0 {
			return p
		}
	}
	panic("differ: weights do not add up")
}

// plainest returns the way with the fewest symbols in it.
func plainest(ways []production) production {
	best, least := ways[0], 1000
	for _, p := range ways {
		n := 0
		for _, part := range p.parts {
			if part.symbol != "" {
				n++
			}
		}
		if n < least {
			best, least = p, n
		}
	}
	return best
}

// Grammar writes scripts.
type Grammar struct{ symbols grammar }

// New reads the grammar of the scripts.
func New() (*Grammar, error) {
	g, err := parseGrammar(grammarText)
	return &Grammar{g}, err
}

// Statements writes a few statements.
func (g *Grammar) Statements(r *rand.Rand) []string {
	var list []string
	for range 1 + r.IntN(5) {
		list = append(list, g.text(r, "stmt"))
	}
	return list
}
