package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"longline/internal/policy"
	"longline/internal/record"
)

// ErrNotCompiled says that a rules file would have to be read in the language
// people write it in, which longline-hook does not know.
var ErrNotCompiled = errors.New("the rules file has not been compiled")

// compiledVersion changes with the form of what is below.
const compiledVersion = 2

// maxCompiled bounds what is read of a compiled file.
const maxCompiled = 64 << 20

// compiled is the form in which rules files are kept for the hook. It carries
// the text it was made from, and counts only while that is byte for byte what
// the files hold and the longline that made it is the one that is installed.
type compiled struct {
	maker    string // which longline made it, as [stamp] tells
	name     string // of the rules file, as it was given
	text     string
	included []included
	rules    string // as policy.Encode gave them
}

// included is a file that another brought in.
type included struct{ from, name, full, text string }

func (c *compiled) encode() []byte {
	var w record.Writer
	w.Uint(compiledVersion)
	w.Text(c.maker)
	w.Text(c.name)
	w.Text(c.text)
	record.List(&w, c.included, func(w *record.Writer, i included) {
		w.Text(i.from)
		w.Text(i.name)
		w.Text(i.full)
		w.Text(i.text)
	})
	w.Uint(checksum(c.rules))
	w.Text(c.rules)
	return w.Bytes()
}

func decodeCompiled(data string) (*compiled, error) {
	r := record.NewReader(data)
	if r.Uint() != compiledVersion {
		r.Fail()
	}
	c := &compiled{maker: r.Text(), name: r.Text(), text: r.Text()}
	c.included = record.ReadList(r, func(r *record.Reader) included {
		return included{r.Text(), r.Text(), r.Text(), r.Text()}
	})
	sum := r.Uint()
	c.rules = r.Text()
	if err := r.End(); err != nil {
		return nil, err
	}
	if sum != checksum(c.rules) {
		return nil, record.ErrCorrupt
	}
	return c, nil
}

// checksum notices damage. It is no secret and need not be: who can write the
// compiled form can write the rules. hash/crc32 builds tables at start.
func checksum(text string) uint64 {
	// Four sums at a time do not wait for each other.
	const prime = 0x9e3779b97f4a7c15
	a, b, c, d := uint64(len(text)), uint64(1), uint64(2), uint64(3)
	for ; len(text) >= 32; text = text[32:] {
		a = (a ^ word(text)) * prime
		b = (b ^ word(text[8:])) * prime
		c = (c ^ word(text[16:])) * prime
		d = (d ^ word(text[24:])) * prime
		a, b, c, d = a^a>>32, b^b>>32, c^c>>32, d^d>>32
	}
	sum := ((a*prime^b)*prime^c)*prime ^ d
	for i := range len(text) {
		sum = (sum ^ uint64(text[i])) * prime
		sum ^= sum >> 32
	}
	return sum
}

// word is the first eight bytes of a text as a number.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// load returns the text and the rules of a file that has been opened, from what
// was compiled before. Every doubt is ErrNotCompiled.
func (s *shelf) load(name string, file io.Reader, open Opener) (text string, rules *policy.File, err error) {
	maker := stamp()
	if s.dir == "" || maker == "" {
		return "", nil, ErrNotCompiled
	}
	f, info, err := openOwned(s.path(name), s.owner)
	if err != nil {
		return "", nil, ErrNotCompiled
	}
	defer f.Close()
	data, release, err := mapped(f, info.Size())
	if err != nil {
		return "", nil, ErrNotCompiled
	}
	defer func() {
		if err != nil {
			release() // else the rules are parts of it
		}
	}()
	c, err := decodeCompiled(data)
	if err != nil || c.maker != maker || c.name != name || !holds(file, c.text) {
		return "", nil, ErrNotCompiled
	}
	for _, i := range c.included {
		full, text, err := open(i.from, i.name)
		if err != nil || full != i.full || i.text != string(text) {
			return "", nil, ErrNotCompiled
		}
	}
	rules, err = policy.Open(c.rules)
	if err != nil {
		return "", nil, ErrNotCompiled
	}
	return c.text, rules, nil
}

// store keeps the compiled form of a file. It is a convenience: where it
// cannot be kept, the hook has the file read again with each call.
func (s *shelf) store(c *compiled, f *policy.File) {
	c.maker, c.rules = stamp(), string(policy.Encode(f))
	if s.dir == "" || c.maker == "" {
		return
	}
	data := c.encode()
	path := s.path(c.name)
	if old, _, err := openOwned(path, s.owner); err == nil {
		same := holds(old, string(data))
		old.Close()
		if same {
			return
		}
	}
	if err := os.MkdirAll(s.dir, s.mode|(s.mode&0o444)>>2); err != nil {
		return
	}
	temporary, err := os.CreateTemp(s.dir, ".new-*")
	if err != nil {
		return
	}
	_, err = temporary.Write(data)
	if wrong := temporary.Chmod(s.mode); err == nil {
		err = wrong
	}
	if wrong := temporary.Close(); err == nil {
		err = wrong
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
}

// shelf is a directory of compiled files, each readable by those whom its
// rules concern and written by those who may write the rules themselves.
type shelf struct {
	dir   string
	mode  fs.FileMode
	owner int
}

// shelves sets where the compiled forms of the user's and of the project's files
// are kept, and where those of the administrator's. The latter are never
// taken from a place that a user can write to.
func (p *places) shelves() {
	if len(p.cache) > 0 {
		p.users = shelf{dir: p.cache[0], mode: 0o600, owner: os.Geteuid()}
	}
	info, err := os.Stat(p.admin)
	if p.unmanaged = missing(err); err == nil {
		p.admins = shelf{dir: filepath.Join(p.admin, "compiled"), mode: 0o644, owner: ownerOf(info)}
	}
}

// path is where the compiled form of a file is. Two names that share a place
// only take turns.
func (s *shelf) path(name string) string {
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	hash := uint64(14695981039346656037) // FNV-1a
	for i := range len(name) {
		hash = (hash ^ uint64(name[i])) * 1099511628211
	}
	return filepath.Join(s.dir, "rules-"+strconv.FormatUint(hash, 16)+".bin")
}

// Sibling is the longline that stands beside the running program, or the
// program itself if it is longline. It is never looked for anywhere else.
func Sibling() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	dir, name := filepath.Split(exe)
	if strings.HasSuffix(name, "longline-hook") {
		return filepath.Join(dir, strings.TrimSuffix(name, "-hook")), nil
	}
	return exe, nil
}

// stamp tells one build of longline from another, so that what an older one
// made of a file is made anew.
func stamp() string {
	path, err := Sibling()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path + " " + strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
}

// openOwned opens a file that belongs to a user and that nobody else can have
// written.
func openOwned(path string, owner int) (*os.File, fs.FileInfo, error) {
	f, info, err := openRegular(path, maxCompiled)
	if err != nil {
		return nil, nil, err
	}
	if uid := ownerOf(info); uid != owner || info.Mode()&0o022 != 0 {
		f.Close()
		return nil, nil, fmt.Errorf("%s belongs to user %d, or others may write it", path, uid)
	}
	return f, info, nil
}
