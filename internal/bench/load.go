package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func sortAll(programs ...*program) {
	for _, p := range programs {
		slices.Sort(p.took)
	}
}

// burst starts hooks in bursts of 64 and checks every answer and every line of
// the log.
func (w *work) burst(total int) {
	commands := []struct{ script, want string }{{"ls -la %d", "allow"}, {"rm -rf / %d", "deny"}, {"nosuchprogram %d", "ask"}}
	var lock sync.Mutex
	wrong, took := 0, []time.Duration{}
	begin := time.Now()
	for first := 0; first < total; first += 64 {
		var wait sync.WaitGroup
		for i := first; i < min(first+64, total); i++ {
			wait.Go(func() {
				c := commands[i%len(commands)]
				cmd := exec.Command(filepath.Join(w.bin, "longline-hook"), "claude")
				cmd.Env, cmd.Dir = []string{"HOME=" + w.home}, w.proj
				cmd.Stdin = strings.NewReader(w.call(fmt.Sprintf(c.script, i)))
				start := time.Now()
				out, err := cmd.Output()
				lock.Lock()
				defer lock.Unlock()
				took = append(took, time.Since(start))
				if err != nil || !strings.Contains(string(out), `"permissionDecision":"`+c.want+`"`) {
					wrong++
					fmt.Printf("%s: %v %s\n", fmt.Sprintf(c.script, i), err, out)
				}
			})
		}
		wait.Wait()
	}
	lasted := time.Since(begin)
	log, err := os.Open(filepath.Join(w.home, ".claude/hooks-logs/longline.jsonl"))
	check(err)
	defer log.Close()
	seen := map[string]int{}
	unreadable := 0
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var line struct{ Command string }
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			unreadable++
		}
		seen[line.Command]++
	}
	missing := 0
	for i := range total {
		if seen[fmt.Sprintf(commands[i%len(commands)].script, i)] != 1 {
			missing++
		}
	}
	slices.Sort(took)
	fmt.Printf("%d hooks in bursts of 64: %d wrong answers, %d calls not logged once, %d lines unreadable; %.1f s, median %v, p99 %v\n",
		total, wrong, missing, unreadable, lasted.Seconds(), took[len(took)/2].Round(time.Microsecond), took[len(took)*99/100].Round(time.Microsecond))
	if wrong+missing+unreadable > 0 {
		os.Exit(1)
	}
}
