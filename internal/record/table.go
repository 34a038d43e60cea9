package record

import (
	"encoding/binary"
	"slices"
	"strings"
)

// Entry is one named record of a [Table].
type Entry struct{ Name, Record string }

// Table holds named records and finds one by binary search, reading nothing of
// the others. Its form: the number of entries, then for each entry where its
// name and its record end, then all names, then all records, sorted by name.
type Table struct {
	ends    string // eight bytes for each entry
	names   string
	records string
}

// AppendTable appends the form of a table to dst. Of entries with the same name
// the order is kept; [Table.Find] finds the first.
func AppendTable(dst []byte, entries []Entry) []byte {
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(sorted)))
	name, record := 0, 0
	for _, e := range sorted {
		name += len(e.Name)
		record += len(e.Record)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(name))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(record))
	}
	for _, e := range sorted {
		dst = append(dst, e.Name...)
	}
	for _, e := range sorted {
		dst = append(dst, e.Record...)
	}
	return dst
}

// OpenTable makes a table of all of data.
func OpenTable(data string) (Table, error) {
	if len(data) < 4 {
		return Table{}, ErrCorrupt
	}
	n := int64(uint32At(data, 0))
	if n*8 > int64(len(data)-4) {
		return Table{}, ErrCorrupt
	}
	t := Table{ends: data[4 : 4+n*8]}
	rest := data[4+n*8:]
	if n == 0 {
		if rest != "" {
			return Table{}, ErrCorrupt
		}
		return t, nil
	}
	names := int64(uint32At(t.ends, int(n-1)*8))
	if names > int64(len(rest)) || int64(uint32At(t.ends, int(n-1)*8+4)) != int64(len(rest))-names {
		return Table{}, ErrCorrupt
	}
	t.names, t.records = rest[:names], rest[names:]
	return t, nil
}

// Len is the number of entries.
func (t Table) Len() int { return len(t.ends) / 8 }

// At returns the entry at a place from 0 to Len()-1; a damaged one is empty.
func (t Table) At(i int) Entry {
	return Entry{part(t.names, t.ends, i, 0), part(t.records, t.ends, i, 4)}
}

// Find returns the record of that name.
func (t Table) Find(name string) (record string, ok bool) {
	if at := t.Search(name); at < t.Len() && part(t.names, t.ends, at, 0) == name {
		return part(t.records, t.ends, at, 4), true
	}
	return "", false
}

// Search returns where the first entry of that name is, or would be.
func (t Table) Search(name string) int {
	lo, hi := 0, t.Len()
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if part(t.names, t.ends, mid, 0) < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func part(all, ends string, i, column int) string {
	start := uint32(0)
	if i > 0 {
		start = uint32At(ends, (i-1)*8+column)
	}
	end := uint32At(ends, i*8+column)
	if start > end || int64(end) > int64(len(all)) {
		return ""
	}
	return all[start:end]
}

func uint32At(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}
