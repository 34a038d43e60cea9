package gitstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
)

// memory is a repository that is written by hand: files by their paths. The names of its
// objects are chosen.
type memory map[string]string

func (m memory) store() *Store {
	return Open(Files{
		ReadAt: func(name string, offset int64, room []byte) (int, error) {
			text, ok := m[name]
			if !ok {
				return 0, fs.ErrNotExist
			}
			if offset >= int64(len(text)) {
				return 0, io.EOF
			}
			return copy(room, text[offset:]), nil
		},
		List: func(dir string) []string {
			var names []string
			for name := range m {
				if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
					first, _, _ := strings.Cut(rest, "/")
					names = append(names, first)
				}
			}
			slices.Sort(names)
			return slices.Compact(names)
		},
	}, "/r/.git", "")
}

// id is a name that consists of one byte.
func id(n byte) (id ID) {
	for i := range id {
		id[i] = n
	}
	return id
}

func hexOf(id ID) string { return fmt.Sprintf("%x", id) }

// put adds a loose object.
func (m memory) put(t *testing.T, id ID, kind, content string) {
	m.putIn(t, "/r/.git/objects", id, kind, content)
}

func (m memory) putIn(t *testing.T, dir string, id ID, kind, content string) {
	t.Helper()
	name := hexOf(id)
	m[dir+"/"+name[:2]+"/"+name[2:]] = string(deflate(t, fmt.Appendf(nil, "%s %d\x00%s", kind, len(content), content), 6))
}

func treeText(entries ...Entry) string {
	var b strings.Builder
	for _, e := range entries {
		mode := "100644"
		if e.Tree {
			mode = "40000"
		} else if e.Link {
			mode = "120000"
		}
		b.WriteString(mode + " " + e.Name + "\x00" + string(e.ID[:]))
	}
	return b.String()
}

func commitText(tree ID, parents ...ID) string {
	text := "tree " + hexOf(tree) + "\n"
	for _, p := range parents {
		text += "parent " + hexOf(p) + "\n"
	}
	return text + "author a <a@b> 0 +0000\n\ntree " + hexOf(id(0xee)) + "\n"
}

// history is a repository with commits 1 to 4 above each other, of which 4 is a merge of 3
// and 9, tags and branches.
func history(t *testing.T) memory {
	m := memory{
		"/r/.git/HEAD":                         "ref: refs/heads/main\n",
		"/r/.git/refs/heads/main":              hexOf(id(4)) + "\n",
		"/r/.git/refs/heads/both":              hexOf(id(2)) + "\n",
		"/r/.git/refs/tags/both":               hexOf(id(3)) + "\n",
		"/r/.git/refs/tags/heavy":              hexOf(id(0x20)) + "\n",
		"/r/.git/refs/remotes/origin/topic":    hexOf(id(3)) + "\n",
		"/r/.git/refs/remotes/origin/HEAD":     "ref: refs/remotes/origin/topic\n",
		"/r/.git/refs/remotes/origin/everyone": hexOf(id(3)) + "\n",
		"/r/.git/refs/remotes/other/everyone":  hexOf(id(2)) + "\n",
		"/r/.git/refs/remotes/other/theirs":    hexOf(id(2)) + "\n",
		"/r/.git/packed-refs":                  "# pack-refs with: peeled\n" + hexOf(id(1)) + " refs/heads/packed\n" + hexOf(id(2)) + " refs/remotes/origin/kept\n",
		"/r/.git/refs/stash":                   hexOf(id(3)) + "\n",
		"/r/.git/logs/refs/stash":              "0 " + hexOf(id(2)) + " a\n0 " + hexOf(id(3)) + " b\n",
		"/r/.git/logs/HEAD":                    "0 0 x\tcheckout: moving from packed to both\n0 0 x\tcommit: y\n",
		"/r/.git/FETCH_HEAD":                   hexOf(id(2)) + "\t\tbranch 'x' of y\n",
		"/r/.git/lower":                        hexOf(id(2)) + "\n",
		"/r/.git/refs/loop":                    "ref: refs/loop\n",
	}
	m.put(t, id(1), "commit", commitText(id(0x11)))
	m.put(t, id(2), "commit", commitText(id(0x12), id(1)))
	m.put(t, id(3), "commit", commitText(id(0x13), id(2)))
	m.put(t, id(9), "commit", commitText(id(0x19), id(1)))
	m.put(t, id(4), "commit", commitText(id(0x14), id(3), id(9)))
	m.put(t, id(0x20), "tag", "object "+hexOf(id(3))+"\ntype commit\n\nx")
	m.put(t, id(0x11), "tree", treeText(Entry{Name: "a", ID: id(0x31)}))
	return m
}

func same(t *testing.T, what string, got ID, err error, want any) {
	t.Helper()
	switch want := want.(type) {
	case int:
		if err != nil || got != id(byte(want)) {
			t.Errorf("%s: %x, %v, want %d", what, got[:1], err, want)
		}
	case error:
		if !errors.Is(err, want) {
			t.Errorf("%s: %x, %v, want %v", what, got[:1], err, want)
		}
	}
}

// TestResolve: which commit a revision is, as git's documents say.
func TestResolve(t *testing.T) {
	m := history(t)
	for revision, want := range map[string]any{
		"main": 4, "HEAD": 4, "@": 4, "refs/heads/main": 4, "heads/main": 4, "packed": 1, "both": 3, "heads/both": 2, "tags/both": 3, "origin/topic": 3, "origin": 3, "topic": 3, "theirs": 2, "kept": 2,
		"everyone": ErrNone, "nosuch": ErrNone, "FETCH_HEAD": 2, "lower": ErrNone, "-": 1, "@{-1}": 1, "stash": 3, "stash@{0}": 3, "stash@{1}": 2, "stash@{2}": ErrNone, "stash@{x}": ErrNone, "stash@{-1}": ErrNone,
		"main~1": 3, "main~": 3, "main^": 3, "main^1": 3, "main^2": 9, "main^0": 4, "main~0": 4, "main~2": 2, "main~3": 1, "main~4": ErrNone, "main^3": ErrNone, "main^^": 2, "main~1^1~1": 1, "main^2~1": 1,
		"heavy~1": 2, "heavy^{}": errFormat, "main~1000": ErrNone, "main~1001": errFormat, "-g0101": ErrNone, "main@{1}": errFormat, "a..b": errFormat, "a:b": errFormat, "a b": errFormat, "worktrees/x/HEAD": errFormat, "main-worktree/HEAD": errFormat,
		"a*": errFormat, "refs/loop": ErrTooMuch, "": ErrNone, "~1": ErrNone,
		hexOf(id(2)): 2, strings.ToUpper("0909090"): 9, "0101": 1, "v1-3-g03030303": 3, "010": ErrNone, "0505": ErrNone, strings.Repeat("z", 40): errFormat,
	} {
		got, err := m.store().Resolve(revision)
		same(t, revision, got, err, want)
	}
	delete(m, "/r/.git/logs/HEAD")
	if _, err := m.store().Resolve("-"); err == nil {
		t.Error("there is a branch before, without a log")
	}
	m["/r/.git/logs/HEAD"] = "0 0 x\tcommit: y\n"
	if _, err := m.store().Resolve("-"); !errors.Is(err, ErrNone) {
		t.Errorf("nothing before: %v", err)
	}
	m["/r/.git/logs/refs/stash"] = "x\n"
	if _, err := m.store().Resolve("stash@{0}"); !errors.Is(err, errFormat) {
		t.Errorf("a log without ids: %v", err)
	}
	m["/r/.git/packed-refs"] = strings.Repeat("#", maxFile+1)
	if _, err := m.store().Resolve("packed"); !errors.Is(err, ErrTooMuch) {
		t.Errorf("too large: %v", err)
	}
	delete(m, "/r/.git/packed-refs")
	if _, err := m.store().Resolve("packed"); !errors.Is(err, ErrNone) {
		t.Errorf("no packed refs: %v", err)
	}
}

// TestWorktree: HEAD is that of the working tree, branches are those of the repository.
func TestWorktree(t *testing.T) {
	m := history(t)
	m["/w/HEAD"] = hexOf(id(2)) + "\n"
	s := m.store()
	s.dir = "/w"
	for revision, want := range map[string]any{"HEAD": 2, "main": 4, "FETCH_HEAD": ErrNone} {
		got, err := s.Resolve(revision)
		same(t, revision, got, err, want)
	}
	if s := Open(s.files, "/w", "/r/.git"); s.common != "/r/.git" || s.dir != "/w" {
		t.Errorf("%q, %q", s.dir, s.common)
	}
}

// TestForms: in a repository of another form nothing is found, and that is said.
func TestForms(t *testing.T) {
	for name, text := range map[string]string{
		"config": "[extensions]\n\tobjectFormat = SHA256\n", "config ": "", "packed-refs": hexOf(id(1)) + " refs/replace/" + hexOf(id(2)) + "\n", "refs/replace/" + hexOf(id(1)): hexOf(id(2)), "reftable/x": "y",
	} {
		m := history(t)
		m["/r/.git/"+name] = text
		_, err := m.store().Resolve("main")
		_, _, object := m.store().object(id(1))
		if want := name != "config "; want != errors.Is(err, errFormat) || want != errors.Is(object, errFormat) {
			t.Errorf("%s: %v, %v", name, err, object)
		}
	}
	m := history(t)
	m["/r/.git/config"] = "[extensions]\n\trefStorage = reftable\n"
	s := m.store()
	for range 2 {
		if _, err := s.Resolve("main"); !errors.Is(err, errFormat) {
			t.Errorf("refs in tables: %v", err)
		}
	}
	m["/r/.git/config"] = "[extensions]\n\tobjectFormat = sha1\n[user]\n\tname = x\n"
	if _, err := m.store().Resolve("main"); err != nil {
		t.Error(err)
	}
}

// TestBorrowed: objects are also those of the repositories that are borrowed from; where
// not all of these are looked at, nothing is said not to be there.
func TestBorrowed(t *testing.T) {
	m := history(t)
	m["/r/.git/objects/info/alternates"] = "# x\n\n/shared/objects\n../../near/objects\n"
	m.putIn(t, "/shared/objects", id(0x41), "blob", "far")
	m.putIn(t, "/r/.git/objects/../../near/objects", id(0x42), "blob", "near")
	s := m.store()
	for n, want := range map[byte]string{0x41: "far", 0x42: "near"} {
		if text, err := s.Blob(id(n)); err != nil || string(text) != want {
			t.Errorf("%x: %q, %v", n, text, err)
		}
	}
	if _, err := s.Blob(id(0x43)); !errors.Is(err, ErrNone) {
		t.Errorf("none: %v", err)
	}
	if _, err := s.Resolve("4343"); !errors.Is(err, ErrTooMuch) {
		t.Errorf("a short name, with others' objects: %v", err)
	}
	for _, list := range []string{"\"/quoted\"\n", strings.Repeat("/x\n", maxStores)} {
		m["/r/.git/objects/info/alternates"] = list
		if _, err := m.store().Blob(id(0x43)); !errors.Is(err, ErrTooMuch) {
			t.Errorf("%.20q: %v", list, err)
		}
	}
	m["/r/.git/objects/info/alternates"] = strings.Repeat("/x\n", maxStores-1)
	if _, err := m.store().Blob(id(0x43)); !errors.Is(err, ErrNone) {
		t.Errorf("as many as may be: %v", err)
	}
}

// TestObjects: what is no object of its kind is an error, and so is too many of them.
func TestObjects(t *testing.T) {
	m := history(t)
	m.put(t, id(0x50), "blob", "text")
	m.put(t, id(0x51), "tree", "100644 a")
	m.put(t, id(0x52), "tree", "100644\x00"+strings.Repeat("x", 20))
	m.put(t, id(0x53), "tree", "100644 a\x00"+strings.Repeat("x", 19))
	m.put(t, id(0x54), "commit", "tree x\n")
	m.put(t, id(0x55), "tag", "no object\n\n")
	m.put(t, id(0x56), "tag", "object "+hexOf(id(0x56))+"\n\n")
	m.put(t, id(0x57), "blob", treeText(Entry{Name: "a", ID: id(1)}))
	for i, raw := range []string{"blob4text", "blob 4"} {
		name := hexOf(id(byte(0x58 + i)))
		m["/r/.git/objects/"+name[:2]+"/"+name[2:]] = string(deflate(t, []byte(raw), 6))
	}
	s := m.store()
	for n, want := range map[byte]error{0x51: errFormat, 0x52: errFormat, 0x53: errFormat, 0x50: errFormat, 0x57: errFormat, 1: errFormat, 0x99: ErrNone, 0x58: errFormat, 0x59: errFormat} {
		if err := s.Below(id(n), 10, func(Entry) {}); !errors.Is(err, want) {
			t.Errorf("tree %x: %v, want %v", n, err, want)
		}
	}
	for n, want := range map[byte]error{0x50: errFormat, 0x54: errFormat, 0x55: errFormat, 0x56: ErrTooMuch, 0x99: ErrNone} {
		if _, err := s.Tree(id(n)); !errors.Is(err, want) {
			t.Errorf("commit %x: %v, want %v", n, err, want)
		}
	}
	if tree, err := s.Tree(id(0x11)); err != nil || tree != id(0x11) {
		t.Errorf("the tree of a tree: %v", err)
	}
	if _, err := s.Blob(id(0x11)); !errors.Is(err, errFormat) {
		t.Errorf("a tree as a file: %v", err)
	}
	if _, parents, err := s.commit(id(4)); err != nil || !slices.Equal(parents, []ID{id(3), id(9)}) {
		t.Errorf("%v, %v", parents, err)
	}
	s = m.store()
	for i := range maxObjects + 1 { // each is counted that is not held, as those that are not there
		if _, err := s.Blob(id(0x99)); errors.Is(err, ErrTooMuch) != (i == maxObjects) {
			t.Fatalf("%d: %v", i, err)
		}
	}
	if s.Again(); !errors.Is(errorOf(s.Blob(id(0x99))), ErrNone) {
		t.Error("another look may read as many")
	}
	for range maxAll {
		s.Again()
		_, _ = s.Blob(id(0x99))
	}
	if !errors.Is(errorOf(s.Blob(id(0x99))), ErrTooMuch) {
		t.Error("all looks together have no bound")
	}
}

func errorOf(_ []byte, err error) error { return err }

// chunk of a delta.
func copyOf(offset, n int) string {
	return string([]byte{0x80 | 0x0f | 0x30, byte(offset), byte(offset >> 8), byte(offset >> 16), byte(offset >> 24), byte(n), byte(n >> 8)})
}

// TestPatch: a delta makes what it says, and whatever does not fit is an error.
func TestPatch(t *testing.T) {
	from := "0123456789"
	for name, test := range map[string]struct{ delta, want string }{
		"copied":             {"\x0a\x04" + copyOf(2, 4), "2345"},
		"all of it":          {"\x0a\x0a" + copyOf(0, 10), from},
		"added":              {"\x0a\x03\x03abc", "abc"},
		"both":               {"\x0a\x05\x02ab" + copyOf(7, 3), "ab789"},
		"nothing":            {"\x0a\x00", ""},
		"short offset":       {"\x0a\x02\x91\x03\x02", "34"},
		"no offset":          {"\x0a\x02\x90\x02", "01"},
		"another length":     {"\x09\x04" + copyOf(2, 4), "error"},
		"too long":           {"\x0a\x03" + copyOf(2, 4), "error"},
		"too short":          {"\x0a\x05" + copyOf(2, 4), "error"},
		"behind the end":     {"\x0a\x04" + copyOf(7, 4), "error"},
		"far behind":         {"\x0a\x04" + copyOf(1<<30, 4), "error"},
		"a command of zero":  {"\x0a\x00\x00", "error"},
		"cut off":            {"\x0a\x03\x03ab", "error"},
		"cut off in a copy":  {"\x0a\x02\x91\x03", "error"},
		"no length, so long": {"\x0a\x02\x80", "error"},
		"empty":              {"", "error"},
	} {
		got, err := patch([]byte(from), []byte(test.delta))
		if want := test.want; err != nil && want != "error" || err == nil && string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	long := strings.Repeat("x", 0x10000)
	if got, err := patch([]byte(long), []byte("\x80\x80\x04\x80\x80\x04\x80")); err != nil || string(got) != long {
		t.Errorf("a copy without a length: %d bytes, %v", len(got), err)
	}
	if _, err := patch(nil, []byte("\x00\xff\xff\xff\xff\x0f")); !errors.Is(err, ErrTooMuch) {
		t.Errorf("too much: %v", err)
	}
	if got, err := patch(nil, []byte("\x00\x81\x00\x01a")); err != nil || string(got) != "a" {
		t.Errorf("a number in two bytes: %q, %v", got, err)
	}
}

// packed is a pack that is written by hand.
type packed struct {
	body  bytes.Buffer
	index map[ID]int64
}

// add adds an object of a kind, with what stands between its head and its content.
func (p *packed) add(t *testing.T, id ID, kind byte, between, content string) (at int64) {
	t.Helper()
	at = int64(p.body.Len())
	p.index[id] = at
	size := len(content)
	c := kind<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		p.body.WriteByte(c | 0x80)
		c = byte(size & 0x7f)
	}
	p.body.WriteByte(c)
	p.body.WriteString(between)
	p.body.Write(deflate(t, []byte(content), 6))
	return at
}

// write puts the pack into a repository; offsets are written in the long way if they are
// to be.
func (p *packed) write(m memory, base string, long bool) {
	ids := slices.SortedFunc(maps.Keys(p.index), func(a, b ID) int { return bytes.Compare(a[:], b[:]) })
	idx := []byte("\xfftOc\x00\x00\x00\x02")
	n := 0
	for first := range 256 {
		for n < len(ids) && int(ids[n][0]) <= first {
			n++
		}
		idx = binary.BigEndian.AppendUint32(idx, uint32(n))
	}
	for _, id := range ids {
		idx = append(idx, id[:]...)
	}
	idx = append(idx, make([]byte, 4*len(ids))...)
	var wide []byte
	for i, id := range ids {
		if !long {
			idx = binary.BigEndian.AppendUint32(idx, uint32(p.index[id]))
			continue
		}
		idx = binary.BigEndian.AppendUint32(idx, 1<<31|uint32(i))
		wide = binary.BigEndian.AppendUint64(wide, uint64(p.index[id]))
	}
	m[base+".idx"], m[base+".pack"] = string(idx)+string(wide), p.body.String()
}

// TestPacks: objects are found in packs, whole and as deltas of either sort, with
// offsets of either sort; what is broken is an error.
func TestPacks(t *testing.T) {
	for _, long := range []bool{false, true} {
		m := memory{}
		p := packed{index: map[ID]int64{}}
		p.body.WriteString("PACK....")
		text := strings.Repeat("abcdefghij", 300)
		delta := "\xb8\x17\x05" + "\x02xy" + copyOf(10, 3)
		whole := p.add(t, id(0x10), 3, "", text)
		p.add(t, id(0x00), 1, "", "c")
		p.add(t, id(0xff), 2, "", "")
		p.add(t, id(0x11), 4, "", "t")
		at := int64(p.body.Len())
		back := at - whole
		near := string([]byte{byte(back)})
		if back > 127 {
			near = string([]byte{byte((back>>7)-1) | 0x80, byte(back & 0x7f)})
		}
		p.add(t, id(0x12), 6, near, delta)
		base := id(0x10)
		p.add(t, id(0x13), 7, string(base[:]), delta)
		outside := id(0x70)
		p.add(t, id(0x14), 7, string(outside[:]), "\x03\x01"+copyOf(1, 1))
		p.add(t, id(0x15), 6, "\x00", delta)          // against itself
		p.add(t, id(0x16), 6, "\xff\xff\x7f", delta)  // before the beginning
		p.add(t, id(0x17), 5, "", "x")                // no such kind
		p.add(t, id(0x18), 0, "", "x")                // nor that
		p.index[id(0x19)] = int64(p.body.Len()) + 100 // behind the end
		none := id(0x71)
		p.add(t, id(0x1a), 7, string(none[:]), delta)
		self := id(0x1b)
		p.add(t, self, 7, string(self[:]), delta)
		wrong := p.add(t, id(0x1c), 3, "", "four")
		p.write(m, "/r/.git/objects/pack/pack-1", long)
		broken := []byte(m["/r/.git/objects/pack/pack-1.pack"])
		broken[wrong]++ // the length
		m["/r/.git/objects/pack/pack-1.pack"] = string(broken)
		m.put(t, outside, "blob", "xyz")
		s := m.store()
		for n, want := range map[byte]string{0x10: "blob " + text, 0x00: "commit c", 0xff: "tree ", 0x11: "tag t", 0x12: "blob xyabc", 0x13: "blob xyabc", 0x14: "blob y"} {
			kind, content, err := s.object(id(n))
			if err != nil || kind+" "+string(content) != want {
				t.Errorf("%x: %s %.20q, %v", n, kind, content, err)
			}
		}
		for n, want := range map[byte]error{0x15: errFormat, 0x16: errFormat, 0x17: errFormat, 0x18: errFormat, 0x19: nil, 0x1a: ErrNone, 0x1b: ErrTooMuch, 0x1c: errFormat, 0x20: ErrNone} {
			if _, _, err := s.object(id(n)); err == nil || want != nil && !errors.Is(err, want) {
				t.Errorf("%x: %v, want %v", n, err, want)
			}
		}
		for short, want := range map[string]any{"1010": 0x10, "0000": 0, "ffff": 0xff, "1011": ErrNone, "7070": 0x70, "fffe": ErrNone} {
			got, err := s.Resolve(short)
			same(t, short, got, err, want)
		}
	}
}

// TestChains: deltas of deltas are followed as far as their bound.
func TestChains(t *testing.T) {
	m := memory{}
	p := packed{index: map[ID]int64{}}
	before := p.add(t, id(0), 3, "", "x")
	for i := range maxChain + 1 {
		back := int64(p.body.Len()) - before
		if back > 127 {
			t.Fatal(back)
		}
		before = p.add(t, id(byte(i+1)), 6, string([]byte{byte(back)}), "\x01\x01"+copyOf(0, 1))
	}
	p.write(m, "/r/.git/objects/pack/pack-1", false)
	if text, err := m.store().Blob(id(maxChain)); err != nil || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := m.store().Blob(id(maxChain + 1)); !errors.Is(err, ErrTooMuch) {
		t.Error(err)
	}
}

// TestAmbiguous: a short name of several objects is none that is known; one that is in
// two places is.
func TestAmbiguous(t *testing.T) {
	m := memory{}
	p := packed{index: map[ID]int64{}}
	a, b := id(0x10), id(0x10)
	b[19] = 0x11
	p.add(t, a, 3, "", "x")
	p.add(t, b, 3, "", "y")
	c := id(0x20)
	p.add(t, c, 3, "", "z")
	p.write(m, "/r/.git/objects/pack/pack-1", false)
	m.put(t, c, "blob", "z")
	for short, want := range map[string]any{"1010": ErrTooMuch, "2020": 0x20} {
		got, err := m.store().Resolve(short)
		same(t, short, got, err, want)
	}
	m["/r/.git/objects/pack/pack-2.idx"] = "an index of another version"
	if _, err := m.store().Resolve("3030"); !errors.Is(err, ErrTooMuch) {
		t.Errorf("beside an index that cannot be read: %v", err)
	}
	if _, err := m.store().Blob(id(0x30)); !errors.Is(err, ErrTooMuch) {
		t.Errorf("beside an index that cannot be read: %v", err)
	}
	m = memory{}
	for i := range maxPacks + 1 {
		p := packed{index: map[ID]int64{}}
		p.add(t, id(byte(i)), 3, "", "x")
		p.write(m, fmt.Sprintf("/r/.git/objects/pack/pack-%03d", i), false)
		if _, err := m.store().Blob(id(0xf0)); (i == maxPacks) != errors.Is(err, ErrTooMuch) {
			t.Errorf("%d packs: %v", i+1, err)
		}
	}
}

// indexed is an index of a version with entries.
func indexed(version uint32, entries ...string) []byte {
	raw := binary.BigEndian.AppendUint32([]byte("DIRC"), version)
	raw = binary.BigEndian.AppendUint32(raw, uint32(len(entries)))
	for _, e := range entries {
		raw = append(raw, e...)
	}
	return raw
}

// item is an entry of an index up to its name.
func item(mode uint32, flags uint16, more string) string {
	var raw []byte
	for _, n := range []uint32{1, 2, 3, 4, 5, 6, mode, 8, 9, 10} {
		raw = binary.BigEndian.AppendUint32(raw, n)
	}
	raw = append(raw, bytes.Repeat([]byte{0x55}, 20)...)
	return string(binary.BigEndian.AppendUint16(raw, flags)) + more
}

// TestEachIndexed: an index of each version is read, and what is none is an error.
func TestEachIndexed(t *testing.T) {
	pad := func(name string) string { return name + strings.Repeat("\x00", 8-(62+len(name))%8) }
	for name, test := range map[string]struct {
		raw  []byte
		want string
	}{
		"empty":                   {indexed(2), ""},
		"two":                     {indexed(2, item(0o100644, 1, pad("a")), item(0o120000, 0x1003, pad("b/c"))), "a, b/c link conflict"},
		"seven":                   {indexed(2, item(0o100644, 1, pad("aa")), item(0o100644, 0x2003, pad("bb")), item(0o100644, 3, pad("ccccccccc"))), "aa, bb conflict, ccccccccc"},
		"flags":                   {indexed(3, item(0o100644, 0x4001, "\x20\x00a"+strings.Repeat("\x00", 7)), item(0o100644, 1, pad("b"))), "a, b"},
		"no such flags":           {indexed(2, item(0o100644, 0x4001, pad("a")), item(0o100644, 1, pad("b"))), "a, b"},
		"four":                    {indexed(4, item(0o100644, 1, "\x00dir/a\x00"), item(0o100644, 1, "\x01bc\x00"), item(0o100644, 1, "\x06x\x00")), "dir/a, dir/bc, x"},
		"four, stripped too much": {indexed(4, item(0o100644, 1, "\x00a\x00"), item(0o100644, 1, "\x02b\x00")), "error"},
		"four, cut off":           {indexed(4, item(0o100644, 1, "\x80")), "error"},
		"four, nothing":           {indexed(4, item(0o100644, 1, "")), "error"},
		"no end of a name":        {indexed(2, item(0o100644, 1, "a")), "error"},
		"flags, cut off":          {indexed(3, item(0o100644, 0x4001, "\x20")), "error"},
		"too few":                 {indexed(2, item(0o100644, 1, pad("a")), ""), "error"},
		"one":                     {indexed(1), "error"},
		"five":                    {indexed(5), "error"},
		"none":                    {[]byte("DIRX\x00\x00\x00\x02\x00\x00\x00\x00"), "error"},
		"short":                   {[]byte("DIRC\x00\x00\x00\x02\x00\x00\x00"), "error"},
	} {
		var list []string
		err := EachIndexed(test.raw, func(e Indexed) {
			text := e.Name
			if e.Link {
				text += " link"
			}
			if e.Conflict {
				text += " conflict"
			}
			if e.Seconds != 3 || e.Nanoseconds != 4 || e.Size != 10 || e.ID != id(0x55) {
				t.Errorf("%s: %+v", name, e)
			}
			list = append(list, text)
		})
		if got := strings.Join(list, ", "); (err != nil) != (test.want == "error") || err == nil && got != test.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, test.want)
		}
	}
	for raw, want := range map[string][2]int{"\x05": {5, 1}, "\x80\x00": {128, 2}, "\x81\x01x": {257, 2}, "\x80": {0, 0}, "": {0, 0}, "\x80\x80\x80\x00": {1<<21 + 1<<14 + 1<<7, 4}, "\x80\x80\x80\x80\x00": {0, 0}} {
		if strip, n := stripped([]byte(raw)); [2]int{strip, n} != want {
			t.Errorf("%x: %d, %d, want %v", raw, strip, n, want)
		}
	}
	m := memory{"/r/.git/index": string(indexed(2, item(0o100644, 1, pad("a"))))}
	if list, err := m.store().Index(); err != nil || len(list) != 1 || list[0].Name != "a" {
		t.Errorf("%v, %v", list, err)
	}
	m["/r/.git/index"] = "x"
	if list, err := m.store().Index(); err == nil || list != nil {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := (memory{}).store().Index(); err == nil {
		t.Error("an index that is not there is read")
	}
}
