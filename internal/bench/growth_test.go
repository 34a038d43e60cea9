//go:build unix

package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"longline/internal/bench/cpu"
	"longline/internal/bench/usual"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/tool"
)

// judge returns a function that judges a script, with models and rules read
// before.
func (w *work) judge() func(script string) {
	packs, err := policy.BuiltinFile()
	check(err)
	set, _, err := policy.Merge(packs, nil, nil, nil)
	check(err)
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	world := config.World(config.Env{"HOME=" + w.home}, config.Site{Project: w.proj}, w.home)
	return func(script string) { g.Judge(tool.Call{Tool: "Bash", Dir: w.proj, Script: script, Shell: true}, world) }
}

// measured is what judging a script costs.
type measured struct {
	micros        float64 // of processor time
	allocs, bytes uint64
}

// measure judges a script for a while.
func (w *work) measure(script string) measured {
	judge := w.judge()
	judge(script)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, n := cpu.Used(), uint64(0)
	for ; n < 5 || cpu.Used()-start < 300*time.Millisecond; n++ {
		judge(script)
	}
	took := cpu.Used() - start
	runtime.ReadMemStats(&after)
	return measured{float64(took.Nanoseconds()) / 1e3 / float64(n), (after.Mallocs - before.Mallocs) / n, (after.TotalAlloc - before.TotalAlloc) / n}
}

func (w *work) judging() {
	fmt.Printf("\n(b) judging in process, warm, in processor time with garbage collection\n%-24s %10s %10s %10s\n", "", "µs", "allocs", "kB")
	for _, class := range usual.Commands() {
		r := w.measure(class[1])
		fmt.Printf("%-24s %10.1f %10d %10.1f\n", class[0], r.micros, r.allocs, float64(r.bytes)/1e3)
	}
}

func (w *work) growth(rounds int) {
	hook := []string{filepath.Join(w.bin, "longline-hook"), "claude"}
	in := w.input("ls", w.call("ls -la"))
	rules := filepath.Join(w.home, ".config/longline/rules.yaml")
	check(os.MkdirAll(filepath.Dir(rules), 0o755))
	fmt.Printf("\n(c) growth: rules of the user, half on commands, half on paths (whole process, %d rounds)\n", rounds)
	none := 0.0
	for _, n := range []int{0, 10, 100, 1000, 10_000} {
		var text strings.Builder
		text.WriteString("version: 1\nrules:\n")
		for i := range n / 2 {
			fmt.Fprintf(&text, "- {id: c%d, decision: ask, reason: r, match: {command: tool%d, flags: {any_of: [-x]}}}\n", i, i)
			fmt.Fprintf(&text, "- {id: p%d, decision: ask, reason: r, match: {effect: {kind: [read, write], paths: ['/srv/%d/**']}}}\n", i, i)
		}
		os.Remove(rules)
		if n > 0 {
			check(os.WriteFile(rules, []byte(text.String()), 0o600))
		}
		p := &program{name: fmt.Sprint(n, " rules"), argv: hook, in: in}
		first := w.start(p, -1)
		if n > 0 {
			// A large file counts as left alone from then on; see config/mark.go.
			time.Sleep(2500 * time.Millisecond)
			w.start(p, -1)
		}
		without := &program{argv: []string{filepath.Join(w.bin, "nothing")}, in: in}
		for range rounds {
			p.took = append(p.took, w.start(p, -1))
			without.took = append(without.took, w.start(without, -1))
		}
		sortAll(p, without)
		ratio := p.at(0.5) / without.at(0.5)
		if n == 0 {
			none = ratio
		}
		fmt.Printf("%-24s median %8.0f µs, %5.2f times nothing, %+4.0f %%, %s k instructions; first call %7.1f ms\n", p.name, p.at(0.5), ratio, 100*(ratio/none-1), w.instructions(p), float64(first.Microseconds())/1e3)
	}
	os.Remove(rules)

	log := filepath.Join(w.home, config.UsualLog)
	for _, size := range []int64{0, 1 << 30} {
		check(os.Truncate(log, size))
		p := &program{argv: hook, in: in}
		first := w.start(p, -1)
		for range rounds {
			p.took = append(p.took, w.start(p, -1))
		}
		sortAll(p)
		fmt.Printf("log of %-17s median %8.0f µs; first call %7.1f ms\n", fmt.Sprint(size>>20, " MiB"), p.at(0.5), float64(first.Microseconds())/1e3)
	}
	put, _ := filepath.Glob(filepath.Join(filepath.Dir(log), "*"))
	for _, path := range put {
		os.Remove(path)
	}

	for _, n := range []int{1, 10, 100, 1000} {
		r := w.measure(strings.Repeat("ls -la; ", n))
		fmt.Printf("%-24s %10.1f µs, %6.1f µs each\n", fmt.Sprint(n, " invocations"), r.micros, r.micros/float64(n))
	}
	const line = "grep -n pattern src/main.go | head -5\n"
	for _, size := range []int{100, 1 << 10, 10 << 10, 64 << 10, 1 << 20} {
		r := w.measure(strings.Repeat(line, size/len(line)+1))
		fmt.Printf("%-24s %10.1f µs, %6.1f µs for each kB\n", fmt.Sprint("script of ", size, " B"), r.micros, r.micros/float64(size)*1e3)
	}
}

// batch measures check --jsonl on one processor, and one process for each.
func (w *work) batch() {
	const each, rounds = 20000, 5
	var lines bytes.Buffer
	for i := range each {
		class := usual.Commands()[i%4]
		text, err := json.Marshal(map[string]string{"command": class[1], "cwd": w.proj})
		check(err)
		lines.Write(append(text, '\n'))
	}
	fmt.Printf("\n(d) check --jsonl, %d lines of the first four classes in turns, median of %d\n", each, rounds)
	for _, n := range []int{1, runtime.NumCPU()} {
		var wall, processor []float64
		for range rounds {
			start := time.Now()
			var wait sync.WaitGroup
			var used atomic.Int64
			for range n {
				wait.Go(func() {
					cmd := exec.Command(filepath.Join(w.bin, "longline"), "check", "--jsonl")
					cmd.Env, cmd.Dir, cmd.Stdin = []string{"HOME=" + w.home, "GOMAXPROCS=1"}, w.proj, bytes.NewReader(lines.Bytes())
					cmd.Run() // the status is the strictest decision
					used.Add(int64(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()))
				})
			}
			wait.Wait()
			wall = append(wall, float64(n*each)/time.Since(start).Seconds())
			processor = append(processor, float64(n*each)/time.Duration(used.Load()).Seconds())
		}
		slices.Sort(wall)
		slices.Sort(processor)
		fmt.Printf("%d at once: %8.0f commands a second, %8.0f for each second of a processor\n", n, wall[rounds/2], processor[rounds/2])
	}
}
