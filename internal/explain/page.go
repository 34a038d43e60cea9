package explain

import (
	"fmt"
	"strings"

	"longline/internal/screen"
)

// screenRows is what an explanation takes of a screen of 24 rows: the command that was
// typed and the next prompt stand on it too.
const screenRows = 21

// page is an explanation in the order in which it is printed.
type page struct {
	headline string
	script   string // with its marks
	blocks   []block
	whole    []string // what rules say of the call as a whole
	end      []string
}

// block is one invocation: what it is, what it does and what rules say to that.
type block struct {
	title  string
	lines  []string
	object []string // the lines that say why it is not allowed
}

func (b *block) quiet() bool { return len(b.object) == 0 }

// all is the page with everything that is known.
func (p *page) all() []string {
	lines := p.head(p.script)
	for _, b := range p.blocks {
		title := b.title
		if len(b.lines) == 0 {
			title += ": no effect"
		}
		lines = append(append(lines, title), b.lines...)
	}
	return append(append(lines, p.whole...), p.end...)
}

func (p *page) head(script string) []string {
	lines := append(screen.Lines(p.headline), "")
	if script != "" {
		lines = append(append(lines, screen.Lines(script)...), "")
	}
	return lines
}

// summary is the page, made shorter until it fits a screen: commands that need no
// question lose their details, then their lines, and then what is left is cut.
func (p *page) summary() []string {
	const scriptRows = 6
	lines := p.all()
	if screen.Rows(lines) <= screenRows {
		return lines
	}
	script := p.script
	if screen.Rows(screen.Lines(script)) > scriptRows {
		script = ""
	}
	for _, details := range []func(*block) []string{(*block).listed, (*block).objections, (*block).clipped} {
		lines = p.head(script)
		left := 0
		for i := range p.blocks {
			shown := details(&p.blocks[i])
			if len(shown) == 0 {
				left++
			}
			lines = append(lines, shown...)
		}
		if left > 0 {
			lines = append(lines, "no question about "+screen.Count(left, "other command"))
		}
		lines = append(append(lines, p.whole...), p.end...)
		lines = append(lines, "--all shows everything")
		if screen.Rows(lines) <= screenRows {
			return lines
		}
	}
	kept := 0
	for screen.Rows(lines[:kept+1]) < screenRows {
		kept++
	}
	return append(lines[:kept:kept], fmt.Sprintf("… and %d lines more; --all shows everything", len(lines)-kept))
}

// listed is a block in which only objections have details.
func (b *block) listed() []string {
	if !b.quiet() {
		return append([]string{screen.Clip(b.title)}, b.lines...)
	}
	if len(b.lines) == 0 {
		return []string{screen.Clip(b.title)}
	}
	return []string{screen.Clip(b.title + ": allowed")}
}

// objections is a block if something is objected to, and nothing otherwise.
func (b *block) objections() []string {
	if b.quiet() {
		return nil
	}
	return append([]string{screen.Clip(b.title)}, b.object...)
}

// clipped is the same in as many rows as it has lines.
func (b *block) clipped() []string {
	var lines []string
	for _, line := range b.objections() {
		lines = append(lines, screen.Clip(strings.Join(strings.Fields(line), " ")))
	}
	for i := 1; i < len(lines); i++ {
		lines[i] = screen.Clip("   " + lines[i])
	}
	return lines
}
