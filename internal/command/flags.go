package command

import "longline/internal/record"

// Flags is a list of flags. A compiled model's list is decoded only as needed:
// a program has a hundred flags, and a command line names two.
type Flags struct {
	list     []Flag // sorted by name
	raw      string // the compiled form, as long as list has not been read from it
	searched int    // how often raw has been gone through
}

// searches is how often the compiled form is gone through before all of it is
// read. Who judges one call stays below it; who judges many comes out ahead.
const searches = 4

// FlagsOf makes a list of flags that are sorted by name.
func FlagsOf(sorted []Flag) Flags { return Flags{list: sorted} }

// Empty reports whether there are none.
func (f *Flags) Empty() bool { return f.raw == "" && len(f.list) == 0 }

// All returns the flags, sorted by name.
func (f *Flags) All() []Flag {
	if f.raw != "" {
		count := 0
		for r := record.NewReader(f.raw); !r.Empty(); count++ {
			_, _ = r.Text(), r.Text()
		}
		list := make([]Flag, 0, count)
		r := record.NewReader(f.raw)
		for !r.Empty() {
			list = append(list, readFlag(r.Text(), r.Text()))
		}
		mustEnd(r)
		f.list, f.raw = list, ""
	}
	return f.list
}

func (f *Flags) find(name string) *Flag {
	if f.raw == "" || f.searched == searches {
		return find(f.All(), name)
	}
	f.searched++
	// This passes over a hundred flags with every search, so it does what a Reader
	// does by hand, and leaves to one what is long or damaged.
	raw := f.raw
	for i := 0; i < len(raw); {
		end := i + 1 + int(raw[i])
		if raw[i] >= 0x80 || end >= len(raw) || raw[end] >= 0x80 || end+1+int(raw[end]) > len(raw) {
			return find(f.All(), name)
		}
		next := end + 1 + int(raw[end])
		if raw[i+1:end] == name {
			flag := readFlag(raw[i+1:end], raw[end+1:next])
			return &flag
		}
		i = next
	}
	return nil
}

func (f *Flags) encode(w *record.Writer) {
	var list record.Writer
	for _, flag := range f.All() {
		list.Text(flag.Name)
		var rec record.Writer
		if flag.Optional || len(flag.Values) > 0 { // most are switches, which take no more than their name
			encodeFlag(&rec, flag)
		}
		list.Text(string(rec.Bytes()))
	}
	w.Text(string(list.Bytes()))
}

func readFlag(name, rec string) Flag {
	flag := Flag{Name: name}
	if rec != "" {
		r := record.NewReader(rec)
		decodeFlag(r, &flag)
		mustEnd(r)
	}
	return flag
}

// mustEnd fails the reading of a command whose model is damaged. That is found
// out while it is read, and [Library.Read] makes a gap of it: to go on without
// the flag would be to take it for one that does nothing.
func mustEnd(r *record.Reader) {
	if err := r.End(); err != nil {
		panic(err)
	}
}
