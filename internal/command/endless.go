package command

import (
	"strconv"
	"strings"

	"longline/internal/tool"
)

// A stream without end is harmless where something reads only a part of it, and
// where it is thrown away. Written to a file it fills the disk, and kept in a
// variable or shown to the agent the memory.

// vast is more than a command should write without a question. Test data and swap
// files are smaller; most disks have no room for many times as much.
const vast = 16 << 30

// EndlessDevice reports whether reading a path never comes to an end.
func EndlessDevice(path string) bool {
	switch path {
	case "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom":
		return true
	}
	return false
}

// volume is what flags and operands say of how much is read and written.
type volume struct {
	device  bool    // an operand is a device without end
	limited bool    // it ends after an amount
	amount  float64 // that many blocks; 0 if it is not known
	block   float64 // bytes
	size    float64 // of a file that is made at once
}

// amount is how much of a stream is read, in units of some bytes.
func (s *scope) amount(unit string, w Word) {
	v := &s.volume
	n, known := bytesOf(w)
	if v.limited = n >= 0; known { // all but the last N has no end either
		v.amount = n
	}
	if unit, err := strconv.ParseFloat(unit, 64); err == nil && v.block == 0 {
		v.block = unit
	}
}

// block is the size of those units.
func (s *scope) block(w Word) {
	n, _ := bytesOf(w)
	s.volume.block = max(n, 1)
}

// size is how large a file is that is made.
func (s *scope) size(w Word) {
	n, _ := bytesOf(w)
	s.volume.size = max(s.volume.size, n)
}

// bytesOf reads a number with a unit, as 10M, 4k, 1GiB, 2x512 or +1T.
func bytesOf(w Word) (float64, bool) {
	if !w.IsKnown() {
		return 0, false
	}
	total := 1.0
	for part := range strings.SplitSeq(strings.TrimLeft(w.Text, "+<>/%="), "x") {
		end := len(part)
		for end > 0 && (part[end-1] < '0' || part[end-1] > '9') {
			end--
		}
		n, err := strconv.ParseFloat(part[:end], 64)
		if err != nil {
			return 0, false
		}
		if unit := part[end:]; unit != "" {
			i := strings.IndexByte("kmgtpezy", unit[0]|0x20)
			switch {
			case i >= 0:
				for range i + 1 {
					n *= 1024
				}
			case unit == "b":
				n *= 512
			case unit == "c" || unit == "B":
			default:
				return 0, false
			}
		}
		total *= n
	}
	return total, true
}

// ends says whether what is read of a stream without end is little enough.
func (s *scope) ends(role string) bool {
	v := s.volume
	return (v.limited || role == "few") && v.amount*max(v.block, 1) <= vast && v.amount >= 0
}

// flow works out whether output goes on without end, and whether a file grows so.
func (r *reader) flow(d *Data, role string) {
	v, in := r.scope.volume, r.inv.Stdin
	if v.size > vast {
		r.inv.Endless = true
	}
	if !v.device && !in.Endless && role != "endless" || r.ends(role) {
		return
	}
	d.Endless = role == "endless" || v.device && role != "nothing" || in.Endless && r.handsOn(role)
	writes, only := false, true
	for _, e := range r.inv.Effects {
		switch e.Kind {
		case tool.Write, tool.Create:
			// What a subcommand writes by itself is no copy of its input, which says yes.
			writes = writes || e.Span != r.inv.Span || len(r.levels) == 1
		default:
			only = false // it reads something else than its input, or asks for a yes
		}
	}
	r.inv.Endless = r.inv.Endless || writes && (v.device || in.Endless && only && len(r.inv.Runs) == 0)
}

// handsOn says whether a program's output is as long as its input: it is a filter,
// and nothing else.
func (f *findings) handsOn(role string) bool {
	switch role {
	case "", "any", "stdin", "lines", "few", "matching", "filter":
		return len(f.inv.Effects) == 0 && len(f.inv.Runs) == 0 && len(f.inv.Gaps) == 0
	}
	return false
}
