package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"
)

// assemble splits pieces into fields and composes each into a word.
func (r *reader) assemble(s *state, list []piece, span tool.Span, out *words) {
	if len(list) == 0 {
		return
	}
	needs, scattered := false, 0
	for i := range list {
		if list[i].scattered {
			scattered++
		}
	}
	if scattered > 0 && scattered < len(list) {
		out.scattered(command.Word{Span: span})
		return
	}
	for i := range list {
		if list[i].split || list[i].sep || list[i].many {
			needs = true
			break
		}
	}
	noglob := s.opts&optNoglob != 0 && s.doubt&optNoglob == 0
	if !needs {
		w := r.compose(list, span, !noglob)
		if out.list = append(out.list, w); w.Glob {
			out.scatter(len(out.list))
		}
		return
	}
	ifs, known := r.ifs(s)
	var cur []piece
	open := false    // a field has begun
	loose := false   // it may go on in further words
	flags := false   // which may be flags
	counts := true   // but are numbers
	several := false // it may be any number of words
	flush := func() {
		if open || len(cur) > 0 {
			w := r.compose(cur, span, !noglob)
			if out.list = append(out.list, w); several || w.Glob {
				out.scatter(len(out.list))
			}
			if len(cur) > 1 {
				// What stands beside a list is glued to its ends only.
				for _, p := range cur {
					if p.many {
						out.list = append(out.list, withSpan(p.Word, span))
						out.scatter(len(out.list) - 1)
					}
				}
			}
			if loose && counts {
				out.scattered(command.Word{Span: span, Plain: true, Made: value.Number})
			} else if loose {
				out.scattered(command.Word{Span: span, Split: flags})
			}
		}
		cur, open, loose, flags, counts, several = cur[:0:0], false, false, false, true, false
	}
	for _, p := range list {
		switch {
		case p.sep:
			flush()
		case !p.split:
			cur = append(cur, p)
			open = true
		case p.Reach == tool.Exact && !p.Glob:
			if !known {
				cur = append(cur, piece{Word: command.Word{Taint: p.Taint}})
				several = true
				continue
			}
			rest := p.Text
			if r.world.Zsh && p.param && ifs != "" && strings.ContainsAny(rest, ifs) {
				cur = append(cur, piece{Word: command.Word{Taint: p.Taint}}) // one word, or several
				several = true
				continue
			}
			for rest != "" {
				n := strings.IndexAny(rest, ifs)
				if n < 0 || ifs == "" {
					q := p
					q.Text, q.At = rest, 0
					cur = append(cur, q)
					open = true
					break
				}
				if n > 0 {
					q := p
					q.Text, q.At = rest[:n], 0
					cur = append(cur, q)
					open = true
				}
				// A run of white space and at most one other separator ends a field.
				hard := false
				for n < len(rest) && strings.IndexByte(ifs, rest[n]) >= 0 {
					if !isBlank(rest[n]) {
						if hard {
							break
						}
						hard = true
					}
					n++
				}
				if hard {
					open = true
				}
				flush()
				rest = rest[n:]
				if len(out.list) > 4<<10 {
					r.gap("an expansion with too many words", span)
					return
				}
			}
		default:
			several = several || !p.solid
			if p.Reach == tool.Prefix && (!known || strings.ContainsAny(p.Text, ifs)) || p.Reach == tool.Under && (r.blanks || strings.ContainsAny(p.Text, " \t\n")) {
				// What is known of it is split as well.
				cur = append(cur, piece{Word: command.Word{Taint: p.Taint, Split: true}})
				loose, flags, counts = true, true, false
				continue
			}
			p.many = p.many || p.Reach == tool.Under || p.Glob
			if p.Made == value.Numbers && known && ifs == " \t\n" {
				// Words of which each is a number. What is beside them is glued to one.
				p.Plain, p.Made, loose = true, value.Number, true
				cur = append(cur, p)
				continue
			}
			if p.Made != nil && p.Made.Mark == value.Numeral && strings.Contains(p.Made.Text, value.Numerals) {
				p.Made = nil
			}
			counts = counts && (p.Plain || p.Reach == tool.Under || p.Glob)
			if !p.Plain && p.Reach != tool.Under && !p.Glob {
				p.Split = !p.Tame
				if len(list) == 1 {
					p.Text, p.Reach = "", tool.Anywhere
				} else if !p.env {
					loose, flags = true, flags || !p.Tame
				}
			}
			cur = append(cur, p)
		}
	}
	flush()
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// ifs returns the current field separators.
func (r *reader) ifs(s *state) (string, bool) {
	v := s.lookup("IFS")
	switch {
	case v == nil || v.unset:
		return " \t\n", true
	case len(v.words) == 1 && v.words[0].IsKnown():
		return v.words[0].Text, true
	}
	return "", false
}

// compose joins the pieces of one field into a word; one that is longer than any
// should be is not followed.
func (r *reader) compose(list []piece, span tool.Span, glob bool) command.Word {
	n := 0
	for i := range list {
		n += len(list[i].Text)
	}
	if n > value.MaxText && len(list) > 1 {
		r.gap("a value that grows too large", span)
	}
	return compose(list, span, glob)
}

func compose(list []piece, span tool.Span, glob bool) command.Word {
	if len(list) == 1 {
		w := list[0].Word
		w.Span = span
		if glob && !list[0].quoted && w.Reach == tool.Exact && !w.Glob && hasGlob(w.Text) {
			w.Glob = true
		}
		return w
	}
	cloned := false
	for i := range list {
		if !list[i].Bare && (i == 0 || !placed(list[i].Word)) {
			continue
		}
		if !cloned {
			list, cloned = slices.Clone(list), true
		}
		if list[i].Bare {
			// In a longer word it is a name and nothing more.
			list[i].Word = command.Word{Text: "*", Reach: tool.Exact, Glob: true, Taint: list[i].Taint}
		} else {
			list[i].Word = command.Word{Taint: list[i].Taint}
		}
	}
	pattern := false
	if glob {
		// A bracket may open in one part and close in another.
		open := false
		for i := range list {
			if !list[i].quoted && list[i].Reach == tool.Exact && !list[i].Glob {
				text := list[i].Text
				if hasGlob(text) || open && strings.IndexByte(text, ']') >= 0 {
					pattern = true
					break
				}
				open = open || strings.IndexByte(text, '[') >= 0
			}
		}
	}
	for i := range list {
		if list[i].Glob && list[i].Reach == tool.Exact {
			pattern = true
		}
	}
	w := command.Word{Reach: tool.Exact, Span: span, Glob: pattern}
	if len(list) > 8 {
		list = merged(list)
	}
	for i := range list {
		p := list[i]
		if pattern && p.Reach == tool.Exact {
			if !p.Glob && p.quoted {
				p.Text = quoteGlob(p.Text)
			}
			p.Glob = true
		}
		w = w.Concat(p.Word)
	}
	w.Hollow, w.IfEmpty = emptied(list)
	if w.Reach != tool.Exact {
		w.Tail = tail(list)
	}
	return w
}

// tail is how a word ends, behind the last part that is not known.
func tail(list []piece) string {
	end := ""
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Reach != tool.Exact || list[i].Glob {
			return list[i].Tail + end
		}
		end = list[i].Text + end
	}
	return end
}

// emptied says what a word is worth if every variable in it that nobody set is
// empty: "$X/" is "/" then.
func emptied(list []piece) (bool, string) {
	var b strings.Builder
	found := false
	for i := range list {
		switch p := &list[i]; {
		case p.Hollow && !p.solid:
			b.WriteString(p.IfEmpty)
			found = true
		case p.Reach == tool.Exact:
			b.WriteString(p.Text)
		default:
			return false, ""
		}
	}
	return found, b.String()
}

// merged joins neighbours that are known and quoted alike, so that a word of many
// small parts is not copied once for each of them.
func merged(list []piece) []piece {
	out := list[:0:0]
	for i := 0; i < len(list); {
		first := list[i]
		j := i + 1
		if first.Reach == tool.Exact && !first.Glob {
			var b strings.Builder
			b.WriteString(first.Text)
			for j < len(list) && list[j].Reach == tool.Exact && !list[j].Glob && list[j].quoted == first.quoted {
				b.WriteString(list[j].Text)
				first.Taint |= list[j].Taint
				j++
			}
			first.Text, first.At = b.String(), 0
		}
		out = append(out, first)
		i = j
	}
	return out
}

// concat appends one value to another; one that grows beyond bounds is not followed.
func (r *reader) concat(a, b command.Word, span tool.Span) command.Word {
	if len(a.Text)+len(b.Text) > value.MaxText {
		r.gap("a value that grows too large", span)
	}
	if placed(b) && a.Text != "" {
		b = command.Word{Taint: b.Taint}
	}
	return a.Concat(b)
}

// placed says whether a value is known by where it leads: a line of a list of files,
// which may be spelled in another way, as from the directory that it was listed in.
func placed(w command.Word) bool {
	return w.Glob && w.Reach == tool.Exact && strings.HasPrefix(w.Text, "/")
}

// maxWords bounds the words of a command.
const maxWords = 2 << 10
