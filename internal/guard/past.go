package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/reader"
	"longline/internal/tool"
)

// recall says of each command of a call what it runs that earlier calls of the session
// have fetched or written. What was fetched is still fetched code when it is copied,
// piped or sourced, so the script is read once more as if it had fetched it itself.
func (g *Guard) recall(call *tool.Call, invs []*command.Invocation, w *tool.World) {
	past := call.Past
	if past == nil {
		return
	}
	for _, inv := range invs {
		recallFiles(past, inv)
	}
	var files []string
	for _, b := range past.Fetched {
		if !b.Ran && len(files) < maxBrought {
			files = append(files, b.Path)
		}
	}
	instructs := len(past.Fetched) > 0 && slices.ContainsFunc(invs, func(inv *command.Invocation) bool { return g.instruction(inv, w) != nil })
	if instructs {
		files = append(files, readFrom(past, invs)...)
	}
	if len(files) == 0 || !instructs && !slices.ContainsFunc(invs, runsCode) {
		return
	}
	there := *w
	there.Brought = files
	again := reader.Read(call.Script, call.Dir, &there, g.Library).Invocations
	also := g.loading(call, invs, &there)
	for i, inv := range again {
		if inv.Relays {
			invs[among(invs, again, i)].Relays = true
		}
		what, runs := runsFetched(inv)
		if !runs {
			what, runs = also.loads(inv)
			runs = runs && slices.ContainsFunc(past.Fetched, func(b tool.Brought) bool { return !b.Tree && b.Path == what }) // git's own files in a clone are not others'
		}
		if !runs {
			continue
		}
		i = among(invs, again, i)
		if _, itself := runsFetched(invs[i]); !itself { // in this very call
			noteFetched(invs[i], past, what, files[len(files)-1])
		}
	}
}

// readFrom are the files of directories that were fetched which commands read.
func readFrom(past *tool.Past, invs []*command.Invocation) (files []string) {
	for _, inv := range invs {
		for _, e := range inv.Effects {
			if e.Kind == tool.Read && e.Reach == tool.Exact && !e.Pattern && len(files) < maxBrought &&
				slices.ContainsFunc(past.Fetched, func(b tool.Brought) bool { return b.Tree && paths.Within(e.Target, b.Path) }) {
				files = append(files, e.Target)
			}
		}
	}
	return files
}

// noteFetched says of a command which fetched file it runs, or that it may be the last one.
func noteFetched(inv *command.Invocation, past *tool.Past, what, last string) {
	b, ok := past.Origin(what, false)
	if !ok {
		b, _ = past.Origin(last, false)
	}
	noteOrigin(inv, b)
}

// noteOrigin says of a command that it runs something that was fetched, unless that was said.
func noteOrigin(inv *command.Invocation, b tool.Brought) {
	if inv.Code == nil {
		inv.Code = new(command.Code)
	}
	if inv.Code.Fetched == nil {
		inv.Code.Fetched = &b
	}
}

// worksIn says whether a command runs the code of the project in a directory, or of something in it: it may be there, or is told of it.
func worksIn(inv *command.Invocation, dir string) bool {
	if !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Execute && strings.HasPrefix(e.Target, "project:") && e.Target != "project:compile"
	}) {
		return false
	}
	in := func(w command.Word) bool {
		place := paths.Clean(inv.Dir.Text, w.Text)
		return w.Reach == tool.Exact && paths.Within(place, dir) || w.Reach == tool.Under && (paths.Within(place, dir) || paths.Within(dir, place))
	}
	return in(inv.Dir) || slices.ContainsFunc(inv.Paths, in)
}

// recallFiles says of a command which of the files that it runs the session has written
// or fetched.
func recallFiles(past *tool.Past, inv *command.Invocation) {
	for _, e := range inv.Effects {
		if e.Kind == tool.Execute && e.Reach == tool.Exact && strings.HasPrefix(e.Target, "file:/") {
			inv.RunsFile(strings.TrimPrefix(e.Target, "file:"))
		}
	}
	for _, b := range past.Fetched {
		if b.Tree && (!b.Ran || past.Injection) && worksIn(inv, b.Path) {
			noteOrigin(inv, b)
		}
	}
	if inv.Code == nil {
		return
	}
	for _, file := range inv.Code.Files {
		if slices.Contains(past.Written, file) {
			inv.Code.Written = file
		}
		if b, ok := past.Origin(file, past.Injection); ok {
			inv.Code.Fetched = &b
		} else if past.More && inv.Code.Written == "" {
			inv.Code.Fetched = &tool.Brought{Path: file}
		}
	}
}

// runsCode says whether a command runs code, or does what files say, as far as that can be
// seen.
func runsCode(inv *command.Invocation) bool {
	return inv.Code != nil || len(inv.Runs) > 0 || len(inv.Via) > 0 || len(inv.Gaps) > 0 ||
		slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute })
}

// maxBrought bounds the files that the script is read with.
const maxBrought = 64

// runsFetched says whether a command runs what was fetched, and which file that is.
func runsFetched(inv *command.Invocation) (file string, ok bool) {
	for _, e := range inv.Effects {
		if what, is := strings.CutPrefix(e.Target, "fetched:"); is && e.Kind == tool.Execute {
			return what, true
		}
	}
	return "", false
}

// among is the command that another one is when the script is read again. If something that was read the first time is not any
// more, it is the one that has it run.
func among(invs, again []*command.Invocation, i int) int {
	if len(again) != len(invs) {
		return outermost(invs, again[i])
	}
	return i
}

// outermost is the command that stands in the script where another one is run from.
func outermost(invs []*command.Invocation, inner *command.Invocation) int {
	for i, inv := range invs {
		if inv.Span.Start <= inner.Span.Start && inner.Span.End <= inv.Span.End {
			return i
		}
	}
	return 0
}

// PastOf is what a session is known for that a test describes; call is the one that
// is judged by it.
func (g *Guard) PastOf(s *policy.TestSession, call tool.Call, w *tool.World) *tool.Past {
	if s == nil {
		return nil
	}
	absolute := func(name string) string {
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			return w.Home + "/" + rest
		}
		return paths.Clean(call.Dir, name)
	}
	p := &tool.Past{Untrusted: s.Untrusted, Injection: s.Injection, Secret: s.Secret}
	for _, name := range s.Fetched {
		p.Fetched = append(p.Fetched, tool.Brought{Path: absolute(name), Tree: strings.HasSuffix(name, "/")})
	}
	for _, name := range s.Written {
		p.Written = append(p.Written, absolute(name))
	}
	for _, script := range s.Denied {
		call.Script, call.Past = script, nil
		v, _ := g.Judge(call, w)
		p.Denied = append(p.Denied, v.Denied...)
	}
	return p
}
