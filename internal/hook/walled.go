package hook

import (
	"strings"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/guard"
	"longline/internal/strictjson"
)

// behindWall is what an agent is told when a command has failed behind a wall and says that a file could not be used, where
// its wall has not said so: the kernel refuses to read files without telling anybody. It is "" if there is nothing to tell.
func behindWall(req *agent.Request, cfg *config.Config) string {
	said := req.Document.Get("error")
	if !cfg.Guard.Policy.Walls.On || !req.Call.Shell || req.Call.Event != "PostToolUseFailure" || !refusal(said) || strings.Contains(said.Text, "longline wall: ") {
		return ""
	}
	call := req.Call // clients hand over the command that was asked for, or the one that was run
	call.Script = strings.NewReplacer(strings.Join(append(config.WallWords(), guard.HideArg), " ")+" ", "", strings.Join(config.WallWords(), " ")+" ", "").Replace(call.Script)
	v, invs := cfg.Judge(call)
	if len(v.Walled) == 0 {
		return ""
	}
	for _, inv := range invs {
		if inv.Walled && len(inv.Via) == 0 {
			argv := make([]string, len(inv.Words))
			for i, w := range inv.Words {
				argv[i] = w.Text
			}
			cfg.SayRefused(argv, "a file, as its output says")
		}
	}
	return "longline: this command ran behind a wall. There the project and temporary directories can be written, except what configures agents, git, editors and CI; secrets cannot be read. " +
		"If it was refused another file, that is the wall, not a fault of the program: do not look for a way around it. " +
		"If it cannot do without, run the same command once more: then your user is asked."
}

// refusal says whether a failed command complains that it may not use a file.
func refusal(v strictjson.Value) bool {
	for _, words := range [...]string{"ead-only file system", "EROFS", "ermission denied", "EACCES", "peration not permitted", "EPERM", "esource busy"} {
		if strings.Contains(v.Text, words) {
			return true
		}
	}
	return false
}
