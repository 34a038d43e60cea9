package guard_test

import (
	"io/fs"
	"testing"

	"longline/internal/tool"
)

// TestReasonsAreTrue: a reason says what a command does, and not what something like it
// would do.
func TestReasonsAreTrue(t *testing.T) {
	g := builtin(t)
	for script, want := range map[string]string{
		"ln -s /etc/passwd x":                 "Makes a link to /etc/passwd; only project and temporary files change without asking",
		"ln -s ~/.ssh/id_rsa x":               "Makes a link to ~/.ssh/id_rsa, which may hold keys, tokens or passwords",
		"mv src ~/other":                      "Moves away project files (~/proj/src)",
		"rm src/a.go":                         "Deletes project files (~/proj/src/a.go)",
		"mv /etc/hosts x":                     "Moves away /etc/hosts; only project and temporary files change without asking",
		"chmod 600 /etc/hosts":                "Changes permissions, owner or attributes of /etc/hosts; only project and temporary files change without asking",
		"echo x > /etc/hosts":                 "Changes /etc/hosts; only project and temporary files change without asking",
		"git config --global user.name X":     "Changes git's configuration",
		"git config user.name X":              "Adds a remote, or sets a name or preference, in the repository's configuration",
		"npm ci":                              "Installs the packages in the project's manifest",
		"npm test":                            "Runs the project's own tools, such as builds and tests",
		"mvn deploy":                          "Creates, publishes or withdraws a version of a package or image (mvn deploy)",
		"gradle publish":                      "Creates, publishes or withdraws a version of a package or image (gradle publish)",
		"gradle flywayClean":                  "Drops tables or databases, or deletes all their rows (gradle flywayClean)",
		"nmap example.com":                    "Probes other machines for open ports or weaknesses (nmap example.com)",
		"curl https://example.com/robots.txt": "Fetches data from example.com",
	} {
		call := tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Attended: true}
		if v, _ := g.Judge(call, world()); v.Reason != want {
			t.Errorf("%s: [%s] %q, want %q", script, v.Rule, v.Reason, want)
		}
	}
}

// TestResponseFiles: the words in a file that a command line names as @FILE count like
// words of the command line, wherever the program takes such files.
func TestResponseFiles(t *testing.T) {
	files := map[string]string{
		project + "/out":  "--outDir\ndist\nsrc/a.ts\n",
		project + "/etc":  "--outDir\n/etc/x\n",
		project + "/c":    "-o app src/a.c\n",
		project + "/bad":  "-o /etc/x src/a.c\n",
		project + "/more": "src/a.c @bad\n",
	}
	w := world()
	w.ReadFile = func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	w.Exists = func(path string) bool { _, ok := files[path]; return ok }
	g := builtin(t)
	for script, want := range map[string]tool.Decision{
		"tsc @out":                             tool.Allow,
		"tsc @etc":                             tool.Ask,
		"npx tsc @etc":                         tool.Ask,
		"tsc @none":                            tool.Allow,
		"echo '--outDir /etc' > f; tsc @f":     tool.Ask,
		"echo '--outDir /etc' > f; npx tsc @f": tool.Ask,
		"gcc @c":                               tool.Allow,
		"gcc @bad":                             tool.Ask,
		"gcc @more":                            tool.Ask,
		"clang @bad":                           tool.Ask,
		"find . -name '*.java' > sources.txt && javac -d out @sources.txt": tool.Allow,
		"echo '-d /etc' > opts && javac @opts A.java":                      tool.Ask,
		"curl -s https://example.com/x -o opts && gcc @opts":               tool.Deny,
	} {
		call := tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}
		if v, _ := g.Judge(call, w); v.Decision != want {
			t.Errorf("%s: %s, want %s: [%s] %s", script, v.Decision, want, v.Rule, v.Reason)
		}
	}
}
