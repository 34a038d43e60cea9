package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed testdata/chosen.go
var chosen []byte

// load lists the mutants of a part, and gives its files with all of them.
func (t *target) load() (list []mutant, texts map[string][]byte, err error) {
	texts = map[string][]byte{}
	checked := map[string]*checkedPackage{}
	paths, err := t.paths()
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		dir := filepath.Dir(path)
		if checked[dir] == nil {
			if checked[dir], err = check(dir); err != nil {
				return nil, nil, err
			}
		}
		p := checked[dir]
		file := p.files[path]
		if file == nil {
			return nil, nil, fmt.Errorf("%s is not built on this system", path)
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		m := mutator{path: path, source: source, set: p.set, info: p.info, first: len(list) + 1}
		texts[path] = m.mutate(file, t.funcs)
		list = append(list, m.list...)
	}
	return list, texts, nil
}

// paths are the files of a part.
func (t *target) paths() ([]string, error) {
	var list []string
	for _, name := range t.files {
		found, err := filepath.Glob(filepath.Join("internal", filepath.FromSlash(name)))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("%s: there is no %s", t.name, name)
		}
		for _, path := range found {
			if !strings.HasSuffix(path, "_test.go") && left[strings.TrimPrefix(filepath.ToSlash(path), "internal/")] == "" {
				list = append(list, path)
			}
		}
	}
	return list, nil
}

// checkedPackage is a package whose types are known.
type checkedPackage struct {
	set   *token.FileSet
	files map[string]*ast.File
	info  *types.Info
}

// check reads a package and finds the types in it.
func check(dir string) (*checkedPackage, error) {
	p := &checkedPackage{set: token.NewFileSet(), files: map[string]*ast.File{}, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	found, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range found.GoFiles {
		path := filepath.Join(dir, name)
		file, err := parser.ParseFile(p.set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files[path] = file
		files = append(files, file)
	}
	exports, err := exportsOf(dir)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: importer.ForCompiler(p.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	_, err = config.Check("longline/"+filepath.ToSlash(dir), p.set, files, p.info)
	return p, err
}

// exportsOf are the files with the types of the packages that one imports.
func exportsOf(dir string) (map[string]string, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./"+filepath.ToSlash(dir)).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", dir, err)
	}
	list := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		list[path] = file
	}
	return list, nil
}

// bench is where the mutants of a part are tried: its tests, with all of them built in.
type bench struct {
	dir   string
	each  time.Duration
	tests []*test
}

// test is one of the tests of a part, of a program that holds several.
type test struct {
	program *program
	name    string        // "" is what the arguments say
	usual   time.Duration // of the processor, without a mutant
	reaches map[int]bool
}

// program is a package's tests.
type program struct {
	path, dir string
	args      []string
}

// newBench builds the tests of a part, and runs each of them without a mutant.
func newBench(t *target, dir string, each time.Duration) (*bench, []mutant, error) {
	list, texts, err := t.load()
	if err != nil {
		return nil, nil, err
	}
	texts[filepath.Join("internal", "mutants", "chosen", "chosen.go")] = chosen
	overlay := filepath.Join(dir, "overlay.json")
	if err := writeOverlay(overlay, texts); err != nil {
		return nil, nil, err
	}
	b := &bench{dir: dir, each: each}
	for i, args := range t.tests {
		p := &program{path: filepath.Join(dir, fmt.Sprintf("test%d", i)), dir: args[0], args: args[1:]}
		flags := fmt.Sprintf("-X longline/internal/mutants/chosen.file=%s -X longline/internal/mutants/chosen.reached=%s", b.file("alive"), b.file("reached"))
		cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-ldflags", flags, "-o", p.path, args[0])
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, nil, fmt.Errorf("go test -c %s: %w\n%s", args[0], err, out)
		}
		if err := b.learn(p, len(list)); err != nil {
			return nil, nil, err
		}
	}
	return b, list, nil
}

func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

// writeOverlay writes the files that the compiler takes in place of the real ones.
func writeOverlay(name string, texts map[string][]byte) error {
	replace := map[string]string{}
	for path, text := range texts {
		real, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		replace[real] = filepath.Join(filepath.Dir(name), fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(replace[real], text, 0o600); err != nil {
			return err
		}
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// learn runs each test of a program without a mutant, to see how long it takes and which
// mutants it comes by.
func (b *bench) learn(p *program, mutants int) error {
	names, err := b.names(p)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := os.WriteFile(b.file("reached"), nil, 0o600); err != nil {
			return err
		}
		t := &test{program: p, name: name, reaches: map[int]bool{}}
		r := b.run(p, []*test{t}, -mutants-1, 5*b.each)
		if r.err != nil || r.failed {
			return fmt.Errorf("%s fails without a mutant: %w\n%s", name, r.err, r.output)
		}
		t.usual = r.took
		text, err := os.ReadFile(b.file("reached"))
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			id, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil {
				return err
			}
			t.reaches[id] = true
		}
		b.tests = append(b.tests, t)
	}
	return nil
}

// names lists the tests of a program that its arguments mean; one without a name if they
// mean parts of a test.
func (b *bench) names(p *program) ([]string, error) {
	run, skip := "", "^$"
	for i, arg := range p.args {
		switch arg {
		case "-test.run":
			run = p.args[i+1]
		case "-test.skip":
			skip = p.args[i+1]
		}
	}
	if strings.Contains(run, "/") {
		return []string{""}, nil
	}
	left, err := regexp.Compile(skip)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(b.file("alive"), []byte("0"), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(p.path, "-test.list", cmp.Or(run, "."))
	cmd.Dir = p.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.dir, err)
	}
	var names []string
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		if (strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz")) && !left.MatchString(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// fate is what becomes of a mutant.
type fate uint8

const (
	unreached fate = iota // no test comes by
	unnoticed
	killed
	outOfTime
)

// quick is how long a test takes that is run together with others.
const quick = 300 * time.Millisecond

// try runs the tests that come by a mutant with it alive, the quick ones first. One that
// makes a test take too long is dead too.
func (b *bench) try(id int) (fate, error) {
	f := unreached
	for _, group := range b.groups(id) {
		f = unnoticed
		r := b.run(group[0].program, group, id, b.each)
		switch {
		case r.err != nil:
			return f, r.err
		case r.endless:
			return outOfTime, nil
		case r.failed:
			return killed, nil
		}
	}
	return f, nil
}

// groups are the tests that come by a mutant, as they are run together.
func (b *bench) groups(id int) (list [][]*test) {
	var slow []*test
	at := map[*program]int{}
	for _, t := range b.tests {
		switch i, ok := at[t.program]; {
		case !t.reaches[id]:
		case t.usual > quick || t.name == "":
			slow = append(slow, t)
		case ok:
			list[i] = append(list[i], t)
		default:
			at[t.program] = len(list)
			list = append(list, []*test{t})
		}
	}
	slices.SortStableFunc(slow, func(a, b *test) int { return cmp.Compare(a.usual, b.usual) })
	for _, t := range slow {
		list = append(list, []*test{t})
	}
	return list
}

// result is what came of running tests.
type result struct {
	failed, endless bool
	took            time.Duration // of the processor
	output          string
	err             error
}

// run runs tests of one program with a mutant alive. It may take much more of the
// processor than without one, but not for ever, and no more memory than tests need: some
// would take it all.
func (b *bench) run(p *program, tests []*test, alive int, each time.Duration) (r result) {
	if r.err = os.WriteFile(b.file("alive"), []byte(strconv.Itoa(alive)), 0o600); r.err != nil {
		return r
	}
	var usual time.Duration
	var names []string
	for _, t := range tests {
		usual += t.usual
		names = append(names, t.name)
	}
	limit := 3 + int(10*usual/time.Second)
	if alive < 0 {
		limit = int(each / time.Second)
	}
	args := append([]string{"-c", fmt.Sprintf(`ulimit -v 8000000; ulimit -t %d; exec "$@"`, limit), "sh", p.path, "-test.failfast"}, p.args...)
	if names[0] != "" {
		args = append(args, "-test.run", "^("+strings.Join(names, "|")+")$")
	}
	ctx, cancel := context.WithTimeout(context.Background(), each)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir = p.dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	r.err = cmd.Run()
	r.output = out.String()
	if cmd.ProcessState != nil {
		r.took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	r.endless = ctx.Err() != nil || r.took >= time.Duration(limit)*time.Second-time.Second/2
	if exit := (*exec.ExitError)(nil); errors.As(r.err, &exit) || r.endless {
		r.failed, r.err = true, nil
	}
	return r
}
