package install

import (
	"fmt"
	"strings"
	"testing"

	"longline/internal/agent"
)

var codexFacts = agent.FactsOf("codex")

const (
	codexHooksFile = "/home/dev/.codex/hooks.json"
	codexConfig    = "/home/dev/.codex/config.toml"
)

// otherRecord is what Codex writes when its user trusts another hook.
const otherRecord = "[hooks.state.\"/home/dev/project/.codex/hooks.json:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:00\"\n"

// configs are files of Codex as people and Codex write them.
var configs = []struct{ name, text string }{
	{"empty", ""},
	{"newline", "\n"},
	{"blank lines", "\n\n\n"},
	{"blank crlf", "\r\n"},
	{"spaces", "  \n"},
	{"one key", "model = \"gpt-6\"\n"},
	{"no final newline", "model = \"gpt-6\""},
	{"blank line at the end", "model = \"gpt-6\"\n\n"},
	{"blank lines at the end", "model = \"gpt-6\"\n\n\n"},
	{"crlf", "model = \"gpt-6\"\r\n\r\n[analytics]\r\nenabled = false\r\n"},
	{"crlf, no final newline", "a = 1\r\nb = 2"},
	{"comments", "# mine\nmodel = \"gpt-6\" # yes\n# end"},
	{"only a comment", "# nothing yet\n"},
	{"comment that looks like a table", "# [hooks.state.\"x\"]\n# trusted_hash = \"y\"\n"},
	{"tabs and odd spacing", "\tmodel\t=\t\"gpt-6\"\n\n\n[ analytics ]\n  enabled=false\n"},
	{"odd order", "[z]\nk = 1\n[a]\nk = 2\n"},
	{"tables", "[projects.\"/home/dev/project\"]\ntrust_level = \"trusted\"\n"},
	{"inline table", "analytics = { enabled = false, more = [1, 2] }\n"},
	{"arrays of tables", "[[things]]\nname = \"a\"\n\n[[things]]\nname = \"b\"\n"},
	{"dotted keys", "features.hooks = true\nmodel_providers.x.name = \"y\"\n"},
	{"multi-line string", "text = \"\"\"\n[hooks.state.\"no table\"]\ntrusted_hash = \"z\"\n\"\"\"\n"},
	{"literal string", "text = '''\nC:\\path\n'''\n"},
	{"hooks as tables", "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"./mine\"\n"},
	{"an empty table of hooks", "[hooks]\n"},
	{"an empty table of records", "[hooks.state]\n"},
	{"another record", otherRecord},
	{"another record, state first", "[hooks.state]\n\n" + otherRecord},
	{"another record in the middle", "a = 1\n\n" + otherRecord + "\n[z]\nk = 1\n"},
	{"another record that is off", otherRecord + "enabled = false\n"},
	{"dotted record", "[hooks]\nstate.\"/elsewhere:pre_tool_use:0:0\".trusted_hash = \"x\"\n[tail]\n"},
	{"unicode", "\"naïve 😀\" = \"\u2028\"\n"},
	{"numbers and dates", "a = 1_000\nb = 0xff\nc = 1e3\nd = 1979-05-27T07:32:00Z\n"},
	{"huge", strings.Repeat("# line\n", 50_000) + "[t]\n" + hugeTable()},
}

func hugeTable() string {
	var b strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&b, "key%d = \"value\"\n", i)
	}
	return b.String()
}

// TestCodexConfig: longline's record goes in and out of config.toml without a
// trace.
func TestCodexConfig(t *testing.T) {
	if len(configs) < 30 {
		t.Errorf("only %d files", len(configs))
	}
	for _, c := range configs {
		d := disk{codexConfig: []byte(c.text)}
		for range 2 {
			changes, err := Install("codex", testPlace("codex"), testCommand, d.read)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			d.apply(changes)
		}
		in := string(d[codexConfig])
		doc, err := readTOML(codexFacts, []byte(in))
		if err != nil {
			t.Errorf("%s: the result is no longer TOML: %v\n%.2000s", c.name, err, in)
		}
		needed, _ := trustRecords(codexFacts.Hooks, codexHooksFile, d[codexHooksFile])
		if missing, err := missingRecords(codexFacts, doc, needed); len(needed) != len(codexFacts.Hooks.Events) || len(missing) > 0 || err != nil {
			t.Errorf("%s: not on record: %v (%v)\n%.2000s", c.name, missing, err, in)
		}
		if strings.Contains(c.text, "\r\n") && strings.Count(in, "\n") != strings.Count(in, "\r\n") {
			t.Errorf("%s: line ends are mixed: %q", c.name, in)
		}
		changes, err := Uninstall("codex", testPlace("codex"), d.read)
		if err != nil {
			t.Fatal(err)
		}
		d.apply(changes)
		if got, there := d[codexConfig]; !there || string(got) != c.text || len(d) != 1 {
			t.Errorf("%s: out again, the file is (%v)\n%.500q\nwant\n%.500q", c.name, there, got, c.text)
		}
	}
}

func TestCodexRefuses(t *testing.T) {
	installed := disk{}
	changes, err := Install("codex", testPlace("codex"), testCommand, installed.read)
	if err != nil {
		t.Fatal(err)
	}
	installed.apply(changes)
	record := string(installed[codexConfig])
	for _, test := range []struct{ name, text, want string }{
		{"invalid", "model = ", "1:"},
		{"a key twice", "a = 1\na = 2\n", "2:"},
		{"a table twice", "[a]\n[b]\n[a]\n", "3:"},
		{"hooks inline", "hooks = {}\n", "use the tables"},
		{"records inline", "[hooks]\nstate = {}\n", "use the tables"},
		{"not text", "a = \"\xff\"\n", "1:"},
		{"another hash", strings.ReplaceAll(record, "\"\n", "0\"\nenabled = true\n"), "another record of the hook"},
	} {
		d := disk{codexConfig: []byte(test.text)}
		if _, err := Install("codex", testPlace("codex"), testCommand, d.read); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
	// What Codex has added to a record stays where it is, and is no orphan.
	off := record + "enabled = false\n"
	d := disk{codexHooksFile: installed[codexHooksFile], codexConfig: []byte(off)}
	if _, err := Install("codex", testPlace("codex"), testCommand, d.read); err == nil || !strings.Contains(err.Error(), "another record of the hook") {
		t.Errorf("a hook that its user has switched off: %v", err)
	}
	if changes, err = Uninstall("codex", testPlace("codex"), d.read); err != nil {
		t.Fatal(err)
	}
	d.apply(changes)
	doc, err := readTOML(codexFacts, d[codexConfig])
	if err != nil || doc.table("hooks").table("state")["enabled"] != nil {
		t.Errorf("left: %s (%v)", d[codexConfig], err)
	}
	// A record that Codex has written in its own way is on record.
	own := "[hooks]\n\n[hooks.state]\n" + strings.ReplaceAll(strings.ReplaceAll(record, " = ", "="), "]\n", "] # trusted\n")
	d = disk{codexConfig: []byte(own)}
	if changes, err = Install("codex", testPlace("codex"), testCommand, d.read); err != nil || !changes[1].Nothing() {
		t.Errorf("%v\n%s", err, changes[1].New)
	}
}
