package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

func versionCommand() subcommand {
	return subcommand{
		name: "version", short: "print the version and what it was built from",
		run: func(p *process, args []string) int {
			if len(args) == 1 && (args[0] == "-h" || args[0] == "--help") {
				return helpOn(p, "version", nil)
			}
			if len(args) > 0 {
				return p.usageError("version", "unexpected argument %q", args[0])
			}
			fmt.Fprintln(p.out, versionLine())
			return exitOK
		},
	}
}

// versionLine comes from what the go command recorded at build time, so there
// is no number to forget to change.
func versionLine() string {
	version, revision := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				revision = " " + s.Value[:12]
			}
		}
	}
	return fmt.Sprintf("longline %s%s %s %s/%s", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
