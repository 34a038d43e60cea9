package state

import (
	"os"
	"path/filepath"
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
