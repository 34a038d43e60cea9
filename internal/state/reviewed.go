package state

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Reviewed is when a person last went through the questions; zero if never.
func (s Store) Reviewed() time.Time {
	if s.dir == "" {
		return time.Time{}
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "review", "last"))
	if err != nil {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	if err != nil {
		return time.Time{}
	}
	return t
}

// SetReviewed notes when a person went through the questions.
func (s Store) SetReviewed(t time.Time) error {
	return s.write("review", "last", []byte(t.UTC().Format(time.RFC3339)+"\n"))
}
