package rulesfile

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"

	"longline/internal/expression"
)

// maxSteps bounds a compiled expression: matching takes as long as it is long.
const maxSteps = 10_000

// anything matches every text.
func anything() []expression.Expression {
	e, err := Expression("")
	if err != nil {
		panic(err)
	}
	return []expression.Expression{e}
}

// Expression compiles a regular expression in the syntax of Go's regexp.
func Expression(text string) (expression.Expression, error) {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return expression.Expression{}, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return expression.Expression{}, err
	}
	if len(program.Inst) > maxSteps {
		return expression.Expression{}, fmt.Errorf("it has %d steps; at most %d are possible", len(program.Inst), maxSteps)
	}
	// The first step of a program is one that fails, and its start is anywhere: step 0
	// leads to the start instead, and the others keep their numbers.
	ops := make([]expression.Op, len(program.Inst))
	for i, inst := range program.Inst {
		ops[i] = step(inst)
	}
	ops = append(ops, expression.Op{Kind: expression.Fail})
	for i := range ops {
		if ops[i].Next == 0 {
			ops[i].Next = len(ops) - 1
		}
		if ops[i].Kind == expression.Either && ops[i].Other == 0 {
			ops[i].Other = len(ops) - 1
		}
	}
	ops[0] = expression.Op{Kind: expression.Go, Next: program.Start}
	if program.Start == 0 {
		ops[0].Next = len(ops) - 1
	}
	return expression.New(text, ops)
}

// step is one instruction of a program.
func step(inst syntax.Inst) expression.Op {
	next := int(inst.Out)
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return expression.Op{Kind: expression.Either, Next: next, Other: int(inst.Arg)}
	case syntax.InstCapture, syntax.InstNop:
		return expression.Op{Kind: expression.Go, Next: next}
	case syntax.InstEmptyWidth:
		return expression.Op{Kind: lookAt[syntax.EmptyOp(inst.Arg)], Next: next}
	case syntax.InstMatch:
		return expression.Op{Kind: expression.Match}
	case syntax.InstRuneAny:
		return expression.Op{Kind: expression.Rune, Next: next, Runes: []rune{0, unicode.MaxRune}}
	case syntax.InstRuneAnyNotNL:
		return expression.Op{Kind: expression.Rune, Next: next, Runes: []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}}
	case syntax.InstRune, syntax.InstRune1:
		return expression.Op{Kind: expression.Rune, Next: next, Runes: runes(inst)}
	}
	return expression.Op{Kind: expression.Fail}
}

// lookAt are the steps that look at a place; a program has one instruction for each.
var lookAt = map[syntax.EmptyOp]expression.Kind{
	syntax.EmptyBeginLine: expression.LineStart, syntax.EmptyEndLine: expression.LineEnd,
	syntax.EmptyBeginText: expression.TextStart, syntax.EmptyEndText: expression.TextEnd,
	syntax.EmptyWordBoundary: expression.WordEdge, syntax.EmptyNoWordBoundary: expression.NoWordEdge,
}

// runes are the characters that an instruction takes, as sorted pairs. One that ignores
// case has a single character.
func runes(inst syntax.Inst) []rune {
	if len(inst.Rune) != 1 {
		return inst.Rune
	}
	all := []rune{inst.Rune[0]}
	if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
		for r := unicode.SimpleFold(all[0]); r != all[0]; r = unicode.SimpleFold(r) {
			all = append(all, r)
		}
	}
	slices.Sort(all)
	pairs := make([]rune, 0, 2*len(all))
	for _, r := range all {
		pairs = append(pairs, r, r)
	}
	return pairs
}
