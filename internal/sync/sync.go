package sync

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"longline/internal/bundle"
	"longline/internal/config"
)

// StateFile is what sync remembers, beside the bundle.
const StateFile = "state.json"

// State is what sync remembers.
type State struct {
	Tried   time.Time `json:"tried"`
	Reached time.Time `json:"reached"` // when the source last answered as it should
	Channel string    `json:"channel"`
	Source  string    `json:"source"`
	Tag     string    `json:"tag,omitempty"`
	// Failures is how often it has failed since, and Next when it tries again.
	Failures int       `json:"failures,omitempty"`
	Next     time.Time `json:"next,omitzero"`
	Problem  string    `json:"problem,omitempty"`
	// Refused says why the bundle that the source has is not taken.
	Refused   string     `json:"refused,omitempty"`
	Installed *Installed `json:"installed,omitempty"`
}

// Installed is the bundle that counts.
type Installed struct {
	Name      string    `json:"name"`
	Version   string    `json:"version"`
	Digest    string    `json:"sha256"`
	Key       string    `json:"key"`
	Signature string    `json:"signature"`
	Comment   string    `json:"trusted_comment"`
	Since     time.Time `json:"since"`
	NotAfter  time.Time `json:"not_after"`
}

// Options are for one run.
type Options struct {
	Settings *Settings
	Dir      string // where the bundle is kept
	Admin    bool   // everybody reads it
	Version  string // of this longline
	Machine  string
	Force    bool          // try although it is too early after a failure
	Jitter   time.Duration // wait for a part of this first, so that not all machines come at once
	Now      func() time.Time
	// Wait waits, and returns early with an error if it is to end.
	Wait func(ctx context.Context, d time.Duration) error
}

// Result is the outcome of a run.
type Result struct {
	State   State
	Changed bool // another bundle is installed now
	Early   bool // nothing was done: the last attempt has failed not long ago
	Err     error
}

// Bounds of one run and of the pauses between runs after failures.
const (
	attempts  = 3
	within    = 2 * time.Minute
	leastWait = time.Minute
	mostWait  = 6 * time.Hour
)

// Run fetches the bundle of this machine's channel and installs it if it is good and
// newer. Whatever is wrong with it, the last good one stays.
func Run(ctx context.Context, o Options) Result {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if err := o.prepare(ctx); err != nil {
		return Result{Err: err}
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(o.Dir, "lock")).Lock()
	if err != nil {
		return Result{Err: err}
	}
	defer unlock()
	r := &run{Options: o}
	r.state, err = ReadState(o.Dir)
	if err != nil {
		return Result{Err: err}
	}
	channel := o.Settings.ChannelOf(o.Machine)
	if r.state.Channel != channel || r.state.Source != o.Settings.Source {
		r.state.Channel, r.state.Source, r.state.Tag, r.state.Next, r.state.Failures = channel, o.Settings.Source, "", time.Time{}, 0
	}
	if !o.Force && o.Now().Before(r.state.Next) {
		return Result{State: r.state, Early: true}
	}
	changed, err := r.run(ctx)
	return Result{State: r.state, Changed: changed, Err: err}
}

// prepare makes the directory, and waits a while.
func (o *Options) prepare(ctx context.Context) error {
	mode := fs.FileMode(0o700)
	if o.Admin {
		mode = 0o755
	}
	if err := os.MkdirAll(o.Dir, mode); err != nil {
		return err
	}
	if o.Jitter > 0 {
		return o.Wait(ctx, rand.N(o.Jitter))
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

type run struct {
	Options
	state State
}

func (r *run) run(ctx context.Context) (changed bool, err error) {
	now := r.Now()
	r.state.Tried = now.UTC().Truncate(time.Second)
	f, err := r.attempts(ctx, r.tag())
	if err != nil {
		r.failed(err)
		return false, errors.Join(err, r.save())
	}
	r.state.Reached, r.state.Problem, r.state.Failures, r.state.Next = r.state.Tried, "", 0, time.Time{}
	if f.unchanged {
		return false, r.save()
	}
	r.state.Refused = ""
	b, signed, err := bundle.Accept(f.data, f.signature, r.Settings.Keys, r.Settings.Name, r.Version, now)
	if err == nil {
		err = r.newer(b)
	}
	if err != nil {
		return false, r.refuse(err)
	}
	old := r.state.Installed
	r.state.Tag = f.tag
	r.state.Installed = &Installed{
		Name: b.Name, Version: b.Version, Digest: b.Digest, Key: signed.Key, Signature: string(f.signature), Comment: signed.Comment,
		Since: r.state.Tried, NotAfter: b.NotAfter,
	}
	path := filepath.Join(r.Dir, config.BundleFile)
	if old != nil && old.Digest == b.Digest && holds(path, f.data) {
		r.state.Installed.Since = old.Since
		return false, errors.Join(r.unrevoke(), r.save())
	}
	// The state first: if it ends here, the file is not what the state says and is fetched again.
	if err := r.save(); err != nil {
		return false, err
	}
	if err := r.write(path, f.data); err != nil {
		return false, err
	}
	return true, r.unrevoke()
}

// tag is the tag of what is here; "" if what is here is not what it stands for, or may be
// good by now.
func (r *run) tag() string {
	if err := r.recheck(); err != nil || r.state.Installed == nil || r.state.Refused != "" {
		return ""
	}
	return r.state.Tag
}

// refuse notes why a bundle was not installed. It may be between two uploads, or about to
// be replaced.
func (r *run) refuse(why error) error {
	r.state.Refused = "the bundle of channel " + r.state.Channel + " is refused: " + why.Error()
	r.failed(errors.New(r.state.Refused))
	r.state.Tag = ""
	return errors.Join(errors.New(r.state.Refused), r.save())
}

// holds reports whether a file holds just this.
func holds(path string, data []byte) bool {
	there, err := os.ReadFile(path)
	return err == nil && bytes.Equal(there, data)
}

// newer says whether a bundle may take the place of the last one.
func (r *run) newer(b *bundle.Bundle) error {
	last := r.state.Installed
	if last == nil || last.Name != b.Name || last.Digest == b.Digest {
		return nil
	}
	switch d := bundle.CompareVersions(b.Version, last.Version); {
	case d < 0:
		return fmt.Errorf("version %s is older than %s, which this machine has; to go back, publish the old rules under a new version", b.Version, last.Version)
	case d == 0:
		return fmt.Errorf("version %s is not the one that this machine has under the same number; give every bundle a new version", b.Version)
	}
	return nil
}

// recheck looks whether the installed bundle is still what was installed, and whether
// the key that signed it is still pinned. If not, what it allows does not count.
func (r *run) recheck() error {
	err := CheckInstalled(r.Dir, r.state, r.Settings)
	if err != nil && r.state.Installed != nil {
		if _, missing := os.Stat(filepath.Join(r.Dir, config.BundleFile)); missing == nil {
			return errors.Join(err, r.write(filepath.Join(r.Dir, config.RevokedFile), []byte(err.Error()+"\n")))
		}
	}
	return err
}

func (r *run) unrevoke() error {
	err := os.Remove(filepath.Join(r.Dir, config.RevokedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// CheckInstalled says what is wrong with the bundle in a directory: whether it is the
// one that was installed, and whether a pinned key has signed it.
func CheckInstalled(dir string, s State, settings *Settings) error {
	data, err := readBounded(filepath.Join(dir, config.BundleFile), bundle.MaxSize)
	switch {
	case err != nil:
		return err
	case s.Installed == nil:
		return errors.New("nothing records who put this bundle here")
	}
	_, err = bundle.Verify(data, []byte(s.Installed.Signature), settings.Keys)
	return err
}

// attempts fetches, and tries again where that may help.
func (r *run) attempts(ctx context.Context, tag string) (f fetched, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for i := range attempts {
		f, err = r.Settings.fetch(ctx, r.state.Channel, tag)
		var later retryAfter
		if err == nil || errors.As(err, new(permanent)) || errors.As(err, &later) || i == attempts-1 {
			return f, err
		}
		if wrong := r.Wait(ctx, time.Second<<i+rand.N(time.Second)); wrong != nil {
			return f, err
		}
	}
	return f, err
}

// failed notes a failure, and that the next attempts come at longer and longer
// intervals, at another moment on each machine.
func (r *run) failed(err error) {
	r.state.Problem = err.Error()
	r.state.Failures++
	pause := leastWait << min(r.state.Failures-1, 10)
	var later retryAfter
	if errors.As(err, &later) {
		pause = max(pause, later.wait)
	}
	pause = min(pause, mostWait)
	r.state.Next = r.Now().Add(pause/2 + rand.N(pause/2)).UTC().Truncate(time.Second)
}

// ReadState reads what sync remembers; without it there is nothing.
func ReadState(dir string) (s State, err error) {
	name := filepath.Join(dir, StateFile)
	text, err := readBounded(name, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return s, err
}

func (r *run) save() error {
	text, err := json.MarshalIndent(r.state, "", "  ")
	if err != nil {
		return err
	}
	return r.write(filepath.Join(r.Dir, StateFile), append(text, '\n'))
}

// write puts a file in its place at once.
func (r *run) write(path string, data []byte) error {
	mode := fs.FileMode(0o600)
	if r.Admin {
		mode = 0o644
	}
	f, err := os.CreateTemp(r.Dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
