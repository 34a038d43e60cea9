package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"longline/internal/config"
	"longline/internal/mask"
	"longline/internal/review"
	"longline/internal/screen"
	"longline/internal/tool"
	"longline/internal/undo"
)

func undoCommand() subcommand {
	return subcommand{
		name: "undo", usage: "[last|ID [PATH...]] [--list] [--diff] [--dry-run] [--yes] [--json]", flags: true,
		purpose: forSeeWhatHappened, example: "undo", words: []string{"last"},
		short: "bring back what a call changed",
		help: `Before a call that may change the project, longline keeps what is there, git's own
files too. In a terminal this shows what each call changed, and undoes the one you
pick; --list prints it. ID is a number from the list.

Only what that call changed comes back. A file that was changed since is kept beside
under another name. "longline undo last" undoes the undoing.

  longline undo last
  longline undo 12 notes.md
  longline undo 12 --diff`,
		run: runUndo,
	}
}

// undoing is the subcommand at work.
type undoing struct {
	*process
	store                  *undo.Store
	asJSON, dry, yes, diff bool
}

func runUndo(p *process, args []string) int {
	u := undoing{process: p}
	flags := p.flagSet("undo")
	list := flags.Bool("list", false, "print what calls changed, the newest first")
	flags.BoolVar(&u.diff, "diff", false, "print what the call changed, and change nothing")
	flags.BoolVar(&u.dry, "dry-run", false, "print what would be done, and change nothing")
	flags.BoolVar(&u.yes, "yes", false, "do not ask")
	flags.BoolVar(&u.asJSON, "json", false, "print JSON")
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if *list && (len(rest) > 0 || u.diff || u.dry || u.yes) {
		return p.usageError("undo", "--list stands alone, or with --json")
	}
	cfg, err := p.load(place{})
	if err != nil {
		return p.configError(err)
	}
	if u.store, err = p.undoStore(cfg); err != nil {
		return p.failed("undo", err)
	}
	calls, err := u.calls()
	if err != nil {
		return p.failed("undo", err)
	}
	if len(rest) > 0 {
		return u.one(calls, rest[0], rest[1:])
	}
	if *list || u.asJSON || u.diff || u.dry || !screen.IsTerminal(p.in) || !screen.IsTerminal(p.out) {
		return u.list(calls, *list)
	}
	return u.walk(calls)
}

// undoStore is the store of the project that this is run in.
func (p *process) undoStore(cfg *config.Config) (*undo.Store, error) {
	state := p.store(p.here()).Dir()
	if state == "" {
		return nil, errors.New("no home directory, and no snapshots")
	}
	root := config.Native(cfg.World.Project)
	if root == "" {
		root = p.here()
	}
	made := cfg.Guard.Policy.Made(&tool.Call{}, cfg.World)
	return undo.Open(undo.Settings(state, root, cfg.Guard.Policy.Undo, made))
}

// calls are what there is to undo, up to now.
func (u *undoing) calls() ([]undo.Call, error) {
	if _, err := u.store.Last(); err != nil {
		return u.store.List() // which says why, or that there are none
	}
	if _, err := u.store.Snapshot(undo.Meta{Moment: undo.Look}, 0); err != nil {
		return nil, err
	}
	return u.store.List()
}

// maxListed bounds how many calls are shown; any can be undone by its number.
const maxListed = 100

// list prints the calls.
func (u *undoing) list(calls []undo.Call, asked bool) int {
	rows := []deed{}
	for _, c := range calls[:min(len(calls), maxListed)] {
		d, err := u.deed(c)
		if err != nil {
			return u.failed("undo", err)
		}
		rows = append(rows, d)
	}
	if u.asJSON {
		return u.ended(screen.WriteJSON(u.out, true, rows), exitOK)
	}
	var b strings.Builder
	for _, d := range rows {
		fmt.Fprintf(&b, "%4d  %s  %s\n", d.ID, d.Time.Local().Format("Jan 02 15:04"), d.title())
		for _, f := range d.Files[:min(len(d.Files), 5)] {
			b.WriteString("      " + f.line() + "\n")
		}
		if n := len(d.Files) - 5; n > 0 {
			fmt.Fprintf(&b, "      and %s more\n", screen.Count(n, "file"))
		}
	}
	if len(rows) == 0 {
		b.WriteString("no call has changed this project since snapshots began\n")
	}
	status := exitOK
	if !asked {
		u.hintf("\"longline undo last\" or \"longline undo ID\" brings back what a call changed")
		status = exitFailed
	}
	return u.ended(writeText(u.process, b.String()), status)
}

// deed is what one call did, as it is shown.
type deed struct {
	ID      int        `json:"id"`
	Time    time.Time  `json:"time"`
	Session string     `json:"session,omitempty"`
	Command string     `json:"command"`
	Files   []fileDeed `json:"files"`
	Git     int        `json:"git,omitempty"` // how many of git's own files
}

// fileDeed is what it did to a file.
type fileDeed struct {
	Path    string `json:"path"`
	Did     string `json:"did"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	Binary  bool   `json:"binary,omitempty"`

	change undo.Change
}

func (d *deed) title() string {
	return screen.OneLine(screen.Shorten(mask.Text(d.Command), 100))
}

func (f *fileDeed) line() string {
	text := f.Did + " " + screen.Clean(f.Path, "")
	if f.Added+f.Removed > 0 {
		text += fmt.Sprintf("  +%d -%d", f.Added, f.Removed)
	}
	return text
}

// deed reads what a call did.
func (u *undoing) deed(c undo.Call) (deed, error) {
	d := deed{ID: c.ID(), Time: c.Before.Time, Session: c.Before.Session, Command: c.Before.Command, Files: []fileDeed{}}
	if c.Between() {
		d.Command = "(between two calls)"
	}
	if c.After == nil {
		return d, nil
	}
	changes, err := u.store.Changes(c.Before, c.After)
	if err != nil {
		return d, err
	}
	for _, ch := range changes {
		if ch.Git {
			d.Git++
			continue
		}
		f := fileDeed{Path: u.relative(ch.Path), Did: did(ch), change: ch}
		for line := range strings.Lines(u.difference(ch)) {
			switch {
			case strings.HasPrefix(line, "Binary"):
				f.Binary = true
			case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			case line[0] == '+':
				f.Added++
			case line[0] == '-':
				f.Removed++
			}
		}
		d.Files = append(d.Files, f)
	}
	if d.Git > 0 {
		d.Files = append(d.Files, fileDeed{Path: "(" + screen.Count(d.Git, "file") + " of git's own)", Did: "changed"})
	}
	return d, nil
}

func (u *undoing) relative(path string) string {
	if rel, ok := strings.CutPrefix(path, u.store.Root()+"/"); ok {
		return rel
	}
	return path
}

// did is one word for a change.
func did(c undo.Change) string {
	switch {
	case c.Before.Kind == undo.None:
		return "created"
	case c.After.Kind == undo.None:
		return "deleted"
	}
	return "changed"
}

// difference shows what a change did to a file, in the form that everybody knows.
func (u *undoing) difference(c undo.Change) string {
	const most = 1 << 20
	name := u.relative(c.Path)
	if c.Before.Size > most || c.After.Size > most {
		return "Binary or large file " + screen.Clean(name, "") + "\n"
	}
	before, err := u.store.Content(c.Before)
	if err != nil {
		return screen.Clean(name, "") + ": " + err.Error() + "\n"
	}
	after, err := u.store.Content(c.After)
	if err != nil {
		return screen.Clean(name, "") + ": " + err.Error() + "\n"
	}
	if bytes.IndexByte(before, 0) >= 0 || bytes.IndexByte(after, 0) >= 0 {
		return "Binary file " + screen.Clean(name, "") + "\n"
	}
	text := diff.Diff(screen.Clean(name, ""), before, screen.Clean(name, ""), after)
	_, text, _ = bytes.Cut(text, []byte("\n")) // the line that repeats the names
	if len(text) == 0 {
		return fmt.Sprintf("%s: %s\n", did(c), screen.Clean(name, ""))
	}
	return string(text)
}

// one undoes a call, or shows it.
func (u *undoing) one(calls []undo.Call, id string, paths []string) int {
	c, err := pick(calls, id)
	if err != nil {
		u.errorf("undo: %v", err)
		u.hintf("run \"longline undo --list\" for the list")
		return exitFailed
	}
	for i, path := range paths {
		if paths[i], err = filepath.Abs(path); err != nil {
			return u.failed("undo", err)
		}
	}
	if u.diff {
		return u.differences(c, paths)
	}
	plan, err := u.store.Plan(c, paths...)
	if err != nil {
		return u.failed("undo", err)
	}
	if u.dry || len(plan.Steps) == 0 {
		return u.show(plan, "would be ")
	}
	if !u.yes {
		u.show(plan, "would be ")
		if !u.confirmed("Undo this?") {
			u.errorf("undo: nothing was changed")
			u.hintf("say yes, or run it again with --yes")
			return exitFailed
		}
	}
	return u.restore(c, paths)
}

func (u *undoing) restore(c undo.Call, paths []string) int {
	plan, err := u.store.Restore(c, paths...)
	if err != nil {
		return u.failed("undo", err)
	}
	return u.show(plan, "")
}

// pick finds the call that a word stands for.
func pick(calls []undo.Call, id string) (undo.Call, error) {
	number, err := strconv.Atoi(id)
	if err != nil && id != "last" {
		return undo.Call{}, fmt.Errorf("%q is not the number of a call", id)
	}
	for _, c := range calls {
		if id == "last" && !c.Between() || id != "last" && c.ID() == number {
			return c, nil
		}
	}
	if id == "last" {
		return undo.Call{}, errors.New("no call has changed this project since snapshots began")
	}
	return undo.Call{}, fmt.Errorf("no call %d has changed this project", number)
}

// differences prints what a call changed.
func (u *undoing) differences(c undo.Call, paths []string) int {
	text, err := u.allDifferences(c, paths)
	if err != nil {
		return u.failed("undo", err)
	}
	return u.ended(writeText(u.process, text), exitOK)
}

func (u *undoing) allDifferences(c undo.Call, paths []string) (string, error) {
	d, err := u.deed(c)
	var b strings.Builder
	for _, f := range d.Files {
		switch {
		case f.change.Path == "":
			b.WriteString(f.line() + "\n")
		case len(paths) == 0 || slices.ContainsFunc(paths, func(dir string) bool { return config.Within(f.change.Path, dir) }):
			b.WriteString(screen.Clean(u.difference(f.change), "\n\t"))
		}
	}
	return b.String(), err
}

// steps says what steps of a plan do to a file, in words.
var steps = map[undo.Do]string{
	undo.KeepAside: "renamed", undo.Remove: "removed", undo.RemoveDir: "removed", undo.MakeDir: "brought back", undo.Put: "brought back", undo.SetMode: "brought back",
}

// show prints what a plan does or did.
func (u *undoing) show(plan *undo.Plan, would string) int {
	type line struct {
		Path string   `json:"path"`
		Does string   `json:"does,omitempty"`
		Kept string   `json:"kept,omitempty"`
		Why  string   `json:"why,omitempty"`
		Run  []string `json:"run,omitempty"`
	}
	result := struct {
		ID     int    `json:"id"`
		Undone int    `json:"undone,omitempty"`
		Steps  []line `json:"steps"`
		Left   []line `json:"left,omitempty"`
	}{ID: plan.Call.ID(), Undone: plan.Undone, Steps: []line{}}
	git := 0
	for _, s := range plan.Steps {
		if s.Git && !u.asJSON {
			git++
			continue
		}
		result.Steps = append(result.Steps, line{Path: u.relative(s.Path), Does: steps[s.Do], Kept: u.relative(s.Kept)})
	}
	for _, r := range plan.Remaining {
		result.Left = append(result.Left, line{Path: u.relative(r.Path), Why: r.Why, Run: r.Commands})
	}
	status := statusIf(len(result.Left) > 0)
	if u.asJSON {
		return u.ended(screen.WriteJSON(u.out, true, result), status)
	}
	var b strings.Builder
	for _, l := range result.Steps {
		text := would + l.Does
		if l.Kept != "" {
			text += " to " + screen.Clean(l.Kept, "") + ", as it was changed since"
		}
		fmt.Fprintf(&b, "%s: %s\n", screen.Clean(l.Path, ""), text)
	}
	if git > 0 {
		fmt.Fprintf(&b, "%s of git's own: %sbrought back\n", screen.Count(git, "file"), would)
	}
	for _, l := range result.Left {
		fmt.Fprintf(&b, "%s: not brought back: %s\n", screen.Clean(l.Path, ""), screen.Clean(l.Why, ""))
		for _, command := range l.Run {
			b.WriteString("    " + screen.Clean(command, "") + "\n")
		}
	}
	switch {
	case len(plan.Steps) == 0 && len(result.Left) == 0:
		b.WriteString("nothing to do: everything is as it was before that call\n")
	case plan.Undone > 0:
		b.WriteString("undone; \"longline undo last\" takes it back\n")
	}
	if plan.Note != "" {
		b.WriteString(plan.Note + "\n")
	}
	return u.ended(writeText(u.process, b.String()), status)
}

// walk lets a person go through the calls and pick one.
func (u *undoing) walk(calls []undo.Call) int {
	var deeds []review.Deed
	for _, c := range calls[:min(len(calls), maxListed)] {
		d, err := u.deed(c)
		if err != nil {
			return u.failed("undo", err)
		}
		one := review.Deed{When: d.Time.Local().Format("Jan 02 15:04"), What: d.title(), Diff: func() string {
			text, err := u.allDifferences(c, nil)
			if err != nil {
				return err.Error()
			}
			return text
		}}
		for _, f := range d.Files {
			one.Files = append(one.Files, f.line())
		}
		deeds = append(deeds, one)
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return u.failed("undo", err)
	}
	defer tty.Close()
	history := review.NewHistory(deeds)
	noColor, _ := u.env.Get("NO_COLOR")
	history.Colour = noColor == ""
	picked, err := review.Run(history, tty, tty)
	if err != nil {
		return u.failed("undo", err)
	}
	if !picked {
		return u.ended(writeText(u.process, "nothing was changed\n"), exitOK)
	}
	return u.restore(calls[history.Picked()], nil)
}
