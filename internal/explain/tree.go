package explain

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/draft"
	"longline/internal/screen"
	"longline/internal/tool"
)

// node is an invocation in the tree of who runs whom, or a pipeline, which has
// no invocation of its own.
type node struct {
	index    int // of the invocation; -1 for a pipeline
	pipeline int
	below    []*node
}

// forest puts invocations below those that run them, and the stages of a
// pipeline below the pipeline.
func forest(invs []*command.Invocation) []*node {
	root := &node{index: -1}
	nodes := make([]*node, len(invs))
	for i := range invs {
		nodes[i] = &node{index: i}
	}
	for i, inv := range invs {
		parent := root
		if p := parentOf(invs, i); p >= 0 {
			parent = nodes[p]
		}
		if inv.Pipeline != 0 && (parent == root || invs[parent.index].Pipeline != inv.Pipeline) {
			parent = parent.pipe(inv.Pipeline)
		}
		parent.below = append(parent.below, nodes[i])
	}
	return root.below
}

// pipe returns the node of a pipeline below n.
func (n *node) pipe(number int) *node {
	for _, have := range n.below {
		if have.index < 0 && have.pipeline == number {
			return have
		}
	}
	n.below = append(n.below, &node{index: -1, pipeline: number})
	return n.below[len(n.below)-1]
}

// parentOf finds what runs an invocation: the last one before it that its Via
// names, or, for one in a substitution, the one around it. It is -1 for what the
// script itself runs.
func parentOf(invs []*command.Invocation, i int) int {
	inv := invs[i]
	if n := len(inv.Via); n > 0 {
		for k := i - 1; k >= 0; k-- {
			if slices.Equal(invs[k].Via, inv.Via[:n-1]) && draft.NameOf(invs[k]) == inv.Via[n-1] {
				return k
			}
		}
		return -1
	}
	best := -1
	for k, outer := range invs {
		if len(outer.Via) == 0 && draft.Surrounds(outer.Span, inv.Span) && (best < 0 || draft.Surrounds(invs[best].Span, outer.Span)) {
			best = k
		}
	}
	return best
}

// Tree draws who runs whom, with what each does and the strictest that is said
// about it.
func (x Printer) Tree(e *Explanation) string {
	var b strings.Builder
	x.branches(&b, e, forest(e.Invs), "")
	return b.String()
}

func (x Printer) branches(b *strings.Builder, e *Explanation, list []*node, indent string) {
	for i, n := range list {
		branch, more := "├─ ", "│  "
		if i == len(list)-1 {
			branch, more = "└─ ", "   "
		}
		b.WriteString(x.Dim(indent + branch))
		if n.index < 0 {
			b.WriteString(x.Dim("pipeline") + "\n")
		} else {
			inv := e.Invs[n.index]
			b.WriteString(x.Bold(screen.Clean(screen.WordsText(inv.Words), "")) + x.remark(e, n.index) + "\n")
		}
		x.branches(b, e, n.below, indent+more)
	}
}

// remark is the strictest opinion on an invocation, with the rules that hold it.
func (x Printer) remark(e *Explanation, i int) string {
	strictest, spoken := tool.Allow, false
	var rules []string
	for _, f := range e.Verdict.Findings {
		if f.Invocation != i {
			continue
		}
		if f.Decision > strictest {
			strictest, rules = f.Decision, nil
		}
		if spoken = true; f.Decision == strictest && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	if !spoken {
		return ""
	}
	return "  " + x.Decision(strictest, strictest.String()+": "+strings.Join(rules, ", "))
}
