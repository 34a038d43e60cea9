// Npmpack makes npm packages of the executables of a release: one for each platform
// and one, longline, that depends on all of them optionally, so that npm installs the
// one that fits. Nothing is downloaded by a script.
//
//	npmpack VERSION DIST OUT
//
// DIST is GoReleaser's output directory; OUT receives one directory for each package.
package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"longline/packaging/owner"
)

//go:embed longline.js
var launcher string

//go:embed readme.md
var readme string

// platforms are those that npm has names for.
var platforms = []struct{ goos, goarch, os, cpu string }{
	{"linux", "amd64", "linux", "x64"},
	{"linux", "arm64", "linux", "arm64"},
	{"darwin", "amd64", "darwin", "x64"},
	{"darwin", "arm64", "darwin", "arm64"},
	{"freebsd", "amd64", "freebsd", "x64"},
	{"freebsd", "arm64", "freebsd", "arm64"},
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: npmpack VERSION DIST OUT")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "npmpack:", err)
		os.Exit(1)
	}
}

func pack(version, dist, out string) error {
	optional := map[string]string{}
	main := owner.Fact("npm") // perhaps with a scope
	for _, p := range platforms {
		name := main + "-" + p.os + "-" + p.cpu
		dir := filepath.Join(out, filepath.Base(name))
		if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
			return err
		}
		programs := []string{"longline", "longline-hook"}
		if p.goos == "linux" {
			programs = append(programs, "longline-wall")
		}
		for _, program := range programs {
			found, err := filepath.Glob(filepath.Join(dist, program+"_"+p.goos+"_"+p.goarch+"*", program))
			if err != nil {
				return err
			}
			if len(found) != 1 {
				return fmt.Errorf("%d builds of %s for %s/%s in %s, want 1", len(found), program, p.goos, p.goarch, dist)
			}
			text, err := os.ReadFile(found[0])
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, "bin", program), text, 0o755); err != nil {
				return err
			}
		}
		err := manifest(dir, map[string]any{
			"name": name, "version": version, "license": "MIT", "description": "longline for " + p.os + " on " + p.cpu,
			"os": []string{p.os}, "cpu": []string{p.cpu}, "files": []string{"bin"}, "preferUnplugged": true,
		})
		if err != nil {
			return err
		}
		optional[name] = version
	}
	dir := filepath.Join(out, "longline")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{"longline.js": launcher, "README.md": readme} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "NPM-NAME", main)), 0o755); err != nil {
			return err
		}
	}
	return manifest(dir, map[string]any{
		"name": main, "version": version, "license": "MIT", "description": "Judges what AI coding agents are about to run",
		"keywords": []string{"claude-code", "codex", "gemini-cli", "agent", "security", "hooks"},
		"bin":      map[string]string{"longline": "longline.js"}, "files": []string{"longline.js"},
		"engines": map[string]string{"node": ">=18"}, "optionalDependencies": optional,
	})
}

func manifest(dir string, fields map[string]any) error {
	text, err := json.MarshalIndent(fields, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "package.json"), append(text, '\n'), 0o644)
}
