//go:build unix

// Package bench is a test: it measures what longline costs and prints it as one table. Everything that
// is compared is run in turns inside one run, because the same program differs
// by a tenth from minute to minute on a machine that does other things.
package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// work is where the run takes place: executables, a home directory, a project.
type work struct{ dir, bin, home, proj string }

// Variables by which make bench and make load say what is to be done.
const (
	roundsVar = "LONGLINE_BENCH" // how often each program is started
	loadVar   = "LONGLINE_LOAD"  // instead of measuring, start this many hooks in bursts, kill some, rotate the log, fill the disk, and check every answer and line
	// Instead of measuring, count the questions that the commands in this file of JSON lines (command, cwd, home, repo) make.
	frictionVar = "LONGLINE_FRICTION"
)

func TestBench(t *testing.T) {
	rounds, _ := strconv.Atoi(os.Getenv(roundsVar))
	load, _ := strconv.Atoi(os.Getenv(loadVar))
	friction := os.Getenv(frictionVar)
	if rounds+load <= 0 && friction == "" {
		t.Skipf("takes minutes; set %s or %s to a number, or %s to a file", roundsVar, loadVar, frictionVar)
	}
	dir := t.TempDir()
	w := work{dir, filepath.Join(dir, "bin"), filepath.Join(dir, "home"), filepath.Join(dir, "home/proj")}
	check(os.MkdirAll(filepath.Join(w.proj, ".git"), 0o755))
	check(os.MkdirAll(w.bin, 0o755))
	w.build()
	if load > 0 {
		w.burst(load)
		return
	}
	if friction != "" {
		w.friction(friction)
		return
	}
	average, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("%s %s/%s, %d processors, load %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), strings.TrimSpace(string(average)))
	w.processes(rounds)
	w.cold(rounds / 4)
	w.initialisation()
	w.judging()
	w.growth(rounds / 4)
	w.wall(max(rounds/4, 10))
	w.batch()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// build builds the executables as they are released, but for their homes, and one that does nothing.
func (w *work) build() {
	nothing := filepath.Join(w.dir, "nothing")
	check(os.MkdirAll(nothing, 0o755))
	check(os.WriteFile(filepath.Join(nothing, "go.mod"), []byte("module nothing\n\ngo 1.26\n"), 0o644))
	check(os.WriteFile(filepath.Join(nothing, "main.go"), []byte("package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"{}\\n\") }\n"), 0o644))
	for _, build := range []struct{ dir, target string }{{"../..", "./cmd/..."}, {nothing, "."}} {
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X longline/internal/config.KnownHome=HOME", "-o", w.bin+"/", build.target)
		cmd.Dir, cmd.Env, cmd.Stderr = build.dir, append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
		check(cmd.Run())
	}
	for _, name := range []string{"longline-hook", "longline-wall", "longline", "nothing"} {
		info, err := os.Stat(filepath.Join(w.bin, name))
		check(err)
		fmt.Printf("%-14s %5.2f MB\n", name, float64(info.Size())/1e6)
	}
}

// call is what an agent sends about a command.
func (w *work) call(command string) string {
	text, err := json.Marshal(map[string]any{
		"session_id": "bench", "hook_event_name": "PreToolUse", "cwd": w.proj, "tool_name": "Bash", "tool_input": map[string]any{"command": command},
	})
	check(err)
	return string(text)
}
