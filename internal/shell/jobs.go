package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// A job in the background may do its work when the commands behind it have run: those on its line, behind the list or the function that it
// stands in, and behind the shell that has started it. So what they have moved and linked may be there when it deletes something, until a
// shell has waited for it.

// job is what may still run beside a shell.
type job struct {
	begin []*state                  // that it began in
	run   func(*state) command.Data // runs it
	src   *source
	frame frame
	site  site
	ran   []*command.Invocation // of those that it runs, the ones that have an effect on a path, or would have if something were there
	links []command.Link        // that there were behind it, with its own
	met   map[command.Link]bool // those made later that it has been judged with
}

// running are the jobs that may still run.
type running struct {
	own   []*job // that the shell can wait for
	apart []*job // of shells that it has run, and those that it has let go
	// started is how many were started, those that do not matter among them; 2 for many.
	started int
}

// all are the jobs of both kinds.
func (p running) all() []*job { return joinLists(p.own, p.apart) }

// join holds the jobs of both.
func (p running) join(q running) running {
	return running{joinLists(p.own, q.own), joinLists(p.apart, q.apart), max(p.started, q.started)}
}

// beyond says whether there are jobs that are not among others.
func (p running) beyond(q running) bool {
	return slices.ContainsFunc(p.all(), func(j *job) bool { return !slices.Contains(q.own, j) && !slices.Contains(q.apart, j) })
}

// leave takes over the jobs of a shell that has ended. Nobody can wait for them.
func (p *running) leave(ended running) {
	p.started = max(p.started, ended.started)
	for _, j := range ended.all() {
		if !slices.Contains(p.own, j) {
			p.apart = joinLists(p.apart, []*job{j})
		}
	}
}

// start adds a job of the shell, which may be in a loop.
func (p *running) start(j *job, loop bool) {
	if j != nil {
		p.own = append(p.own[:len(p.own):len(p.own)], j)
	}
	if p.started++; loop {
		p.started++
	}
}

// aside adds a job that no shell waits for.
func (p *running) aside(j *job) {
	if j != nil {
		p.apart = append(p.apart[:len(p.apart):len(p.apart)], j)
	}
	p.started++
}

// letGo is disown.
func (p *running) letGo() { p.own, p.apart = nil, p.all() }

// launches is what a reader knows of the jobs of all shells.
type launches struct {
	around int                   // jobs around the node being run
	ran    []*command.Invocation // in these
	again  bool                  // a job is being judged again
	late   int                   // how often one was
	traces map[syntax.Node]trace
}

// trace is what the jobs of a node have left: what they have linked and moved, and printed.
type trace struct {
	links []command.Link
	out   command.Data
}

// note keeps an invocation for the job that it is part of.
func (l *launches) note(inv *command.Invocation) {
	if l.around > 0 {
		l.ran = append(l.ran, inv)
	}
}

// launch runs what goes on beside the shell, and returns what it prints in each state. The job is nil if it does not matter when it runs. One
// within a job that is judged again is passed over: it is judged by itself.
func launch(r *reader, at syntax.Node, states []*state, run func(*state) command.Data) (j *job, printed []command.Data) {
	each := func(run func(*state) command.Data) {
		for _, s := range states {
			printed = append(printed, run(s))
		}
	}
	if left, is := r.jobs.traces[at]; is && r.jobs.again {
		each(func(s *state) command.Data {
			s.links = joinLists(s.links, left.links)
			return left.out
		})
		return nil, printed
	}
	if r.jobs.again || r.skimmed != nil {
		each(run)
		return nil, printed
	}
	j = &job{begin: snapshot(states), run: run, src: r.src, frame: r.frame, site: r.site}
	j.frame.stranded, j.frame.aborted, j.frame.failed, j.frame.held = pile{}, pile{}, nil, held{}
	for _, s := range j.begin {
		s.running = running{}
	}
	from := len(r.jobs.ran)
	r.jobs.around++
	each(run)
	r.jobs.around--
	j.links = linksOf(states)
	for _, inv := range r.jobs.ran[from:] {
		if inv.Cleared || slices.ContainsFunc(inv.Effects, isPlaced) {
			j.ran = append(j.ran, inv)
		}
	}
	r.jobs.ran = r.jobs.ran[:from]
	if r.jobs.around > 0 {
		r.jobs.leaves(at, j, printed)
	}
	if len(j.ran) == 0 {
		return nil, printed
	}
	return j, printed
}

// leaves keeps what a job has left behind that is part of another.
func (l *launches) leaves(at syntax.Node, j *job, printed []command.Data) {
	if l.traces == nil {
		l.traces = map[syntax.Node]trace{}
	}
	left, again := l.traces[at]
	left.links = joinLists(left.links, linksSince(j.links, linksOf(j.begin), nil))
	for i, d := range printed {
		if i > 0 || again {
			d = left.out.Join(d)
		}
		left.out = d
	}
	l.traces[at] = left
}

// isPlaced says whether an effect is one on a path of which something is known.
func isPlaced(e tool.Effect) bool { return e.Kind.IsPath() && e.Reach != tool.Anywhere }

// withJobs adds the jobs that may still run in other states.
func withJobs(states, others []*state) []*state {
	var all running
	for _, s := range others {
		all = all.join(s.running)
	}
	if !slices.ContainsFunc(states, func(s *state) bool { return all.beyond(s.running) }) {
		return states
	}
	states = snapshot(states)
	for _, s := range states {
		s.running = s.running.join(all)
	}
	return states
}

// linksOf are the links of all states.
func linksOf(states []*state) (list []command.Link) {
	for _, s := range states {
		list = joinLists(list, s.links)
	}
	return list
}

// linksSince are the links of a list that were not there before, and are not among others.
func linksSince(links, before []command.Link, others map[command.Link]bool) (list []command.Link) {
	same := 0
	for same < len(links) && same < len(before) && links[same] == before[same] {
		same++
	}
	for _, l := range links[same:] {
		if !others[l] && !slices.Contains(before[same:], l) {
			list = append(list, l)
		}
	}
	return list
}

// endJobs judges the jobs that a shell waits for, and forgets them: all, or the only one that there was.
func endJobs(r *reader, s *state, args []command.Word) {
	if len(args) > 0 && (s.running.started > 1 || slices.ContainsFunc(args, func(w command.Word) bool { return w.Of != value.Own || w.Text != "" })) {
		return
	}
	runLate(r, s, s.running.own)
	s.running.own = nil
}

// opensPerhaps says whether a redirection may fail.
func opensPerhaps(rd command.Redirect) bool {
	if strings.HasSuffix(rd.Op, "&") {
		return mayNotOpen(syntax.DplOut, rd.Target)
	}
	return mayNotOpen(syntax.RdrOut, rd.Target)
}

// outlived judges the jobs that may still run when there is nothing more to follow in some states.
func outlived(r *reader, states []*state) {
	for _, s := range states {
		runLate(r, s, s.running.all())
	}
}

// maxLate bounds how often jobs are judged again.
const maxLate = 64

// runLate judges jobs as if they came to run only now, if something has been moved and linked since that they may meet.
func runLate(r *reader, s *state, jobs []*job) {
	if len(s.links) == 0 || r.jobs.again {
		return
	}
	for _, j := range jobs {
		since := linksSince(s.links, j.links, j.met)
		if r.spent || !j.meets(r, since) {
			continue
		}
		if r.jobs.late++; r.jobs.late > maxLate {
			r.gap("more jobs in the background than can be followed", tool.Span{})
			return
		}
		judgeAgain(r, j, since)
	}
}

// meets says whether a job may have an effect on something that was moved, or through a link.
func (j *job) meets(r *reader, since []command.Link) bool {
	if len(since) == 0 {
		return false
	}
	for _, inv := range j.ran {
		if inv.Cleared {
			return true
		}
		if r.spend() {
			return false
		}
		copies := len(treesCopied(inv)) > 0
		for _, e := range inv.Effects {
			follows := inv.Follows || copies && puts(e)
			if isPlaced(e) && slices.ContainsFunc(since, func(l command.Link) bool { _, leads := throughLink(l, e, follows); return leads }) {
				return true
			}
		}
	}
	return false
}

// judgeAgain judges a job with links that were made behind it.
func judgeAgain(r *reader, j *job, since []command.Link) {
	if j.met == nil {
		j.met = map[command.Link]bool{}
	}
	for _, l := range since {
		j.met[l] = true
	}
	src, at, here, pipe, stage := r.src, r.frame, r.site, r.pipe, r.stage
	r.src, r.frame, r.site, r.pipe, r.stage = j.src, j.frame, j.site, 0, 0
	r.jobs.again = true
	r.async++
	for _, s := range snapshot(j.begin) {
		s.links = joinLists(s.links, since)
		j.run(s)
	}
	r.async--
	r.jobs.again = false
	r.src, r.frame, r.site, r.pipe, r.stage = src, at, here, pipe, stage
}
