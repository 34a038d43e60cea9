package policy

import (
	"strings"

	"longline/internal/paths"
)

// ControlNames lists the names of control effects, which docs/effects.md
// explains.
func ControlNames() []string { return controlNames[:] }

var controlNames = [...]string{
	"agent.config", "agent.read", "agent.run", "agent.text",
	"clipboard.read", "clipboard.write",
	"cloud.auth", "cloud.delete", "cloud.read", "cloud.secret", "cloud.write",
	"cluster.auth", "cluster.delete", "cluster.exec", "cluster.read", "cluster.secret", "cluster.write",
	"container.build", "container.code", "container.control", "container.exec", "container.project", "container.read", "container.remove", "container.run", "container.state",
	"database.admin", "database.drop", "database.read", "database.write",
	"deploy",
	"desktop.capture", "desktop.control", "desktop.notify", "desktop.open", "desktop.show",
	"disk.format", "disk.partition",
	"env.dump",
	"env.secret",
	"forge.auth", "forge.delete", "forge.read", "forge.secret", "forge.write",
	"git.branch", "git.clean", "git.commit", "git.config", "git.delete-branch", "git.delete-tag", "git.discard", "git.foreign", "git.hooks",
	"git.merge", "git.note", "git.notes", "git.prune", "git.push", "git.push.force", "git.push.topic", "git.redo", "git.remote", "git.rewrite", "git.stage", "git.stash",
	"git.submodule", "git.tag", "git.update", "git.worktree",
	"guard.hook", "guard.off", "guard.undo",
	"message.send",
	"network.listen",
	"network.scan",
	"package.add", "package.cache", "package.config", "package.install", "package.publish", "package.remove", "package.restore", "package.source",
	"privilege", "privilege.setuid",
	"process.debug", "process.kill", "process.kill-all", "process.own", "process.priority",
	"release",
	"remote.shell",
	"schedule",
	"secret.print", "secret.send", "secret.write",
	"server.access", "server.delete", "server.pay", "server.release", "server.secret", "server.send", "server.unknown", "server.unproven", "server.write",
	"system.clock", "system.exhaust", "system.forkbomb", "system.kernel", "system.log", "system.mount", "system.network", "system.power",
	"system.service", "system.settings", "system.user",
	"terminal.type",
	"tunnel",
}

// CodeNames lists what the names of execute effects begin with.
func CodeNames() []string { return codeNames[:] }

var codeNames = [...]string{"config", "edited", "env", "fetched", "file", "inline", "package", "planted", "project", "script", "server", "setup", "shell", "stdin", "written"}

// KnownName reports whether a name or glob of names can match the name of an
// execute or control effect.
func KnownName(glob string) bool {
	if before, _, ok := strings.Cut(glob, ":"); ok {
		return anyMatch(codeNames[:], before)
	}
	return anyMatch(controlNames[:], glob) || !paths.Literal(glob) && anyMatch(codeNames[:], strings.TrimSuffix(glob, "*"))
}

func anyMatch(names []string, glob string) bool {
	for _, name := range names {
		if matchesName(glob, name, false) {
			return true
		}
	}
	return false
}
