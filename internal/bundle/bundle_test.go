package bundle

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	made    = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	expires = made.AddDate(0, 3, 0)
)

func manifest() Manifest {
	return Manifest{Format: Format, Name: "acme", Version: "1.4", Time: made, NotAfter: expires, Longline: "0.1.0"}
}

func files() []File {
	return []File{
		{"rules/team.yaml", []byte("version: 1\nrules:\n  - {id: no-prod, level: critical, match: {command: corpctl drop}, decision: deny, reason: That is production}\n  - {id: corp-ok, match: {command: corpctl status}, decision: allow}\ntests:\n  - {id: drop, command: corpctl drop db, expected: {decision: deny, rule_id: no-prod}}\n")},
		{"models/corpctl.yaml", []byte("about: the company's own tool\ncommands:\n  status: {effects: read /etc/corp}\n  drop: {operands: text..., effects: control database.drop}\n---\n- {run: corpctl drop x, does: control database.drop}\n")},
		{"tests/more.yaml", []byte("tests:\n  - {id: home, command: rm -rf ~/, expected: {decision: deny}}\n")},
	}
}

func build(t testing.TB, m Manifest, files []File) ([]byte, *Bundle) {
	t.Helper()
	data, err := Encode(m, files)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return data, b
}

func secret(t testing.TB) Secret {
	t.Helper()
	s, err := NewSecret()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSameContentSameBytes(t *testing.T) {
	list := files()
	one, b := build(t, manifest(), list)
	list[0], list[2] = list[2], list[0]
	two, _ := build(t, manifest(), list)
	if !bytes.Equal(one, two) {
		t.Error("the order of the files matters")
	}
	if again, err := Encode(b.Manifest, b.Files); err != nil || !bytes.Equal(again, one) {
		t.Errorf("what was read is not what was written: %v", err)
	}
	if b.Name != "acme" || len(b.Rules.Rules) != 2 || len(b.Tests) != 2 || len(b.Examples) != 1 || strings.Join(b.Programs, " ") != "corpctl" {
		t.Errorf("got %+v", b)
	}
	total, failed, err := b.Test()
	if total != 3 || len(failed) > 0 || err != nil {
		t.Errorf("%d tests, %v, %v", total, failed, err)
	}
}

func TestAccept(t *testing.T) {
	key, other := secret(t), secret(t)
	keys := []Key{other.Public(), key.Public()} // two, for the time of a rotation
	data, b := build(t, manifest(), files())
	good := key.Sign(b, data)
	now := made.Add(time.Hour)
	accept := func(data, signature []byte) error {
		_, _, err := Accept(data, signature, keys, "acme", "0.3.0", now)
		return err
	}
	if err := accept(data, good); err != nil {
		t.Fatal(err)
	}
	remade := func(change func(*Manifest, *[]File)) ([]byte, []byte) {
		m, list := manifest(), files()
		change(&m, &list)
		data, err := Encode(m, list)
		if err != nil {
			t.Fatal(err)
		}
		return data, key.Sign(&Bundle{Manifest: m}, data)
	}
	for name, test := range map[string]struct {
		data, signature []byte
		want            string
	}{
		"unsigned":      {data, nil, "cannot be read"},
		"not by us":     {data, secret(t).Sign(b, data), "not pinned"},
		"of another":    {append(bytes.Clone(data), 0), good, "wrong"},
		"too large":     {make([]byte, MaxSize+1), key.Sign(b, make([]byte, MaxSize+1)), "at most"},
		"no tar":        {[]byte("hello"), key.Sign(b, []byte("hello")), "not a bundle"},
		"more behind":   {append(bytes.Clone(data), data...), key.Sign(b, append(bytes.Clone(data), data...)), "canonical form"},
		"long sig":      {data, bytes.Repeat(good, 50), "too long"},
		"empty comment": {data, bytes.Replace(good, []byte("trusted comment: longline"), []byte("trusted comment: longlime"), 1), "wrong"},
	} {
		if err := accept(test.data, test.signature); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
	for name, test := range map[string]struct {
		change func(*Manifest, *[]File)
		want   string
	}{
		"expired":      {func(m *Manifest, _ *[]File) { m.Time, m.NotAfter = made.AddDate(-1, 0, 0), made }, "expired"},
		"other name":   {func(m *Manifest, _ *[]File) { m.Name = "evil" }, `"acme" is wanted`},
		"newer needed": {func(m *Manifest, _ *[]File) { m.Longline = "0.4.0" }, "needs longline 0.4.0"},
		"fails": {func(_ *Manifest, f *[]File) {
			(*f)[2].Text = []byte("tests: [{id: x, command: ls, expected: {decision: deny}}]\n")
		}, "1 of its 3 tests fail"},
		"no tests":     {func(_ *Manifest, f *[]File) { *f = []File{{"rules/a.yaml", []byte("version: 1\n")}} }, "no tests"},
		"bad rules":    {func(_ *Manifest, f *[]File) { (*f)[0].Text = []byte("version: 1\nrulez: []\n") }, "rulez"},
		"bad model":    {func(_ *Manifest, f *[]File) { (*f)[1].Text = []byte("flagz: 1\n") }, "flagz"},
		"includes":     {func(_ *Manifest, f *[]File) { (*f)[0].Text = []byte("version: 1\ninclude: [/etc/passwd]\n") }, "cannot be used here"},
		"twice":        {func(_ *Manifest, f *[]File) { *f = append(*f, File{"rules/two.yaml", (*f)[0].Text}) }, "is taken"},
		"variables":    {func(_ *Manifest, f *[]File) { *f = append(*f, File{"models/variables.yaml", []byte("{}\n")}) }, "cannot say what variables mean"},
		"unknown rule": {func(_ *Manifest, f *[]File) { (*f)[0].Text = []byte("version: 1\ndisable: [nobody]\n") }, "nobody"},
	} {
		data, signature := remade(test.change)
		if err := accept(data, signature); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

// Whatever single bit is altered, of the bundle or of what counts in its signature, it is
// refused.
func TestAlteredAnywhere(t *testing.T) {
	key := secret(t)
	data, b := build(t, manifest(), files()[:1])
	signature := key.Sign(b, data)
	keys := []Key{key.Public()}
	for i := 0; i < len(data); i += 7 {
		altered := bytes.Clone(data)
		altered[i] ^= 1 << (i % 8)
		if _, err := Verify(altered, signature, keys); err == nil {
			t.Fatalf("byte %d can be altered", i)
		}
	}
	_, counts, _ := bytes.Cut(signature, []byte("\n"))
	from := len(signature) - len(counts)
	for i := from; i < len(bytes.TrimRight(signature, "\n")); i++ {
		altered := bytes.Clone(signature)
		altered[i] ^= 1
		if _, err := Verify(data, altered, keys); err == nil && !bytes.Equal(bytes.TrimSpace(altered), bytes.TrimSpace(signature)) && !sameMeaning(altered, signature) {
			t.Fatalf("byte %d of the signature can be altered: %q", i, altered)
		}
	}
}

// sameMeaning says whether two signatures differ only in what base64 leaves open or in a
// line's end.
func sameMeaning(a, b []byte) bool {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) && !strings.HasSuffix(string(y[i]), "=") {
			return false
		}
	}
	return true
}

func TestMalformedArchives(t *testing.T) {
	tarOf := func(heads ...tar.Header) []byte {
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		first := manifest()
		for _, h := range append([]tar.Header{{Name: ManifestFile, Typeflag: tar.TypeReg, Mode: 0o644, ModTime: made}}, heads...) {
			text := []byte("version: 1\n")
			if h.Name == ManifestFile {
				text = first.encode()
			}
			if h.Typeflag == tar.TypeReg {
				h.Size = int64(len(text))
			}
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			if h.Typeflag == tar.TypeReg {
				w.Write(text)
			}
		}
		w.Close()
		return out.Bytes()
	}
	for name, data := range map[string][]byte{
		"climbs out": tarOf(tar.Header{Name: "rules/../../../etc/passwd.yaml", Typeflag: tar.TypeReg, Mode: 0o644, ModTime: made}),
		"absolute":   tarOf(tar.Header{Name: "/rules/a.yaml", Typeflag: tar.TypeReg, Mode: 0o644, ModTime: made}),
		"link":       tarOf(tar.Header{Name: "rules/a.yaml", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink, Mode: 0o644, ModTime: made}),
		"other mode": tarOf(tar.Header{Name: "rules/a.yaml", Typeflag: tar.TypeReg, Mode: 0o755, ModTime: made}),
		"owner":      tarOf(tar.Header{Name: "rules/a.yaml", Typeflag: tar.TypeReg, Mode: 0o644, Uid: 7, ModTime: made}),
		"directory":  tarOf(tar.Header{Name: "rules/", Typeflag: tar.TypeDir, Mode: 0o755, ModTime: made}),
		"empty":      nil,
	} {
		if _, err := Read(data); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := Read(tarOf(tar.Header{Name: "rules/a.yaml", Typeflag: tar.TypeReg, Mode: 0o644, ModTime: made})); err != nil {
		t.Errorf("the one good archive is refused: %v", err)
	}
}

func TestVersions(t *testing.T) {
	order := []string{"0", "0.1", "0.9.9", "1", "1.0.1", "1.2", "1.10", "2026.1.31", "2026.11.2"}
	for i, a := range order {
		for j, b := range order {
			if got := CompareVersions(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
	if CompareVersions("1.0", "1") != 0 {
		t.Error("1.0 is not 1")
	}
}

// What the real minisign signs is accepted here, with whatever trusted comment, and what
// is signed here it accepts.
func TestRealMinisign(t *testing.T) {
	program, err := exec.LookPath("minisign")
	if err != nil {
		t.Skip("minisign is not installed; .ci/tools installs it")
	}
	if help, _ := exec.Command(program, "-h").CombinedOutput(); !strings.Contains(string(help), "-l") {
		t.Skip("this minisign is another one, which signs in one form only")
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	minisign := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(program, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("minisign %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	data, b := build(t, manifest(), files())
	if err := os.WriteFile(path("x.bundle"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	ours := secret(t)
	if err := os.WriteFile(path("x.bundle.minisig"), ours.Sign(b, data), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := minisign("-Vm", path("x.bundle"), "-P", ours.Public().Text()); !strings.Contains(out, "Trusted comment: longline bundle acme 1.4") {
		t.Errorf("minisign says %s", out)
	}
	// Keys without a password, as a build server has them, and with one of longline's.
	minisign("-G", "-W", "-p", path("k.pub"), "-s", path("k.key"))
	public, err := os.ReadFile(path("k.pub"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := ParseKey(string(public))
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range [][]string{{"-S"}, {"-S", "-l"}} { // hashed, and the older form
		minisign(append(how, "-m", path("x.bundle"), "-s", path("k.key"), "-t", "published by Ann")...)
		signature, err := os.ReadFile(path("x.bundle.minisig"))
		if err != nil {
			t.Fatal(err)
		}
		signed, err := Verify(data, signature, []Key{key})
		if err != nil || signed.Comment != "published by Ann" || signed.Key != key.ID() {
			t.Errorf("%v: %+v, %v", how, signed, err)
		}
	}
	text, err := os.ReadFile(path("k.key"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := ParseSecret(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if theirs.Public().Text() != key.Text() {
		t.Error("its secret key is read as another")
	}
}

// A key with a password, made by the real minisign, is read with the password and not
// without it. (It was made with little memory, so that deriving its key is quick.)
func TestSecretWithPassword(t *testing.T) {
	const public, locked = "RWTVrnQeZnnfTnjyiZBQ+JqKwspaz9spVrbHF72TPCbhpBhV9af7U+5o", "untrusted comment: minisign encrypted secret key\nRWRTY0IysB9m0vQt97yIB1xIEFNWhg2YUYtv8PWrjjgn0Y4MwmwAABAAAAAAAAAAAAIAAAAAZB/0SKnLsOMVz9yjMseqnPTV0xBgR+KmdJqElPhwMmlxzjf8LlMfe3LtXJvV8N5WdOhxHCyiylevWxez7vVaWyXnaZ8W0S8PAzndIVnM0HmgYYFzt6TRUItaLeTZLwWkX60GWkRK9QQ=\n"
	nobody := errors.New("nobody is there to ask")
	if _, err := ParseSecret([]byte(locked), func() (string, error) { return "", nobody }); !errors.Is(err, nobody) {
		t.Errorf("got %v", err)
	}
	if _, err := ParseSecret([]byte(locked), func() (string, error) { return "open", nil }); err == nil || !strings.Contains(err.Error(), "password is wrong") {
		t.Errorf("wrong password: %v", err)
	}
	key, err := ParseSecret([]byte(locked), func() (string, error) { return "sesam", nil })
	if err != nil || key.Public().Text() != public {
		t.Errorf("right password: %v", err)
	}
	if _, err := ParseSecret([]byte(public), nil); err == nil || !strings.Contains(err.Error(), "not a minisign secret key") {
		t.Errorf("a public key: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	data, _ := build(f, manifest(), files())
	f.Add(data)
	f.Add(data[:1024])
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Read(data)
		if err != nil {
			return
		}
		if again, err := Encode(b.Manifest, b.Files); err != nil || !bytes.Equal(again, data) {
			t.Errorf("two files have one content: %v", err)
		}
		b.Config()
	})
}
