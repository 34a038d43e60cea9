//go:build linux || darwin

package veil

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Run runs a program with what it prints to stdout and stderr filtered, and waits for it. The rest
// is the program's own: its input, its signals, its terminal. If both lead to one place one filter
// serves both, so that the order is kept. When the program has ended, what it printed has been
// written; if others still hold its output, a process of its own goes on filtering, for which
// [Resume] has to be the first thing that the main program calls.
func Run(cmd *exec.Cmd, secrets *Secrets, stdout, stderr *os.File) (Result, error) {
	table := secrets.table()
	outlets := []*outlet{{to: stdout}}
	if !sameFile(stdout, stderr) {
		outlets = append(outlets, &outlet{to: stderr})
	}
	defer func() {
		for _, o := range outlets {
			o.close()
		}
	}()
	for _, o := range outlets {
		if err := o.open(table); err != nil {
			return Result{}, err
		}
	}
	cmd.Stdout, cmd.Stderr = outlets[0].inner, outlets[len(outlets)-1].inner
	if cmd.Stdin == nil {
		cmd.Stdin = os.Stdin
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, unix.SIGPIPE, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2, unix.SIGALRM, unix.SIGWINCH)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return Result{}, err
	}
	go passOn(signals, cmd.Process, outlets)
	ended, end, err := os.Pipe()
	if err != nil {
		return Result{}, err
	}
	defer ended.Close()
	for _, o := range outlets {
		o.inner.Close()
		go o.pump(int(ended.Fd()))
	}
	err = cmd.Wait()
	end.Close()
	var rest []*outlet
	result := Result{Hidden: map[string]int{}}
	for _, o := range outlets {
		if <-o.pumped {
			rest = append(rest, o)
		}
		for name, n := range o.filter.Hidden() {
			result.Hidden[name] += n
		}
	}
	if len(rest) > 0 && handOver(rest, secrets) != nil {
		for _, o := range rest { // at the price of waiting for the others
			o.filter.mu.Lock()
			o.filter.closed = false
			o.filter.mu.Unlock()
			go o.pump(-1)
			<-o.pumped
		}
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return result, err
	}
	ws := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if result.Code = ws.ExitStatus(); ws.Signaled() {
		result.Signal = ws.Signal()
	}
	return result, nil
}

// sameFile says whether two files are one place, so that what is written to both has an order.
func sameFile(a, b *os.File) bool {
	var x, y unix.Stat_t
	if unix.Fstat(int(a.Fd()), &x) != nil || unix.Fstat(int(b.Fd()), &y) != nil || x.Dev != y.Dev || x.Ino != y.Ino || x.Rdev != y.Rdev {
		return false
	}
	flags, err1 := unix.FcntlInt(a.Fd(), unix.F_GETFL, 0)
	others, err2 := unix.FcntlInt(b.Fd(), unix.F_GETFL, 0)
	at, _ := a.Seek(0, io.SeekCurrent)
	other, _ := b.Seek(0, io.SeekCurrent)
	return err1 == nil && err2 == nil && flags == others && at == other
}

// outlet is a place that a program prints to, and the filter before it.
type outlet struct {
	to           *os.File
	inner, outer *os.File // the program's end, and this one
	terminal     bool
	filter       *Filter
	pumped       chan bool // whether somebody still holds the inner end
}

func (o *outlet) open(table *table) (err error) {
	o.pumped = make(chan bool, 1)
	o.filter = newFilter(o.to, table, idle)
	if _, err := unix.IoctlGetTermios(int(o.to.Fd()), getTermios); err != nil {
		o.outer, o.inner, err = os.Pipe()
		return err
	}
	o.terminal = true
	if o.outer, o.inner, err = openPTY(); err != nil {
		return err
	}
	if err := likeTerminal(int(o.inner.Fd()), int(o.to.Fd())); err != nil {
		return err
	}
	o.resize()
	return nil
}

// likeTerminal gives a terminal the settings of another, except that nothing is changed on the way:
// the other does that.
func likeTerminal(fd, other int) error {
	settings, err := unix.IoctlGetTermios(other, getTermios)
	if err != nil {
		return err
	}
	settings.Oflag &^= unix.OPOST
	return unix.IoctlSetTermios(fd, setTermios, settings)
}

func (o *outlet) resize() {
	if size, err := unix.IoctlGetWinsize(int(o.to.Fd()), unix.TIOCGWINSZ); err == nil && o.terminal {
		_ = unix.IoctlSetWinsize(int(o.outer.Fd()), unix.TIOCSWINSZ, size)
	}
}

func (o *outlet) close() {
	for _, f := range []*os.File{o.inner, o.outer} {
		if f != nil {
			f.Close()
		}
	}
}

// pump filters until nobody holds the inner end. Once the other descriptor is closed it takes only
// what has been printed already: others may never end.
func (o *outlet) pump(ended int) {
	left := 1 << 20
	buf := make([]byte, 64<<10)
	fd := int(o.outer.Fd())
	for polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(ended), Events: unix.POLLIN}}; ; {
		if _, err := unix.Poll(polled, -1); err == unix.EINTR {
			continue
		}
		over := ended >= 0 && polled[1].Revents != 0
		if polled[0].Revents == 0 && over || left <= 0 {
			o.pumped <- true
			return
		}
		if polled[0].Revents == 0 {
			continue
		}
		n, err := unix.Read(fd, buf)
		if err == unix.EINTR || err == unix.EAGAIN {
			continue
		}
		if n > 0 {
			if _, err = o.filter.Write(buf[:n]); over {
				left -= n
			}
		}
		if n <= 0 || err != nil { // the end (an error, on a terminal), or nobody reads it
			_ = o.filter.Close()
			o.outer.Close()
			o.pumped <- false
			return
		}
	}
}

// passOn passes signals on to the program that were not sent to it as well.
func passOn(signals <-chan os.Signal, program *os.Process, outlets []*outlet) {
	for sig := range signals {
		switch {
		case sig == unix.SIGPIPE: // who reads has gone, which the program will see
		case sig == unix.SIGWINCH:
			for _, o := range outlets {
				o.resize()
			}
			_ = program.Signal(sig)
		case (sig == unix.SIGINT || sig == unix.SIGQUIT) && isForeground():
		default:
			_ = program.Signal(sig)
		}
	}
}

// isForeground says whether a terminal sends its signals to this process, and so to the program.
func isForeground() bool {
	tty, err := unix.Open("/dev/tty", unix.O_RDONLY|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(tty)
	group, err := unix.IoctlGetInt(tty, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// remainder is what a process that goes on has to know. It travels through a pipe.
type remainder struct {
	Values, Names [][]byte
	Outlets       []remaining
}

// remaining is where a filter is.
type remaining struct {
	Buf, Last        []byte
	Done, Token, Key int
	Runs             []run
}

// resumed is the name under which this program is started to go on filtering.
const resumed = "longline-veil"

// handOver starts a process that goes on with the outlets.
func handOver(outlets []*outlet, secrets *Secrets) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var r remainder
	for _, v := range secrets.values {
		r.Values, r.Names = append(r.Values, []byte(v.text)), append(r.Names, []byte(v.name))
	}
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	cmd := exec.Command(self)
	cmd.Args, cmd.Env, cmd.Dir, cmd.SysProcAttr = []string{resumed}, []string{}, "/", &syscall.SysProcAttr{Setsid: true}
	cmd.ExtraFiles = []*os.File{in}
	for _, o := range outlets {
		cmd.ExtraFiles = append(cmd.ExtraFiles, o.outer, o.to)
		f := o.filter
		f.mu.Lock()
		f.timer.Stop()
		f.closed = true
		r.Outlets = append(r.Outlets, remaining{f.buf, f.last, f.done, f.token, f.key, f.runs})
		f.mu.Unlock()
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err = cmd.Start(); err == nil {
		in.Close()
		_, err = out.Write(text)
	}
	return errors.Join(err, out.Close())
}

// Resume does the work of a process that [Run] started to go on filtering, and returns at once in
// any other.
func Resume() {
	if os.Args[0] != resumed {
		return
	}
	signal.Ignore(unix.SIGPIPE, unix.SIGHUP)
	var r remainder
	in := os.NewFile(3, "")
	if json.NewDecoder(in).Decode(&r) != nil {
		os.Exit(1)
	}
	in.Close()
	secrets := &Secrets{}
	for i := range r.Values {
		secrets.keep(string(r.Values[i]), string(r.Names[i]))
	}
	table := secrets.table()
	outlets := make([]*outlet, len(r.Outlets))
	for i, state := range r.Outlets {
		o := &outlet{outer: os.NewFile(uintptr(4+2*i), ""), to: os.NewFile(uintptr(5+2*i), ""), pumped: make(chan bool, 1)}
		o.filter = newFilter(o.to, table, idle)
		f := o.filter
		f.buf, f.last, f.done, f.token, f.key, f.runs = state.Buf, state.Last, state.Done, state.Token, state.Key, state.Runs
		f.timer.Reset(idle)
		outlets[i] = o
		go o.pump(-1)
	}
	for _, o := range outlets {
		<-o.pumped
	}
	os.Exit(0)
}

// Exit ends this process as the program ended.
func (r Result) Exit() {
	if r.Signal != 0 {
		_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
		defaultAction(r.Signal)
		_ = unix.Kill(os.Getpid(), r.Signal)
		time.Sleep(50 * time.Millisecond) // until it arrives
		os.Exit(128 + int(r.Signal))
	}
	os.Exit(r.Code)
}
