package bundle

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/modelfile"
	"longline/internal/policy"
	"longline/internal/rulesfile"
)

// The bounds of a bundle.
const (
	MaxSize  = config.MaxBundle
	maxFile  = 1 << 20
	maxFiles = 512
)

// Bundle is a bundle that has been read.
type Bundle struct {
	Manifest
	Files  []File
	Digest string // SHA-256 of the whole file, in hexadecimal

	Rules    *policy.File
	Tests    []policy.Test
	Examples []modelfile.Example
	Programs []string // that its models speak of

	models string
}

// File is a file of a bundle, by its path in there.
type File struct {
	Path string
	Text []byte
}

// fileForm are the names that files in a bundle can have.
var fileForm = form(`^(rules|models|tests)/[a-z0-9][a-z0-9._-]{0,99}\.yaml$`)

// Encode is the one file for a manifest and its files.
func Encode(m Manifest, files []File) ([]byte, error) {
	m.Format = Format
	if err := m.check(); err != nil {
		return nil, err
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	all := append([]File{{ManifestFile, m.encode()}}, files...)
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for i, f := range all {
		if err := checkFile(all, i); err != nil {
			return nil, err
		}
		head := tar.Header{Typeflag: tar.TypeReg, Name: f.Path, Size: int64(len(f.Text)), Mode: 0o644, ModTime: m.Time.UTC(), Format: tar.FormatUSTAR}
		if err := w.WriteHeader(&head); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if len(files) > maxFiles {
		return nil, fmt.Errorf("a bundle holds at most %d files; these are %d", maxFiles, len(files))
	}
	if out.Len() > MaxSize {
		return nil, fmt.Errorf("the bundle is %d bytes long; at most %d are possible", out.Len(), MaxSize)
	}
	return out.Bytes(), nil
}

// checkFile says why a file of a sorted list does not belong in a bundle. The first is the
// manifest.
func checkFile(all []File, i int) error {
	f := all[i]
	switch {
	case i > 0 && !fileForm(f.Path):
		return fmt.Errorf("%q does not belong in a bundle: it holds rules/NAME.yaml, models/NAME.yaml and tests/NAME.yaml", f.Path)
	case i > 0 && f.Path == all[i-1].Path:
		return fmt.Errorf("%q is there twice", f.Path)
	case len(f.Text) > maxFile:
		return fmt.Errorf("%s is %d bytes long; at most %d are possible", f.Path, len(f.Text), maxFile)
	}
	return nil
}

// Read reads a bundle. It says nothing about its signature.
func Read(data []byte) (*Bundle, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("it is %d bytes long; at most %d are accepted", len(data), MaxSize)
	}
	sum := sha256.Sum256(data)
	files, err := readFiles(data)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 || files[0].Path != ManifestFile {
		return nil, fmt.Errorf("it does not begin with %s", ManifestFile)
	}
	b := &Bundle{Digest: hex.EncodeToString(sum[:]), Files: files[1:]}
	if b.Manifest, err = decodeManifest(files[0].Text); err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestFile, err)
	}
	// There is one file for one content: what else is in this one, nobody has looked at.
	same, err := Encode(b.Manifest, b.Files)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(same, data) {
		return nil, errors.New("it is not in canonical form; build it with longline bundle build")
	}
	return b, b.compile()
}

// readFiles reads the files in a bundle.
func readFiles(data []byte) (files []File, err error) {
	r := tar.NewReader(bytes.NewReader(data))
	for {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("it is not a bundle: %v", err)
		case head.Typeflag != tar.TypeReg || head.Size > maxFile:
			return nil, fmt.Errorf("%q is not a file of at most %d bytes", head.Name, maxFile)
		case len(files) > maxFiles:
			return nil, fmt.Errorf("it holds more than %d files", maxFiles)
		}
		text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
		if err != nil {
			return nil, fmt.Errorf("it is cut off in %q: %v", head.Name, err)
		}
		files = append(files, File{head.Name, text})
	}
}

// compile reads the rules, models and tests. Their errors name the file in the bundle.
func (b *Bundle) compile() error {
	c := compiler{Bundle: b, models: map[string][]byte{}, ids: map[string]string{}}
	for _, f := range b.Files {
		name := b.Name + "/" + f.Path
		switch dir, base := path.Split(f.Path); dir {
		case "rules/":
			c.addRules(name, f.Text)
		case "models/":
			c.addModels(name, base, f.Text)
		case "tests/":
			tests, err := rulesfile.ParseTests(name, f.Text)
			c.wrong = append(c.wrong, err)
			b.Tests = append(b.Tests, tests...)
		}
	}
	if b.Rules = config.Joined(c.rules); b.Rules == nil {
		b.Rules = &policy.File{}
	}
	b.Rules.Name = "bundle " + b.Name
	b.Tests = append(b.Tests, b.Rules.Tests...)
	if len(c.models) > 0 {
		compiled, err := modelfile.Compile(c.models)
		c.wrong = append(c.wrong, err)
		b.models = string(compiled)
	}
	return rulesfile.Explain(errors.Join(c.wrong...))
}

// compiler reads the files of a bundle.
type compiler struct {
	*Bundle
	rules  []*policy.File
	models map[string][]byte
	ids    map[string]string // of rules, and where they are from
	wrong  []error
}

func (c *compiler) addRules(name string, text []byte) {
	file, err := rulesfile.Parse(name, text, nil)
	if err != nil {
		c.wrong = append(c.wrong, err)
		return
	}
	for _, r := range file.Rules {
		if first, taken := c.ids[r.ID]; taken {
			c.wrong = append(c.wrong, fmt.Errorf("%s: the id %q is taken, first in %s", r.Source, r.ID, first))
		}
		c.ids[r.ID] = r.Source
	}
	c.rules = append(c.rules, file)
}

func (c *compiler) addModels(name, base string, text []byte) {
	if base == modelfile.VariablesFile {
		c.wrong = append(c.wrong, fmt.Errorf("%s: a bundle cannot say what variables mean to all programs", name))
		return
	}
	file, err := modelfile.Parse(name, text)
	if err != nil {
		c.wrong = append(c.wrong, err)
		return
	}
	c.models[name] = text
	c.Examples = append(c.Examples, file.Examples...)
	for _, m := range file.Models {
		c.Programs = append(c.Programs, m.Names...)
	}
}

// Shadowed lists the programs that it models although longline has a model of them,
// which counts.
func (b *Bundle) Shadowed() []string {
	own := command.Builtin()
	var list []string
	for _, name := range b.Programs {
		if own.Has(name) {
			list = append(list, name)
		}
	}
	return list
}

// Config is the bundle as a layer of the rules in force.
func (b *Bundle) Config() *config.Bundle {
	return &config.Bundle{Name: b.Name, Version: b.Version, From: b.Time, Until: b.NotAfter, File: b.Rules, Models: b.models}
}

// Parse reads an installed bundle, for config.Options.
func Parse(name string, text []byte) (*config.Bundle, error) {
	b, err := Read(text)
	if err != nil {
		return nil, &config.Error{Path: name, Err: fmt.Errorf("%s: %w", name, err)}
	}
	return b.Config(), nil
}
