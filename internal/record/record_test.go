package record

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	var w Writer
	numbers := []uint64{0, 1, 127, 128, 300, 1 << 40, math.MaxUint64}
	signed := []int{0, -1, 1, -64, 64, math.MaxInt, math.MinInt}
	List(&w, numbers, (*Writer).Uint)
	List(&w, signed, (*Writer).Int)
	w.Texts([]string{"", "git", "push --force", strings.Repeat("x", 300)})
	w.Bool(true)
	w.Bool(false)
	w.Byte(0xff)
	w.Texts(nil)

	r := NewReader(string(w.Bytes()))
	if got := ReadList(r, (*Reader).Uint); !slices.Equal(got, numbers) {
		t.Errorf("numbers: got %v", got)
	}
	if got := ReadList(r, (*Reader).Int); !slices.Equal(got, signed) {
		t.Errorf("signed numbers: got %v", got)
	}
	if got := r.Texts(); len(got) != 4 || got[1] != "git" || len(got[3]) != 300 {
		t.Errorf("texts: got %q", got)
	}
	if !r.Bool() || r.Bool() || r.Byte() != 0xff || r.Texts() != nil {
		t.Error("truth values, byte or empty list differ")
	}
	if err := r.End(); err != nil {
		t.Errorf("at the end: %v", err)
	}
}

func TestDamage(t *testing.T) {
	tests := []struct {
		name, data string
		read       func(*Reader)
	}{
		{"empty number", "", func(r *Reader) { r.Uint() }},
		{"number without end", "\x80\x80", func(r *Reader) { r.Uint() }},
		{"number of 65 bits", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", func(r *Reader) { r.Uint() }},
		{"text beyond the end", "\x05abc", func(r *Reader) { r.Text() }},
		{"text of enormous length", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01abc", func(r *Reader) { r.Text() }},
		{"list beyond the end", "\x7fabc", func(r *Reader) { r.Texts() }},
		{"neither true nor false", "\x02", func(r *Reader) { r.Bool() }},
		{"something left over", "\x01\x01", func(r *Reader) { r.Bool() }},
		{"no byte", "", func(r *Reader) { r.Byte() }},
	}
	for _, tt := range tests {
		r := NewReader(tt.data)
		tt.read(r)
		if r.End() == nil {
			t.Errorf("%s: no error", tt.name)
		}
		if r.Uint() != 0 || r.Text() != "" || r.Byte() != 0 || r.Len() != 0 {
			t.Errorf("%s: a value after the error", tt.name)
		}
	}
}

func TestTable(t *testing.T) {
	entries := []Entry{{"sort", "3"}, {"git", "1"}, {"", "none"}, {"git", "2"}, {"ls", ""}}
	table, err := OpenTable(string(AppendTable(nil, entries)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, record string
		ok           bool
	}{{"sort", "3", true}, {"git", "1", true}, {"", "none", true}, {"ls", "", true}, {"gi", "", false}, {"zsh", "", false}} {
		if record, ok := table.Find(tt.name); record != tt.record || ok != tt.ok {
			t.Errorf("Find(%q) = %q, %v; want %q, %v", tt.name, record, ok, tt.record, tt.ok)
		}
	}
	if got := table.At(2); got != (Entry{"git", "2"}) {
		t.Errorf("At(2) = %v", got)
	}
	if empty, err := OpenTable(string(AppendTable(nil, nil))); err != nil || empty.Len() != 0 {
		t.Errorf("empty table: %d entries, %v", empty.Len(), err)
	}
	if _, ok := (Table{}).Find("x"); ok {
		t.Error("the zero table finds something")
	}
}

// Whatever the input, reading ends without a panic, and a table that opens
// answers every question about itself.
func FuzzRead(f *testing.F) {
	f.Add("\x02\x01a\x00")
	f.Add(string(AppendTable(nil, []Entry{{"a", "1"}, {"b", "2"}})))
	f.Fuzz(func(t *testing.T, data string) {
		r := NewReader(data)
		r.Texts()
		r.Int()
		r.Bool()
		r.Text()
		if r.Err() != nil && r.Uint() != 0 {
			t.Error("a value after an error")
		}
		table, err := OpenTable(data)
		if err != nil {
			return
		}
		for i := range table.Len() {
			table.Find(table.At(i).Name)
		}
	})
}
