// Package hook answers an agent's hook: it reads the call, has it judged under
// the rules in force, logs it and words the answer. It is the whole of
// longline-hook, so nothing that costs time at start may be imported here.
package hook

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"longline/internal/agent"
	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/tool"
)

// Deadline is when the hook gives up and asks. Agents treat a late hook as one
// without objection.
const Deadline = 5 * time.Second

// MaxInput bounds how much of a hook's input is read.
const MaxInput = 16 << 20

// watchEvery is how often memory and time are looked at.
const watchEvery = 50 * time.Millisecond

// maxMemory is how much may be in use before the hook gives up.
const maxMemory = 768 << 20

// The exit statuses. Agents read 2 as "block".
const (
	exitOK    = 0
	exitBlock = 2
)

// Hook is one call of an agent's hook.
type Hook struct {
	Env      config.Env
	In       io.Reader
	Out, Err io.Writer
	Deadline time.Duration
	Exit     func(status int) // ends the process
	// Gone says that nobody waits for an answer any more; nil is never.
	Gone func() bool
	// Leave ends the goroutine of Run when the answer was given elsewhere; nil waits
	// for the end of the process.
	Leave func()
	// Load finds the rules in force. Where it says that they are not compiled
	// yet, the longline beside this program is asked instead.
	Load func(config.Options) (*config.Config, error)

	args   []string
	agent  agent.Agent
	config string
	dryRun bool
	hand   bool // it was not an agent that started it
	start  time.Time
	known  atomic.Pointer[known]
	look   config.Look // what this call has seen of the disk

	elsewhere bool // the longline beside this program is to answer

	answered atomic.Bool // somebody has begun to give the answer

	append func(*config.Config, audit.Line) error // instead of the log, for tests
}

// known is what a hook has found out so far, for the case that it does not come
// to an end.
type known struct {
	req   *agent.Request // which is not changed any more
	cfg   *config.Config // nil until it is loaded
	reply *reply         // nil until it is found; only the log is waited for then
}

// Main answers a hook with the arguments that follow the program's name or the
// word "hook", and returns the exit status.
func Main(args, environ []string, in io.Reader, out, err io.Writer, load func(config.Options) (*config.Config, error)) int {
	growStack(load == nil)
	h := Hook{Env: environ, In: in, Out: plainly(out), Err: plainly(err), Deadline: Deadline, Exit: os.Exit, Load: load}
	return h.Run(args)
}

// reply is everything the hook says; it is written once, when it is complete.
type reply struct {
	out, err []byte
	status   int
}

// Run answers the hook. If it has to give up, it does not return and the
// process ends elsewhere.
func (h *Hook) Run(args []string) int {
	h.start, h.hand = time.Now(), byHand()
	if problem := h.arguments(args); problem != "" {
		fmt.Fprintf(h.Err, "longline: error: hook: %s\nlongline: hint: run \"longline help hook\"\n", problem)
		return exitBlock
	}
	if !descriptorsLeft() {
		// Without timers, which need files as well.
		return h.write(h.ask("no files can be opened: the limit of open files is reached"), new(atomic.Bool))
	}
	// Judging stays on this goroutine, and a timer watches it: to hand it to
	// another would cost a switch between threads with every call.
	time.AfterFunc(min(watchEvery, h.Deadline), h.watch)
	r := h.try()
	h.claim()
	return h.say(r)
}

// claim does not return if the answer is already being given.
func (h *Hook) claim() {
	if h.answered.CompareAndSwap(false, true) {
		return
	}
	if h.Leave != nil {
		h.Leave()
	}
	select {}
}

// limit bounds a judgement by time, and ends it when the answer has been given without
// it or nobody waits for one.
func (h *Hook) limit() func() bool {
	late := config.Limit()
	return func() bool { return late() || h.answered.Load() || h.Gone != nil && h.Gone() }
}

// try answers, and asks if that fails.
func (h *Hook) try() (r reply) {
	defer func() {
		if crash := recover(); crash != nil {
			r = h.ask(fmt.Sprint("internal error: ", crash))
			r.err = append(r.err, debug.Stack()...)
		}
	}()
	debug.SetPanicOnFault(true) // a compiled file that is cut off meanwhile
	growStack(h.agent == nil)
	return h.answer()
}

// growStack makes the stack as large as judging needs it while there is little on
// it that would have to be moved: for every frame the runtime reads tables that
// nothing else needs. Only the size of its frame matters; the room
// itself is never touched.
//
//go:noinline
func growStack(touch bool) byte {
	if !touch {
		return 0
	}
	var room [48 << 10]byte
	return last(&room)
}

//go:noinline
func last(room *[48 << 10]byte) byte { return room[len(room)-1] }

// sayWithin is how long an agent may take to read the answer.
const sayWithin = 2 * time.Second

// say writes the reply. An agent that does not read it is not waited for.
func (h *Hook) say(r reply) int {
	var answered atomic.Bool
	stuck := time.AfterFunc(sayWithin, func() {
		if answered.Load() {
			h.Exit(r.status)
		} else {
			h.Exit(exitBlock)
		}
	})
	defer stuck.Stop()
	return h.write(r, &answered)
}

// write writes each stream once: the answer first, because an agent may not read
// the other stream before it has ended.
func (h *Hook) write(r reply, answered *atomic.Bool) int {
	if len(r.out) > 0 {
		_, err := h.Out.Write(r.out)
		if err == nil && isNull(h.Out) {
			err = errors.New("it goes to " + os.DevNull)
		}
		if err != nil {
			// The agent will not see the answer, so block in the one way left.
			fmt.Fprintf(h.Err, "%slongline: error: the answer could not be written: %v\n", r.err, err)
			return exitBlock
		}
	}
	answered.Store(true)
	if len(r.err) > 0 {
		h.Err.Write(r.err)
	}
	return r.status
}

// arguments reads the hook's own arguments and says what is wrong with them.
// The flag package is not used, so that nothing is set up that this path does
// not need.
func (h *Hook) arguments(args []string) (problem string) {
	h.args = args
	name := ""
	for i := 0; i < len(args); i++ {
		flag, value, hasValue := strings.Cut(args[i], "=")
		if strings.HasPrefix(flag, "--") {
			flag = flag[1:]
		}
		switch {
		case flag == "-dry-run" && !hasValue:
			h.dryRun = true
		case flag == "-config":
			if !hasValue && i+1 < len(args) {
				i++
				value = args[i]
			}
			if h.config = value; value == "" {
				return "--config needs a file"
			}
		case strings.HasPrefix(flag, "-"):
			return fmt.Sprintf("unknown flag %q; expected --config FILE or --dry-run", args[i])
		case args[i] == "hook" && name == "":
			// longline --config FILE hook claude
		case name != "":
			return fmt.Sprintf("unexpected argument %q", args[i])
		default:
			name = args[i]
		}
	}
	if name == "" {
		name = agent.All[0].Name()
	}
	if h.agent = agent.Find(name); h.agent == nil {
		return fmt.Sprintf("unknown agent %q; expected one of %s", name, strings.Join(agent.Names(), ", "))
	}
	return ""
}

// watch asks in place of a judge who has no answer in time, or needs too much
// memory for one: agents take a hook that is late or that was killed for one
// that has no objection.
func (h *Hook) watch() {
	if h.answered.Load() {
		return
	}
	var used runtime.MemStats
	reason := ""
	if time.Since(h.start) >= h.Deadline {
		reason = fmt.Sprintf("no answer within %v", h.Deadline)
	} else if runtime.ReadMemStats(&used); used.HeapAlloc > maxMemory {
		reason = "judging this needs too much memory"
	}
	if reason == "" {
		time.AfterFunc(watchEvery, h.watch)
		return
	}
	if h.answered.CompareAndSwap(false, true) {
		h.Exit(h.say(h.giveUp(reason)))
	}
}

// logWithin is how long a hook whose time is up waits for the log. A disk that
// does not answer must not keep the agent from its answer.
const logWithin = 250 * time.Millisecond

// giveUp is the answer when the time is up: what was found before, if only the
// log is missing, and otherwise a question.
func (h *Hook) giveUp(reason string) reply {
	k := h.known.Load()
	if k != nil && k.reply != nil {
		r := *k.reply
		r.err = append(r.err[:len(r.err):len(r.err)], "longline: warning: the call was not logged in time\n"...)
		return r
	}
	logged := make(chan reply, 1)
	go func() { logged <- h.ask(reason) }()
	select {
	case r := <-logged:
		return r
	case <-time.After(logWithin):
		var req agent.Request
		if k != nil {
			req = *k.req
		} else {
			req, _ = h.agent.Decode(nil, h.Env.Get)
		}
		r := h.word(req, tool.Verdict{Decision: tool.Ask, Reason: reason})
		r.err = append(r.err, "longline: warning: the call was not logged in time\n"...)
		return r
	}
}

// ask is the answer when judging did not come to an end.
func (h *Hook) ask(reason string) reply {
	v := tool.Verdict{Decision: tool.Ask, Reason: reason}
	k := h.known.Load()
	if k == nil {
		req, _ := h.agent.Decode(nil, h.Env.Get)
		return h.word(req, v)
	}
	r := h.word(*k.req, v)
	if k.cfg == nil {
		return r
	}
	// Whatever was too much about the script must not be so again.
	call := k.req.Call
	call.Script = call.Script[:min(len(call.Script), 64<<10)]
	return h.log(r, k.cfg, audit.Entry{Time: h.start, Call: &call, Verdict: &v, Duration: time.Since(h.start), DryRun: h.dryRun, ByHand: h.hand, Content: k.cfg.Guard.Policy.LogContent})
}
