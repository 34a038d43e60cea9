package gitstore

import (
	"slices"
	"strconv"
	"strings"
)

// Resolve finds the commit that a revision names: a branch, tag or remote branch,
// HEAD, "-", the name of an object, and with ~N and ^ what is above it.
func (s *Store) Resolve(revision string) (ID, error) {
	name, rest := revision, ""
	if i := strings.IndexAny(revision, "~^"); i > 0 {
		name, rest = revision[:i], revision[i:]
	}
	id, err := s.named(name)
	for err == nil && rest != "" {
		sign := rest[0]
		rest = rest[1:]
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n := 1
		if digits > 0 {
			n, _ = strconv.Atoi(rest[:digits])
			rest = rest[digits:]
		}
		switch {
		case sign == '^' && (digits > 0 || !strings.HasPrefix(rest, "{")):
			id, err = s.parent(id, n)
		case sign == '~' && n <= 1000:
			id, err = s.above(id, n)
		default:
			return id, errFormat
		}
	}
	return id, err
}

// above is the commit that is so many above another one, by first parents.
func (s *Store) above(id ID, n int) (_ ID, err error) {
	for ; n > 0 && err == nil; n-- {
		id, err = s.parent(id, 1)
	}
	return id, err
}

// parent is the parent of a commit by its number; 0 is the commit itself.
func (s *Store) parent(id ID, n int) (ID, error) {
	_, parents, err := s.commit(id)
	switch {
	case err != nil || n <= 0:
		return id, err
	case n > len(parents):
		return id, ErrNone
	}
	return parents[n-1], nil
}

func (s *Store) named(name string) (ID, error) {
	if err := s.check(); err != nil {
		return ID{}, err
	}
	name, err := s.spelled(name)
	if err != nil {
		return ID{}, err
	}
	if n, ok := strings.CutPrefix(name, "stash@{"); ok && strings.HasSuffix(n, "}") {
		return s.logged("refs/stash", strings.TrimSuffix(n, "}"))
	}
	if !isPlain(name) {
		return ID{}, errFormat
	}
	if id, err := s.refNamed(name); err != ErrNone {
		return id, err
	}
	if len(name) == 40 {
		return parse(name)
	}
	if short, ok := shortID(name); ok {
		if id, err := s.abbreviated(short); err != ErrNone {
			return id, err
		}
	}
	return s.remote(name)
}

// spelled is the name of a ref that some short forms stand for.
func (s *Store) spelled(name string) (string, error) {
	switch name {
	case "-", "@{-1}":
		return s.before()
	case "@":
		return "HEAD", nil
	case "stash":
		return "refs/stash", nil
	}
	return name, nil
}

// isPlain says whether a name can be that of a ref which every working tree sees alike.
func isPlain(name string) bool {
	return !strings.ContainsAny(name, "{}: *?[\\") && !strings.Contains(name, "..") && !strings.HasPrefix(name, "worktrees/") && !strings.HasPrefix(name, "main-worktree/")
}

// refNamed finds the ref that git takes for a name. Beside the other refs there are only
// some in capitals.
func (s *Store) refNamed(name string) (ID, error) {
	for _, full := range [...]string{name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name, "refs/remotes/" + name + "/HEAD"} {
		if full == name && !strings.HasPrefix(name, "refs/") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-") != "" {
			continue
		}
		if id, err := s.ref(full, 0); err != ErrNone {
			return id, err
		}
	}
	return ID{}, ErrNone
}

// remote is the branch that "git switch topic" makes one of: the one that a single
// remote has.
func (s *Store) remote(name string) (ID, error) {
	found, id := 0, ID{}
	for _, remote := range s.files.List(s.common + "/refs/remotes") {
		if at, err := s.ref("refs/remotes/"+remote+"/"+name, 0); err == nil {
			found, id = found+1, at
		}
	}
	if found == 0 {
		if at, err := s.ref("refs/remotes/origin/"+name, 0); err == nil {
			return at, nil
		}
	}
	if found == 1 {
		return id, nil
	}
	return id, ErrNone
}

// shortID is the beginning of an id that a name may be.
func shortID(name string) (string, bool) {
	short := strings.ToLower(name)
	if i := strings.LastIndex(short, "-g"); i > 0 {
		short = short[i+2:] // as git describe prints it
	}
	return short, len(short) >= 4 && len(short) <= 40 && strings.Trim(short, "0123456789abcdef") == ""
}

func (s *Store) ref(name string, depth int) (ID, error) {
	if depth > maxChain {
		return ID{}, ErrTooMuch
	}
	dir := s.common
	if !strings.Contains(name, "/") {
		dir = s.dir
	}
	if text, err := s.file(dir + "/" + name); err == nil {
		if to, ok := strings.CutPrefix(string(text), "ref:"); ok {
			return s.ref(strings.TrimSpace(to), depth+1)
		}
		return parse(first(string(text)))
	}
	if err := s.packed(); err != nil {
		return ID{}, err
	}
	if id, ok := s.known.refs[name]; ok {
		return parse(id)
	}
	return ID{}, ErrNone
}

// packed reads the refs that are packed in one file, once.
func (s *Store) packed() error {
	if s.known.refs != nil {
		return nil
	}
	packed, err := s.file(s.common + "/packed-refs")
	if err == ErrTooMuch {
		return err
	}
	s.known.refs = map[string]string{}
	for line := range strings.Lines(string(packed)) {
		if id, ref, ok := strings.Cut(strings.TrimSpace(line), " "); ok && s.known.refs[ref] == "" {
			s.known.refs[ref] = id
		}
	}
	return nil
}

// logged is the entry of a ref's log that many back.
func (s *Store) logged(ref, back string) (ID, error) {
	n, err := strconv.Atoi(back)
	log, wrong := s.file(s.common + "/logs/" + ref)
	if err != nil || wrong != nil || n < 0 {
		return ID{}, ErrNone
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	if n >= len(lines) {
		return ID{}, ErrNone
	}
	fields := strings.Fields(lines[len(lines)-1-n])
	if len(fields) < 2 {
		return ID{}, errFormat
	}
	return parse(fields[1])
}

// before is the branch or commit that HEAD was at before the last switch.
func (s *Store) before() (string, error) {
	log, err := s.file(s.dir + "/logs/HEAD")
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if _, move, ok := strings.Cut(lines[i], "checkout: moving from "); ok {
			from, _, _ := strings.Cut(move, " to ")
			return from, nil
		}
	}
	return "", ErrNone
}

// abbreviated finds the object whose name begins so among the loose ones and in
// packs; of several it is none that is known here.
func (s *Store) abbreviated(name string) (ID, error) {
	found := s.looseWith(name)
	low, err := parse(name + strings.Repeat("0", 40-len(name)))
	if err != nil {
		return ID{}, err
	}
	s.list()
	for _, p := range s.packs {
		if !p.open(s) {
			continue
		}
		ids, ok := p.with(s, name, low)
		if !ok {
			return ID{}, errFormat
		}
		found = append(found, ids...)
	}
	if len(found) == 0 && (s.partly || len(s.stores) > 1) {
		return ID{}, ErrTooMuch
	}
	if len(found) == 0 {
		return ID{}, ErrNone
	}
	if slices.ContainsFunc(found, func(id ID) bool { return id != found[0] }) {
		return ID{}, ErrTooMuch // git takes the only commit among them
	}
	return found[0], nil
}

// looseWith are the loose objects whose names begin so.
func (s *Store) looseWith(name string) (found []ID) {
	for _, rest := range s.files.List(s.common + "/objects/" + name[:2]) {
		if strings.HasPrefix(name[:2]+rest, name) {
			if id, err := parse(name[:2] + rest); err == nil {
				found = append(found, id)
			}
		}
	}
	return found
}
