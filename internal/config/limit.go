package config

import "time"

// judgeWithin is how long one judgement may take: less than the hook has for its answer,
// so that nothing is left working when that is given.
const judgeWithin = 3 * time.Second

// limit is [guard.Guard.Limit].
func limit() (stop func() bool) {
	end := time.Now().Add(judgeWithin)
	return func() bool { return time.Now().After(end) }
}
