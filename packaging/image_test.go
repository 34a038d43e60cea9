package packaging_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestImage reads the Dockerfile, since nothing here can build it: what it copies is there,
// stages are named before they are used, it builds as the Makefile does, and the image
// holds the executables and nothing else.
func TestImage(t *testing.T) {
	text, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	release := regexp.MustCompile(`(?m)^RELEASE = (.*)$`).FindSubmatch(makefile)
	if release == nil || !strings.Contains(string(text), string(release[1])) {
		t.Error("it does not build with the flags of the Makefile")
	}
	module, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(module)
	if !strings.Contains(string(text), "FROM golang:"+string(version[1])) {
		t.Errorf("it does not build with Go %s", version[1])
	}
	var stages, copied []string
	image := ""
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		switch words[0] {
		case "FROM":
			image, copied = words[1], nil
			if len(words) == 4 && words[2] == "AS" {
				stages = append(stages, words[3])
			}
		case "COPY":
			sources := words[1 : len(words)-1]
			if stage, ok := strings.CutPrefix(sources[0], "--from="); ok {
				if !slices.Contains(stages, stage) {
					t.Errorf("stage %q is not there yet", stage)
				}
				copied = append(copied, sources[1:]...)
				continue
			}
			for _, s := range sources {
				if _, err := os.Stat(filepath.Join("..", s)); err != nil {
					t.Error(err)
				}
			}
		case "WORKDIR", "RUN", "ENTRYPOINT":
		default:
			t.Errorf("unexpected instruction %s", words[0])
		}
	}
	if image != "scratch" || !slices.Equal(copied, []string{"/out/longline", "/out/longline-hook", "/out/longline-wall"}) {
		t.Errorf("the image is %s with %q", image, copied)
	}
}
