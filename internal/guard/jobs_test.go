package guard_test

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestJobsThatDeleteLate has a real shell run jobs in the background that delete something later, where files are moved to meanwhile.
func TestJobsThatDeleteLate(t *testing.T) {
	runsPrograms(t)
	held := map[string]string{"d/x": "text of x", "notes": "text of notes", "build/o": "", "build/sub/o": ""}
	for script, asks := range map[string]bool{
		`(sleep 0.3; rm -rf build) & mv d build/; wait`:                                           true,
		`sleep 0.3 && rm -rf build & mv d build/; wait`:                                           true,
		`{ sleep 0.3; rm -rf build; } & mv d build/new && wait`:                                   true,
		`coproc { sleep 0.3; rm -rf build; }; mv d build/; wait`:                                  true,
		`(sleep 0.3; find build -type f -delete) & mv notes build/; wait`:                         true,
		`(sleep 0.3; rm -rf build/*) & for f in d/*; do mv "$f" build/; done; wait`:               true,
		`touch x; (sleep 0.3; rm -f x) & mv notes x; wait`:                                        true,
		`mkdir -p x; (sleep 0.3; rm -rf x) & mv d x/; wait`:                                       true,
		`(sleep 0.3; rm -rf build/k/*) & ln -s ../d build/k; wait`:                                true,
		`f() { (sleep 0.3; rm -rf build) & mv d build/; wait; }; f`:                               true,
		`if true; then (sleep 0.3; rm -rf build) & mv d build/; wait; fi`:                         true,
		`(sleep 0.1; rm -rf build) & wait; mkdir build; mv d build/`:                              false,
		`(sleep 0.1; rm -rf build/sub) & mv d build/; wait`:                                       false,
		`(rm -rf build/t; mv d build/t) & wait`:                                                   false,
		`(sleep 0.1; rm -rf build/sub) & (sleep 0.1; rm -rf build/t) & mv notes build/; wait; ls`: false,
		`(sleep 0.1; cp notes build/copy; rm -f build/copy) & cp -r d build/; wait`:               false,
		`(sleep 0.1; rm -rf build) & mv d docs; wait`:                                             false,
		`sleep 0.1 & mv d build/; wait`:                                                           false,
	} {
		v, lost := moveFiles(t, held, script)
		if (v.Decision >= tool.Ask) != asks || lost != asks {
			t.Errorf("%s: %s (%s), lost: %t", script, v.Decision, v.Reason, lost)
		}
	}
}

// TestJobsOutliveTheirLists starts a job that deletes something later in every place where a job may stand, moves files there behind it, and
// has real shells run that. Only behind a wait that surely waits for the job, the files are safe.
func TestJobsOutliveTheirLists(t *testing.T) {
	runsPrograms(t)
	if sampled() {
		t.Skip("what it waits for comes late on a busy machine; make sweeps runs it")
	}
	const late, soon = `(sleep 0.2; rm -rf build) &`, `(sleep 0.1; rm -rf build) &`
	lost := map[string][]string{"bash zsh": {
		late + "\nmv d build/", late + "\n\n# then\n\nmv d build/\nwait", late + "\npid=$!\nmv d build/\nwait $pid",
		"nohup sh -c 'sleep 0.2; rm -rf build' >/dev/null 2>&1 &\nmv d build/", "setsid -f sh -c 'sleep 0.2; rm -rf build'; mv d build/",
		"{ " + late + " }; mv d build/", "if true; then " + late + " fi; mv d build/", "for i in 1; do " + late + " done; mv d build/", "for i in *; do " + late + " done\nmv d build/",
		"until [ -e x ]; do " + late + " touch x; done; mv d build/", "case x in x) " + late + " ;; esac\nmv d build/", "f() { " + late + " }; f; mv d build/",
		"f() { " + late + " }\ng() { mv d build/; }\nf\ng", "( " + late + " ); mv d build/", "( " + late + " )\nwait\nmv d build/", "x=$( (sleep 0.2; rm -rf build) >/dev/null 2>&1 & )\nmv d build/",
		"eval '" + late + "'\nmv d build/", "eval '" + late + "\nmv d build/'", "bash -c '" + late + "'; mv d build/", "bash -c '" + late + "'; wait; mv d build/", "bash -c '" + late + "\nmv d build/'",
		"bash <<'E'\n" + late + "\nmv d build/\nE", "{ { sleep 0.2; rm -rf build; } & sleep 0.1; } & wait; mv d build/", "ls | { " + late + " }; mv d build/",
		late + " disown; wait; mv d build/", late + " wait & mv d build/", late + " (wait); mv d build/", late + " if [ -e x ]; then wait; fi; mv d build/", "sleep 0.1 & p=$!; " + late + " wait $p; mv d build/",
		"for i in 0.5 0.1; do (sleep $i; rm -rf build) & done; wait $!; mkdir -p build; mv d build/",
		late + " exec 2>&-; wait 1>&2; mv d build/", late + " { wait 1>&2; mv d build/; } 2>&-", late + " if true; then exec 2>&-; fi; wait >&2; mv d build/", late + " f() { wait >&2; }; f 2>&-; mv d build/",
		late + " trap 'mv d build/' EXIT", "trap 'mv d build/' EXIT\n" + late, "exec 3> >(sleep 0.2; rm -rf build); mv d build/",
		`python3 -c 'import subprocess; subprocess.Popen("sleep 0.3; rm -rf build", shell=True)'; mv d build/`,
		"(sleep 0.2; rm -rf build/k/*) &\nln -s ../d build/k", "(sleep 0.2; rm -f build/*) &\nmv notes build/", "(sleep 0.2; find build -type f -delete) &\nmv notes build/", "mkdir x\n(sleep 0.2; rm -rf x) &\nmv d x/", "touch x\n(sleep 0.2; rm -f x) &\nmv notes x", "(sleep 0.2; : > build/k) &\nmv notes build/k",
	}, "bash": {
		late + " exec 3>&2-; wait 1>&2; mv d build/", "sleep 0.2 && rm -rf build &\nmv d build/", "echo > >(sleep 0.2; rm -rf build); mv d build/", "coproc { sleep 0.2; rm -rf build; }\nmv d build/", "echo | tee >(sleep 0.2; rm -rf build) >/dev/null; mv d build/",
	}}
	kept := map[string][]string{"bash zsh": {
		soon + "\nwait\nmkdir build; mv d build/", soon + "\nwait 2>/dev/null || true\nmkdir -p build && mv d build/", soon + " wait $!; mkdir -p build; mv d build/", soon + " exec 2>&1; wait 1>&2; mkdir -p build; mv d build/", soon + " ls 2>&-; wait >&2; mkdir -p build; mv d build/", soon + " exec 3>&-; wait 2>&1; mkdir -p build; mv d build/", soon + "\npid=$!\nwait $pid\nmkdir -p build\nmv d build/",
		"( " + soon + " wait ); mkdir -p build; mv d build/", "f() { " + soon + " wait; }; f; mkdir -p build; mv d build/", "if [ -d d ]; then " + soon + " wait; fi\nmkdir -p build\nmv d build/",
		"for i in 1 2; do " + soon + " done\nwait\nmkdir -p build\nmv d build/", "if [ -e x ]; then " + soon + " else mv d build/; fi", "setsid -w rm -rf build; mkdir build; mv d build/",
		"(sleep 0.1; rm -rf build/sub) &\nmv d build/\nwait", "(sleep 0.1; rm -rf build) &\nmv d docs\nwait", "sleep 0.1 &\nmv d build/\nwait", "(rm -rf build/t; mv d build/t) &\nwait",
		"f() { (rm -rf \"build/$1\"; mv \"$1\" \"build/$1\") & }; f d; f notes; wait", "for p in d notes; do (rm -rf build/$p; mv $p build/$p) & done; wait",
		"diff <(ls build) <(ls d); mv d build/", `python3 -c 'import subprocess; subprocess.run("rm -rf build", shell=True)'; mkdir build; mv d build/`,
	}}
	held := map[string]string{"d/x": "text of x", "notes": "text of notes", "build/o": "", "build/sub/o": ""}
	for asks, scripts := range map[bool]map[string][]string{true: lost, false: kept} {
		for shells, list := range scripts {
			for _, shell := range strings.Fields(shells) {
				if _, err := exec.LookPath(shell); err != nil {
					continue
				}
				for _, script := range list {
					t.Run("", func(t *testing.T) {
						t.Parallel()
						behind := time.Duration(0)
						if asks {
							behind = 2 * time.Second
						}
						v, lost := moveFilesIn(t, held, script, shell, behind)
						if (v.Decision >= tool.Ask) != asks || lost != asks {
							t.Errorf("%s: %s\n\t%s (%s), lost: %t", shell, script, v.Decision, v.Reason, lost)
						}
					})
				}
			}
		}
	}
}
