package command

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// What an expression shows must be fields that are called like harmless ones; an expression
// that picks everything, or that is not understood, shows everything.
func TestQueried(t *testing.T) {
	for text, want := range map[string]bool{
		"Functions[].FunctionName":                           true,
		"Functions[*].FunctionName":                          true,
		"Functions[].[FunctionName,Runtime]":                 true,
		"Functions[].{n:FunctionName, r: Runtime}":           true,
		"Functions[?FunctionName=='x'].Runtime":              true,
		"Functions[?FunctionName==`x`] | [0].Runtime":        true,
		"Functions[?contains(FunctionName,'a]')].Runtime":    true,
		"sort_by(Functions, &LastModified)[-1].FunctionName": true,
		"join(', ', Functions[].FunctionName)":               true,
		"length(Functions)":                                  true,
		"keys(Environment.Variables)":                        true,
		"Environment.Variables | keys(@)":                    true,
		"Functions[].FunctionName | [0]":                     true,
		"Functions[0:2].FunctionName":                        true,
		"[].name":                                            true,
		"[].functionUrl":                                     true,
		"[?name=='a' && starts_with(id, 'x')].[name, id]":    true,
		"[0].name || 'none'":                                 true,
		`"Functions"[0]."FunctionName"`:                      true,

		"Environment.Variables.DATABASE_URL":     false,
		"Functions[].{u:Env.REDIS_URL}":          false,
		"":                                       false,
		"@":                                      false,
		"*":                                      false,
		"[*]":                                    false,
		"[]":                                     false,
		"[?name=='web']":                         false,
		"Functions":                              false,
		"Functions[0]":                           false,
		"Functions[*]":                           false,
		"Functions[?FunctionName=='x']":          false,
		"Functions[?FunctionName=='x'] | [0]":    false,
		"Functions[].*":                          false,
		"Functions[].FunctionName.*":             false,
		"values(@)":                              false,
		"to_string(@)":                           false,
		"Functions[].to_string(@)":               false,
		"Functions[].[FunctionName,@]":           false,
		"Functions[].{n:FunctionName,e:Env}":     false,
		"{name: Environment}.name":               false,
		"{name: Environment} | name":             false,
		"name || Environment":                    false,
		"Environment || name":                    false,
		"environment[?name=='TOKEN'].value":      false,
		"Functions[].FunctionName[":              false,
		"Functions[].FunctionName x":             false,
		`Functions[?x=='\'].FunctionName || '']`: false,
	} {
		q := query{text: text}
		r := reader{deeds: deeds{findings: findings{inv: new(Invocation)}}}
		queried(&r, "env.dump", Known(text, r.inv.Span))
		if got := len(r.inv.Effects) == 0; got != want {
			t.Errorf("%q shows harmless fields only: %v (left: %q)", text, got, q.text)
		}
	}
}

func TestProjected(t *testing.T) {
	for format, want := range map[string]bool{
		"value(name)":                                       true,
		"value(status.url)":                                 true,
		"value[separator=','](name,status.url)":             true,
		"table(name, zone.basename(), name.list():label=X)": true,
		"csv[no-heading](name)":                             true,
		"json(name)":                                        true,
		"value(conditions[0].name)":                         true,
		"value(location)":                                   false,
		"none":                                              true,
		"json":                                              false,
		"yaml":                                              false,
		"value":                                             false,
		"value()":                                           true,
		"value(serviceConfig)":                              false,
		"value(name, metadata)":                             false,
		"value(metadata.items[key=name].value)":             false,
		"value(metadata.extract(name))":                     false,
		"value(firstof(name, metadata))":                    false,
		"table(name, metadata:format='table(name)')": false,
		"value(name": false,
	} {
		if got := projectsOnly(format, ""); got != want {
			t.Errorf("%q shows harmless fields only: %v", format, got)
		}
	}
}

// The same against the library that these clients use, where it is installed: no expression that counts
// as harmless shows what it must not.
func TestQueriedOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := strings.Split("Functions|FunctionName|Runtime|Environment|Variables|TOKEN|name|*|@|[|]|[]|[*]|[0]|[?FunctionName=='f']|[?name]|.|.|.|.|,| \\| |(|)|{|}|name:|x:|to_string(|values(|keys(|sort_by(|, &|map(&|not_null(|'t'|`1`|==|'|\\||\\|\\||&&|!", "|")
	var harmlessOnes []string
	for range 150_000 {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(strings.ReplaceAll(parts[random.IntN(len(parts))], `\`, "|"))
		}
		q := query{text: b.String()}
		if q.picks(0) && q.text == "" {
			harmlessOnes = append(harmlessOnes, b.String())
		}
	}
	for _, n := range []string{"{name: Environment}.name", "Environment.{name: @}", "[Environment][0]"} {
		q := query{text: n}
		if q.picks(0) && q.text == "" {
			t.Errorf("%q counts as harmless", n)
		}
	}
	cmd := exec.Command("python3", "-c", `
import json, sys
try: import jmespath
except ImportError: sys.exit(0)
e = {"Variables": {"TOKEN": "CANARY"}, "TOKEN": "CANARY"}
f = {"FunctionName": "f", "Runtime": "r", "Environment": e, "Variables": e}
doc = {"Functions": [f, f], "name": "n", "FunctionName": "f", "Runtime": "r", "Environment": e, "Variables": e, "TOKEN": "CANARY"}
n = 0
for q in json.load(sys.stdin):
    try: shown = json.dumps(jmespath.search(q, doc))
    except Exception: continue
    n += shown != "null"
    if "CANARY" in shown: print(q, shown)
print(n, file=sys.stderr)
`)
	in, _ := json.Marshal(harmlessOnes)
	cmd.Stdin = bytes.NewReader(in)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Skip("python3 is not installed; .ci/tools installs it")
	}
	t.Logf("%d harmless expressions, %s of them with an answer", len(harmlessOnes), strings.TrimSpace(said.String()))
	if len(out) > 0 {
		t.Errorf("shown though harmless:\n%s", out)
	}
}
