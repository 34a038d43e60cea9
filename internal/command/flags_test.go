package command

import (
	"reflect"
	"strings"
	"testing"

	"longline/internal/record"
)

// flagsForTest are flags of every form, one with a record too long for one byte
// of length.
func flagsForTest() []Flag {
	long := Flag{Name: "-long", Values: [][]Use{{{Name: "text", Arg: strings.Repeat("x", 200)}}}}
	return []Flag{
		{Name: "--all"},
		{Name: "--color", Optional: true, Values: [][]Use{{{Name: "text"}}}},
		{Name: "-a"},
		long,
		{Name: "-o", Values: [][]Use{{{Name: "write"}}, {{Name: "read"}, {Name: "control", Arg: "x.y"}}}},
	}
}

// What is found while a compiled list is searched is what is found once it has
// been read, and what was there before it was compiled.
func TestCompiledFlags(t *testing.T) {
	for _, n := range []int{3, 5} { // without and with the long one
		want := flagsForTest()[:n]
		written := FlagsOf(want)
		var w record.Writer
		written.encode(&w)
		raw := record.NewReader(string(w.Bytes())).Text()
		read := Flags{raw: raw}
		if got := read.All(); !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, want %+v", got, want)
		}
		for _, name := range []string{"--all", "--color", "-a", "-long", "-o", "-", "", "--al", "-z"} {
			compiled := Flags{raw: raw}
			for range searches + 2 {
				if got := compiled.find(name); !reflect.DeepEqual(got, find(want, name)) {
					t.Errorf("%q: found %+v, want %+v", name, got, find(want, name))
				}
			}
		}
	}
}

// A damaged list is never one that lacks a flag: a flag that is not listed may
// count for nothing.
func TestDamagedFlags(t *testing.T) {
	written := FlagsOf(flagsForTest())
	var w record.Writer
	written.encode(&w)
	raw := record.NewReader(string(w.Bytes())).Text()
	for n := 1; n < len(raw); n++ {
		whole := 0
		for r := record.NewReader(raw[:n]); !r.Empty(); whole++ {
			_, _ = r.Text(), r.Text()
			if r.Err() != nil {
				whole = -1
				break
			}
		}
		if whole >= 0 {
			continue // cut between two flags, which nobody can see
		}
		cut := Flags{raw: raw[:n]}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("cut after %d bytes, the list is searched to its end", n)
				}
			}()
			cut.find("-z")
		}()
	}
}
