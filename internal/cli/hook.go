package cli

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"

	"longline/internal/agent"
	"longline/internal/audit"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/tool"
)

// maxInput bounds what is read of a hook's input, and a line or script given
// to check.
const maxInput = 16 << 20

// maxMemory is how much may be in use before the hook gives up.
const maxMemory = 768 << 20

func hookCommand() subcommand {
	return subcommand{
		name: "hook", usage: "[AGENT] [--config FILE] [--dry-run]",
		short: "answer an agent's hook: its JSON on standard input, the decision on standard output",
		help: `AGENT is one of ` + strings.Join(agentNames(), ", ") + `; without it, ` + agent.All[0].Name() + `.
With --dry-run the call is judged and logged, the answer said on standard error,
and the agent told that there is no objection.

Standard output belongs to the agent. Exit status 2 and a message on standard
error mean that the configuration is broken; agents block the call then.`,
		run: runHook,
	}
}

func agentNames() []string {
	var names []string
	for _, a := range agent.All {
		names = append(names, a.Name())
	}
	return names
}

// reply is everything the hook says; it is written once, when it is complete.
type reply struct {
	out, err []byte
	status   int
}

// hookArgs reads the hook's own arguments. The flag package is not used, so
// that nothing is set up that this path does not need.
func hookArgs(args []string) (name, configPath string, dryRun bool, problem string) {
	for i := 0; i < len(args); i++ {
		flag, value, hasValue := strings.Cut(args[i], "=")
		if strings.HasPrefix(flag, "--") {
			flag = flag[1:]
		}
		switch {
		case flag == "-dry-run" && !hasValue:
			dryRun = true
		case flag == "-config" && !hasValue && i+1 < len(args):
			i++
			configPath = args[i]
		case flag == "-config" && hasValue:
			configPath = value
		case flag == "-config":
			return "", "", false, "--config needs a file"
		case strings.HasPrefix(flag, "-"):
			return "", "", false, fmt.Sprintf("unknown flag %q; known are --config FILE and --dry-run", args[i])
		case name != "":
			return "", "", false, fmt.Sprintf("unexpected argument %q", args[i])
		default:
			name = args[i]
		}
		if flag == "-config" && configPath == "" {
			return "", "", false, "--config needs a file"
		}
	}
	if name == "" {
		name = agent.All[0].Name()
	}
	return name, configPath, dryRun, ""
}

func runHook(p *process, args []string) int {
	start := time.Now()
	if len(args) == 1 && (args[0] == "-h" || args[0] == "--help" || args[0] == "-help") {
		return helpOn(p, "hook", nil)
	}
	name, path, dryRun, problem := hookArgs(args)
	if problem != "" {
		return p.usageError("hook", "%s", problem)
	}
	a := agent.Find(name)
	if a == nil {
		return p.usageError("hook", "unknown agent %q; known are %s", name, strings.Join(agentNames(), ", "))
	}
	h := &hook{p: p, agent: a, config: path, dryRun: dryRun, start: start}
	done := make(chan reply, 1)
	go func() {
		defer func() {
			if crash := recover(); crash != nil {
				r := h.ask(fmt.Sprint("internal error: ", crash))
				r.err = append(r.err, debug.Stack()...)
				done <- r
			}
		}()
		done <- h.run()
	}()
	r := h.wait(done)
	if len(r.err) > 0 {
		p.err.Write(r.err)
	}
	if len(r.out) > 0 {
		if _, err := p.out.Write(r.out); err != nil {
			// The agent will not see the answer, so block in the one way left.
			p.errorf("the answer could not be written: %v", err)
			return exitUsage
		}
	}
	return r.status
}

// wait returns the reply, or a question when there is none in time or the
// memory runs out first: agents take a hook that is late or that was killed
// for one that has no objection.
func (h *hook) wait(done <-chan reply) reply {
	timer := time.NewTimer(h.p.deadline)
	ticker := time.NewTicker(50 * time.Millisecond)
	used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for {
		select {
		case r := <-done:
			return r
		case <-timer.C:
			return h.ask(fmt.Sprintf("no answer was found within %v", h.p.deadline))
		case <-ticker.C:
			if metrics.Read(used); used[0].Value.Kind() == metrics.KindUint64 && used[0].Value.Uint64() > maxMemory {
				return h.ask("judging this takes too much memory")
			}
		}
	}
}

// hook is one call of an agent's hook.
type hook struct {
	p      *process
	agent  agent.Agent
	config string
	dryRun bool
	start  time.Time
	known  atomic.Pointer[known]
}

// known is what a hook has found out so far, for the case that it does not come
// to an end.
type known struct {
	req agent.Request
	cfg *config.Config // nil until it is loaded
}

// run reads, judges, logs and words the answer.
func (h *hook) run() reply {
	req, err := h.read()
	h.known.Store(&known{req: req})
	call := &req.Call
	cfg, broken := config.Load(h.p.options(h.config, call.Dir))
	if broken != nil {
		a := agent.Refuse(h.agent, req, fmt.Sprint("longline: error: ", broken))
		return reply{out: a.Stdout, err: a.Stderr, status: a.Status}
	}
	h.known.Store(&known{req, cfg})
	var v tool.Verdict
	var invs []*command.Invocation
	switch {
	case err != nil:
		v = tool.Verdict{Decision: tool.Ask, Reason: err.Error()}
	case req.Kind == agent.AfterTool:
		return h.ran(req, cfg)
	case req.Kind != agent.BeforeTool && req.Kind != agent.Permission:
		return h.word(req, tool.Verdict{Decision: tool.Pass, Parsed: true})
	default:
		v, invs = cfg.Judge(*call)
	}
	entry := audit.Entry{Time: h.start, Call: call, Verdict: &v, DryRun: h.dryRun, Content: cfg.Guard.Policy.LogContent, Invocations: invs}
	said := v
	if err == nil && !h.dryRun && v.Decision >= tool.Ask {
		said = h.heed(req, v, &entry)
	}
	r := h.word(req, said)
	entry.Duration = time.Since(h.start)
	return h.log(r, cfg, entry)
}

// log keeps a line about the call. That it could not is said and changes nothing.
func (h *hook) log(r reply, cfg *config.Config, line audit.Line) reply {
	if err := logOf(cfg).Append(h.start, line); err != nil {
		r.err = fmt.Appendf(r.err, "longline: warning: the call was not logged: %v\n", err)
	}
	return r
}

// read returns what the agent sent. If it cannot be understood the request
// still says who asked and where, for the answer and the log.
func (h *hook) read() (agent.Request, error) {
	input, err := io.ReadAll(io.LimitReader(h.p.in, maxInput+1))
	if err == nil && len(input) > maxInput {
		err = fmt.Errorf("longer than %d bytes", maxInput)
	}
	if err != nil {
		input, err = nil, fmt.Errorf("the hook input could not be read: %w", err)
	}
	req, wrong := h.agent.Decode(input, h.p.env.Get)
	if err == nil {
		err = wrong
	}
	req.Call.Agent = h.agent.Name()
	if req.Call.Dir == "" {
		req.Call.Dir, _ = os.Getwd()
	}
	return req, err
}

// word puts a verdict into the agent's dialect.
func (h *hook) word(req agent.Request, v tool.Verdict) reply {
	said := v
	var remark []byte
	if h.dryRun {
		said = tool.Verdict{Decision: tool.Pass, Parsed: true}
		remark = fmt.Appendf(nil, "longline: dry run: would have answered %s: %s\n", v.Decision, sentence(v))
	}
	if v.Decision < tool.Ask && v.Rewrite == "" {
		said.Notices = nil // nobody is interrupted; with every call they would be noise
	}
	a := h.agent.Encode(req, said)
	return reply{out: a.Stdout, err: append(remark, a.Stderr...), status: a.Status}
}

// ask is the answer when judging did not come to an end.
func (h *hook) ask(reason string) reply {
	v := tool.Verdict{Decision: tool.Ask, Reason: reason}
	k := h.known.Load()
	if k == nil {
		req, _ := h.agent.Decode(nil, h.p.env.Get)
		return h.word(req, v)
	}
	r := h.word(k.req, v)
	if k.cfg == nil {
		return r
	}
	// Whatever was too much about the script must not be so again.
	call := k.req.Call
	call.Script = call.Script[:min(len(call.Script), 64<<10)]
	return h.log(r, k.cfg, audit.Entry{Time: h.start, Call: &call, Verdict: &v, Duration: time.Since(h.start), DryRun: h.dryRun, Content: k.cfg.Guard.Policy.LogContent})
}
