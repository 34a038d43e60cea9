package state

import "time"

// saidFor is how long a remark is not made again.
const saidFor = 24 * time.Hour

// Say returns true if a remark has not been made for a day, and remembers that it
// is made now. Where nothing can be remembered, it is made each time.
func (s Store) Say(remark string, now time.Time) bool {
	name := pinName("said", remark)
	s.makeRoom("said", 64, saidFor, now)
	if _, err := s.read("said", name); err == nil {
		return false
	}
	_ = s.create("said", name, fields(remark))
	return true
}

// Said reports whether a remark was made within a day.
func (s Store) Said(remark string) bool {
	_, err := s.read("said", pinName("said", remark))
	return err == nil
}
