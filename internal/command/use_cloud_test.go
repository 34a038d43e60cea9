package command

import "testing"

// A format shows no content of a secret only if each of its fields is one that
// cannot hold any.
func TestNamesOnly(t *testing.T) {
	for format, want := range map[string]bool{
		"name":                            true,
		"wide":                            true,
		"yaml":                            false,
		"json":                            false,
		"go-template={{.metadata.name}}":  false, // templates compute
		"custom-columns=N:.metadata.name": true,
		"custom-columns=N:.metadata.name,T:.type": true,
		"custom-columns=N:.metadata.name,D:.data": false,
		"custom-columns=A:.metadata.annotations":  false,
		"custom-columns=":                         false,
		"custom-columns-file=x":                   false,
		"jsonpath={.metadata.name}":               true,
		"jsonpath={.items[*].metadata.name}":      true,
		`jsonpath={range .items[*]}{.metadata.namespace}{"\t"}{.metadata.name}{"\n"}{end}`: true,
		"jsonpath={.data.password}":     false,
		"jsonpath={..data}":             false,
		"jsonpath={.items[*]}":          false,
		"jsonpath={.items[*].metadata}": false,
		"jsonpath={.metadata.name":      false,
		"jsonpath={@}":                  false,
		"jsonpath-file=x":               false,
	} {
		if got := namesOnly(format); got != want {
			t.Errorf("namesOnly(%q) = %v", format, got)
		}
	}
}
