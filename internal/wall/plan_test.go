package wall

import (
	"os"
	"testing"

	"longline/internal/policy"
	"longline/internal/tool"
)

func testWorld(home, project string) *tool.World {
	return &tool.World{
		Home: home, Project: project,
		Getenv:   os.LookupEnv,
		ReadFile: os.ReadFile,
		Readlink: os.Readlink,
		Exists:   func(path string) bool { _, err := os.Lstat(path); return err == nil },
	}
}

// builtin is the policy that longline brings.
func builtin() *policy.Set {
	packs, err := policy.BuiltinFile()
	if err != nil {
		panic(err)
	}
	set, _, err := policy.Merge(packs, nil, nil, nil)
	if err != nil {
		panic(err)
	}
	return set
}

func BenchmarkPlan(b *testing.B) {
	home, _ := os.UserHomeDir()
	wd, _ := os.Getwd()
	for b.Loop() {
		For(builtin(), testWorld(home, wd), wd, os.Environ(), Settings{})
	}
}
