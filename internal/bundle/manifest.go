// Package bundle makes and reads policy bundles: rules, models and tests that a team
// publishes as one signed file.
//
// A bundle is an uncompressed tar archive of a fixed form, so that the same content is
// always the same bytes, and it is signed as a whole with minisign.
package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"longline/internal/source"
)

// Format is the version of the form of bundles.
const Format = 1

// ManifestFile is the first file of a bundle.
const ManifestFile = "manifest.json"

// Manifest says what a bundle is.
type Manifest struct {
	Format int    `json:"format"`
	Name   string `json:"name"`
	// Version is up to four numbers with dots between them. A machine takes no bundle
	// with a smaller one than it had.
	Version string    `json:"version"`
	Time    time.Time `json:"time"`
	// NotAfter is when what the bundle allows ceases to count. What it forbids stays.
	NotAfter time.Time `json:"not_after"`
	// Longline is the least version of longline that can use it; "" is any.
	Longline string `json:"minimum_longline,omitempty"`
}

// The forms of a manifest's fields. They are compiled when they are needed: every other
// command of longline starts without them.
var (
	nameForm    = form(`^[a-z0-9][a-z0-9-]{0,62}$`)
	versionForm = form(`^(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){0,3}$`)
)

func form(expression string) func(string) bool {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	return func(text string) bool { return compiled().MatchString(text) }
}

// check says what is wrong with a manifest.
func (m *Manifest) check() error {
	switch {
	case m.Format != Format:
		return fmt.Errorf("unknown format %d; this longline reads format %d", m.Format, Format)
	case !nameForm(m.Name):
		return fmt.Errorf("the name %q is not valid: use up to 63 lower-case letters, digits and dashes", m.Name)
	case !versionForm(m.Version):
		return fmt.Errorf("the version %q is not valid: write up to four numbers with dots between them, such as 1.4 or 2026.11.15", m.Version)
	case m.Time.IsZero() || m.NotAfter.IsZero():
		return errors.New("time and not_after are both needed")
	case !m.NotAfter.After(m.Time):
		return fmt.Errorf("not_after %s is not after time %s", stamp(m.NotAfter), stamp(m.Time))
	case m.Longline != "" && !versionForm(m.Longline):
		return fmt.Errorf("minimum_longline %q is not a version, such as 0.2.0", m.Longline)
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// encode is the one text of a manifest.
func (m Manifest) encode() []byte {
	m.Time, m.NotAfter = m.Time.UTC().Truncate(time.Second), m.NotAfter.UTC().Truncate(time.Second)
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err) // there is nothing in it that JSON cannot hold
	}
	return append(text, '\n')
}

func decodeManifest(text []byte) (m Manifest, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, err
	}
	if err := m.check(); err != nil {
		return m, err
	}
	if !bytes.Equal(m.encode(), text) {
		return m, errors.New("it is not in canonical form")
	}
	return m, nil
}

// CompareVersions compares two versions number by number.
func CompareVersions(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		if d := number(x, i) - number(y, i); d != 0 {
			return d
		}
	}
	return 0
}

func number(parts []string, i int) int {
	if i >= len(parts) {
		return 0
	}
	n, _ := strconv.Atoi(parts[i])
	return n
}

// Recipe is the file bundle.yaml in the directory that a bundle is built from.
type Recipe struct {
	Manifest
	Valid time.Duration // instead of not_after
}

// ParseRecipe reads bundle.yaml.
func ParseRecipe(name string, text []byte) (Recipe, error) {
	src, docs := source.Parse(name, text)
	var r Recipe
	r.Format = Format
	at := func(to *time.Time) func(source.Node) {
		return func(n source.Node) {
			t, err := ParseTime(n.Text())
			if err != nil {
				n.Errorf("%v", err)
			}
			*to = t
		}
	}
	if len(docs) != 1 {
		return r, fmt.Errorf("%s: expected one document with name and version", name)
	}
	docs[0].Fields(map[string]func(source.Node){
		"name":      func(n source.Node) { r.Name = n.Text() },
		"version":   func(n source.Node) { r.Version = n.Text() },
		"time":      at(&r.Time),
		"not_after": at(&r.NotAfter),
		"valid": func(n source.Node) {
			days, err := ParseDays(n.Text())
			if err != nil {
				n.Errorf("%v", err)
			}
			r.Valid = days
		},
		"minimum_longline": func(n source.Node) { r.Longline = n.Text() },
	})
	return r, src.Err()
}

// ParseTime reads a time or a day.
func ParseTime(text string) (time.Time, error) {
	for _, form := range []string{time.RFC3339, "2006-01-02"} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time, such as 2026-11-15 or 2026-11-15T12:00:00Z", text)
}

// ParseDays reads a number of days: 90d.
func ParseDays(text string) (time.Duration, error) {
	days, err := strconv.Atoi(strings.TrimSuffix(text, "d"))
	if err != nil || days < 1 || days > 3660 {
		return 0, fmt.Errorf("%q is not a number of days, such as 90d", text)
	}
	return time.Duration(days) * 24 * time.Hour, nil
}
