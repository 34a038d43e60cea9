package config

import "time"

// judgeWithin is how long one judgement may take: less than the hook has for its answer,
// so that nothing is left working when that is given.
const judgeWithin = 3 * time.Second

// Limit is the [guard.Guard.Limit] of every judgement, unless [Options] has another.
func Limit() (stop func() bool) {
	end := time.Now().Add(judgeWithin)
	return func() bool { return time.Now().After(end) }
}
