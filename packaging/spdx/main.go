// Spdx writes an SPDX 2.3 document of the Go modules in the executables of a
// release archive: spdx ARCHIVE.tar.gz DOCUMENT.json.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"longline/packaging/owner"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: spdx ARCHIVE.tar.gz DOCUMENT.json")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "spdx:", err)
		os.Exit(1)
	}
}

type document struct {
	Version       string         `json:"spdxVersion"`
	License       string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      creation       `json:"creationInfo"`
	Packages      []module       `json:"packages"`
	Relationships []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type module struct {
	ID       string `json:"SPDXID"`
	Name     string `json:"name"`
	Version  string `json:"versionInfo"`
	Location string `json:"downloadLocation"`
	Analyzed bool   `json:"filesAnalyzed"`
	License  string `json:"licenseConcluded"`
	Refs     []ref  `json:"externalRefs,omitempty"`
}

type ref struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	From string `json:"spdxElementId"`
	Type string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

func write(archive, out string) error {
	text, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	modules, newest, err := read(text)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	if len(modules) == 0 {
		return fmt.Errorf("%s: no Go executable in it", archive)
	}
	name := filepath.Base(archive)
	sum := sha256.Sum256(text)
	d := document{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: name,
		Namespace: owner.Fact("homepage") + "/spdx/" + name + "-" + hex.EncodeToString(sum[:8]),
		Creation:  creation{newest.UTC().Format(time.RFC3339), []string{"Tool: longline-spdx"}},
	}
	for i, m := range modules {
		id := fmt.Sprintf("SPDXRef-Package-%d", i)
		path, version, _ := strings.Cut(m, "@")
		d.Packages = append(d.Packages, module{
			ID: id, Name: path, Version: version, Location: "NOASSERTION", License: "NOASSERTION",
			Refs: []ref{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + m}},
		})
		d.Relationships = append(d.Relationships, relationship{"SPDXRef-DOCUMENT", "DESCRIBES", id})
	}
	text, err = json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}

// read lists the modules in the executables of an archive, and the time of the
// newest file in it.
func read(text []byte) (modules []string, newest time.Time, err error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, newest, err
	}
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, newest, err
		}
		if header.ModTime.After(newest) {
			newest = header.ModTime
		}
		if header.FileInfo().Mode().Perm()&0o111 == 0 || header.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(io.LimitReader(files, 256<<20))
		if err != nil {
			return nil, newest, err
		}
		info, err := buildinfo.Read(bytes.NewReader(content))
		if err != nil {
			continue // a script
		}
		modules = append(modules, "stdlib@"+strings.TrimPrefix(info.GoVersion, "go"), info.Main.Path+"@"+info.Main.Version)
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			modules = append(modules, m.Path+"@"+m.Version)
		}
	}
	slices.Sort(modules)
	return slices.Compact(modules), newest, nil
}
