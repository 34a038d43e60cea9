package guard_test

import (
	"os/exec"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestMadeSmaller: a program that makes files smaller adds an ending to their names, and only one that unpacks takes an ending away.
// So packing asks about no other file, and unpacking still does. What is allowed is run: no file but those that were named changes.
func TestMadeSmaller(t *testing.T) {
	s := &searched{t: t, g: builtin(t), make: `mkdir logs; echo k >logs/k.log; echo l >logs/l; cp logs/l logs/l.log; echo g >logs/k.log.txt; git add logs`}
	s.renew()
	const others = `git hash-object logs/l logs/k.log.txt .git/config .git/HEAD README.md; cat ~/.ssh/k; ls -a . .git`
	was := s.sh(others)
	for _, program := range []string{"gzip", "bzip2", "xz", "lzma", "pigz", "pbzip2", "zstd", "zstd --rm", "brotli", "compress", "lzip"} {
		if sampled() && program != "gzip" && program != "zstd --rm" {
			continue
		}
		for _, flags := range []string{"", " -9", " -f", " -k", " -kf", " -v"} {
			if flags != "" && (strings.HasPrefix(program, "compress") || strings.Contains(program, "rm")) {
				continue
			}
			for _, format := range []string{
				`find . -name '*.log' -exec @ {} \;`, `find logs -name '*.log' -mtime +7 -exec @ {} +`, "find . -name '*.log' | xargs @", "@ logs/*.log", `for f in logs/*.log; do @ "$f"; done`, "@ logs/k.log",
			} {
				script := strings.ReplaceAll(format, "@", program+flags)
				if v := s.judge(script); v.Decision >= tool.Ask {
					t.Errorf("%s\n\t%s: %s", script, v.Decision, v.Reason)
				} else if _, err := exec.LookPath(strings.Fields(program)[0]); err == nil && strings.HasPrefix(format, "f") {
					s.sh(script)
					if now := s.sh(others); now != was {
						t.Errorf("%s\n\tchanges other files:\n%s\nwas\n%s", script, now, was)
					}
					s.renew()
				}
			}
		}
		s.sh("ln -s ../../.ssh/k logs/k")
		for _, flag := range []string{" -d", " -df", " -kd", " --decompress"} {
			script := `find . -name '*.log' -exec ` + program + flag + ` {} \;`
			if v := s.judge(script); v.Decision < tool.Ask {
				t.Errorf("%s\n\tis allowed: an ending less may be any name", script)
			}
		}
		s.renew()
	}
	s.sh("ln -s ../../.ssh/k logs/k")
	for _, script := range []string{
		"gunzip -f logs/k.log", "gzip -d -S .log -f logs/k.log", "unxz -f logs/*.log", "GZIP=-d gzip logs/k.log", "XZ_OPT=-d xz logs/k.log", "xz --uncomp logs/k.log", "zstd -d logs/k.log",
		"gzip -dN logs/k.log", "zstd --rm -o /dev/null logs/l", "zstd --rm -c logs/l", "lz4 logs/k.log",
	} {
		if v := s.judge(script); v.Decision < tool.Ask {
			t.Errorf("%s\n\tis allowed", script)
		}
	}
}
