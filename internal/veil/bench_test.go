//go:build linux || darwin

package veil

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func BenchmarkFilter(b *testing.B) {
	s := &Secrets{}
	r := rand.New(rand.NewPCG(9, 10))
	for i := range 200 {
		secret := make([]byte, 12+r.IntN(40))
		for k := range secret {
			secret[k] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_/+"[r.IntN(66)]
		}
		s.put(fmt.Sprintf("SECRET_%d", i), "", string(secret))
	}
	b.Run("compile", func(b *testing.B) {
		for b.Loop() {
			s.table()
		}
	})
	table := s.table()
	b.Logf("%d patterns", len(table.patterns))
	text := bytes.Repeat(ordinary(r, 1<<20), 1)
	prose := []byte(strings.Repeat("	if err := f.Close(); err != nil {\n		return fmt.Errorf(\"internal/veil: %w\", err) // what a program prints\n	}\n", 10_000))
	for name, text := range map[string][]byte{"mixed": text, "code": prose} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			f := newFilter(discard{}, table, time.Hour)
			before := processor()
			for b.Loop() {
				for piece := range slices.Chunk(text, 32<<10) {
					_, _ = f.Write(piece)
				}
			}
			b.ReportMetric(float64(b.N*len(text))/1e6/(processor()-before).Seconds(), "MB/s-of-processor")
		})
	}
}

// processor is what this process has used of it: the machine may do other things meanwhile.
func processor() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

type discard struct{}

func (discard) Write(text []byte) (int, error) { return len(text), nil }
