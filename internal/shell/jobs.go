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
	begin []*state     // that it began in
	run   func(*state) // runs it
	src   *source
	frame frame
	site  site
	ran   []*command.Invocation // of those that it runs, the ones that have an effect on a path, or would have if something were there
	links []command.Link        // that there were behind it, with its own, and those that it has been judged with
}

// running are the jobs that may still run; nil if none was started. It stays as it is once it is made.
type running struct {
	own   []*job // that the shell can wait for
	apart []*job // of shells that it has run, and those that it has let go
	// started is how many were started, those that do not matter among them; 2 for many.
	started int
}

// all are the jobs of both kinds.
func (p *running) all() []*job {
	if p == nil {
		return nil
	}
	return joinLists(p.own, p.apart)
}

// join holds the jobs of both.
func (p *running) join(q *running) *running {
	switch {
	case p == nil:
		return q
	case q == nil || p == q:
		return p
	}
	return &running{joinLists(p.own, q.own), joinLists(p.apart, q.apart), max(p.started, q.started)}
}

// beyond says whether there are jobs that are not among others, or were more.
func (p *running) beyond(q *running) bool {
	switch {
	case p == nil || p == q:
		return false
	case q == nil:
		return true
	}
	return p.started > q.started || slices.ContainsFunc(p.all(), func(j *job) bool { return !slices.Contains(q.own, j) && !slices.Contains(q.apart, j) })
}

// inherited is what a new shell begins with.
func (p *running) inherited() *running {
	if p == nil {
		return nil
	}
	return &running{started: p.started}
}

// leave takes over the jobs of a shell that has ended. Nobody can wait for them.
func (p *running) leave(ended *running) *running {
	if !ended.beyond(p) {
		return p
	}
	var after running
	if p != nil {
		after = *p
	}
	after.started = max(after.started, ended.started)
	for _, j := range ended.all() {
		if !slices.Contains(after.own, j) {
			after.apart = joinLists(after.apart, []*job{j})
		}
	}
	return &after
}

// start adds a job of the shell, which may be in a loop.
func (p *running) start(j *job, loop bool) *running {
	after := &running{}
	if p != nil {
		*after = *p
	}
	if after.started++; loop {
		after.started++
	}
	if j != nil {
		after.own = grown(after.own, j)
	}
	return after
}

// grown is a list with another job. Lists that begin alike share their memory, as long as nobody has used the place behind one.
func grown(list []*job, j *job) []*job {
	if n := len(list); n < cap(list) && list[:n+1][n] == nil {
		return append(list, j)
	}
	return append(slices.Clip(list), j)
}

// aside adds a job that no shell waits for.
func (p *running) aside(j *job) *running {
	after := p.start(nil, false)
	if j != nil {
		after.apart = grown(after.apart, j)
	}
	return after
}

// letGo is disown.
func (p *running) letGo() *running {
	if p == nil {
		return nil
	}
	return &running{apart: p.all(), started: p.started}
}

// launches is what a reader knows of the jobs of all shells.
type launches struct {
	around int                   // jobs around the node being run
	ran    []*command.Invocation // in these
	again  bool                  // a job is being judged again
	late   int                   // how often one was
	traces []trace               // of those within others
}

// trace is what the jobs of a node have linked and moved.
type trace struct {
	at    syntax.Node
	links []command.Link
}

// note keeps an invocation for the job that it is part of.
func (l *launches) note(inv *command.Invocation) {
	if l.around > 0 {
		l.ran = append(l.ran, inv)
	}
}

// launch runs what goes on beside the shell. The job is nil if it does not matter when it runs. One within a job that is judged again is
// passed over: it is judged by itself.
func launch(r *reader, at syntax.Node, states []*state, run func(*state)) *job {
	if r.jobs.again {
		for _, left := range r.jobs.traces {
			if left.at == at {
				run = func(s *state) { s.links = joinLists(s.links, left.links) }
			}
		}
	}
	before, from := snapshot(states), len(r.jobs.ran)
	r.jobs.around++
	for _, s := range states {
		run(s)
	}
	r.jobs.around--
	ran := r.jobs.ran[from:]
	r.jobs.ran = r.jobs.ran[:from]
	if r.jobs.again || r.skimmed != nil {
		return nil
	}
	j := &job{begin: before, run: run, src: r.src, frame: r.frame, site: r.site, links: linksOf(states)}
	for _, inv := range ran {
		if inv.Cleared || slices.ContainsFunc(inv.Effects, isPlaced) {
			j.ran = append(j.ran, inv)
		}
	}
	if r.jobs.around > 0 {
		made := beyond(j.links, linksOf(before))
		for _, left := range r.jobs.traces {
			if left.at == at {
				made = joinLists(left.links, made)
			}
		}
		r.jobs.traces = append(r.jobs.traces, trace{at, made}) // the last one holds all
	}
	if len(j.ran) == 0 {
		return nil
	}
	return j
}

// isPlaced says whether an effect is one on a path of which something is known.
func isPlaced(e tool.Effect) bool { return e.Kind.IsPath() && e.Reach != tool.Anywhere }

// withJobs adds the jobs that may still run in other states.
func withJobs(states, others []*state) []*state {
	var all *running
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

// beyond are the links of a list that were not there before.
func beyond(links, before []command.Link) []command.Link {
	return joinLists(before, links)[len(before):]
}

// endJobs judges the jobs that a shell waits for, and forgets them: all, or the only one that there was.
func endJobs(r *reader, s *state, args []command.Word) {
	if s.running == nil || len(args) > 0 && (s.running.started > 1 || slices.ContainsFunc(args, func(w command.Word) bool { return w.Of != value.Own || w.Text != "" })) {
		return
	}
	runLate(r, s, s.running.own)
	s.running = &running{apart: s.running.apart, started: s.running.started}
}

// waitsAnyway says whether a builtin is one that waits, with redirections that do not fail.
func waitsAnyway(name string, inv *command.Invocation, s *state) bool {
	return name == "wait" && !slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool {
		copies := strings.HasSuffix(rd.Op, "&") && (rd.Target.Text == "1" || rd.Target.Text == "2") && !s.isClosed(rd.Target.Text)
		return rd.Target.Text != "/dev/null" && !copies
	})
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
		since := beyond(s.links, j.links)
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
	j.links = joinLists(j.links, since)
	pipe, stage := r.pipe, r.stage
	j.swap(r)
	r.pipe, r.stage, r.jobs.again = 0, 0, true
	r.async++
	for _, s := range snapshot(j.begin) {
		s.links, s.running = joinLists(s.links, since), nil
		j.run(s)
	}
	r.async--
	r.pipe, r.stage, r.jobs.again = pipe, stage, false
	j.swap(r)
}

// swap goes to where a job began, or back.
func (j *job) swap(r *reader) {
	r.src, j.src = j.src, r.src
	r.frame, j.frame = j.frame, r.frame
	r.site, j.site = j.site, r.site
}
