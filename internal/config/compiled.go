package config

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"longline/internal/disk"
	"longline/internal/policy"
	"longline/internal/record"
)

// ErrNotCompiled says that a rules file has no compiled form. longline-hook
// does not read YAML.
var ErrNotCompiled = errors.New("the rules file has not been compiled")

// compiledVersion changes with the form of what is below.
const compiledVersion = 5

// maxCompiled bounds what is read of a compiled file.
const maxCompiled = 64 << 20

// compiled is the form in which rules files are kept for the hook. It carries
// the text it was made from, and counts only while that is byte for byte what
// the files hold, the longline that made it is the one that is installed, and
// the seal over all of it is the user's.
type compiled struct {
	maker    string // which longline made it, as [stamp] tells
	name     string // of the rules file, as it was given
	text     string
	included []included
	rules    string // as policy.Encode gave them
	bundle   bundled
}

// bundled is what the compiled form of a bundle has besides.
type bundled struct {
	name, version string
	from, until   int64  // when it counts, in seconds since 1970
	models        string // as command.Open reads them
}

// included is a file that another brought in.
type included struct{ from, name, full, text string }

// encode writes the form: the seal, and then what it covers.
func (c *compiled) encode(key []byte) []byte {
	body := c.body()
	sum := seal(key, string(body))
	head := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, sum[0]), sum[1])
	return append(head, body...)
}

func (c *compiled) body() []byte {
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
	w.Text(c.rules)
	w.Text(c.bundle.name)
	w.Text(c.bundle.version)
	w.Int(int(c.bundle.from))
	w.Int(int(c.bundle.until))
	w.Text(c.bundle.models)
	return w.Bytes()
}

// sealSize is the length of a seal.
const sealSize = 16

// sealed says whether the seal over the form is the user's.
func sealed(data string, key []byte) bool {
	if len(data) < sealSize {
		return false
	}
	sum := seal(key, data[sealSize:])
	return word(data) == sum[0] && word(data[8:]) == sum[1]
}

// decodeCompiled reads a form whose seal has been looked at.
func decodeCompiled(data string) (*compiled, error) {
	if len(data) < sealSize {
		return nil, record.ErrCorrupt
	}
	r := record.NewReader(data[sealSize:])
	if r.Uint() != compiledVersion {
		r.Fail()
	}
	c := &compiled{maker: r.Text(), name: r.Text(), text: r.Text()}
	c.included = record.ReadList(r, func(r *record.Reader) included {
		return included{r.Text(), r.Text(), r.Text(), r.Text()}
	})
	c.rules = r.Text()
	c.bundle = bundled{r.Text(), r.Text(), int64(r.Int()), int64(r.Int()), r.Text()}
	return c, r.End()
}

// word is the first eight bytes of a text as a number.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// load returns the compiled form and the rules of a file that has been opened, from what
// was compiled before. Every doubt is ErrNotCompiled.
func (s *shelf) load(name string, file *os.File, source fs.FileInfo, open Opener) (c *compiled, rules *policy.File, err error) {
	maker, key := stamp(), s.key()
	if s.dir == "" || maker == "" || key == nil {
		return nil, nil, ErrNotCompiled
	}
	f, info, err := openOwned(s.path(name), s.owner)
	if err != nil {
		return nil, nil, ErrNotCompiled
	}
	defer f.Close()
	data, release, err := mapped(f, info.Size())
	if err != nil {
		return nil, nil, ErrNotCompiled
	}
	defer func() {
		if err != nil {
			release() // else the rules are parts of it
		}
	}()
	m := s.mark(name, key, info, source)
	known := m.made()
	if !known && !sealed(data, key) {
		return nil, nil, ErrNotCompiled
	}
	c, err = decodeCompiled(data)
	if err != nil || c.maker != maker || c.name != name || !known && !holds(file, c.text) {
		return nil, nil, ErrNotCompiled
	}
	if !known {
		m.make()
	}
	if !c.includes(open) {
		return nil, nil, ErrNotCompiled
	}
	rules, err = policy.Open(c.rules)
	if err != nil {
		return nil, nil, ErrNotCompiled
	}
	return c, rules, nil
}

// includes says whether the files that were included are still what they were.
func (c *compiled) includes(open Opener) bool {
	for _, i := range c.included {
		full, text, err := open(i.from, i.name)
		if err != nil || full != i.full || i.text != string(text) {
			return false
		}
	}
	return true
}

// store keeps the compiled form of a file. It is a convenience: where it
// cannot be kept, the hook has the file read again with each call.
func (s *shelf) store(c *compiled, f *policy.File) {
	c.maker, c.rules = stamp(), string(policy.Encode(f))
	if s.dir == "" || c.maker == "" {
		return
	}
	key := s.newKey()
	if key == nil {
		return
	}
	data := c.encode(key)
	path := s.path(c.name)
	if old, _, err := openOwned(path, s.owner); err == nil {
		same := holds(old, string(data))
		old.Close()
		if same {
			return
		}
	}
	s.put(path, data)
}

// put puts a file on the shelf, whole or not at all.
func (s *shelf) put(path string, data []byte) {
	if err := os.MkdirAll(s.dir, s.mode|(s.mode&0o444)>>2); err != nil {
		return
	}
	temporary, err := os.CreateTemp(s.dir, ".new-*")
	if err != nil {
		return
	}
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Chmod(s.mode), temporary.Close())
	if err == nil {
		err = disk.Rename(temporary.Name(), path)
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
	// state holds the key of the seals. The administrator's files have none: nobody
	// else can write to their directory, and everybody must be able to check them.
	state  string
	public bool
}

var publicKey [keySize]byte

func (s *shelf) key() []byte {
	if s.public {
		return publicKey[:]
	}
	return readKey(s.state)
}

func (s *shelf) newKey() []byte {
	if s.public {
		return publicKey[:]
	}
	return makeKey(s.state)
}

// shelves sets where the compiled forms of the user's and of the project's files
// are kept, and where those of the administrator's. The latter are never
// taken from a place that a user can write to.
func (p *places) shelves() {
	if p.Cache != "" {
		p.users = shelf{dir: p.Cache, mode: 0o600, owner: os.Geteuid(), state: p.State}
	}
	info, err := os.Stat(p.admin)
	if p.unmanaged = missing(err); err == nil {
		p.admins = shelf{dir: filepath.Join(p.admin, "compiled"), mode: 0o644, owner: ownerOf(info), public: true}
	}
}

// path is where the compiled form of a file is. Two names that share a place
// only take turns.
func (s *shelf) path(name string) string {
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	return filepath.Join(s.dir, "rules-"+nameHash(name)+".bin")
}

// nameHash is a name as part of a file name.
func nameHash(name string) string {
	hash := uint64(14695981039346656037) // FNV-1a
	for i := range len(name) {
		hash = (hash ^ uint64(name[i])) * 1099511628211
	}
	return strconv.FormatUint(hash, 16)
}

// Sibling is the longline in the running program's own directory, or the
// program itself if it is longline. It is never looked for anywhere else.
func Sibling() (string, error) {
	exe, err := os.Executable()
	return siblingOf(exe), err
}

func siblingOf(exe string) string {
	bare := strings.TrimSuffix(exe, programEnd)
	for _, small := range [...]string{"-hook", "-wall"} {
		if large := strings.TrimSuffix(bare, small); large != bare && strings.HasSuffix(large, "longline") {
			return large + exe[len(bare):]
		}
	}
	return exe
}

// Beside is the small program that stands beside a longline.
func Beside(longline, small string) string {
	return strings.TrimSuffix(longline, programEnd) + small + programEnd
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
	if !ownedBy(f, info, owner) {
		f.Close()
		return nil, nil, fmt.Errorf("%s is not yours, or others may write it", path)
	}
	return f, info, nil
}
