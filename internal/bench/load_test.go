//go:build unix

package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"longline/internal/audit"
	"longline/internal/config"
)

func sortAll(programs ...*program) {
	for _, p := range programs {
		slices.Sort(p.took)
	}
}

// atOnce is how many hooks a burst has.
const atOnce = 256

// asked are the calls of a load, by turns, with the answer that each must get.
var asked = [...]struct{ script, want string }{{"ls -la %d", "allow"}, {"rm -rf / %d", "deny"}, {"nosuchprogram %d", "ask"}}

// tally is what became of the calls of a load.
type tally struct {
	sync.Mutex
	wrong    int
	took     []time.Duration
	finished map[int]bool // who was not killed
}

// hook makes one call of a load; with kill it is killed at some point.
func (w *work) hook(t *tally, i int, kill bool) {
	c := asked[i%len(asked)]
	cmd := exec.Command(filepath.Join(w.bin, "longline-hook"), "claude")
	cmd.Env, cmd.Dir = []string{"HOME=" + w.home}, w.proj
	cmd.Stdin = strings.NewReader(w.call(fmt.Sprintf(c.script, i)))
	var out strings.Builder
	cmd.Stdout = &out
	start := time.Now()
	err := cmd.Start()
	if err == nil && kill {
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		_ = cmd.Process.Kill() // which may have ended
	}
	if err == nil {
		err = cmd.Wait()
	}
	t.Lock()
	defer t.Unlock()
	t.took = append(t.took, time.Since(start))
	if kill && err != nil {
		return
	}
	t.finished[i] = true
	if err != nil || !strings.Contains(out.String(), `"permissionDecision":"`+c.want+`"`) {
		t.wrong++
		fmt.Printf("%s: %v %s\n", fmt.Sprintf(c.script, i), err, out.String())
	}
}

// burst starts hooks in bursts, of which some are killed, while the log is rotated now
// and then, and checks every answer and every line. At last the disk is full.
func (w *work) burst(total int) {
	log := audit.Log{Path: filepath.Join(w.home, config.UsualLog)}
	t := &tally{finished: map[int]bool{}}
	begin, rotated := time.Now(), 0
	for first := 0; first < total; first += atOnce {
		var wait sync.WaitGroup
		for i := first; i < min(first+atOnce, total); i++ {
			wait.Go(func() { w.hook(t, i, i%16 == 5) })
			if i == first+atOnce/2 && first/atOnce%4 == 1 {
				// The log is of yesterday, and whoever comes next puts it away.
				yesterday := time.Now().Add(-24 * time.Hour)
				if os.Chtimes(log.Path, yesterday, yesterday) == nil {
					rotated++
				}
			}
		}
		wait.Wait()
	}
	lasted := time.Since(begin)
	seen, unreadable := map[string]int{}, 0
	files := append(log.Put(), log.Path)
	for _, path := range files {
		f, err := os.Open(path)
		check(err)
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var line struct{ Command string }
			if json.Unmarshal(lines.Bytes(), &line) != nil {
				unreadable++
			}
			seen[line.Command]++
		}
		f.Close()
	}
	missing, double := 0, 0
	for i := range total {
		n := seen[fmt.Sprintf(asked[i%len(asked)].script, i)]
		if n == 0 && t.finished[i] {
			missing++
		}
		if n > 1 {
			double++
		}
	}
	slices.Sort(t.took)
	fmt.Printf("%d hooks in bursts of %d, %d killed, the log in %d files (made old %d times): %d wrong answers, %d calls not logged, %d logged twice, %d lines unreadable; %.1f s, median %v, p99 %v\n",
		total, atOnce, total-len(t.finished), len(files), rotated, t.wrong, missing, double, unreadable, lasted.Seconds(), t.took[len(t.took)/2].Round(time.Microsecond), t.took[len(t.took)*99/100].Round(time.Microsecond))
	failed := t.wrong+missing+double+unreadable > 0

	rules := filepath.Join(w.home, ".config/longline/rules.yaml")
	check(os.MkdirAll(filepath.Dir(rules), 0o755))
	check(os.WriteFile(rules, []byte("version: 1\nlog: {path: /dev/full}\n"), 0o600))
	full := &tally{finished: map[int]bool{}}
	var wait sync.WaitGroup
	for i := range atOnce {
		wait.Go(func() { w.hook(full, i, false) })
	}
	wait.Wait()
	fmt.Printf("%d hooks with the log on a full disk: %d wrong answers\n", atOnce, full.wrong)
	if failed || full.wrong > 0 {
		panic("some of it went wrong")
	}
}
