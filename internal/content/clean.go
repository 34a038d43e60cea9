package content

import (
	"bytes"
	"slices"
)

// Removed stands in a cleaned text for what was taken out.
const Removed = "[longline removed a suspected prompt injection here]"

// Clean is a text without what the report found in it: each finding that counts is
// taken out with the lines it stands on.
func (r *Report) Clean(text []byte) []byte {
	type span struct{ start, end int }
	var spans []span
	for _, f := range r.Findings {
		if f.Points <= 0 || f.Category == "personal" {
			continue
		}
		start, end := min(f.Start, len(text)), min(f.End, len(text))
		start = bytes.LastIndexByte(text[:start], '\n') + 1
		if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
			end += i
		} else {
			end = len(text)
		}
		spans = append(spans, span{start, end})
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, s := range spans {
		if s.end <= at {
			continue
		}
		if s.start > at || at == 0 {
			out = append(out, text[at:max(s.start, at)]...)
			out = append(out, Removed...)
		}
		at = s.end
	}
	return append(out, text[at:]...)
}
