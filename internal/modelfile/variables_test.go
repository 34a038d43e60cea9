package modelfile

import (
	"path"
	"strings"
	"testing"

	"longline/internal/command"
)

// TestVariablesAgree fails where a model calls a variable harmless, or a mere path,
// that the table of all programs takes for a carrier of code: the entry of a program
// stands above the table, so one careless line would open what the table closes.
func TestVariablesAgree(t *testing.T) {
	table := readVariables(t)
	_, models := load(t)
	compared := 0
	var look func(file, program string, l *command.Level)
	look = func(file, program string, l *command.Level) {
		for _, own := range l.Env.All() {
			for _, general := range meant(table, own.Name) {
				if !carriesCode(general) {
					continue
				}
				compared++
				if reason := readAsPaths[first(program)+" "+own.Name]; !carriesCode(own) && (reason == "" || own.Uses[0].Name == "text") {
					t.Errorf("%s: %s: the variable %q is %q, and to all programs %q", file, program, own.Name, own.Uses[0].Name, general.Uses[0].Name)
				}
			}
		}
		for i := range l.Subs.All() {
			look(file, program+" "+l.Subs.All()[i].Names[0], l.Subs.All()[i].Level)
		}
	}
	for file, f := range models {
		for _, m := range f.Models {
			look(file, m.Names[0], &m.Level)
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

func first(program string) string {
	name, _, _ := strings.Cut(program, " ")
	return name
}

// readAsPaths are variables that one program takes for a path whose effect says all
// there is to fear.
var readAsPaths = map[string]string{
	"go GOPATH":           "where modules are kept: writing there is what can be asked about",
	"go GOMODCACHE":       "the same",
	"go GOBIN":            "where programs are installed",
	"curl SSLKEYLOGFILE":  "a log",
	"curl CURL_CA_BUNDLE": "whom to believe, where fetching from anybody is allowed anyway",
	"curl SSL_CERT_FILE":  "the same",
	"curl SSL_CERT_DIR":   "the same",
	"git GIT_INDEX_FILE":  "a file that is written",
}

func carriesCode(e command.EnvUse) bool {
	for _, u := range e.Uses {
		switch u.Name {
		case "code", "code-path", "program-path", "hook", "values", "run", "script", "config", "gap", "execute":
			return true
		}
	}
	return false
}

// meant are the entries of a table that speak of a variable: the one of its very name
// stands above patterns, and a pattern speaks of all names that it matches.
func meant(table []command.EnvUse, name string) []command.EnvUse {
	var list []command.EnvUse
	for _, e := range table {
		if e.Name == name {
			return []command.EnvUse{e}
		}
		for _, p := range [][2]string{{e.Name, name}, {name, e.Name}} {
			if ok, err := path.Match(p[0], strings.ReplaceAll(p[1], "*", "x")); err == nil && ok {
				list = append(list, e)
				break
			}
		}
	}
	return list
}
