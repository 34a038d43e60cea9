package cli

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"longline/internal/behind"
	"longline/internal/config"
	"longline/internal/undo"
	"longline/internal/wall"
)

// Each test has a home directory of its own, and each script says what the user database does.
func init() { config.KnownHome = cmp.Or(os.Getenv("KNOWN_HOME"), "HOME") }

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"longline": func() {
			if os.Getenv("PERSON") != "" { // where it matters which program this is
				asPerson()
			}
			os.Exit(Main(os.Args, os.Environ(), os.Stdin, os.Stdout, os.Stderr))
		},
		"longline-wall": func() {
			if len(os.Args) > 1 && os.Args[1] == "tried" { // and this came of it: nothing here depends on the machine
				if cfg, err := config.Load(config.Options{Dir: os.Getenv("HOME"), Env: os.Environ()}); err == nil {
					cfg.SayTried(config.WallTried{Kind: strings.Join(os.Args[2:], " ")})
				}
				return
			}
			os.Exit(behind.Main(os.Args, os.Environ(), os.Stdout, os.Stderr))
		},
		// The same for somebody who sits at a terminal.
		"person": asPerson,
		// A call as the hook sees it: a snapshot, the command, and another one.
		"called": func() {
			p := &process{env: os.Environ(), in: os.Stdin, out: os.Stdout, err: os.Stderr}
			os.Exit(p.calledForTest(os.Args[1:]))
		},
		// The same for somebody who does not like to wait.
		"impatient": func() {
			p := &process{env: os.Environ(), in: os.Stdin, out: os.Stdout, err: os.Stderr, patience: 1}
			os.Exit(p.main(os.Args))
		},
	})
}

func asPerson() {
	p := &process{env: os.Environ(), in: os.Stdin, out: os.Stdout, err: os.Stderr, person: func() error { return nil }}
	status := p.main(os.Args)
	// When the process ends the terminal is closed, whether or not the test has
	// read what is on it.
	time.Sleep(50 * time.Millisecond)
	os.Exit(status)
}

func (p *process) calledForTest(args []string) int {
	cfg, err := p.load(place{})
	if err != nil {
		return p.configError(err)
	}
	store, err := p.undoStore(cfg)
	if err == nil {
		m := undo.Meta{Session: "s", Use: fmt.Sprint(time.Now().UnixNano()), Moment: undo.Before, Command: strings.Join(args, " ")}
		_, err = store.Snapshot(m, 0)
		_ = exec.Command(args[0], args[1:]...).Run()
		if err == nil {
			m.Moment = undo.After
			_, err = store.Snapshot(m, 0)
		}
	}
	if err != nil {
		return p.failed("called", err)
	}
	return exitOK
}

// TestScripts runs testdata/script: what a person or an agent types, and what
// comes back. Each script has a home directory and a project of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil // who may read and write everything
			}
			if cond == "wall" {
				return runtime.GOOS == "linux" && wall.Probe(nil).Name != "", nil // what walls of Linux say
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			if err := os.MkdirAll(filepath.Join(home, "proj"), 0o755); err != nil {
				return err
			}
			env.Setenv("HOME", home)
			env.Setenv("KNOWN_HOME", home)
			env.Setenv("PROJ", filepath.Join(home, "proj"))
			env.Setenv("LOG", filepath.Join(home, ".claude/hooks-logs/longline.jsonl"))
			env.Cd = filepath.Join(home, "proj")
			cmd := exec.Command("longline-wall", "tried") // none
			cmd.Env = []string{"HOME=" + home, "KNOWN_HOME=" + home}
			return cmd.Run()
		},
	})
}
