package modelfile

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"longline/internal/command"
)

// gnuPrograms are those whose flags are put to the installed program. All of
// them read their whole command line before they do anything, so that with
// --help at its end nothing else happens.
var gnuPrograms = strings.Fields(`
	ls cat head tail wc sort uniq cut paste join comm tr tac nl od base64 base32 basenc md5sum sha1sum sha256sum sha512sum
	b2sum cksum sum cp mv ln rmdir mkdir touch truncate mktemp stat readlink realpath basename dirname du df date id who
	uname nproc tee split csplit shuf numfmt fmt fold pr seq mkfifo dircolors expand unexpand ptx pathchk
	grep diff cmp sdiff diff3 tar`)

// Flags that only newer versions, other systems or relatives in the same family
// of models have.
var notEverywhere = map[string]string{
	"wc": "--debug --total", "cp": "--debug --keep-directory-symlink --update", "mv": "--debug --exchange --no-copy --update",
	"base64": "--break --output", "base32": "--break --output", "basenc": "--break --output --base58",
	"cksum": "--base64 --binary --raw", "date": "--rfc-822", "numfmt": "--unit-separator", "fold": "--characters", "ptx": "--copyright",
	"grep": "--include-dir --unix-byte-offsets", "tar": "--disable-copyfile --include --no-fflags --no-mac-metadata --options",
}

// TestAccepted fails when a model lists a long flag that the installed GNU
// program does not have, or gives it a value that it does not take.
func TestAccepted(t *testing.T) {
	if testing.Short() {
		t.Skip("runs several hundred programs")
	}
	models := map[string]*command.Model{}
	_, parsed := load(t)
	for _, f := range parsed {
		for _, m := range f.Models {
			for _, n := range m.Names {
				models[n] = m
			}
		}
	}
	checked := 0
	for _, name := range gnuPrograms {
		path, err := exec.LookPath(name)
		if err != nil || !strings.Contains(say(path, "--version"), "GNU") {
			continue
		}
		m := models[name]
		if m == nil {
			t.Errorf("there is no model of %q", name)
			continue
		}
		for _, f := range slices.Concat(m.Flags.All(), m.Global.All()) {
			if !strings.HasPrefix(f.Name, "--") || slices.Contains(strings.Fields(notEverywhere[name]), f.Name) {
				continue
			}
			flag := f.Name
			if len(f.Values) > 0 {
				flag += "=1"
			}
			checked++
			said := say(path, flag, "--help")
			for _, complaint := range []string{"unrecognized option", "is ambiguous", "doesn't allow an argument", "requires an argument"} {
				if strings.Contains(said, complaint) {
					t.Errorf("%s %s: %s", name, flag, strings.SplitN(said, "\n", 2)[0])
				}
			}
		}
	}
	t.Logf("%d flags checked", checked)
}

func say(path string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin"}
	out, _ := cmd.CombinedOutput()
	return string(out)
}
