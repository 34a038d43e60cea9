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

// Own lists an agent's own places, "~" for the home directory.
func Own(name string) []string {
	for _, o := range ownPlaces {
		if o.agent == name {
			return o.places
		}
	}
	return nil
}
