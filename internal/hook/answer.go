package hook

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"longline/internal/agent"
	"longline/internal/audit"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/state"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// answer reads, judges, logs and words the answer.
func (h *Hook) answer() reply {
	input, err := h.read()
	req, wrong := h.agent.Decode(input, h.Env.Get)
	if err == nil {
		err = wrong
	}
	req.Call.Agent = h.agent.Name()
	if req.Call.Dir == "" {
		req.Call.Dir, _ = os.Getwd()
	}
	req.Call.Dir = config.AsOnDisk(req.Call.Dir)
	h.known.Store(&known{req: &req})
	call := &req.Call
	o := Options(h.Env, h.config, call.Dir, h.project(&req))
	o.Limit, o.Look = h.limit, &h.look
	o.Also = h.addedDirs(&req)
	cfg, broken := h.Load(o)
	if errors.Is(broken, config.ErrNotCompiled) {
		if input == nil {
			return h.ask(err.Error())
		}
		return h.delegate(input, "the rules must be compiled")
	}
	if broken != nil {
		return h.blocked(req, err, broken)
	}
	if h.hand {
		// Who runs this writes to the usual log and to nothing else, whatever rules they name.
		cfg.Log = cfg.UsualLog
	}
	h.known.Store(&known{req: &req, cfg: cfg})
	if err == nil && req.Kind != agent.BeforeTool && req.Kind != agent.Permission {
		return h.event(req, cfg)
	}
	return h.decide(&req, input, cfg, err)
}

// decide judges a call, unless something is wrong with it, and answers.
func (h *Hook) decide(req *agent.Request, input []byte, cfg *config.Config, wrong error) reply {
	call := &req.Call
	var v tool.Verdict
	var invs []*command.Invocation
	var past *memory
	if wrong != nil {
		v = tool.Verdict{Decision: tool.Ask, Reason: wrong.Error()}
	} else {
		past = h.recall(req, cfg)
		cfg.Masks(func() bool { return state.Open(cfg.State).Said(seesResults + req.Call.Agent) })
		if !h.dryRun && !h.hand {
			cfg.TryWallsFor(call)
		}
		v, invs = past.judge(cfg, *call)
		v, invs = h.secure(req, cfg, past, v, invs)
		v.Part = part(call, &v, invs)
		v = masked(req, input, h.screen(*req, cfg, v, invs))
		if h.elsewhere {
			return h.delegate(input, "a regular expression must be read")
		}
		v.Unheard = cfg.Unheard(call, &v, invs)
	}
	entry := audit.Entry{Time: h.start, Call: call, Verdict: &v, DryRun: h.dryRun, Content: cfg.Guard.Policy.LogContent, Invocations: invs, ByHand: h.hand}
	if b := cfg.Bundle; b != nil {
		entry.Bundle, entry.BundleLost = b.Title(), b.Lost != ""
	}
	said := v
	if wrong == nil && !h.dryRun && v.Decision >= tool.Ask && !h.hand {
		// What a person has said lies on a disk that may be slow; the verdict
		// stands without it.
		r := h.word(*req, v)
		h.known.Store(&known{req, cfg, &r})
		said = h.tell(cfg, h.heed(*req, cfg, v, &entry))
	}
	h.makeRoom(&said)
	if !h.dryRun && !h.hand {
		if len(said.Walled) > 0 {
			cfg.MarkAll(&req.Call, invs)
		}
		if req.Kind == agent.BeforeTool {
			cfg.Contained(&req.Call, &said)
		}
	}
	if past != nil && past.told != "" {
		said.Notices = append(said.Notices, past.told)
	}
	r := h.word(*req, said)
	h.known.Store(&known{req, cfg, &r})
	if req.Kind == agent.BeforeTool {
		v.Asks = false // whether a person says yes is known once it has run
		r = h.note(r, past, cfg, &v, invs, h.runs(&entry), entry.Why == "once")
	}
	entry.Duration = time.Since(h.start)
	return h.damage(h.log(r, cfg, entry), past, cfg)
}

// makeRoom makes the directories that a changed command needs.
func (h *Hook) makeRoom(v *tool.Verdict) {
	if h.dryRun || h.hand || v.Rewrite == "" {
		return
	}
	for _, dir := range v.Dirs {
		_ = os.MkdirAll(dir, 0o700) // without it the command fails, and says so
	}
}

// runs says whether a call runs, as far as can be told now. What is asked about runs if
// the client says so afterwards, where it does.
func (h *Hook) runs(entry *audit.Entry) bool {
	answer := entry.Verdict.Decision
	if entry.Why != "" {
		answer = entry.Answer
	}
	return answer < tool.Ask || answer == tool.Ask && !agent.TellsAfter(entry.Call.Agent)
}

// tell adds what is to be told about the configuration, each thing once.
func (h *Hook) tell(cfg *config.Config, v tool.Verdict) tool.Verdict {
	for _, told := range cfg.Told {
		if state.Open(cfg.State).Say(told, h.start) {
			v.Notices = append(v.Notices, "longline: "+told)
		}
	}
	return v
}

// event answers what an agent tells of and that is not a call to be judged.
func (h *Hook) event(req agent.Request, cfg *config.Config) reply {
	// others: nothing is to be said.
	switch req.Kind {
	case agent.AfterTool:
		return h.after(req, cfg)
	case agent.Prompt:
		return h.prompted(req, cfg)
	case agent.Instructions:
		return h.instructed(req, cfg)
	case agent.SessionStart:
		return h.greet(req, cfg)
	case agent.ConfigChange:
		return h.keep(req, cfg)
	case agent.Refused:
		return h.refused(req, cfg)
	case agent.DirAdded:
		return h.added(req, cfg)
	}
	return h.word(req, tool.Verdict{Decision: tool.Pass, Parsed: true})
}

// blocked is the answer while a rules file is broken: what it forbids is not known,
// so nothing runs and nothing is changed. What only reads goes on, under the
// built-in rules about secrets, or else nobody could look at the file.
func (h *Hook) blocked(req agent.Request, wrong, broken error) reply {
	problem := fmt.Sprint("longline: error: ", broken, "\neverything is blocked until this is fixed")
	if wrong == nil && req.Kind == agent.BeforeTool && onlyReads(&req.Call) {
		if cfg, err := config.Reading(Options(h.Env, "", req.Call.Dir, h.project(&req))); err == nil {
			v, _ := cfg.Judge(req.Call)
			return h.word(req, v)
		}
	}
	a := agent.Refuse(h.agent, req, problem)
	return reply{out: a.Stdout, err: a.Stderr, status: a.Status}
}

// onlyReads says whether a call is a tool that reads files and does nothing else.
func onlyReads(call *tool.Call) bool {
	for _, e := range call.Effects {
		if e.Kind != tool.Read {
			return false
		}
	}
	return !call.Shell && len(call.Effects) > 0
}

// part is the command that an objection is about, where the script has others.
func part(call *tool.Call, v *tool.Verdict, invs []*command.Invocation) string {
	if v.Decision < tool.Ask || !call.Shell || len(invs) < 2 {
		return ""
	}
	for _, f := range v.Findings {
		if f.Rule == v.Rule && f.Reason == v.Reason && 0 <= f.Invocation && f.Invocation < len(invs) {
			return excerpt(v.Judged(call.Script), invs[f.Invocation].Span)
		}
	}
	return ""
}

// excerpt is a part of a script in one line, "" if it is all of it.
func excerpt(script string, at tool.Span) string {
	const most = 200
	if at.Start < 0 || at.End > len(script) || at.Start >= at.End || at.End-at.Start >= len(strings.TrimSpace(script)) {
		return ""
	}
	words := strings.Join(strings.Fields(script[at.Start:at.End]), " ")
	if len(words) > most {
		words = strings.ToValidUTF8(words[:most], "") + "…"
	}
	return words
}

// log keeps a line about the call. That it could not is said and changes nothing.
func (h *Hook) log(r reply, cfg *config.Config, line audit.Line) reply {
	keep := h.append
	if keep == nil {
		keep = func(cfg *config.Config, line audit.Line) error { return LogOf(cfg).Append(h.start, line) }
	}
	if err := keep(cfg, line); err != nil {
		r.err = fmt.Appendf(r.err, "longline: warning: the call was not logged: %v\n", err)
	}
	return r
}

// read returns what the agent sent.
func (h *Hook) read() ([]byte, error) {
	input := make([]byte, 0, 4<<10) // which most fit into
	var err error
	for err == nil && len(input) <= MaxInput {
		var n int
		n, err = h.In.Read(input[len(input):cap(input)])
		input = input[:len(input)+n]
		if len(input) == cap(input) {
			input = slices.Grow(input, len(input))
		}
	}
	if err == nil {
		err = fmt.Errorf("longer than %d bytes", MaxInput)
	}
	if err != io.EOF {
		return nil, fmt.Errorf("the hook input could not be read: %w", err)
	}
	return input, nil
}

// word puts a verdict into the agent's dialect.
func (h *Hook) word(req agent.Request, v tool.Verdict) reply {
	said := v
	var remark []byte
	if h.dryRun {
		said = tool.Verdict{Decision: tool.Pass, Parsed: true}
		remark = fmt.Appendf(nil, "longline: dry run: would have answered %s: %s\n", v.Decision, Sentence(v))
	}
	if v.Decision < tool.Ask && v.Rewrite == "" {
		said.Notices = said.Left // nobody is interrupted; with every call the others would be noise
	}
	a := h.agent.Encode(req, said)
	r := reply{out: a.Stdout, err: append(remark, a.Stderr...), status: a.Status}
	if said.Rewrite != "" && strings.Contains(string(a.Stdout), strictjson.Quote(said.Rewrite)) {
		said.Notices = append(said.Notices[:len(said.Notices):len(said.Notices)], said.Moved...)
	}
	if lines := strings.Join(said.Notices, "\n"); lines != "" && !strings.Contains(string(a.Stderr), lines) {
		r.err = append(r.err, lines+"\n"...) // the agent may show them elsewhere as well
	}
	return r
}

// Sentence is what a verdict says to people: the rule in brackets, then why.
func Sentence(v tool.Verdict) string {
	switch {
	case v.Rule == "":
		return v.Reason
	case v.Reason == "":
		return "[" + v.Rule + "]"
	}
	return "[" + v.Rule + "] " + v.Reason
}
