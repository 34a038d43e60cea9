package modelfile

import (
	"errors"
	"strings"
	"testing"
	"time"

	"longline/internal/bench/cpu"
	"longline/internal/command"
	"longline/internal/record"
	"longline/internal/source"
)

// FuzzModel: any bytes as a file of models, or of variables, are errors with
// places, or models that say the same when compiled, and that read any words
// without a bug showing.
func FuzzModel(f *testing.F) {
	for name, text := range modelFiles(f) {
		isTable := strings.HasSuffix(name, VariablesFile)
		if len(text) > 2000 && !isTable {
			continue
		}
		run := "git -C x push --force origin"
		if parsed, err := Parse(name, text); err == nil && len(parsed.Examples) > 0 {
			run = parsed.Examples[0].Run
		}
		f.Add(text, run, isTable)
	}
	for _, seed := range []string{
		"shared: {a: {with: b}, b: {with: a}}\nwith: a\n", "programs: {a b: {flags: {-x: read}}, a: {}}", "modes: [{when: [-a&-b=c*], effects: [control git.push]}]\ncommands: {x*: {operands: read...}}",
		"operands: command\ngrammar: bundle", "env: {A_*: code}\nlands: file:-o\nstdin: code:sh", "names: \"\"", "flags: {-o: write read?}\n---\n- {run: x, does: nothing}", "*a", "\x00",
	} {
		f.Add([]byte(seed), "x -o=a -- b 'c d' $E *.go", false)
	}
	f.Fuzz(func(t *testing.T, text []byte, line string, variables bool) {
		start := cpu.Used()
		name := "models/x.yaml"
		if variables {
			name = VariablesFile
		}
		checkModels(t, name, text, line)
		if took := cpu.Used() - start; took > 20*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func checkModels(t *testing.T, name string, text []byte, line string) {
	t.Helper()
	data, err := Compile(map[string][]byte{name: text})
	if err != nil {
		var list source.Errors
		for e := range strings.SplitSeq(err.Error(), "\n") {
			if !errors.As(err, &list) && !strings.HasPrefix(e, name+": program") {
				t.Fatalf("%q tells no place", err)
			}
		}
		return
	}
	compiled := command.Open(string(data))
	if name == VariablesFile {
		env, err := ParseVariables(name, text)
		table, tableErr := record.OpenTable(string(data))
		if rec, ok := table.Find(command.VariablesEntry); err != nil || tableErr != nil || !ok || rec != command.EncodeVariables(env) {
			t.Errorf("compiled, the variables are others (%v)", err)
		}
		read(compiled, Split("A=b "+line), "")
		return
	}
	parsed, err := Parse(name, text)
	if err != nil {
		t.Fatalf("it compiles, and does not parse: %v", err)
	}
	for _, m := range parsed.Models {
		for _, program := range m.Names {
			found := compiled.Find(program)
			if found == nil {
				t.Fatalf("the compiled library lacks %q", program)
			}
			if got, want := command.EncodeModel(found), command.EncodeModel(m); got != want {
				t.Fatalf("%q is compiled to another model", program)
			}
			words := append([]command.Word{known(program)}, Split(line)...)
			direct := &command.Library{Find: func(name string) *command.Model {
				if name == program {
					return m
				}
				return nil
			}}
			for _, lib := range []*command.Library{direct, compiled} {
				inv := read(lib, words, "some text")
				for _, g := range inv.Gaps {
					if strings.Contains(g.Why, "internal error") {
						t.Fatalf("%q: a bug in reading %q", program, line)
					}
				}
				for _, e := range inv.Effects {
					if e.Kind == 0 {
						t.Fatalf("%q: an effect of no kind: %+v", program, e)
					}
				}
			}
		}
	}
}

func known(text string) command.Word {
	w := Split("x")[0]
	w.Text = text
	return w
}
