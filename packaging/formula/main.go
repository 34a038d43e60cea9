// Formula writes a Homebrew formula for the archives of a release:
//
//	formula VERSION CHECKSUMS ADDRESS
//
// CHECKSUMS is the file checksums.txt of the release, and ADDRESS where its archives
// are, without the version's tag at the end.
package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"os"
	"strings"
	"text/template"

	"longline/packaging/owner"
)

//go:embed longline.rb.tmpl
var text string

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: formula VERSION CHECKSUMS ADDRESS")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "formula:", err)
		os.Exit(1)
	}
}

func write(version, checksums, address string) error {
	file, err := os.Open(checksums)
	if err != nil {
		return err
	}
	defer file.Close()
	sums := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if sum, name, ok := strings.Cut(lines.Text(), "  "); ok {
			sums[name] = sum
		}
	}
	t, err := template.New("longline.rb").Funcs(template.FuncMap{
		// What Homebrew calls a system, by what Go calls it.
		"os":      func() map[string]string { return map[string]string{"darwin": "macos", "linux": "linux"} },
		"archive": func(platform string) string { return "longline_" + version + "_" + platform + ".tar.gz" },
		"sum": func(name string) (string, error) {
			if sums[name] == "" {
				return "", fmt.Errorf("%s does not list %s", checksums, name)
			}
			return sums[name], nil
		},
	}).Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(os.Stdout, map[string]string{"Version": version, "Homepage": owner.Fact("homepage"), "Address": strings.TrimSuffix(address, "/") + "/v" + version})
}
