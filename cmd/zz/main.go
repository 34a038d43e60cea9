package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/shell"
	"longline/internal/tool"
)

func main() {
	lib := command.Builtin()
	b, err := policy.BuiltinFile()
	if err != nil { panic(err) }
	set, _, err := policy.Merge(b, nil, nil, nil)
	if err != nil { panic(err) }
	sc := bufio.NewScanner(os.Stdin); sc.Buffer(nil, 1<<24)
	w := bufio.NewWriter(os.Stdout); defer w.Flush()
	for sc.Scan() {
		var in struct{ Command, Cwd, Home string }
		json.Unmarshal(sc.Bytes(), &in)
		if in.Cwd == "" { in.Cwd = "/home/dev/proj" }
		if in.Home == "" { in.Home = "/home/dev" }
		world := &tool.World{Home: in.Home, Project: in.Cwd, User: "dev"}
		call := &tool.Call{Script: in.Command, Shell: true, Dir: in.Cwd, Tool: "Bash"}
		res := shell.Resolve(in.Command, in.Cwd, world, lib)
		v := set.Judge(call, res.Invocations, res.Gaps, world)
		if len(os.Args) > 2 {
			for _, i := range res.Invocations { fmt.Fprintln(os.Stderr, i.Path, i.Words, i.Effects, i.Gaps) }
			fmt.Fprintln(os.Stderr, res.Gaps, res.Problem)
		}
		o, _ := json.Marshal(map[string]any{"command": in.Command, "decision": v.Decision.String(), "reason": "[" + v.Rule + "] " + v.Reason})
		w.Write(o); w.WriteByte('\n')
	}
}
