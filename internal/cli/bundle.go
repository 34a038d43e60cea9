package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"longline/internal/bundle"
	"longline/internal/screen"
)

var bundleVerbs = []string{"build", "verify", "inspect", "test", "key"}

func bundleCommand() subcommand {
	return subcommand{
		name: "bundle", usage: "build DIR | verify FILE | inspect FILE | test FILE|DIR | key --out FILE", flags: true,
		purpose: forSharePolicy, example: "bundle build policy --key team.key", words: bundleVerbs,
		short: "build, sign and check a policy bundle for a team",
		help: `DIR holds bundle.yaml (name, version, valid or not_after, minimum_longline) and
rules/*.yaml, models/*.yaml, tests/*.yaml. The same DIR and --time give the same
bytes. With --key the bundle is signed; the signature is in FILE.minisig, and
minisign can verify it too.

  longline bundle key --out team.key
  longline bundle build policy --key team.key --out stable.bundle
  longline bundle verify stable.bundle --key team.key.pub
  longline bundle inspect stable.bundle

Machines install bundles with "longline sync".`,
		run: runBundle,
	}
}

// bundling is what the flags of bundle say.
type bundling struct {
	p                      *process
	out, key, password     string
	time, valid, versioned string
	json                   bool
}

func runBundle(p *process, args []string) int {
	flags := p.flagSet("bundle")
	b := bundling{p: p}
	flags.StringVar(&b.out, "out", "", "write to `FILE`")
	flags.StringVar(&b.key, "key", "", "build: the secret key in `FILE`; verify: a public key, or its file")
	flags.StringVar(&b.password, "password-file", "", "the first line of `FILE` is the secret key's password")
	flags.StringVar(&b.time, "time", "", "build: date it `TIME`, such as 2026-11-15T12:00:00Z; default SOURCE_DATE_EPOCH, else now")
	flags.StringVar(&b.valid, "valid", "", "build: expire after `DAYS`, instead of what bundle.yaml says")
	flags.StringVar(&b.versioned, "version", "", "build: `VERSION` instead of the one in bundle.yaml")
	flags.BoolVar(&b.json, "json", false, "verify, inspect, test: print JSON")
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if len(rest) == 0 || !slices.Contains(bundleVerbs, rest[0]) {
		return p.usageError("bundle", "expected one of %s", strings.Join(bundleVerbs, ", "))
	}
	verb, rest := rest[0], rest[1:]
	switch {
	case verb == "key" && (len(rest) > 0 || b.out == ""):
		return p.usageError("bundle", "key needs --out FILE and no argument")
	case verb != "key" && len(rest) != 1:
		return p.usageError("bundle", "%s needs one argument", verb)
	}
	return b.do(verb, rest)
}

// do carries out a verb; all but one have an argument.
func (b *bundling) do(verb string, rest []string) int {
	switch verb {
	case "key":
		return b.done(b.newKey())
	case "build":
		return b.done(b.build(rest[0]))
	case "verify":
		return b.done(b.verify(rest[0]))
	case "inspect":
		return b.done(b.inspect(rest[0]))
	}
	return b.test(rest[0])
}

func (b *bundling) done(err error) int {
	if err != nil {
		return b.p.failed("bundle", err)
	}
	return exitOK
}

// newKey makes a pair of keys, in the form of minisign.
func (b *bundling) newKey() error {
	secret, err := bundle.NewSecret()
	if err != nil {
		return err
	}
	word := ""
	if b.password != "" || screen.IsTerminal(b.p.in) {
		if word, err = b.askPassword("a password for the new key, or nothing"); err != nil {
			return err
		}
	}
	text, err := secret.Text(word)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(b.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // an old key is not lost
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	public := "untrusted comment: minisign public key " + secret.Public().ID() + "\n" + secret.Public().Text() + "\n"
	if err := os.WriteFile(b.out+".pub", []byte(public), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(b.p.out, "secret key: %s; keep it where only those who publish can read it\npublic key: %s\n", b.out, secret.Public().Text())
	return nil
}

// askPassword reads a password from its file or the terminal.
func (b *bundling) askPassword(what string) (string, error) {
	if b.password != "" {
		text, err := os.ReadFile(b.password)
		line, _, _ := strings.Cut(string(text), "\n")
		return line, err
	}
	f, ok := b.p.in.(*os.File)
	if !ok || !screen.IsTerminal(b.p.in) {
		return "", errors.New("the secret key has a password; name a file that holds it with --password-file")
	}
	fmt.Fprintf(b.p.err, "%s: ", what)
	text, err := term.ReadPassword(int(f.Fd()))
	fmt.Fprintln(b.p.err)
	return string(text), err
}

// read reads the directory that a bundle is made of.
func (b *bundling) source(dir string) (bundle.Manifest, []bundle.File, error) {
	name := filepath.Join(dir, "bundle.yaml")
	text, err := os.ReadFile(name)
	if err != nil {
		return bundle.Manifest{}, nil, err
	}
	recipe, err := bundle.ParseRecipe(name, text)
	if err != nil {
		return recipe.Manifest, nil, err
	}
	m := recipe.Manifest
	m.Version = cmp.Or(b.versioned, m.Version)
	if err := b.times(&m, recipe.Valid); err != nil {
		return m, nil, err
	}
	var files []bundle.File
	for _, part := range []string{"rules", "models", "tests"} {
		entries, err := os.ReadDir(filepath.Join(dir, part))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return m, nil, err
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(dir, part, e.Name()))
			if err != nil {
				return m, nil, err
			}
			files = append(files, bundle.File{Path: part + "/" + e.Name(), Text: text})
		}
	}
	return m, files, nil
}

// times sets when the bundle was made and until when it counts.
func (b *bundling) times(m *bundle.Manifest, valid time.Duration) (err error) {
	epoch, _ := b.p.env.Get("SOURCE_DATE_EPOCH")
	switch {
	case b.time != "":
		m.Time, err = bundle.ParseTime(b.time)
	case epoch != "":
		var seconds int64
		seconds, err = strconv.ParseInt(epoch, 10, 64)
		m.Time = time.Unix(seconds, 0)
	case m.Time.IsZero():
		m.Time = time.Now()
	}
	if b.valid != "" && err == nil {
		valid, err = bundle.ParseDays(b.valid)
		m.NotAfter = time.Time{}
	}
	if err != nil {
		return err
	}
	m.Time = m.Time.UTC().Truncate(time.Second)
	switch {
	case m.NotAfter.IsZero() && valid == 0:
		return errors.New("bundle.yaml has neither valid (such as 90d) nor not_after; a bundle must expire")
	case m.NotAfter.IsZero():
		m.NotAfter = m.Time.Add(valid)
	}
	return nil
}

// make builds the bundle of a directory.
func (b *bundling) make(dir string) ([]byte, *bundle.Bundle, error) {
	m, files, err := b.source(dir)
	if err != nil {
		return nil, nil, err
	}
	data, err := bundle.Encode(m, files)
	if err != nil {
		return nil, nil, err
	}
	made, err := bundle.Read(data)
	return data, made, err
}

func (b *bundling) build(dir string) error {
	data, made, err := b.make(dir)
	if err != nil {
		return err
	}
	if shadowed := made.Shadowed(); len(shadowed) > 0 {
		return fmt.Errorf("longline has its own models of %s and uses those; remove them from models", strings.Join(shadowed, ", "))
	}
	if err := made.Tested(); err != nil {
		return err
	}
	signature, err := b.sign(made, data)
	if err != nil {
		return err
	}
	out := cmp.Or(b.out, made.Name+"-"+made.Version+".bundle")
	if err := os.WriteFile(out, data, 0o644); err != nil {
		return err
	}
	if signature == nil {
		os.Remove(out + bundle.SignatureSuffix) // an old one would be wrong
	} else if err := os.WriteFile(out+bundle.SignatureSuffix, signature, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(b.p.out, "%s: %s %s, %d bytes, sha256 %s\n", out, made.Name, made.Version, len(data), made.Digest)
	if signature == nil {
		fmt.Fprintln(b.p.out, "it is not signed, so no machine installs it; sign it with --key, or with minisign -Sm")
	}
	return nil
}

// sign signs a bundle; without a key the signature is nil.
func (b *bundling) sign(made *bundle.Bundle, data []byte) ([]byte, error) {
	if b.key == "" {
		return nil, nil
	}
	text, err := os.ReadFile(b.key)
	if err != nil {
		return nil, err
	}
	secret, err := bundle.ParseSecret(text, func() (string, error) { return b.askPassword("password of " + b.key) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.key, err)
	}
	return secret.Sign(made, data), nil
}

// readBundle reads a bundle file, bounded.
func readBundle(name string) ([]byte, *bundle.Bundle, error) {
	data, err := readBounded(name, bundle.MaxSize)
	if err != nil {
		return nil, nil, err
	}
	made, err := bundle.Read(data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, made, nil
}

func readBounded(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("%s is not a file of at most %d bytes", name, limit)
	}
	return os.ReadFile(name)
}

// verify makes every check that a machine makes before it takes a bundle.
func (b *bundling) verify(name string) error {
	data, err := readBounded(name, bundle.MaxSize)
	if err != nil {
		return err
	}
	signature, err := readBounded(name+bundle.SignatureSuffix, 64<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not signed: there is no %s next to it", name, filepath.Base(name)+bundle.SignatureSuffix)
	}
	if err != nil {
		return err
	}
	keys, wanted, err := b.keys()
	if err != nil {
		return err
	}
	made, signed, err := bundle.Accept(data, signature, keys, wanted, version, time.Now())
	if err != nil {
		return fmt.Errorf("%s is refused: %w", name, err)
	}
	if b.json {
		return screen.WriteJSON(b.p.out, true, struct {
			bundle.Manifest
			Digest  string `json:"sha256"`
			Key     string `json:"key"`
			Comment string `json:"trusted_comment"`
		}{made.Manifest, made.Digest, signed.Key, signed.Comment})
	}
	fmt.Fprintf(b.p.out, "%s: good\n  %s %s, valid until %s\n  signed with key %s: %s\n", name, made.Name, made.Version, made.NotAfter.Format(time.DateOnly), signed.Key, screen.Clean(signed.Comment, ""))
	return nil
}

// keys are the public keys to verify with: the one that was named, or those that this
// machine has pinned.
func (b *bundling) keys() (keys []bundle.Key, name string, err error) {
	if b.key == "" {
		if keys, name, err = b.p.pinned(); err == nil && keys == nil {
			err = errors.New("no key is pinned on this machine; pass the public key with --key")
		}
		return keys, name, err
	}
	text := b.key
	if file, err := readBounded(b.key, 4<<10); err == nil {
		text = string(file)
	}
	key, err := bundle.ParseKey(text)
	return []bundle.Key{key}, "", err
}

type bundleJSON struct {
	bundle.Manifest
	Digest   string     `json:"sha256"`
	Files    []fileJSON `json:"files"`
	Rules    int        `json:"rules"`
	Tests    int        `json:"tests"`
	Programs []string   `json:"programs"`
	Loosens  []string   `json:"loosens"`
}

type fileJSON struct {
	Path string `json:"path"`
	Size int    `json:"size"`
}

func (b *bundling) inspect(name string) error {
	_, made, err := readBundle(name)
	if err != nil {
		return err
	}
	info := bundleJSON{
		Manifest: made.Manifest, Digest: made.Digest, Rules: len(made.Rules.Rules), Tests: len(made.Tests) + len(made.Examples),
		Programs: append([]string{}, made.Programs...), Loosens: append([]string{}, loosening(made.Rules)...),
	}
	for _, f := range made.Files {
		info.Files = append(info.Files, fileJSON{f.Path, len(f.Text)})
	}
	if b.json {
		return screen.WriteJSON(b.p.out, true, info)
	}
	var t strings.Builder
	fmt.Fprintf(&t, "%s %s, made %s, valid until %s\n", made.Name, made.Version, made.Time.Format(time.RFC3339), made.NotAfter.Format(time.RFC3339))
	if made.Longline != "" {
		fmt.Fprintf(&t, "needs longline %s or newer\n", made.Longline)
	}
	fmt.Fprintf(&t, "sha256 %s\n", made.Digest)
	for _, f := range info.Files {
		fmt.Fprintf(&t, "  %-40s %6d bytes\n", f.Path, f.Size)
	}
	fmt.Fprintf(&t, "%s, %s\n", screen.Count(info.Rules, "rule"), screen.Count(info.Tests, "test"))
	if len(info.Programs) > 0 {
		fmt.Fprintf(&t, "models of %s\n", strings.Join(info.Programs, ", "))
	}
	if len(info.Loosens) > 0 {
		t.WriteString("it would loosen:\n")
		for _, line := range info.Loosens {
			fmt.Fprintf(&t, "  %s\n", screen.Clean(line, ""))
		}
	}
	return writeText(b.p, t.String())
}

// test runs the tests of a bundle, or of the directory that one is made of.
func (b *bundling) test(name string) int {
	var made *bundle.Bundle
	info, err := os.Stat(name)
	switch {
	case err != nil:
	case info.IsDir():
		_, made, err = b.make(name)
	default:
		_, made, err = readBundle(name)
	}
	if err != nil {
		return b.done(err)
	}
	total, failed, err := made.Test()
	if err != nil {
		return b.done(err)
	}
	status := exitOK
	if len(failed) > 0 || total == 0 {
		status = exitFailed
	}
	if b.json {
		return b.p.ended(json.NewEncoder(b.p.out).Encode(struct {
			Schema string           `json:"schema"`
			Tests  int              `json:"tests"`
			Failed []bundle.Failure `json:"failed"`
		}{"longline.bundletest/v1", total, append([]bundle.Failure{}, failed...)}), status)
	}
	for _, f := range failed {
		fmt.Fprintf(b.p.out, "FAIL %s  %s\n  %s\n  wanted: %s\n  got:    %s\n", f.ID, f.Source, screen.Clean(f.Command, ""), screen.Clean(f.Wanted, ""), screen.Clean(f.Got, ""))
	}
	fmt.Fprintf(b.p.out, "%s, %d failed\n", screen.Count(total, "test"), len(failed))
	return status
}
