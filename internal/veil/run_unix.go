//go:build linux || darwin

package veil

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Cover is filters before places that a program prints to.
type Cover struct {
	secrets    *Secrets
	learning   sync.Mutex
	learned    int
	outlets    []*outlet
	ended, end *os.File
}

// Put puts filters before two places. If both lead to one place one filter serves both, so that the order is kept.
func Put(secrets *Secrets, stdout, stderr *os.File) (*Cover, error) {
	table := secrets.table()
	c := &Cover{secrets: secrets, outlets: []*outlet{{to: stdout}}}
	if !sameFile(stdout, stderr) {
		c.outlets = append(c.outlets, &outlet{to: stderr})
	}
	var err error
	for _, o := range c.outlets {
		o.pumped, o.filter = make(chan bool, 1), newFilter(o.to, table, idle)
		if o.outer, o.inner, err = os.Pipe(); err != nil {
			return nil, err
		}
	}
	c.ended, c.end, err = os.Pipe()
	return c, err
}

// Inner is what the program has for its stdout and stderr.
func (c *Cover) Inner() (stdout, stderr *os.File) {
	return c.outlets[0].inner, c.outlets[len(c.outlets)-1].inner
}

// Begin begins to filter. The program has its ends by now; here they are closed.
func (c *Cover) Begin() {
	for _, o := range c.outlets {
		o.inner.Close()
		o.learn = c.learn
		go o.pump(int(c.ended.Fd()))
	}
}

// maxLearned bounds the values that are taken in from what a program prints.
const maxLearned = 200

// learn takes in what a text gives to variables that are named like secrets. What only git has, or another place, no file at hand tells.
func (c *Cover) learn(text []byte) {
	if bytes.IndexByte(text, '=') < 0 {
		return
	}
	c.learning.Lock()
	defer c.learning.Unlock()
	before := len(c.secrets.values)
	if c.learned < maxLearned {
		c.secrets.Assigned(string(text))
	}
	if more := len(c.secrets.values) - before; more > 0 {
		c.learned += more
		t := c.secrets.table()
		for _, o := range c.outlets {
			o.filter.know(t)
		}
	}
}

// End is for when the program has ended: what it printed is written then, and how often each secret was hidden is returned. If
// others still hold its output, a process of its own goes on filtering, for which [Resume] has to be the first thing that the
// main program calls.
func (c *Cover) End() map[string]int {
	c.end.Close()
	var rest []*outlet
	hidden := map[string]int{}
	for _, o := range c.outlets {
		if <-o.pumped {
			rest = append(rest, o)
		}
		for name, n := range o.filter.Hidden() {
			hidden[name] += n
		}
	}
	if len(rest) > 0 && handOver(rest, c.secrets) != nil {
		for _, o := range rest { // at the price of waiting for the others
			o.filter.mu.Lock()
			o.filter.closed = false
			o.filter.mu.Unlock()
			go o.pump(-1)
			<-o.pumped
		}
	}
	c.ended.Close()
	for _, o := range c.outlets {
		o.outer.Close()
	}
	return hidden
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
	filter       *Filter
	learn        func(text []byte) // nil if nothing is taken in any more
	pumped       chan bool         // whether somebody still holds the inner end
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
			if o.learn != nil {
				o.learn(buf[:n])
			}
			if _, err = o.filter.Write(buf[:n]); over {
				left -= n
			}
		}
		if n <= 0 || err != nil { // the end or nobody reads it
			_ = o.filter.Close()
			o.outer.Close()
			o.pumped <- false
			return
		}
	}
}

// resumed is the name under which this program is started to go on filtering.
const resumed = "longline-veil"

// handOver starts a process that goes on with the outlets. What it has to know travels through a pipe.
func handOver(outlets []*outlet, secrets *Secrets) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	files := []*os.File{null, null, null, in}
	var b packed
	b.number(len(secrets.values))
	for _, v := range secrets.values {
		b.text(v.text)
		b.text(v.name)
	}
	b.number(len(outlets))
	for _, o := range outlets {
		files = append(files, o.outer, o.to)
		f := o.filter
		f.mu.Lock()
		f.timer.Stop()
		f.closed = true
		b.state(f)
		f.mu.Unlock()
	}
	p, err := os.StartProcess(self, []string{resumed}, &os.ProcAttr{Dir: "/", Env: []string{}, Files: files, Sys: &syscall.SysProcAttr{Setsid: true}})
	if err == nil {
		_ = p.Release()
		in.Close()
		_, err = out.Write(b)
	}
	return errors.Join(err, out.Close())
}

// Resume does the work of a process that [Cover.End] started to go on filtering, and returns at once in
// any other. It is told how to ignore signals, which this package has no other use for.
func Resume(ignore func(...os.Signal)) {
	if os.Args[0] != resumed {
		return
	}
	ignore(unix.SIGPIPE, unix.SIGHUP)
	in := os.NewFile(3, "")
	text, err := io.ReadAll(in)
	if err != nil || len(text) == 0 {
		os.Exit(1)
	}
	in.Close()
	b, secrets := packed(text), &Secrets{}
	for range b.takeNumber() {
		value := b.takeText()
		secrets.keep(value, b.takeText())
	}
	table := secrets.table()
	outlets := make([]*outlet, b.takeNumber())
	for i := range outlets {
		o := &outlet{outer: os.NewFile(uintptr(4+2*i), ""), to: os.NewFile(uintptr(5+2*i), ""), pumped: make(chan bool, 1)}
		o.filter = newFilter(o.to, table, idle)
		b.takeState(o.filter)
		o.filter.timer.Reset(idle)
		outlets[i] = o
		go o.pump(-1)
	}
	for _, o := range outlets {
		<-o.pumped
	}
	os.Exit(0)
}

// packed is values one behind the other.
type packed []byte

func (b *packed) number(n int)     { *b = binary.AppendVarint(*b, int64(n)) }
func (b *packed) text(text string) { b.number(len(text)); *b = append(*b, text...) }

func (b *packed) takeNumber() int {
	n, size := binary.Varint(*b)
	*b = (*b)[max(size, 0):]
	return int(n)
}

func (b *packed) takeText() string {
	n := min(max(b.takeNumber(), 0), len(*b))
	text := string((*b)[:n])
	*b = (*b)[n:]
	return text
}

// state is where a filter is.
func (b *packed) state(f *Filter) {
	b.text(string(f.buf))
	b.text(string(f.last))
	for _, n := range [...]int{f.done, f.token, f.key, len(f.runs)} {
		b.number(n)
	}
	for _, r := range f.runs {
		b.text(r.Name)
		b.text(r.GoesOn)
		for _, n := range [...]int{r.At, r.Body.Dashes, r.Body.Fives, r.Body.Length, map[bool]int{true: 1}[r.Shown]} {
			b.number(n)
		}
	}
}

func (b *packed) takeState(f *Filter) {
	f.buf, f.last = []byte(b.takeText()), []byte(b.takeText())
	f.done, f.token, f.key = b.takeNumber(), b.takeNumber(), b.takeNumber()
	for range b.takeNumber() {
		r := run{Name: b.takeText(), GoesOn: b.takeText()}
		r.At, r.Body = b.takeNumber(), keyBody{b.takeNumber(), b.takeNumber(), b.takeNumber()}
		r.Shown = b.takeNumber() == 1
		f.runs = append(f.runs, r)
	}
}
