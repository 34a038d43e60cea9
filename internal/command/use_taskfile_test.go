package command

import (
	"reflect"
	"testing"
)

func TestTaskSteps(t *testing.T) {
	const file = `version: '3'
vars:
  NAME: x
tasks:
  default:
    deps: [lint, "build"]
  short: go vet ./...
  build:
    desc: builds it
    env:
      CGO_ENABLED: 0
    cmds:
      - go build ./...
      - cmd: rm -rf out
        silent: true
      - task: lint
      - |
        echo a
        echo b
      - "echo \"q: x\""
      - defer: rm tmp
  lint:
    cmd: golangci-lint run
  flat:
    cmds:
    - echo flat
`
	for _, c := range []struct {
		name string
		want []taskStep
	}{
		{"default", []taskStep{{"lint", true}, {"build", true}}},
		{"short", []taskStep{{"go vet ./...", false}}},
		{"build", []taskStep{{"go build ./...", false}, {"rm -rf out", false}, {"lint", true}, {"echo a\necho b", false}, {`echo "q: x"`, false}, {"rm tmp", false}}},
		{"lint", []taskStep{{"golangci-lint run", false}}},
		{"flat", []taskStep{{"echo flat", false}}},
		{"none", nil},
	} {
		if got := taskSteps(file, c.name); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
