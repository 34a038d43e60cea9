package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// A release sets these with -ldflags "-X longline/internal/cli.version=0.1.0 ...".
// Other builds have what the go command recorded of the checkout.
var version, commit, date string

func versionCommand() subcommand {
	return subcommand{
		name: "version", short: "print the version and what it was built from",
		purpose: forReadOn, example: "version",
		run: func(p *process, args []string) int {
			if asksHelp(args) {
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

// built is what the build says of itself where nothing was set when it was linked.
func built() (name, from, when string) {
	name, from, when = cmp.Or(version, "development build"), commit, date
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return name, from, when
	}
	if version == "" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		name = info.Main.Version // go install module@version
	}
	from, when = cmp.Or(from, setting(info, "vcs.revision")), cmp.Or(when, setting(info, "vcs.time"))
	if commit == "" && setting(info, "vcs.modified") == "true" {
		name += ", modified"
	}
	return name, from, when
}

// setting is a setting of the build, or "".
func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// versionLine says what was built, from what, when and for which platform.
func versionLine() string {
	name, from, when := built()
	line := "longline " + name
	if len(from) > 12 {
		from = from[:12]
	}
	if from != "" {
		line += " commit " + from
	}
	if when != "" {
		line += " " + when
	}
	return fmt.Sprintf("%s %s %s/%s", line, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
