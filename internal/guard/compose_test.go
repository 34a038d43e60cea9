package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestDefinitionsOfContainers starts containers by definitions that see the project alone, and by others: the one that
// counts is what flags, a variable or the place say.
func TestDefinitionsOfContainers(t *testing.T) {
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, root, filepath.Join(root, "proj"))
	for name, text := range map[string]string{
		"proj/compose.yaml":              "services:\n  web:\n    image: x\n    volumes: [./data:/data, cache:/cache]\n",
		"proj/wide.yaml":                 "services:\n  web:\n    image: x\n    volumes: [/:/host]\n",
		"proj/wide.json":                 "{\"services\": {\"web\": {\"volumes\": [\n\"/home/x:/x\"\n]}}}\n",
		"proj/anchor.yaml":               "x-v: &v\n  - {type: bind, source: /home/x, target: /x}\nservices:\n  web:\n    volumes: *v\n",
		"proj/device.yaml":               "volumes:\n  d:\n    driver_opts: {type: none, o: bind, device: /home}\n",
		"proj/src/a.c":                   "",
		"proj/wide/docker-compose.yml":   "services:\n  web:\n    privileged: true\n",
		"proj/wide/below/a.c":            "",
		"proj/over/compose.yml":          "services:\n  web:\n    image: x\n",
		"proj/over/compose.override.yml": "services:\n  web:\n    volumes:\n      - ~/.ssh:/x\n",
	} {
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for script, asks := range map[string]bool{
		"docker compose up":                                     false,
		"cd src && docker compose up":                           false,
		"docker compose --project-directory src up":             false,
		"docker compose -f wide.yaml up":                        true,
		"docker compose -f wide.json up":                        true,
		"docker compose -f anchor.yaml up":                      true,
		"docker compose -f device.yaml up":                      true,
		"docker compose -f wide.yaml -f compose.yaml up":        true,
		"docker compose -f compose.yaml --file=wide.yaml up":    true,
		"COMPOSE_FILE=compose.yaml docker compose up":           false,
		"COMPOSE_FILE=compose.yaml:wide.yaml docker compose up": true,
		"docker compose --project-directory wide up":            true,
		"cd wide/below && docker compose up":                    true,
		"docker compose --project-directory over up":            true,
		"docker compose --project-directory over run web cat x": true,
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		if got := v.Decision >= tool.Ask; got != asks {
			t.Errorf("%s: %s by %s", script, v.Decision, v.Rule)
		}
	}
}
