package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Files that are sourced: their commands run in this shell.

// mayBeOther says whether what is sourced may be something else than is read: a file that this script wrote somewhere, or a program, which bash
// finds first by a name without a slash.
func (r *reader) mayBeOther(path, name string) bool {
	_, wrote := r.written(path)
	_, made := r.s.files.get(paths.Parent(path))
	return wrote && !made && !paths.Within(r.start, paths.Parent(path)) && r.absent(paths.Parent(path)) || !strings.Contains(name, "/") && !strings.HasPrefix(name, ".")
}

// sourceFile is source: the commands of a file, run in this shell.
func (r *reader) sourceFile(args []command.Word, inv *command.Invocation) {
	s := r.s
	if len(args) > 0 && args[0].IsKnown() && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	found, ok := r.sourced(args[0], inv)
	if !ok || found.path != "" && slices.Contains(r.reading, found) {
		return
	}
	if len(r.reading) >= maxReading {
		gapIn(inv, "scripts that read scripts, nested too deeply")
		return
	}
	parsed, via, params, many, loose, zero := r.parsed, r.via, s.params, s.many, s.loose, s.zero
	returns, choice, printed, gone := r.returns, r.choice, r.printed, s.gone
	named, had := s.vars.get("BASH_SOURCE")
	if len(args) > 1 {
		s.params, s.many, s.loose = args[1:], inv.Loose > 0, 0
		if r.posix { // which may not hand them on
			s.params, s.many, s.loose = []command.Word{lost(append(params, args...)...)}, true, 1
		}
	}
	if r.zsh {
		s.zero = s.zero.Join(args[0])
	}
	s.vars.put("BASH_SOURCE", variable{alts: []command.Word{args[0]}, list: true})
	given := s.params
	r.reading, r.via = append(r.reading, found), append(inv.Via[:len(inv.Via):len(inv.Via)], inv.Name)
	r.sourcing++
	r.returns, r.choice, r.printed = nil, nil, nil
	before := s.place
	weak := r.weak
	r.weak = weak || r.mayBeOther(found.path, args[0].Text)
	r.inline(found.text, &source{whole: inv.Span, disk: found.path != ""})
	r.weak = weak
	r.sourcing--
	if r.returns != nil && s.gone {
		s.place, s.missed, s.gone = *r.returns, nil, gone
	} else if r.returns != nil {
		s.place = s.place.join(*r.returns)
	}
	if first, _, _ := strings.Cut(args[0].Text, "/"); first == args[0].Text || r.posix { // it may be another one that PATH leads to
		s.place = s.place.join(before)
	}
	r.reading, r.via, r.parsed = r.reading[:len(r.reading)-1], via, parsed
	r.returns, r.choice, r.printed = returns, choice, printed
	if changed := len(s.params) != len(given) || len(given) > 0 && &s.params[0] != &given[0]; len(args) > 1 && changed {
		s.params, s.many, s.loose = []command.Word{lost(append(params[:len(params):len(params)], s.params...)...)}, true, 1
	} else if len(args) > 1 {
		s.params, s.many, s.loose = params, many, loose
	}
	if s.zero = zero; !had {
		named = r.inherited("BASH_SOURCE")
	}
	s.vars.put("BASH_SOURCE", named)
}

// sourced finds the text that source runs: of a file, or without a path of a stream. It says whether there is one; if not, what is known of that
// is noted.
func (r *reader) sourced(w command.Word, inv *command.Invocation) (scriptFile, bool) {
	s := r.s
	switch {
	case !w.IsKnown():
		gapIn(inv, "which file is sourced is known only at run time")
		if w.Taint&command.FromNet != 0 {
			return r.lostSource(inv, w, "fetched:sh", tool.Exact)
		}
		return r.lostSource(inv, w, "", tool.Anywhere)
	case w.Text == "/dev/null":
		return scriptFile{}, false
	case isStream(w.Text):
		d := s.stdin
		if n, ok := strings.CutPrefix(w.Text, "/dev/fd/"); ok {
			d = r.descriptor(n)
		}
		r.takesRest(d, inv.Span)
		switch d = reopened(d); {
		case d.Taint&command.FromNet != 0:
			return r.lostSource(inv, w, "fetched:sh", tool.Exact)
		case d.Reach != tool.Exact || d.None || d.Hollow:
			return r.lostSource(inv, w, "stdin:sh", tool.Exact)
		}
		return scriptFile{"", d.Text}, true
	case inv.Dir.Reach != tool.Exact && !strings.HasPrefix(w.Text, "/"):
		return r.lostSource(inv, w, "script:"+w.Text, tool.Anywhere)
	}
	return r.sourcedFile(w, inv)
}

// sourcedFile is sourced for a file with a name.
func (r *reader) sourcedFile(w command.Word, inv *command.Invocation) (scriptFile, bool) {
	at := paths.Clean(inv.Dir.Text, w.Text)
	for _, l := range r.links {
		if paths.Within(at, l.From) && !l.copied {
			return r.lostSource(inv, w, "written:"+at, tool.Exact)
		}
	}
	inv.RunsFile(at)
	if r.ran = append(r.ran, at); r.async > 0 {
		note(&r.running, at)
	}
	f, wrote := r.written(at)
	if !wrote {
		f, wrote = r.mayBring(at)
	}
	if !wrote && r.isSecret(at) { // it may set any variable, to something that nobody has seen
		if r.sourceSecrets(at, inv) {
			return scriptFile{}, false
		}
		r.assigned |= command.FromSecret
		return r.lostSource(inv, w, "script:"+at, tool.Exact)
	}
	if !wrote && r.setsUp(at) {
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "setup:" + at, Reach: tool.Exact, Span: w.Span})
		return scriptFile{}, false
	}
	text, ok := r.readScript(at, f, wrote)
	if !wrote && switchesTo(at) && paths.Within(at, r.world.Project) && (!ok || activates(at, text)) { // which goes nowhere else
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "script:" + at, Reach: tool.Exact, Span: w.Span})
		return scriptFile{}, false
	}
	if ok && !f.unsure {
		return scriptFile{at, text}, true
	}
	origin := "script:"
	if wrote {
		if origin = "written:"; f.data.Taint&command.FromNet != 0 {
			origin = "fetched:"
		}
	}
	return r.lostSource(inv, w, origin+at, tool.Exact)
}

// lostSource notes that a text is run in this shell that cannot be read: nothing is known of the shell after it.
func (r *reader) lostSource(inv *command.Invocation, w command.Word, target string, reach tool.Reach) (scriptFile, bool) {
	inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: target, Reach: reach, Span: w.Span})
	if r.spend(8); !r.spent {
		r.s.forgetAll()
	}
	r.s.out = command.Data{}
	return scriptFile{}, false
}

// setsUp says whether a file is one with which the user sets up every shell, or in which a version manager or an installer has put that: it
// has run already when an agent starts, and only the user changes it. It is long, and full of what cannot be followed.
func (d *disk) setsUp(file string) bool {
	switch file {
	case "/etc/profile", "/etc/bash.bashrc", "/etc/bashrc":
		return true
	}
	rest, ok := strings.CutPrefix(file, d.world.Home+"/")
	if d.world.Home == "" || !ok || paths.Within(file, d.world.Project) || paths.Within(d.follow(file), d.world.Project) && d.world.Project != "" {
		return false
	}
	switch rest {
	case ".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".bash_aliases",
		".nvm/nvm.sh", ".cargo/env", ".asdf/asdf.sh", ".sdkman/bin/sdkman-init.sh", ".rvm/scripts/rvm", ".ghcup/env", ".local/bin/env", ".deno/env", ".opam/opam-init/init.sh",
		"miniconda3/etc/profile.d/conda.sh", "anaconda3/etc/profile.d/conda.sh", "miniforge3/etc/profile.d/conda.sh", ".nix-profile/etc/profile.d/nix.sh", ".fzf.bash", ".fzf.zsh":
		return true
	}
	return false
}
