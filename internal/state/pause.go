package state

import (
	"errors"
	"io/fs"
	"time"
)

// MaxPause is the longest that questions can be put off.
const MaxPause = 8 * time.Hour

const pauseForm = "longline pause 1"

// Pause puts questions off until a time.
func (s Store) Pause(now, until time.Time) error {
	if until.Sub(now) > MaxPause {
		return errors.New("a pause is at most " + MaxPause.String() + " long")
	}
	return s.write("pause", "until", fields(pauseForm, until.UTC().Format(time.RFC3339)))
}

// Resume ends a pause, and says whether there was one.
func (s Store) Resume() (bool, error) {
	if s.dir == "" {
		return false, nil
	}
	err := s.remove("pause", "until")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Paused returns until when questions are put off. A time further away than a
// pause can be long was not written by longline, or the clock has been set.
func (s Store) Paused(now time.Time) (until time.Time, ok bool) {
	record, err := s.read("pause", "until")
	if err != nil {
		return until, false
	}
	f, rest, ok := cutFields(record, 2)
	if !ok || rest != "" || f[0] != pauseForm {
		return until, false
	}
	until, err = time.Parse(time.RFC3339, f[1])
	return until, err == nil && now.Before(until) && until.Sub(now) <= MaxPause
}
