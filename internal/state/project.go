package state

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	projectForm = "longline project 1"
	// projectFor is how long it is remembered where a session began.
	projectFor = 14 * 24 * time.Hour
	// maxProjects bounds how many sessions are remembered; the oldest go first.
	maxProjects = 256
)

// Began remembers the directory in which a session of an agent was first seen,
// and returns it. What was remembered first stays: the directory that a later
// call names is the model's choice.
func (s Store) Began(agent, session, dir string, now time.Time) string {
	if s.dir == "" || session == "" {
		return dir
	}
	name := pinName(agent, session)
	for range 2 {
		if record, err := s.read("project", name); err == nil {
			return beganIn(record, agent, session, dir)
		}
		s.makeRoom("project", maxProjects, projectFor, now)
		if s.create("project", name, fields(projectForm, agent, session, dir)) == nil {
			return dir
		}
	}
	return dir
}

// beganIn is the directory that a record names for a session. If two sessions have one name,
// neither is taken for the other, and it is dir.
func beganIn(record []byte, agent, session, dir string) string {
	f, rest, ok := cutFields(record, 4)
	if ok && rest == "" && f[0] == projectForm && f[1] == agent && f[2] == session {
		return f[3]
	}
	return dir
}

const (
	addedForm = "longline added 1"
	// maxAdded bounds how many directories are added to one session.
	maxAdded = 32
)

// AddDir remembers a directory that a person has added to a session of an agent.
func (s Store) AddDir(agent, session, dir string, now time.Time) error {
	dirs := s.AddedDirs(agent, session)
	if slices.Contains(dirs, dir) {
		return nil
	}
	if len(dirs) >= maxAdded {
		return errors.New("too many directories were added")
	}
	s.makeRoom("added", maxProjects, projectFor, now)
	return s.write("added", pinName(agent, session), fields(append([]string{addedForm, agent, session}, append(dirs, dir)...)...))
}

// AddedDirs are the directories that a person has added to a session.
func (s Store) AddedDirs(agent, session string) (dirs []string) {
	record, err := s.read("added", pinName(agent, session))
	if err != nil {
		return nil
	}
	f, rest, ok := cutFields(record, 3)
	if !ok || f[0] != addedForm || f[1] != agent || f[2] != session {
		return nil
	}
	for rest != "" {
		if f, rest, ok = cutFields([]byte(rest), 1); !ok {
			return nil
		}
		dirs = append(dirs, f[0])
	}
	return dirs
}

// makeRoom removes what is too old, and of more files than most the oldest.
func (s Store) makeRoom(kind string, most int, keep time.Duration, now time.Time) {
	dir := filepath.Join(s.dir, kind)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	oldest, when, left := "", now, 0
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if !fresh(info.ModTime(), now, keep) {
			os.Remove(path)
			continue
		}
		left++
		if !info.ModTime().After(when) {
			oldest, when = path, info.ModTime()
		}
	}
	if left >= most && oldest != "" {
		os.Remove(oldest)
	}
}
