package reader

import (
	"testing"

	"longline/internal/command"
	"longline/internal/modelfile"
	"longline/internal/tool"
)

// models are small models of the programs that matter to a reader of scripts:
// those that run others, and those whose output is known.
const models = `
programs:
  echo: {grammar: plain, operands: text..., output: echo}
  printf: {grammar: plain, operands: text..., output: printf}
  cat: {switches: -n, operands: read..., output: stdin}
  pwd: {output: cwd}
  "true false [ test": {grammar: plain, operands: text..., output: nothing}
  date: {grammar: plain, operands: text..., output: plain}
  base64: {switches: -d, modes: [{when: -d, output: "filter:base64d"}]}
  curl: {switches: -s -f -S -L, flags: {-o: write}, operands: url...}
  rm: {switches: -r -f, operands: delete..., modes: [{when: -r, tree: true}]}
  ln: {switches: -s -f, operands: link-target create}
  cp: {operands: read write}
  tee: {switches: -a, operands: write..., output: stdin}
  find: {grammar: long, flags: {-name: name-filter, -exec: "command;"}, operands: stat..., output: names, holds: -name}
  env: {switches: -i, flags: {-u: text}, operands: "assign... command..."}
  "nice nohup timeout1": {operands: command...}
  timeout: {operands: "text command..."}
  xargs: {switches: -0, flags: {-n: text, -I: text}, operands: command+...}
  sudo: {flags: {-u: text}, operands: command...}
  bash:
    permute: false
    switches: -e -x -l -s
    flags: {-c: "script:bash"}
    operands: text...
    modes:
      - {unless: -c -s, operands: "run:bash? text..."}
      - {unless: -c, given: none, stdin: "code:bash"}
      - {when: -s, stdin: "code:bash"}
  "sh dash":
    permute: false
    switches: -e -x -l -s
    flags: {-c: "script:sh"}
    operands: text...
    modes:
      - {unless: -c -s, operands: "run:sh? text..."}
      - {unless: -c, given: none, stdin: "code:sh"}
      - {when: -s, stdin: "code:sh"}
  git: {unlisted: text, operands: text...}
`

// testLibrary knows those programs, and takes all others for harmless ones, so
// that every gap in a result is the shell reader's own.
func testLibrary(t testing.TB) *command.Library {
	t.Helper()
	data, err := modelfile.Compile(map[string][]byte{"test.yaml": []byte(models)})
	if err != nil {
		t.Fatal(err)
	}
	lib := command.Open(string(data))
	find := lib.Find
	harmless := &command.Model{Level: command.Level{Grammar: command.Plain, Operands: []command.Item{{Uses: []command.Use{{Name: "text"}}, Many: true}}}}
	lib.Find = func(name string) *command.Model {
		if m := find(name); m != nil {
			return m
		}
		if name == "f" || name == "g" || name == "h" {
			return nil // names for functions
		}
		return harmless
	}
	return lib
}

func testWorld() *tool.World {
	return &tool.World{Home: "/home/dev", Project: "/home/dev/proj", User: "dev"}
}
