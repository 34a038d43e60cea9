package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// wall measures what a wall adds to running a program that does nothing: in turns, the
// program alone and behind a wall.
func (w *work) wall(rounds int) {
	path, err := exec.LookPath("true")
	check(err)
	longline := filepath.Join(w.bin, "longline")
	run := func(argv ...string) (time.Duration, int64, error) {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env, cmd.Dir = []string{"HOME=" + w.home, "PATH=/usr/bin:/bin"}, w.proj
		begin := time.Now()
		err := cmd.Run()
		took := time.Since(begin)
		memory := int64(0)
		if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && cmd.ProcessState != nil {
			memory = int64(used.Maxrss)
		}
		return took, memory, err
	}
	if _, _, err := run(longline, "wall", path); err != nil {
		fmt.Printf("\na wall cannot be built here: %v\n", err)
		return
	}
	var alone, walled []time.Duration
	memory := int64(0)
	for range rounds {
		took, _, err := run(path)
		check(err)
		alone = append(alone, took)
		took, used, err := run(longline, "wall", path)
		check(err)
		walled, memory = append(walled, took), max(memory, used)
	}
	slices.Sort(alone)
	slices.Sort(walled)
	middle := func(list []time.Duration) time.Duration { return list[len(list)/2] }
	fmt.Printf("\nbehind a wall  %.2f ms more than alone (median of %d; least %.2f ms), %.1f MB\n",
		float64(middle(walled)-middle(alone))/1e6, rounds, float64(walled[0]-alone[0])/1e6, float64(memory)/1024)
}
