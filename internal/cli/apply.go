package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/install"
	"longline/internal/screen"
	"longline/internal/userfiles"
)

// proposal is what a person is told about changes before and after they are made.
type proposal struct {
	what    string   // what they are for
	nothing string   // why there is nothing to do
	undo    string   // how to take them back
	next    []string // what to do afterwards
}

// change works out what has to change in each agent, says so and what has to change
// besides, asks, and does it.
func (s *setup) change(agents []string, work func(agent string) ([]install.Change, error), besides []install.Change, of proposal) int {
	status := exitOK
	var all []install.Change
	for _, agent := range agents {
		changes, err := work(agent)
		if err != nil {
			s.p.errorf("%s: %v", agent, err)
			status = exitFailed
			continue
		}
		all = append(all, changes...)
	}
	return s.apply(append(all, besides...), status, of)
}

// apply says what would change, asks, and does it. The status is that of what went before.
func (s *setup) apply(all []install.Change, status int, of proposal) int {
	all = slices.DeleteFunc(all, func(c install.Change) bool { return c.Nothing() })
	switch {
	case len(all) == 0 && status == exitOK:
		fmt.Fprintf(s.p.out, "nothing to do: %s\n", of.nothing)
		return status
	case len(all) == 0:
		return status
	case s.print:
		s.printDiffs(all)
		return status
	}
	fmt.Fprintln(s.p.out, of.what)
	fmt.Fprintln(s.p.out, s.files(all))
	if undo := of.undoing(all); undo != "" {
		fmt.Fprintln(s.p.out, undo)
	}
	if !s.yes && !s.agreed(all) {
		s.p.errorf("nothing was changed")
		s.p.hintf("answer y, or run it again with --yes; --print shows the changes")
		return exitFailed
	}
	wrote := s.writeAll(all)
	if wrote == exitOK {
		for _, line := range of.next {
			fmt.Fprintln(s.p.out, line)
		}
	}
	return max(status, wrote)
}

// undoing says how the changes can be taken back.
func (of *proposal) undoing(all []install.Change) string {
	if slices.ContainsFunc(all, func(c install.Change) bool { return c.Old != nil }) {
		return strings.TrimSpace("Nothing else changes, and a copy of each file is kept. " + of.undo)
	}
	return strings.TrimSpace(of.undo)
}

// files says which files would change, and how.
func (s *setup) files(all []install.Change) string {
	var parts []string
	for _, group := range []struct {
		verb string
		of   func(c install.Change) bool
	}{
		{"changes", func(c install.Change) bool { return c.Old != nil && c.New != nil }},
		{"makes", func(c install.Change) bool { return c.Old == nil }},
		{"removes", func(c install.Change) bool { return c.Old != nil && c.New == nil }},
	} {
		var paths []string
		for _, c := range all {
			if group.of(c) {
				paths = append(paths, screen.Clean(screen.Homely(s.place.Home, c.Path), ""))
			}
		}
		if len(paths) > 0 {
			parts = append(parts, group.verb+" "+screen.AndList(paths))
		}
	}
	return s.p.style().Hang("This " + strings.Join(parts, " and ") + ".")
}

// clientNames are agents as their makers call them.
func clientNames(agents []string) string {
	var names []string
	for _, name := range agents {
		names = append(names, agent.CapabilityOf(name).Client)
	}
	return screen.AndList(names)
}

// align puts what is said of commands below each other.
func align(lines []string) []string {
	const gap = "   "
	wide := 0
	for _, line := range lines {
		command, _, _ := strings.Cut(strings.TrimSpace(line), gap)
		wide = max(wide, len(command))
	}
	var aligned []string
	for _, line := range lines {
		command, about, _ := strings.Cut(strings.TrimSpace(line), gap)
		aligned = append(aligned, fmt.Sprintf("  %-*s%s%s", wide, command, gap, strings.TrimSpace(about)))
	}
	return aligned
}

func (s *setup) printDiffs(all []install.Change) {
	for _, c := range all {
		fmt.Fprint(s.p.out, userfiles.Diff(c.Path, c.Old, c.New))
	}
}

func (s *setup) writeAll(changes []install.Change) int {
	status := exitOK
	for _, c := range changes {
		if err := s.p.user().Write(c); err != nil {
			s.p.errorf("%v", err)
			status = exitFailed
		}
	}
	if status == exitOK {
		fmt.Fprintln(s.p.out, "done")
	}
	return status
}

// agreed asks the person at the terminal, and shows the changes first if that is the
// answer; where there is nobody, nobody agrees.
func (s *setup) agreed(all []install.Change) bool {
	if !screen.IsTerminal(s.p.in) {
		return false
	}
	in := bufio.NewReader(s.p.in)
	for {
		fmt.Fprint(s.p.err, "Go ahead? [y/N/diff] ")
		line, err := in.ReadString('\n')
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return true
		case "d", "diff":
			s.printDiffs(all)
		default:
			return false
		}
		if err != nil {
			return false
		}
	}
}
