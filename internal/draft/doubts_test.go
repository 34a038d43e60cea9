package draft

import (
	"os"
	"slices"
	"strings"
	"testing"

	"longline/internal/config"
	"longline/internal/rulesfile"
)

// with is the configuration of somebody with rules.
func with(t *testing.T, text string) *config.Config {
	t.Helper()
	file, err := rulesfile.Parse("own.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	if err := os.MkdirAll(home+"/p/.git", 0o755); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Options{Env: config.Env{"HOME=" + home}, Dir: home + "/p", Parse: rulesfile.ParseNamed})
	if err == nil {
		cfg, err = cfg.With(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// TestDoubts: rules that cannot do what they say are named, and no others.
func TestDoubts(t *testing.T) {
	const rules = `version: 1
allowlists: {commands: [git push, mytool, mytool, kubectl get], paths: [~/x/**]}
rules:
  - {id: kill, match: {command: kill, flags: ["-9"]}, decision: deny}
  - {id: dd, match: {command: dd, args: ["of=/dev/*"]}, decision: deny}
  - {id: program-in-text, match: {command: git, text: "^git push"}, decision: deny}
  - {id: text, match: {command: git, text: "^push .*--force(-with-lease)?$"}, decision: deny}
  - {id: text-behind, match: {command: git push, text: "--force"}, decision: deny}
  - {id: flag-in-args, match: {command: frob, args: {any_of: [-f]}}, decision: allow}
  - {id: never-asks, match: {command: rm, flags: [-r], args: [/]}, decision: ask}
  - {id: cat, match: {command: cat}, decision: allow}
  - {id: secret, match: {command: cat, args: [~/.ssh/id_rsa]}, decision: allow}
  - {id: tool, match: {tool: "mcp__prod__*"}, decision: deny}
  - {id: tool-again, match: {tool: "mcp__prod__*"}, decision: ask}
  - {id: pipe, match: {pipeline: {stages: [{command: curl}, {command: sh}]}}, decision: deny}
  - {id: redirect, match: {redirect: {op: ">", target: "**/*.lock"}}, decision: deny}
  - {id: env, match: {env: {AWS_PROFILE: "prod*"}}, decision: ask}
  - {id: effect, match: {effect: {kind: write, paths: ["~/notes/**"]}}, decision: ask}
  - {id: name, match: {effect: {kind: control, names: [git.push.force]}}, decision: deny}
  - {id: dir, match: {command: make, dir: [~/src/app]}, decision: ask}
  - {id: other-name, match: {command: npm rm}, decision: deny}
  - {id: session, match: {command: npm publish, session: {untrusted: true}}, decision: deny}
`
	cfg := with(t, rules)
	var got []string
	for _, d := range Doubts(cfg) {
		got = append(got, d.Kind+" "+d.Rule)
	}
	want := []string{"shadowed allowlist: git push", "duplicate allowlist: mytool", "dead flag-in-args", "dead program-in-text", "shadowed never-asks", "shadowed secret", "contradictory tool-again"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestExamplesOfBuiltinRules: longline can show a call for nearly every rule that it brings.
func TestExamplesOfBuiltinRules(t *testing.T) {
	rules := with(t, "version: 1\nsafety_level: strict\n").Guard.Policy.Rules()
	without := 0
	for i, call := range Examples(with(t, "version: 1\n"), rules) {
		if call.Agent == "" && !strings.HasPrefix(rules[i].ID, "server-") { // which are about tools, and not about commands
			t.Logf("%s has no example", rules[i].ID)
			without++
		}
	}
	if without*5 > len(rules) {
		t.Errorf("%d of %d rules have no example", without, len(rules))
	}
}
