//go:build amd64 || arm64

package wall

import (
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"longline/internal/record"
)

// state is what a supervisor hands over to the next.
type state struct {
	Dir        string
	Network    bool
	Keeps      bool
	Hides      bool
	Namespaces bool
	Landlock   int
	Bound      []uint64
}

func (st *state) encode() []byte {
	var w record.Writer
	w.Text(st.Dir)
	w.Bool(st.Network)
	w.Bool(st.Keeps)
	w.Bool(st.Hides)
	w.Bool(st.Namespaces)
	w.Uint(uint64(st.Landlock))
	record.List(&w, st.Bound, (*record.Writer).Uint)
	return w.Bytes()
}

func decodeState(text string) (state, error) {
	r := record.NewReader(text)
	st := state{Dir: r.Text(), Network: r.Bool(), Keeps: r.Bool(), Hides: r.Bool(), Namespaces: r.Bool(), Landlock: int(r.Uint())}
	st.Bound = record.ReadList(r, (*record.Reader).Uint)
	return st, r.Err()
}

// handOver starts a process that supervises what the program has left running. It
// holds none of the streams, so that nobody waits for it.
func (s *supervisor) handOver(stderr io.Writer) {
	st := state{Dir: s.plan.Dir, Network: s.plan.Network, Keeps: s.plan.Keeps, Hides: s.plan.Hides, Namespaces: s.engine.namespaces, Landlock: s.engine.landlock}
	for ino := range s.bound {
		st.Bound = append(st.Bound, ino)
	}
	slices.Sort(st.Bound)
	if err := s.spawn(st.encode()); err != nil {
		fmt.Fprintf(stderr, "longline wall: warning: what the program left running cannot be supervised: %v\n", err)
	}
}

func (s *supervisor) spawn(text []byte) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	defer r.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	files := []*os.File{r, null, null, os.NewFile(uintptr(s.fd), "listener")}
	if lock := s.plan.Overlay.lock; lock != nil {
		files = append(files, lock) // held as long as the other lives
	}
	_, err = os.StartProcess("/proc/self/exe", append(slices.Clone(s.plan.Self), SuperviseArg), &os.ProcAttr{
		Dir:   s.plan.Dir,
		Env:   os.Environ(),
		Files: files,
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Supervise goes on where another supervisor has ended, with the listener as
// descriptor 3 and its state on standard input. plan makes the plan for a directory.
func Supervise(plan func(dir string, s Settings) *Plan) error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	st, err := decodeState(string(text))
	if err != nil {
		return err
	}
	p := plan(st.Dir, Settings{Network: st.Network, Keeps: st.Keeps, Hides: st.Hides})
	_ = os.Chdir("/")
	unix.CloseOnExec(3)
	unix.CloseOnExec(4) // the lock of the overlay, if there is one
	s := newSupervisor(p, engine{namespaces: st.Namespaces, landlock: st.Landlock}, 3)
	for _, ino := range st.Bound {
		s.bound[ino] = true
	}
	s.start()
	<-s.ended
	return nil
}
