package cli

import (
	"fmt"
	"os"

	"longline/internal/audit"
	"longline/internal/hook"
	"longline/internal/tool"
)

// maxRemembered bounds how many judgements a replay keeps for commands that
// come again.
const maxRemembered = 20_000

// change is a logged decision that would be another today.
type change struct {
	Command string   `json:"command"`
	Cwd     string   `json:"cwd"`
	Was     string   `json:"was"`
	Now     string   `json:"now"`
	Reason  string   `json:"reason"`
	Rules   []string `json:"rules"`
}

type replayJSON struct {
	Version  int      `json:"version"`
	Replayed int      `json:"replayed"`
	Skipped  int      `json:"skipped"`
	Changed  int      `json:"changed"`
	Changes  []change `json:"changes"`
}

// replay judges the commands of a log again and reports each decision that
// changes, once for every command. Commands that the log does not hold in full
// are skipped.
func (c *checker) replay(path string, asJSON bool) int {
	log, err := os.Open(path)
	if err != nil {
		return c.p.ended(err, exitUsage)
	}
	defer log.Close()
	type key struct {
		dir, command string
		was          tool.Decision
	}
	seen := map[key]bool{} // and whether the decision changed
	s := c.p.style()
	result := replayJSON{Version: 1, Changes: []change{}}
	corrupt, err := audit.Scan(log, func(r audit.Record) error {
		if !r.Shell || !r.Whole() {
			result.Skipped++
			return nil
		}
		result.Replayed++
		k := key{r.Dir, r.Command, r.Decision}
		if changed, known := seen[k]; known {
			if changed {
				result.Changed++
			}
			return nil
		}
		v, _, err := c.judge(r.Command, c.place.within(r.Dir, ""))
		if err != nil {
			return err
		}
		if len(seen) >= maxRemembered {
			clear(seen)
		}
		seen[k] = v.Decision != r.Decision
		if !seen[k] {
			return nil
		}
		result.Changed++
		if asJSON {
			result.Changes = append(result.Changes, change{r.Command, r.Dir, r.Decision.String(), v.Decision.String(), v.Reason, ruleIDs(v)})
			return nil
		}
		_, err = fmt.Fprintf(c.p.out, "%s -> %s  %s\n       %s\n", s.decision(r.Decision, r.Decision.String()),
			s.decision(v.Decision, v.Decision.String()), s.bold(clean(r.Command, "")), clean(hook.Sentence(v), ""))
		return err
	})
	result.Skipped += corrupt
	if err == nil && asJSON {
		err = writeJSON(c.p.out, true, result)
	} else if err == nil {
		_, err = fmt.Fprintf(c.p.out, "%d replayed, %d skipped, %d changed\n", result.Replayed, result.Skipped, result.Changed)
	}
	if result.Changed > 0 {
		return c.p.ended(err, exitFailed)
	}
	return c.p.ended(err, exitOK)
}
