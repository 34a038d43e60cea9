package install

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// node is one element of a property list.
type node struct {
	XMLName xml.Name
	Text    string `xml:",chardata"`
	Nodes   []node `xml:",any"`
}

func (n node) value(t *testing.T) any {
	t.Helper()
	switch n.XMLName.Local {
	case "dict":
		m := map[string]any{}
		for i := 0; i+1 < len(n.Nodes); i += 2 {
			name := n.Nodes[i].Text
			if _, twice := m[name]; twice || n.Nodes[i].XMLName.Local != "key" {
				t.Fatalf("%q is not a key, or there twice", name)
			}
			m[name] = n.Nodes[i+1].value(t)
		}
		return m
	case "array":
		list := []any{}
		for _, item := range n.Nodes {
			list = append(list, item.value(t))
		}
		return list
	case "string":
		return n.Text
	case "integer":
		f, err := strconv.ParseFloat(n.Text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	case "true", "false":
		return n.XMLName.Local == "true"
	}
	t.Fatalf("unexpected element %q", n.XMLName.Local)
	return nil
}

// TestProfile: the profile says to Claude Code and Codex what their own files would say.
func TestProfile(t *testing.T) {
	ids := map[string]bool{}
	for _, only := range []bool{false, true} {
		fleet := Fleet{System: "linux", Command: Command{Program: "/opt/R&D <x>/longline-hook"}, Only: only}
		f, err := Profile(fleet)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := Profile(fleet)
		if string(again.Text) != string(f.Text) {
			t.Error("the same settings give two profiles")
		}
		var root node
		if err := xml.Unmarshal(f.Text, &root); err != nil {
			t.Fatal(err)
		}
		profile := root.Nodes[0].value(t).(map[string]any)
		if profile["PayloadType"] != "Configuration" || profile["PayloadScope"] != "System" {
			t.Errorf("not a profile for the machine: %v", profile)
		}
		fleet.System = "darwin"
		payloads := profile["PayloadContent"].([]any)
		for _, p := range append([]any{profile}, payloads...) {
			id := p.(map[string]any)["PayloadUUID"].(string)
			if len(id) != 36 || ids[id] {
				t.Errorf("UUID %q is not one, or used twice", id)
			}
			ids[id] = true
		}
		claude := payloads[0].(map[string]any)
		file, _ := Render("claude", fleet)
		var want map[string]any
		if err := json.Unmarshal(file.Text, &want); err != nil {
			t.Fatal(err)
		}
		for key := range claude {
			if strings.HasPrefix(key, "Payload") {
				if key == "PayloadType" && claude[key] != "com.anthropic.claudecode" {
					t.Errorf("type %v", claude[key])
				}
				delete(claude, key)
			}
		}
		if !reflect.DeepEqual(claude, want) {
			t.Errorf("claude: got %v, want %v", claude, want)
		}
		codex := payloads[1].(map[string]any)
		text, err := base64.StdEncoding.DecodeString(codex["requirements_toml_base64"].(string))
		file, _ = Render("codex", fleet)
		if err != nil || string(text) != string(file.Text) || codex["PayloadType"] != "com.openai.codex" {
			t.Errorf("codex: %v, %s", err, text)
		}
	}
	if _, err := Profile(Fleet{Command: Command{Program: "longline"}}); err == nil {
		t.Error("a program without its place is accepted")
	}
}
