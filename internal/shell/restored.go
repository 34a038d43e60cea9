package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// What git has in a commit and that is put over a file takes the place of what was changed there since. So where such data goes is
// followed, through pipes, values and other files, as long as nothing else is mixed with it.

// maxRestored bounds the writes of what git has that are noted.
const maxRestored = 256

// restores notes that data goes into a file of the project, or into all below a directory anywhere, if it is what git has. Without a
// span it may be any write there.
func restores(led *ledger, e tool.Effect, from command.Taint) {
	if from&command.FromVersion == 0 || !e.Tree && !paths.Within(e.Target, led.world.Project) || slices.Contains(led.restored, e) {
		return
	}
	if len(led.restored) == maxRestored {
		led.gap("too many files are put back", e.Span)
		return
	}
	led.restored = append(led.restored, e)
}

// restoresElsewhere is restores for a redirection to a file of which the name is not known exactly, or that is not emptied before, and for one to a descriptor:
// that may be any that has been opened to a file.
func restoresElsewhere(led *ledger, s *state, red redirection, from command.Taint) {
	if from&command.FromVersion == 0 {
		return
	}
	into := func(to string, at tool.Span) {
		restores(led, tool.Effect{Kind: tool.Write, Target: strings.TrimPrefix(to, "?"), Reach: tool.Exact, Span: at}, from)
	}
	if red.file == "" {
		for _, to := range s.held {
			if to == "?" { // too many to know
				led.gap("too many files are put back", red.at)
			}
			into(strings.TrimPrefix(to, asOutput), tool.Span{})
		}
	} else if !red.add || !strings.HasPrefix(red.file, "?") {
		into(red.file, red.at)
	}
}

// unmixed is where data comes from that an invocation makes: it is what git has if the invocation reads that, and no other files.
func unmixed(s *state, inv *command.Invocation, t command.Taint) command.Taint {
	if inv.Commits {
		return t
	}
	mixed := isOtherFile(inv.Stdin.Taint) && !inv.Unfed
	for i := range inv.Words {
		if w := &inv.Words[i]; strings.HasPrefix(w.Text, "/dev/fd/") {
			t, mixed = t|w.Taint&command.FromVersion, mixed || w.Taint&command.FromVersion == 0
		}
	}
	if t&command.FromVersion == 0 && s.files.size() == 0 {
		return t
	}
	for _, e := range inv.Effects {
		if e.Kind != tool.Read {
			continue
		}
		f := s.found(e.Target)
		if e.Reach == tool.Under && !e.Tree {
			f = s.wrote(vagueFile(e)) // a temporary file
		}
		if f == nil || f.data.Taint&command.FromVersion == 0 {
			mixed = true
		} else {
			t |= command.FromVersion
		}
	}
	if mixed {
		t &^= command.FromVersion
	}
	return t
}

// isOtherFile says whether data is that of files, but not what git has.
func isOtherFile(t command.Taint) bool {
	return t&command.FromFile != 0 && t&command.FromVersion == 0
}

// behind is what a stream holds when another is written behind it: what git has, if both are that or of no file.
func behind(d, o command.Data) command.Data {
	mixed := isOtherFile(d.Taint) || isOtherFile(o.Taint)
	if d = d.Then(o); mixed {
		d.Taint &^= command.FromVersion
	}
	return d
}

// intoFile is where the content of a file comes from when other content may be put there, as well as what was there before or in its place.
func (f *file) intoFile(t command.Taint) command.Taint {
	if had := f.data.Taint; had != 0 && had&command.FromVersion == 0 || t&command.FromVersion == 0 {
		return (had | t) &^ command.FromVersion
	}
	return f.data.Taint | t
}
