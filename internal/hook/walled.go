package hook

import (
	"strings"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/strictjson"
)

// behindWall is what an agent is told when a command has failed behind a wall and says
// that a file could not be used: the kernel refuses files without telling anybody why.
// It is "" if there is nothing to tell.
func behindWall(req *agent.Request, cfg *config.Config) string {
	if !cfg.Guard.Policy.Walls.On || !req.Call.Shell || req.Call.Event != "PostToolUseFailure" || !refusal(req.Document.Get("error")) {
		return ""
	}
	// Clients hand over the command that was asked for, or the one that was run.
	walled := false
	if words := config.WallWords(); words != nil {
		_, after, found := strings.Cut(req.Call.Script, words[0])
		walled = found && strings.HasPrefix(strings.TrimPrefix(after, "'"), " "+strings.Join(words[1:], " "))
	}
	if !walled {
		v, _ := cfg.Judge(req.Call)
		if walled = len(v.Walled) > 0; !walled {
			return ""
		}
	}
	return "longline: this command ran behind a wall. There the project and temporary directories can be written, except what configures agents, git, editors and CI; secrets cannot be read. " +
		"If it was refused another file, that is the wall, not a fault of the program: do not look for a way around it. " +
		"If the file is needed, tell your user: \"longline wall --show\" says what is open, and walls: {write: [PATH]} in the rules opens more."
}

// refusal says whether a failed command complains that it may not use a file.
func refusal(v strictjson.Value) bool {
	for _, words := range [...]string{"ead-only file system", "EROFS", "ermission denied", "EACCES", "peration not permitted", "EPERM"} {
		if strings.Contains(v.Text, words) {
			return true
		}
	}
	return false
}
