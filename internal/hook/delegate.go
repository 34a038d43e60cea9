package hook

import (
	"bytes"
	"io"
	"os"

	"longline/internal/config"
)

// delegate has the longline beside this program answer the call: it reads what
// this program has no reader for: rules files, which it compiles for the next time, and
// regular expressions. It is found by the place of this program alone; a
// PATH may come from anywhere.
func (h *Hook) delegate(input []byte, why string) reply {
	path, err := config.Sibling()
	if err != nil {
		return h.ask(why + ", and longline was not found: " + err.Error())
	}
	r, err := run(path, append([]string{"longline", "hook"}, h.args...), h.Env, input)
	if err != nil {
		return h.ask(why + ", and longline could not be run: " + err.Error())
	}
	if r.status < exitOK || r.status > exitBlock {
		// Killed, or not longline at all. What agents are told by a status is
		// 0, 1 or 2.
		return h.ask(why + ", and longline failed")
	}
	return r
}

// run starts a program, feeds it and collects what it says. Its time is bounded
// by its own deadline and by that of the caller.
func run(path string, args, env []string, input []byte) (reply, error) {
	in, out, errs := new(stream), new(stream), new(stream)
	for _, s := range []*stream{in, out, errs} {
		if err := s.open(); err != nil {
			return reply{}, err
		}
		defer s.read.Close()
		defer s.write.Close()
	}
	process, err := os.StartProcess(path, args, &os.ProcAttr{Env: env, Files: []*os.File{in.read, out.write, errs.write}})
	if err != nil {
		return reply{}, err
	}
	in.read.Close()
	out.write.Close()
	errs.write.Close()
	go func() {
		in.write.Write(input)
		in.write.Close()
	}()
	said := make(chan []byte, 1)
	go func() { said <- collect(errs.read) }()
	r := reply{out: collect(out.read), err: <-said}
	state, err := process.Wait()
	if err != nil {
		return reply{}, err
	}
	r.status = state.ExitCode()
	return r, nil
}

// stream is one pipe.
type stream struct{ read, write *os.File }

func (s *stream) open() (err error) {
	s.read, s.write, err = os.Pipe()
	return err
}

// collect reads to the end, at most as much as a hook takes in.
func collect(from io.Reader) []byte {
	var b bytes.Buffer
	io.Copy(&b, io.LimitReader(from, MaxInput))
	return b.Bytes()
}
