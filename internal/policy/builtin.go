package policy

import _ "embed"

// The packs in their compact form, so that the hook reads no YAML. A test holds
// them against packs/*.yaml.
var (
	//go:embed packs/rules.bin
	rulesCompiled string
	//go:embed packs/zones.bin
	zonesCompiled string
)

// BuiltinFile returns the built-in rules without their tests. The rules
// themselves are read when they are needed.
func BuiltinFile() (*File, error) { return Open(rulesCompiled) }
