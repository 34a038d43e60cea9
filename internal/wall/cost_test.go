//go:build linux && (amd64 || arm64)

package wall

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// BenchmarkNothing says how long a wall takes that has nothing to hold, the others how much longer programs take behind one
// that make 20,000 files or look at them. Each compares the fastest of its runs, with and without a wall by turns.
func BenchmarkNothing(b *testing.B) { compare(b, 0, "true") }

func BenchmarkShell(b *testing.B) {
	compare(b, 0, "sh", "-c", `mkdir made; i=0; while [ $i -lt 20000 ]; do echo >made/$i; i=$((i+1)); done; rm -r made`)
}

func BenchmarkCheckout(b *testing.B) {
	compare(b, 20000, "sh", "-c", "git checkout-index --all --prefix=made/; rm -r made")
}

func BenchmarkStatus(b *testing.B) { compare(b, 20000, "git", "status", "--short") }

func compare(b *testing.B, files int, args ...string) {
	st := newStage(b, 65534)
	if files > 0 {
		st.files(b, files)
	}
	var least, worked [2]time.Duration
	for b.Loop() {
		for i, words := range [][]string{args, append([]string{st.bin}, args...)} {
			cmd := st.command("wall", "", words[1:]...)
			cmd.Path = must(exec.LookPath(words[0]))
			began := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			if took := time.Since(began); least[i] == 0 || took < least[i] {
				least[i] = took
			}
			if work := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); worked[i] == 0 || work < worked[i] {
				worked[i] = work
			}
		}
	}
	b.ReportMetric(float64(least[1])/float64(least[0]), "times")
	b.ReportMetric(float64(worked[1])/float64(worked[0]), "work-times")
	b.ReportMetric((worked[1]-worked[0]).Seconds()*1e3, "ms-more-work")
	b.ReportMetric((least[1]-least[0]).Seconds()*1e3, "ms-more")
	b.ReportMetric(0, "ns/op")
}

// files makes a repository with so many files.
func (st *stage) files(b *testing.B, n int) {
	b.Helper()
	project := st.root + "/home/code/project"
	for i := range n {
		dir := fmt.Sprintf("%s/src/d%d", project, i/100)
		if i%100 == 0 {
			must(0, os.MkdirAll(dir, 0o777))
		}
		must(0, os.WriteFile(fmt.Sprintf("%s/f%d.txt", dir, i), fmt.Appendf(nil, "text %d\n", i), 0o666))
	}
	cmd := st.command("", "", "-c", "rm -rf .git; git init -q && git add src")
	cmd.Path = "/bin/sh"
	if out, err := exec.Command("chown", "-R", "65534:65534", project).CombinedOutput(); os.Getuid() == 0 && err != nil {
		b.Fatalf("%s", out)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
}
