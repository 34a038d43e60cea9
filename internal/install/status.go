package install

import (
	"bytes"
	"slices"
)

// State is how an agent stands towards longline.
type State uint8

const (
	NotWired State = iota
	Stale          // longline is there, but not as it would be installed now
	Wired
)

func (s State) String() string { return [...]string{"not wired", "stale", "wired"}[s%3] }

// Check says whether longline is installed in an agent as it should be. An error
// means that the settings cannot be read as the agent reads them.
func Check(agent string, p Place, c Command, read func(path string) ([]byte, error)) (State, error) {
	for _, observe := range [...]bool{false, true} {
		c.Observe = observe
		changes, err := Install(agent, p, c, read)
		if err != nil {
			return NotWired, err
		}
		if !slices.ContainsFunc(changes, func(c Change) bool { return !c.Nothing() }) {
			return Wired, nil
		}
	}
	changes, err := Uninstall(agent, p, read)
	if err != nil {
		return NotWired, err
	}
	if slices.ContainsFunc(changes, func(c Change) bool { return !c.Nothing() }) {
		return Stale, nil
	}
	return NotWired, nil
}

// Keeps says whether a new content of one of an agent's files still holds all
// of longline's entries that the old one held. It is what a hook asks that guards
// settings against being changed from under it.
func Keeps(agent string, p Place, path string, old, text []byte) (bool, error) {
	targets, err := find(agent, &p)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(targets, func(t target) bool { return t.path == path })
	if i < 0 {
		return true, nil
	}
	ours := func(content []byte) (bool, error) {
		if content == nil {
			return false, nil
		}
		left, err := targets[i].take(content, func(string) []byte { return nil })
		return err == nil && !bytes.Equal(left, content), err
	}
	had, err := ours(old)
	if err != nil || !had {
		return true, nil // there was nothing to keep
	}
	return ours(text)
}
