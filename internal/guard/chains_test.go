package guard_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"longline/internal/bench/cpu"
	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/modelfile"
	"longline/internal/policy"
	"longline/internal/tool"
)

// hookMeter measures what the whole judgement of a call costs that the hook makes: with the disk, and a second time with walls.
type hookMeter struct {
	g       *guard.Guard
	w       *tool.World
	project string
	live    uint64
}

func newHookMeter(t testing.TB) *hookMeter {
	packs, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(packs, nil, &policy.File{Name: "rules.yaml", Walls: policy.Walls{Said: true, On: true}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	m := &hookMeter{g: &guard.Guard{Library: command.Builtin(), Policy: set}, project: filepath.Join(home, "proj")}
	for name, text := range map[string]string{
		"README.md": "x", "a": "x", "b/c": "x", "d/e/f": "x", "src/main.go": "package main", "Makefile": "all:\n\techo a\n", "package.json": `{"scripts":{"test":"jest"}}`, ".env": "A_KEY=x", ".git/HEAD": "ref: refs/heads/main", ".git/config": "[core]\n",
	} {
		file := filepath.Join(m.project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.w = realDisk(m.g, home, m.project)
	m.w.Wall = []string{wallProgram, "wall"}
	m.w.Undo = func(path string) bool { return strings.HasPrefix(path, m.project) }
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	return m
}

func (m *hookMeter) cost(script string) (c cost, d tool.Decision) {
	var before, after runtime.MemStats
	if runtime.ReadMemStats(&before); before.HeapAlloc > m.live+256<<20 {
		runtime.GC()
		runtime.ReadMemStats(&before)
		m.live = before.HeapAlloc
	}
	call := tool.Call{Agent: "claude", Tool: "Bash", Dir: m.project, Script: script, Shell: true, Attended: true}
	start := cpu.Used()
	v, _ := m.g.Judge(call, m.w)
	if d = v.Decision; d != tool.Deny {
		m.g.Wall(call, m.w, always)
	}
	took := cpu.Used() - start
	runtime.ReadMemStats(&after)
	return cost{took, after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs}, d
}

// modelled are commands of all models that do more than to read: of each program its first examples with an effect of another kind.
func modelled(t testing.TB, each int) (list []string) {
	names, err := filepath.Glob("../command/models/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal("no models", err)
	}
	for _, name := range names {
		if filepath.Base(name) == modelfile.VariablesFile {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := modelfile.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for _, e := range f.Examples {
			program, _, _ := strings.Cut(e.Run, " ")
			var kinds []string
			for _, effect := range strings.Split(e.Does, ", ") {
				kind, _, _ := strings.Cut(effect, " ")
				if !slices.Contains(kinds, kind) && kind != "read" {
					kinds = append(kinds, kind)
				}
			}
			sort.Strings(kinds)
			key := program + " " + strings.Join(kinds, " ")
			if seen[key]++; len(kinds) > 0 && seen[key] <= each && !strings.Contains(e.Run, "\n") {
				list = append(list, e.Run)
			}
		}
	}
	return list
}

// chain is a command as often as there is room for it, each time with its words changed.
func chain(text, sep string, size int, change func(i int, word string) string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		words := strings.Fields(text)
		for k := 1; k < len(words); k++ {
			words[k] = change(i, words[k])
		}
		next := strings.Join(words, " ") + sep
		if b.Len()+len(next) >= size {
			return strings.TrimSuffix(b.String(), sep)
		}
		b.WriteString(next)
	}
}

// framed puts a command into constructs of the shell, each into the next, and repeats all of it.
func framed(text string, frames []string, size int) string {
	for _, frame := range frames {
		if strings.ContainsAny(frame, "'\"") && strings.ContainsAny(text, "'\"$`\\") {
			continue
		}
		text = strings.ReplaceAll(frame, "@", text+"\n")
	}
	if len(text) >= size {
		return ""
	}
	return strings.Repeat(text+"\n", size/(len(text)+1))
}

// A script of so many bytes takes at most so much time of the processor. That depends on what else the machine does, so go test
// looks at what is allocated, and at time only if it is far too much.
var chainLimits = []struct {
	size          int
	time          time.Duration
	bytes, pieces uint64
}{
	{4000, 20 * time.Millisecond, 24 << 20, 80_000},
	{64000, 200 * time.Millisecond, 240 << 20, 800_000},
}

// TestChains repeats each modelled command that does something, the same and with other words, one below the other, joined and inside
// constructs of the shell: no script takes longer than its length may. LONGLINE_GROWTH=all tries all of them, on an idle machine.
func TestChains(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	m := newHookMeter(t)
	all := os.Getenv("LONGLINE_GROWTH") == "all"
	list, every := modelled(t, 2), 1
	if !all {
		list, every = modelled(t, 1), 83
	}
	r := rand.New(rand.NewPCG(1+seed(), 11))
	same := func(_ int, word string) string { return word }
	n, slowest := 0, make([]time.Duration, len(chainLimits))
	for i, text := range list {
		if i%every != 0 {
			continue
		}
		for k, limit := range chainLimits {
			if k > 0 && i%(5*every) != 0 {
				continue
			}
			frames := []string{outer[r.IntN(len(outer))], outer[r.IntN(len(outer))], outer[r.IntN(len(outer))]}
			for _, script := range []string{
				chain(text, "\n", limit.size, same), chain(text, " && ", limit.size, lettered), chain(text, "\n", limit.size, lettered),
				framed(text, frames[:1+r.IntN(3)], limit.size),
			} {
				c, _ := m.cost(script)
				for range 4 { // other work makes a measurement longer, never shorter
					if all && c.time > limit.time {
						again, _ := m.cost(script)
						c.time = min(c.time, again.time)
					}
				}
				if n++; c.bytes > limit.bytes || c.pieces > limit.pieces || c.time > limit.time && all || c.time > 15*limit.time {
					t.Errorf("%d bytes take %v, %d kB and %d allocations: %.150s", len(script), c.time, c.bytes>>10, c.pieces, script)
				}
				slowest[k] = max(slowest[k], c.time)
			}
		}
	}
	t.Logf("%d scripts of %d commands; the slowest take %v", n, len(list), slowest)
}

// What is denied is denied behind whatever comes before it: a bound that is reached changes nothing of that.
func TestDeniedBehindChains(t *testing.T) {
	m := newHookMeter(t)
	list, size, every := modelled(t, 1), 16000, 211
	if os.Getenv("LONGLINE_GROWTH") == "all" {
		size, every = 60000, 7
	}
	for i, text := range list {
		if i%every != 0 {
			continue
		}
		for _, before := range []string{chain(text, "\n", size, lettered), chain(text, "\n", size, func(_ int, word string) string { return word })} {
			script := before + "\nrm -rf ~\n"
			if _, d := m.cost(script); d != tool.Deny && !unread(text) {
				t.Errorf("%v: %.100s ... rm -rf ~", d, before)
			}
		}
	}
}

// unread says whether a command, repeated, makes text of what comes behind it.
func unread(text string) bool { return strings.ContainsAny(text, "'\"<") }
