// Package sync fetches bundles and puts the good ones where the hook finds them. It is
// never run by a hook.
package sync

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"longline/internal/bundle"
	"longline/internal/source"
)

// Settings are what sync.yaml says.
type Settings struct {
	Path   string
	Name   string // of the bundle
	Source string
	Keys   []bundle.Key // one, or two while one takes the other's place
	// Channel is the one that this machine follows, or "" if Canary decides.
	Channel string
	Canary  float64 // percent of the machines that follow canary
	// Credentials is a file with the login for the source, or "".
	Credentials string
}

// The channels.
const (
	Stable = "stable"
	Canary = "canary"
)

// maxKeys is how many keys can be pinned: the one in use and its successor.
const maxKeys = 2

// ParseSettings reads sync.yaml.
func ParseSettings(name string, text []byte) (*Settings, error) {
	src, docs := source.Parse(name, text)
	s := &Settings{Path: name}
	if len(docs) != 1 {
		if err := src.Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: expected one document with name, source and keys", name)
	}
	versioned := false
	docs[0].Fields(map[string]func(source.Node){
		"version": func(n source.Node) {
			versioned = true
			if n.Text() != "1" {
				n.Errorf("unknown version %q; this longline reads version 1", n.Text())
			}
		},
		"name":        func(n source.Node) { s.Name = n.Text() },
		"source":      s.readSource,
		"keys":        s.readKeys,
		"channel":     s.readChannel,
		"canary":      s.readCanary,
		"credentials": s.readCredentials,
	})
	if err := src.Err(); err != nil {
		return nil, err
	}
	if !versioned {
		return nil, fmt.Errorf(`%s: the version is missing; write "version: 1" first`, name)
	}
	if problem := s.problem(); problem != "" {
		return nil, fmt.Errorf("%s: %s", name, problem)
	}
	return s, nil
}

// problem says what is missing, or does not go together.
func (s *Settings) problem() string {
	switch {
	case s.Name == "" || s.Source == "" || len(s.Keys) == 0:
		return "name, source and keys are needed"
	case s.Channel != "" && s.Canary != 0:
		return "channel and canary cannot both be given"
	}
	return ""
}

func (s *Settings) readSource(n source.Node) {
	s.Source = n.Text()
	if err := s.checkSource(); err != nil {
		n.Errorf("%v", err)
	}
}

func (s *Settings) readKeys(n source.Node) {
	for _, one := range n.List() {
		key, err := bundle.ParseKey(one.Text())
		if err != nil {
			one.Errorf("%v", err)
			continue
		}
		s.Keys = append(s.Keys, key)
	}
	if len(s.Keys) > maxKeys {
		n.Errorf("at most %d keys can be pinned: the one in use and its successor", maxKeys)
	}
}

func (s *Settings) readChannel(n source.Node) {
	if s.Channel = n.Text(); s.Channel != Stable && s.Channel != Canary {
		n.Unknown("channel", s.Channel, []string{Stable, Canary})
	}
}

func (s *Settings) readCanary(n source.Node) {
	percent, err := strconv.ParseFloat(strings.TrimSuffix(n.Text(), "%"), 64)
	if err != nil || !(percent >= 0 && percent <= 100) {
		n.Errorf("%q is not a share of machines, such as 5%%", n.Text())
	}
	s.Canary = percent
}

func (s *Settings) readCredentials(n source.Node) {
	if s.Credentials = n.Text(); !filepath.IsAbs(s.Credentials) {
		n.Errorf("credentials must be the absolute path of a file")
	}
}

// checkSource says what is wrong with where bundles come from.
func (s *Settings) checkSource() error {
	if filepath.IsAbs(s.Source) {
		return nil
	}
	u, err := url.Parse(s.Source)
	if err != nil || u.Host == "" && u.Scheme != "" {
		return fmt.Errorf("%q is not an address", s.Source)
	}
	if u.User != nil {
		return fmt.Errorf("a login does not belong in the address; put it in a file, and name that with credentials")
	}
	switch u.Scheme {
	case "https", "oci":
		return nil
	case "http":
		if isLoopback(u.Hostname()) {
			return nil
		}
		return fmt.Errorf("%q is not encrypted; use https", s.Source)
	}
	return fmt.Errorf("%q is not a source; write https://HOST/PATH/, oci://REGISTRY/NAME or the absolute path of a directory", s.Source)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ChannelOf is the channel that a machine follows. The same machine always gets the
// same answer, and a larger share has in it every machine of a smaller one.
func (s *Settings) ChannelOf(machine string) string {
	if s.Channel != "" {
		return s.Channel
	}
	sum := sha256.Sum256([]byte("longline channel\x00" + s.Name + "\x00" + machine))
	if float64(binary.BigEndian.Uint64(sum[:])) < s.Canary/100*math.MaxUint64 {
		return Canary
	}
	return Stable
}

// Machine is what tells this machine from others, and stays the same.
func Machine() string {
	for _, name := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if text, err := os.ReadFile(name); err == nil && len(strings.TrimSpace(string(text))) >= 16 {
			return strings.TrimSpace(string(text))
		}
	}
	if id := systemID(); id != "" {
		return id
	}
	name, _ := os.Hostname()
	return name
}
