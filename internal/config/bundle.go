package config

import (
	"errors"
	"fmt"
	"os"
	"time"

	"longline/internal/policy"
)

// BundleDir is where a bundle is kept, in the administrator's directory or in that of
// the user's state; BundleFile is its name in there. "longline sync" puts it there after
// it has checked its signature. Anyone who can write there can write rules as well, so
// the hook checks the file's owner and no signature.
const (
	BundleDir  = "bundle"
	BundleFile = "current"
	// RevokedFile says that the key that signed it is no longer pinned.
	RevokedFile = "revoked"
	// SyncFile says where bundles come from and whose signature counts. It is in the
	// administrator's directory or beside the user's rules.
	SyncFile = "sync.yaml"
)

// MaxBundle bounds the size of a bundle.
const MaxBundle = 4 << 20

// clockMayDiffer is how far this machine's clock may be behind the publisher's.
const clockMayDiffer = 24 * time.Hour

// Bundle is a team's rules and models, as they were published together.
type Bundle struct {
	Name, Version string
	From, Until   time.Time // when it was made, and until when what it allows counts
	File          *policy.File
	Models        string // as command.Open reads them; "" if there are none
	// Path is where it is installed, or "".
	Path string
	// Lost is why what it allows does not count; "" if it does.
	Lost string
}

// BundleParser reads a bundle. Its errors name the file.
type BundleParser func(path string, text []byte) (*Bundle, error)

// BundlePlace is where a bundle is installed: the directory, and who must own it.
type BundlePlace struct {
	Dir   string
	Admin bool // it is the administrator's
	owner int
}

func (p *places) bundlePlaces() []BundlePlace {
	var list []BundlePlace
	if !p.unmanaged {
		list = append(list, BundlePlace{below(p.admin, BundleDir), true, p.admins.owner})
	}
	if p.State != "" {
		list = append(list, BundlePlace{below(p.State, BundleDir), false, os.Geteuid()})
	}
	return list
}

// BundleSettings are the files that may say where bundles come from and whose signature
// counts, each with the place for what it says. The first that is there counts.
func BundleSettings(o Options) (paths []string, places []BundlePlace) {
	p := placesOf(o)
	for _, at := range p.bundlePlaces() {
		if at.Admin {
			paths, places = append(paths, below(p.admin, SyncFile)), append(places, at)
		} else if len(p.Config) > 0 {
			paths, places = append(paths, below(p.Config[0], SyncFile)), append(places, at)
		}
	}
	return paths, places
}

// bundle finds the bundle in force, or nil.
func (p *places) bundle(o *Options) (*Bundle, error) {
	b, err := p.findBundle(o)
	if b == nil || err != nil {
		return nil, err
	}
	now := time.Now
	if o.Now != nil {
		now = o.Now
	}
	b.File.Bundled = true
	if b.Lost == "" {
		b.Lost = b.outOfTime(now())
	}
	b.File.Expired = b.Lost != ""
	return b, nil
}

// findBundle finds the bundle that was given or the first that is installed, or nil.
func (p *places) findBundle(o *Options) (*Bundle, error) {
	if o.NoBundle {
		return nil, nil
	}
	if o.Bundle != nil {
		b, file := *o.Bundle, *o.Bundle.File
		b.File = &file
		return &b, nil
	}
	for _, at := range p.bundlePlaces() {
		b, err := p.installed(at)
		if err != nil && !missing(err) {
			return nil, err
		}
		if b != nil {
			return b, nil
		}
	}
	return nil, nil
}

// outOfTime says why a bundle does not count at a time, "" if it does.
func (b *Bundle) outOfTime(t time.Time) string {
	switch {
	case !t.Before(b.Until):
		return "it expired on " + b.Until.UTC().Format("2006-01-02")
	case t.Before(b.From.Add(-clockMayDiffer)):
		return "it was made on " + b.From.UTC().Format("2006-01-02") + ", and which is in the future by this machine's clock"
	}
	return ""
}

func (p *places) installed(at BundlePlace) (*Bundle, error) {
	path := below(at.Dir, BundleFile)
	file, info, err := openOwned(path, at.owner)
	if err != nil {
		return nil, &Error{path, err}
	}
	defer file.Close()
	if info.Size() > MaxBundle {
		return nil, &Error{path, fmt.Errorf("%s is larger than %d bytes", path, MaxBundle)}
	}
	s := &p.users
	if at.Admin {
		s = &p.admins
	}
	var b *Bundle
	if p.parse == nil {
		c, rules, err := s.load(path, file, info, nil)
		if err != nil {
			return nil, err
		}
		b = &Bundle{Name: c.bundle.name, Version: c.bundle.version, From: time.Unix(c.bundle.from, 0), Until: time.Unix(c.bundle.until, 0), File: rules, Models: c.bundle.models}
	} else {
		text, err := readFile(path, MaxBundle)
		switch {
		case err != nil:
			return nil, &Error{path, err}
		case p.parseBundle == nil:
			return nil, &Error{path, errors.New("this program does not read bundles")}
		}
		if b, err = p.parseBundle(path, text); err != nil {
			return nil, err
		}
		s.store(&compiled{name: path, text: string(text), bundle: bundled{b.Name, b.Version, b.From.Unix(), b.Until.Unix(), b.Models}}, b.File)
	}
	b.Path = path
	if exists(below(at.Dir, RevokedFile)) {
		b.Lost = "the key that signed it no longer counts"
	}
	return b, nil
}

// doubt is what is to be said of the models of a bundle that does not count.
func (b *Bundle) doubt() string {
	if b.Lost == "" {
		return ""
	}
	return "only a bundle that no longer counts describes it"
}

// Title is the bundle's name and version.
func (b *Bundle) Title() string { return b.Name + " " + b.Version }
