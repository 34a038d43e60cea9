package permission

import (
	"slices"
	"strings"

	"longline/internal/policy"
	"longline/internal/tool"
)

// liftable is the one list of what a permission in an agent's settings can take
// away: the built-in questions about running a program that the permission
// names. What is not listed is asked about whatever the settings say:
//
//   - what brings code in by another way than the program that was named, or has
//     it run later: planted, carried, written and inline code, startup files,
//     schedules, whole trees and commits of anybody's that may hold an agent's
//     settings;
//   - what leaves the project: writes and deletions outside of it, the system's
//     settings, other users' rights;
//   - secrets, and the files of longline and of agents;
//   - what cannot be undone for others: a forced push, a dropped database.
//
// A test holds it against every built-in rule, so that a new rule is decided upon.
var liftable = [...]string{
	// Nobody knows the program, and the user has said that it may run.
	"unknown", "uncovered",

	"project-code", "script-file", "shell-script", "package-code",
	"project-write", "project-tool-write", "project-write-strict",
	"project-delete", "build-delete-strict",

	"git-discard", "git-rewrite", "git-delete", "git-push", "git-push-topic",

	"network-fetch-unknown", "network-fetch-strict", "network-download", "network-send",
	"network-listen", "network-scan", "tunnel", "message-send", "remote-shell",

	"package-install", "package-restore-strict", "package-remove", "package-publish", "package-cache",

	"cloud-change", "cloud-delete", "cloud-login", "cluster-exec", "deploy", "forge-change",
	"container-build", "container-run", "container-change",
	"database-write",

	"process-kill", "terminal-type", "system-service", "desktop", "desktop-notify", "desktop-show",
	"agent-run",
}

// nameable are the questions that a permission for a path takes away besides: it
// names the very place.
var nameable = [...]string{"outside-project", "home-delete"}

// unlisted is how it is said that the words of a command are not all known. The
// user has said that the program may run with any. What cannot be judged for
// another reason may be code that the words carry.
var unlisted = [...]string{"longline does not know the program ", "unknown subcommand ", "unknown flag ", "unexpected operand "}

// answers says whether a permission answers a question: of a built-in rule that is
// listed, or of nobody, and never one that is asked at every safety level, which are
// those about secrets and those that may turn out to be a denial.
func answers(f *tool.Finding, shell bool) bool {
	if f.Decision != tool.Ask || f.Final || f.Level == "critical" || !ownLayer(f.Layer) {
		return false
	}
	if f.Rule == policy.UnknownID && shell && !isUnlisted(f.Reason) {
		return false
	}
	return slices.Contains(liftable[:], f.Rule) || !shell && slices.Contains(nameable[:], f.Rule)
}

// ownLayer says whether a finding is of a built-in rule, or of nobody.
func ownLayer(layer string) bool { return layer == "builtin" || layer == "" }

// isUnlisted says whether a reason is that the words of a command are not all known.
func isUnlisted(reason string) bool {
	return slices.ContainsFunc(unlisted[:], func(why string) bool { return strings.Contains(reason, why) })
}
