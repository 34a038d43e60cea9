package guard_test

import (
	"strings"
	"testing"

	"longline/internal/modelfile"
	"longline/internal/tool"
)

// requesters are ways to make a request to localhost: METHOD, PORT/PATH.
var requesters = []string{
	"curl -sX METHOD 'localhost:ADDRESS'",
	"curl --request METHOD --url 'http://127.0.0.1:ADDRESS'",
	"curl -X \"$M\" 'http://localhost:ADDRESS'",
	"wget -qO- --method=METHOD 'http://localhost:ADDRESS'",
	"http METHOD 'localhost:ADDRESS'",
	"xh METHOD 'http://[::1]:ADDRESS'",
	"python3 -c \"import requests; requests.LOWER('http://localhost:ADDRESS')\"",
	"python3 -c \"import httpx; print(httpx.LOWER('http://localhost:ADDRESS').text)\"",
	"node -e \"fetch('http://localhost:ADDRESS', {method: 'METHOD'})\"",
}

// TestServices makes every request that deletes something of a known service, in many ways. On the port of a service it asks; on
// that of a server of the project's own it does not, unless the path belongs to a service wherever that listens.
func TestServices(t *testing.T) {
	g, w := builtin(t), world()
	tried := 0
	for _, file := range read(t, "../command/models/http-services.yaml", modelfile.Parse) {
		for _, sub := range file.Models[0].Subs.All() {
			if len(sub.Level.Effects) == 0 {
				continue
			}
			for _, pattern := range sub.Names {
				address, deletes := strings.CutPrefix(pattern, "delete:")
				if !deletes {
					continue
				}
				port, path, _ := strings.Cut(address, "/")
				everywhere := port == "*"
				port = strings.ReplaceAll(strings.ReplaceAll(port, "237*", "2375"), "*", "8001")
				path = strings.ReplaceAll(path, "*", "x")
				for _, form := range requesters {
					for at, want := range map[string]bool{port: true, "3000": everywhere} {
						script := strings.NewReplacer("METHOD", "DELETE", "LOWER", "delete", "ADDRESS", at+"/"+path).Replace(form)
						v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
						if tried++; (v.Decision >= tool.Ask) != want {
							t.Errorf("%s\n\tis %s %s", script, v.Decision, v.Rule)
						}
					}
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d requests", tried)
	}
}
