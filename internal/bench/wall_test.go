//go:build unix

package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// wall measures what a wall adds to running a program that does nothing: in turns, the
// program alone, behind a wall, and behind one that a person has typed.
func (w *work) wall(rounds int) {
	path, err := exec.LookPath("true")
	check(err)
	small, longline := filepath.Join(w.bin, "longline-wall"), filepath.Join(w.bin, "longline")
	run := func(argv ...string) (time.Duration, error) {
		begin := time.Now()
		err := w.inProject(argv...).Run()
		return time.Since(begin), err
	}
	if _, err := run(small, path); err != nil {
		fmt.Printf("\na wall cannot be built here: %v\n", err)
		return
	}
	ways := [][]string{{path}, {small, path}, {longline, "wall", path}}
	took := make([][]time.Duration, len(ways))
	for range rounds {
		for i, argv := range ways {
			one, err := run(argv...)
			check(err)
			took[i] = append(took[i], one)
		}
	}
	for _, list := range took {
		slices.Sort(list)
	}
	more := func(i, at int) float64 { return float64(took[i][at]-took[0][at]) / 1e6 }
	most, own := w.wallMemory(small)
	fmt.Printf("\nbehind a wall  %.2f ms more than alone (median of %d; least %.2f ms); as longline wall %.2f ms; at most %.1f MB, %.1f MB of it not shared\n",
		more(1, rounds/2), rounds, more(1, 0), more(2, rounds/2), most, own)
}

func (w *work) inProject(argv ...string) *exec.Cmd {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = []string{"HOME=" + w.home, "PATH=/usr/bin:/bin"}, w.proj
	return cmd
}

// wallMemory is what the process that holds a wall has taken at most when its program
// runs, and what of it no other process shares, in megabytes. What the kernel adds up for
// children would be the memory of the process that started them.
func (w *work) wallMemory(small string) (most, own float64) {
	cmd := w.inProject(small, "cat")
	in, err := cmd.StdinPipe()
	check(err)
	out, err := cmd.StdoutPipe()
	check(err)
	check(cmd.Start())
	_, err = in.Write([]byte("x"))
	check(err)
	_, err = out.Read(make([]byte, 1)) // then it runs
	check(err)
	proc := "/proc/" + strconv.Itoa(cmd.Process.Pid)
	most, own = kilobytes(proc+"/status", "VmHWM:")/1024, kilobytes(proc+"/smaps_rollup", "Anonymous:")/1024
	check(in.Close())
	check(cmd.Wait())
	return most, own
}

// kilobytes reads a line of the kernel's.
func kilobytes(path, name string) float64 {
	text, err := os.ReadFile(path)
	check(err)
	for line := range bytes.Lines(text) {
		if f := strings.Fields(string(line)); len(f) > 1 && f[0] == name {
			n, err := strconv.ParseFloat(f[1], 64)
			check(err)
			return n
		}
	}
	return 0
}
