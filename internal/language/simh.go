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
func simhDeeds(text string) Deeds {
	var d Deeds
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' || line[0] == '#' {
			continue
		}
		if strings.ContainsAny(line, "@%!\"'`|<>;\\") { // files, variables, shells and quotes
			d.fail("something that longline does not follow in a simulator's script")
			return d
		}
		words := strings.Fields(strings.ToLower(line))
		plain := words[1:]
		for len(plain) > 0 && strings.HasPrefix(plain[0], "-") {
			plain = plain[1:]
		}
		operands := strings.Fields(line)[len(words)-len(plain):]
		switch verb := words[0]; {
		case HasWord(simhPlain, verb):
		case verb == "set" && len(plain) > 1 && HasWord(simhDevices, strings.TrimRight(plain[0], "0123456789")) && !strings.Contains(line, "="):
		case (verb == "load" || verb == "lo") && len(operands) > 0:
			d.add(tool.Read, operands[0])
		case (verb == "attach" || verb == "att") && len(operands) == 2 && HasWord(simhDevices, strings.TrimRight(plain[0], "0123456789")):
			// Also what is only read is opened to be written if that is allowed.
			d.add(tool.Read, operands[1])
			d.add(tool.Write, operands[1])
		default:
			d.fail("the command " + Quote(verb) + " of a simulator")
			return d
		}
	}
	return d
}
