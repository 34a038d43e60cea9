package command

import (
	"math"
	"strconv"
	"strings"
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
		unit, ok := unitBytes(part[end:])
		if !ok {
			return 0, false
		}
		total *= n * unit
	}
	return total, true
}

// unitBytes is how many bytes a unit is, of which the first letter counts.
func unitBytes(unit string) (bytes float64, ok bool) {
	switch unit {
	case "", "c", "B":
		return 1, true
	case "b":
		return 512, true
	}
	i := strings.IndexByte("kmgtpezy", unit[0]|0x20)
	return math.Pow(1024, float64(i+1)), i >= 0
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
	if endless := v.device || in.Endless || role == "endless"; !endless || r.ends(role) {
		return
	}
	d.Endless = r.flowsOn(role)
	if r.copies() {
		r.inv.Endless = true
	}
}

// copies says whether a program writes what it reads from a device or a stream without end.
// Of a stream that is not sure if it does something else as well.
func (r *reader) copies() bool {
	writes, only := false, len(r.inv.Runs) == 0
	for i := range r.inv.Effects {
		if e := &r.inv.Effects[i]; makes(e.Kind) {
			// What a subcommand writes by itself is no copy of its input, which says yes.
			writes = writes || e.Span != r.inv.Span || len(r.levels) == 1
		} else {
			only = false // it reads something else than its input, or asks for a yes
		}
	}
	return writes && (r.scope.volume.device || r.inv.Stdin.Endless && only)
}

// flowsOn says whether what is printed goes on as long as what is read.
func (r *reader) flowsOn(role string) bool {
	return role == "endless" || r.scope.volume.device && role != "nothing" || r.inv.Stdin.Endless && r.handsOn(role)
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
