//go:build unix

package bench

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"longline/internal/bench/usual"
)

// program is something to start, with what it reads.
type program struct {
	name string
	argv []string
	in   string
	took []time.Duration
	// What all runs together cost, whatever else the machine did meanwhile.
	faults, switches int64
}

// each is the mean of a count.
func (p *program) each(count int64) float64 { return float64(count) / float64(len(p.took)) }

// copies is how many copies of each executable take turns: the same bytes differ
// by how their file came into the cache.
const copies = 4

// start runs a program once.
func (w *work) start(p *program, copy int) time.Duration {
	argv := p.argv
	if copy >= 0 && strings.HasPrefix(argv[0], w.bin) {
		argv = append([]string{filepath.Join(w.bin, fmt.Sprint("copy", copy), filepath.Base(argv[0]))}, argv[1:]...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = []string{"HOME=" + w.home, "PATH=/usr/bin:/bin"}, w.proj
	in, err := os.Open(p.in)
	check(err)
	defer in.Close()
	out, write, err := os.Pipe()
	check(err)
	defer out.Close()
	cmd.Stdin, cmd.Stdout = in, write
	begin := time.Now()
	check(cmd.Start())
	write.Close()
	io.Copy(io.Discard, out)
	check(cmd.Wait())
	took := time.Since(begin)
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && copy >= 0 {
		p.faults += int64(used.Minflt)
		p.switches += int64(used.Nvcsw + used.Nivcsw)
	}
	return took
}

func (w *work) copyAll() {
	for i := range copies {
		dir := filepath.Join(w.bin, fmt.Sprint("copy", i))
		check(os.MkdirAll(dir, 0o755))
		for _, name := range []string{"longline-hook", "longline", "nothing"} {
			text, err := os.ReadFile(filepath.Join(w.bin, name))
			check(err)
			check(os.WriteFile(filepath.Join(dir, name), text, 0o755))
		}
	}
}

func (w *work) input(name, text string) string {
	path := filepath.Join(w.dir, strings.ReplaceAll(name, " ", "-")+".json")
	check(os.WriteFile(path, []byte(text), 0o644))
	return path
}

// turns starts all programs in random order, again and again.
func (w *work) turns(programs []*program, rounds int) {
	for round := range rounds + 2 {
		for _, i := range rand.Perm(len(programs)) {
			p := programs[i]
			if round == 2 {
				p.faults, p.switches = 0, 0
			}
			if took := w.start(p, round%copies); round >= 2 {
				p.took = append(p.took, took)
			}
		}
	}
	for _, p := range programs {
		slices.Sort(p.took)
	}
}

func (p *program) at(part float64) float64 {
	return float64(p.took[min(int(part*float64(len(p.took))), len(p.took)-1)].Nanoseconds()) / 1e3
}

func (w *work) processes(rounds int) {
	w.copyAll()
	hook := filepath.Join(w.bin, "longline-hook")
	empty := w.input("empty", "")
	programs := []*program{{name: "/bin/true", argv: []string{"/bin/true"}, in: empty}, {name: "nothing (Go)", argv: []string{filepath.Join(w.bin, "nothing")}, in: empty}}
	for _, class := range usual.Commands() {
		programs = append(programs, &program{name: class[0], argv: []string{hook, "claude"}, in: w.input(class[0], w.call(class[1]))})
	}
	everyday := &program{name: "everyday compound", argv: []string{hook, "claude"}, in: w.input("everyday", w.call(everydayCompound))}
	programs = append(programs, everyday)
	programs = append(programs, &program{name: "ls -la, longline hook", argv: []string{filepath.Join(w.bin, "longline"), "hook", "claude"}, in: programs[2].in})
	w.turns(programs, rounds)
	fmt.Printf("\n(a) whole process, %d rounds\n%-24s %8s %8s %8s %8s %8s %8s %8s %8s %10s\n", rounds, "", "min µs", "p25", "median", "p99", "ratio", "faults", "switches", "peak MB", "instr k")
	base := programs[1]
	for _, p := range programs {
		fmt.Printf("%-24s %8.0f %8.0f %8.0f %8.0f %8.2f %8.0f %8.1f %8s %10s\n", p.name, p.at(0), p.at(0.25), p.at(0.5), p.at(0.99), p.at(0.5)/base.at(0.5), p.each(p.faults), p.each(p.switches), w.peak(p), w.instructions(p))
	}
}

// everydayCompound is what the goals for a whole call are about, beside ls -la.
const everydayCompound = "cd src && git status -s | head -20 && grep -rn TODO . 2>/dev/null | wc -l; go test ./... 2>&1 | tail -5"

// cold measures the same calls among other programs: before each one some others run,
// and memory is walked through that is larger than the caches of a processor.
func (w *work) cold(rounds int) {
	hook, room := filepath.Join(w.bin, "longline-hook"), make([]byte, 64<<20)
	programs := []*program{
		{name: "nothing (Go)", argv: []string{filepath.Join(w.bin, "nothing")}, in: w.input("empty", "")},
		{name: "ls -la", argv: []string{hook, "claude"}, in: w.input("ls -la", w.call("ls -la"))},
		{name: "everyday compound", argv: []string{hook, "claude"}, in: w.input("everyday", w.call(everydayCompound))},
	}
	for round := range rounds {
		for _, i := range rand.Perm(len(programs)) {
			for at := 0; at < len(room); at += 64 {
				room[at]++
			}
			for _, other := range [][]string{{"/bin/sh", "-c", ":"}, {"/bin/ls", "/"}} {
				_ = exec.Command(other[0], other[1:]...).Run() // for what it leaves in the caches
			}
			programs[i].took = append(programs[i].took, w.start(programs[i], round%copies))
		}
	}
	sortAll(programs...)
	fmt.Printf("\namong other programs, caches cold, %d rounds\n", rounds)
	for _, p := range programs {
		fmt.Printf("%-24s median %8.0f µs, %5.2f times nothing\n", p.name, p.at(0.5), p.at(0.5)/programs[0].at(0.5))
	}
}

var initialised = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock, (\d+) bytes, (\d+) allocs$`)

// initialisation is what packages do before main, as the runtime traces it.
func (w *work) initialisation() {
	cmd := exec.Command(filepath.Join(w.bin, "longline-hook"), "--no-such-flag")
	cmd.Env = []string{"GODEBUG=inittrace=1"}
	text, _ := cmd.CombinedOutput() // it fails, and is meant to
	var all struct{ ms, bytes, allocs float64 }
	most, slowest := 0.0, ""
	for _, line := range initialised.FindAllStringSubmatch(string(text), -1) {
		number := func(i int) float64 {
			n, err := strconv.ParseFloat(line[i], 64)
			check(err)
			return n
		}
		all.ms, all.bytes, all.allocs = all.ms+number(2), all.bytes+number(3), all.allocs+number(4)
		if number(2) > most {
			most, slowest = number(2), line[1]
		}
	}
	fmt.Printf("longline-hook before main: %.3f ms, %.0f bytes in %.0f pieces; most of it %s, %.3f ms\n", all.ms, all.bytes, all.allocs, slowest, most)
}

// peak is how much memory a run has resident at most. It is asked of time(1):
// what wait reports to this program counts its own memory, from before the exec.
func (w *work) peak(p *program) string {
	cmd := exec.Command("/usr/bin/time", append([]string{"-f", "%M"}, p.argv...)...)
	cmd.Env, cmd.Dir = []string{"HOME=" + w.home, "PATH=/usr/bin:/bin"}, w.proj
	var err error
	if cmd.Stdin, err = os.Open(p.in); err != nil {
		return "-"
	}
	var said strings.Builder
	cmd.Stderr = &said
	if _, err := cmd.Output(); err != nil {
		return "-"
	}
	kB, err := strconv.Atoi(strings.TrimSpace(said.String()))
	if err != nil {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(kB)/1e3)
}

var refs = regexp.MustCompile(`I +refs: +([0-9,]+)`)

// instructions counts what a run takes in user space, if valgrind is there.
func (w *work) instructions(p *program) string {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return "-"
	}
	cmd := exec.Command(valgrind, append([]string{"--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"}, p.argv...)...)
	cmd.Env, cmd.Dir = []string{"HOME=" + w.home, "PATH=/usr/bin:/bin", "GOMAXPROCS=1"}, w.proj
	if cmd.Stdin, err = os.Open(p.in); err != nil {
		return "-"
	}
	text, _ := cmd.CombinedOutput()
	found := refs.FindSubmatch(text)
	if found == nil {
		return "-"
	}
	n, err := strconv.Atoi(strings.ReplaceAll(string(found[1]), ",", ""))
	if err != nil {
		return "-"
	}
	return strconv.Itoa(n / 1000)
}
