package grammar

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

//go:embed tokens.txt
var tokensText string

// Tokens writes scripts to find out where one reader of shell scripts sees text and
// another a command: constructs inside each other around a command that does harm, of
// which pieces are then lost, doubled or exchanged.
type Tokens struct {
	// forms are constructs, in pieces, of which @ is one and stands for another; pieces
	// are single ones.
	forms  [][]string
	pieces []string
}

// harm is a command that nobody allows.
const harm = "rm -rf ../docs"

// NewTokens reads the forms.
func NewTokens() (*Tokens, error) {
	t := &Tokens{}
	section := ""
	for i, l := range strings.Split(tokensText, "\n") {
		switch {
		case l == "" || strings.HasPrefix(l, "# "):
			continue
		case l == "[forms]" || l == "[pieces]":
			section = l
			continue
		}
		l = strings.ReplaceAll(l, "⏎", "\n")
		switch section {
		case "[forms]":
			t.forms = append(t.forms, strings.Split(l, "·"))
		case "[pieces]":
			t.pieces = append(t.pieces, strings.Split(l, "·")...)
		default:
			return nil, fmt.Errorf("tokens.txt:%d: it stands in no section", i+1)
		}
	}
	return t, nil
}

// Pieces writes a script in pieces, which follow each other without anything between them.
func (t *Tokens) Pieces(r *rand.Rand) []string {
	list := []string{harm}
	for range 1 + r.IntN(4) {
		list = inside(r, t.forms[r.IntN(len(t.forms))], list)
		if r.IntN(3) == 0 {
			list = append(list, "\n", ": after")
		}
	}
	for range r.IntN(4) {
		list = t.damaged(r, list)
	}
	return list
}

// inside puts pieces into a form: at the first place for them, and at others now and then.
func inside(r *rand.Rand, form, list []string) (next []string) {
	filled := false
	for _, p := range form {
		switch {
		case p != "@":
			next = append(next, p)
		case !filled || r.IntN(2) == 0:
			next, filled = append(next, list...), true
		default:
			next = append(next, ":")
		}
	}
	return next
}

// damaged adds a piece somewhere, takes one away or puts another in its place, but for the
// command that does harm.
func (t *Tokens) damaged(r *rand.Rand, list []string) []string {
	at, piece := r.IntN(len(list)+1), t.pieces[r.IntN(len(t.pieces))]
	how := r.IntN(4)
	switch {
	case how < 2:
		return slices.Concat(list[:at], []string{piece}, list[at:])
	case at == len(list) || list[at] == harm:
		return list
	case how == 3:
		return slices.Concat(list[:at], []string{piece}, list[at+1:])
	case len(list) > 1:
		return slices.Concat(list[:at], list[at+1:])
	}
	return list
}
