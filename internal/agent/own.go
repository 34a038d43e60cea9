package agent

// ownPlaces are the places in the home directory that a client writes to by itself,
// without asking anybody: its plans, its memory, its scratch files. Whatever
// configures a client, or is read as instructions by another one, is not among them.
// A member stands for itself and everything below it.
// Only what a real client was seen to write is listed.
var ownPlaces = []struct {
	agent  string
	places []string
}{
	{"claude", []string{"~/.claude/plans", "~/.claude/projects/*/memory"}},
}

// guardedNames are files, beside hidden ones, about whose change Claude Code has a
// question of its own. In modes in which it answers that itself, it takes a hook's
// question about the same call for answered too.
var guardedNames = []string{
	"bunfig.toml", "lefthook.yml", "lefthook.yaml", "gradle-wrapper.properties", "maven-wrapper.properties", "pyrightconfig.json",
}

// GuardedNames are names of files that an agent guards itself, in lower case.
func GuardedNames(name string) []string {
	if name == "claude" {
		return guardedNames
	}
	return nil
}

// Answers reports whether an agent in a permission mode answers questions about
// files that it guards itself.
func Answers(name, mode string) bool {
	return name == "claude" && (mode == "bypassPermissions" || mode == "auto" || mode == "plan")
}

// Own lists an agent's own places, "~" for the home directory.
func Own(name string) []string {
	for _, o := range ownPlaces {
		if o.agent == name {
			return o.places
		}
	}
	return nil
}
