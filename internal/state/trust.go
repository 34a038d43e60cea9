package state

import (
	"errors"
	"hash/fnv"
	"io/fs"
	"strconv"
	"time"
)

// Pin is one project file and what it says, with everything it includes.
type Pin struct {
	Repository string // as config.Repository names it
	Name       string // path from the project's root
	Content    string
	Since      time.Time // when it was trusted
}

const trustForm = "longline trust 1"

// Trust remembers that the user agrees with a file as it is. The text itself is
// kept rather than a digest of it: it is compared as a whole, which needs no
// cryptography on the way of every call, and it can be shown beside a later one.
func (s Store) Trust(p Pin) error {
	head := fields(trustForm, p.Repository, p.Name, p.Since.UTC().Format(time.RFC3339))
	return s.write("trust", pinName(p.Repository, p.Name), append(head, p.Content...))
}

// Pinned returns what the user trusts of a file, if anything.
func (s Store) Pinned(repository, name string) (Pin, bool) {
	p, ok := s.pin(pinName(repository, name))
	return p, ok && p.Repository == repository && p.Name == name
}

// Trusts reports whether the user has trusted this very content.
func (s Store) Trusts(repository, name, content string) bool {
	p, ok := s.Pinned(repository, name)
	return ok && p.Content == content
}

// Pins lists everything that is trusted.
func (s Store) Pins() []Pin {
	var pins []Pin
	for _, name := range s.names("trust") {
		if p, ok := s.pin(name); ok {
			pins = append(pins, p)
		}
	}
	return pins
}

// Revoke forgets a trusted file, and says whether there was one.
func (s Store) Revoke(repository, name string) (bool, error) {
	if _, ok := s.Pinned(repository, name); !ok {
		return false, nil
	}
	err := s.remove("trust", pinName(repository, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (s Store) pin(file string) (Pin, bool) {
	record, err := s.read("trust", file)
	if err != nil {
		return Pin{}, false
	}
	head, content, ok := cutFields(record, 4)
	if !ok || head[0] != trustForm {
		return Pin{}, false
	}
	since, err := time.Parse(time.RFC3339, head[3])
	return Pin{Repository: head[1], Name: head[2], Content: content, Since: since}, err == nil
}

// pinName is the name of the record. Two files that should share one would
// displace each other and have to be trusted again; neither would be taken for
// the other, since the record says whose it is.
func pinName(repository, name string) string {
	h := fnv.New64a()
	h.Write([]byte(repository + "\x00" + name))
	return strconv.FormatUint(h.Sum64(), 36)
}
