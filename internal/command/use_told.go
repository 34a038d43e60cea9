package command

import (
	"strings"

	"longline/internal/tool"
)

// Services on this machine do what they are told: a line of text empties a store. Who looks whether a service is there and what state it
// is in says little, and that is known; what else goes over a connection is not judged.

// Telling is why words to a service are not judged.
const Telling = "what a service is told may change what it keeps"

// isTold is the host of a service that standard input goes to.
func isTold(r *reader, w Word) {
	if !Probes(r.inv.Stdin) {
		r.gap(Telling, w.Span)
	}
}

// probeWords are commands of services with which these only tell about themselves, or end a connection, and words that are none of any.
const probeWords = `test hello hi ping info stat stats version quit exit q ruok srvr mntr time noop capa help`

// Probes says whether what goes to a service only looks whether it is there, or is a request over HTTP that reads.
func Probes(d Data) bool {
	if d.None {
		return true
	}
	if d.Reach != tool.Exact {
		return false
	}
	requested := false
	for line := range strings.Lines(d.Text) {
		line = strings.TrimSpace(line)
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case requested && strings.HasSuffix(first, ":"): // a header
		case hasWord("GET HEAD OPTIONS", first) && strings.HasPrefix(rest, "/") && (strings.Contains(rest, " HTTP/") || !strings.Contains(rest, " ")):
			requested = true
		case rest == "" && hasWord(probeWords, strings.ToLower(first)):
		default:
			return false
		}
	}
	return true
}
