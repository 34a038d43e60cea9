package main

// target is a part of the program with the tests that speak for it, the nearest first.
type target struct {
	name  string
	files []string // of internal
	funcs []string // if they are not all meant
	tests [][]string
}

var targets = []target{
	{name: "policy", files: []string{"policy/*.go"}, tests: [][]string{
		{"./internal/policy"},
		{"./internal/session"},
		{"./internal/guard", "-test.run", "Packs|Matchers|Decisions|Sweeps|Tree|Tool|Wall"},
	}},
	{name: "value", files: []string{"value/*.go"}, tests: [][]string{
		{"./internal/value"},
		{"./internal/reader", "-test.short"},
		{"./internal/guard", "-test.run", "Decisions"},
	}},
	{name: "trust", files: []string{"config/*.go", "state/*.go"}, tests: [][]string{
		{"./internal/state"},
		{"./internal/config", "-test.skip", "^TestBoundary"},
		{"./internal/cli", "-test.run", "Scripts/(trust|allow-once|pause|trust-permissions|trust-shows)"},
		{"./internal/config", "-test.run", "^TestBoundary"},
	}},
	{name: "permission", files: []string{"permission/*.go"}, tests: [][]string{{"./internal/permission"}, {"./internal/config", "-test.run", "Permission|Lift|Settings"}}},
	{name: "audit", files: []string{"audit/*.go", "history/*.go"}, tests: [][]string{{"./internal/audit"}, {"./internal/history"}}},
	{name: "agent", files: []string{"agent/*.go"}, tests: [][]string{{"./internal/agent"}}},
	{name: "git", files: []string{"command/use_bring.go", "gitstore/*.go"}, tests: [][]string{{"./internal/gitstore"}, {"./internal/command"}, {"./internal/guard", "-test.run", "Foreign|AddedRemotes|Versions|Decisions"}}},
	{name: "mask", files: []string{"mask/*.go"}, tests: [][]string{{"./internal/mask"}}},
	{name: "flags", files: []string{"command/effects.go", "command/given.go"}, funcs: []string{"asksBriefly", "sameUses"}, tests: [][]string{
		{"./internal/command"},
		{"./internal/modelfile", "-test.run", "Examples|Brief|SameUses"},
		{"./internal/guard", "-test.run", "Decisions"},
	}},
	{name: "ruby", files: []string{"language/ruby.go"}, tests: [][]string{{"./internal/language", "-test.run", "Ruby"}, {"./internal/guard", "-test.run", "Decisions"}}},
	{name: "languages", files: []string{"language/[^r]*.go", "language/reverse.go"}, tests: [][]string{{"./internal/language"}, {"./internal/guard", "-test.run", "Decisions"}}},
	{name: "paths", files: []string{"paths/*.go", "host/*.go"}, tests: [][]string{{"./internal/paths"}, {"./internal/host"}, {"./internal/policy"}, {"./internal/guard", "-test.run", "Decisions"}}},
}

// left are files of these packages in which nothing is decided, with the reason.
var left = map[string]string{
	"config/entries_other.go": "not built here",
	"config/machine_other.go": "not built here",
	"config/ondisk_other.go":  "not built here",
	"config/times_bsd.go":     "not built here",
	"config/userdb_darwin.go": "not built here",
	"state/files_other.go":    "not built here",
	"audit/file_other.go":     "not built here",
	"audit/modified_bsd.go":   "not built here",
	"policy/describe.go":      "words for people",
	"config/limit.go":         "a duration",
}
