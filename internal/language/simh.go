package language

import (
	"strings"

	"longline/internal/tool"
)

// Commands to a simulator of old machines that look at the simulated machine, change it
// or let it run. What runs there reaches this machine only through files that are
// attached. All other commands, among them those that reach a shell, are not followed.
const (
	simhPlain   = `e ex exam examine d dep deposit ev evaluate ru run g go s step c cont continue reset boot b br break nobr nobreak h help q quit exit bye echo show det detach`
	simhDevices = `cpu tti tto clk clock ptr ptp lpt rk rl rp rq rx ry hk tm ts tq tc tdc dz dl throttle nothrottle`
)

// simhDeeds reads the commands of a script, one on each line.
func simhDeeds(text string) (d Deeds) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' || line[0] == '#' {
			continue
		}
		if d.simh(line); d.Problem != "" {
			break
		}
	}
	return d
}

// simh is one command of a script.
func (d *Deeds) simh(line string) {
	if strings.ContainsAny(line, "@%!\"'`|<>;\\") { // files, variables, shells and quotes
		d.fail("something that longline does not follow in a simulator's script")
		return
	}
	words := strings.Fields(line)
	verb, operands := strings.ToLower(words[0]), words[1:]
	for len(operands) > 0 && strings.HasPrefix(operands[0], "-") {
		operands = operands[1:]
	}
	switch {
	case HasWord(simhPlain, verb), verb == "set" && simhSets(line, operands):
	case HasWord("load lo", verb) && len(operands) > 0:
		d.add(tool.Read, operands[0])
	case HasWord("attach att", verb) && simhAttaches(operands):
		// Also what is only read is opened to be written if that is allowed.
		d.add(tool.Read, operands[1])
		d.add(tool.Write, operands[1])
	default:
		d.fail("the command " + Quote(verb) + " of a simulator")
	}
}

// simhSets says whether a line sets something of a device that takes no value: one could
// name a file.
func simhSets(line string, operands []string) bool {
	return len(operands) > 1 && simhDevice(operands[0]) && !strings.Contains(line, "=")
}

// simhAttaches says whether a file is attached to a device.
func simhAttaches(operands []string) bool { return len(operands) == 2 && simhDevice(operands[0]) }

// simhDevice says whether a word names a device of the simulated machine, with its number
// or without.
func simhDevice(word string) bool {
	return HasWord(simhDevices, strings.TrimRight(strings.ToLower(word), "0123456789"))
}
