package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
)

// descriptors are the file descriptors above 2 that exec or a redirection has opened,
// with what can be read from them.
type descriptors struct{ table[command.Data] }

// someDescriptor stands for descriptors whose numbers are not known. No descriptor
// has this number.
const someDescriptor = "?"

// open makes a descriptor read from data.
func (t *descriptors) open(n string, d command.Data) {
	if t.size() >= maxOpen { // which is which is not known any more
		taint := t.taint()
		*t = descriptors{}
		t.openSome(taint)
	}
	t.mark(n, d, marks(d.Taint))
}

// openSome makes a descriptor that is not known read from where taint says.
func (t *descriptors) openSome(taint command.Taint) {
	if have := t.get(someDescriptor); have != nil {
		taint |= have.Taint
	}
	t.mark(someDescriptor, command.Data{Taint: taint}, marks(taint))
}

// taint is where anything that can be read from them may be from.
func (t descriptors) taint() command.Taint { return command.Taint(t.marks() & taints) }

// reopen gives descriptors back what they were before.
func (t *descriptors) reopen(before descriptors, numbers []string) {
	for _, n := range numbers {
		if d := before.get(n); d != nil {
			t.open(n, *d)
		} else {
			t.remove(n)
		}
	}
}

// loseThose makes unknown what can be read from those descriptors of which a function says so.
func (t *descriptors) loseThose(which func(*command.Data) bool) {
	if t.size() == 0 {
		return
	}
	var numbers []string
	t.each(func(n string, d *command.Data) bool {
		if which(d) {
			numbers = append(numbers, n)
		}
		return true
	})
	for _, n := range numbers {
		t.open(n, command.Data{Taint: t.get(n).Taint})
	}
}

func (t descriptors) same(o descriptors) bool { return t.table.same(o.table, sameData) }

// join is what is known of descriptors if it is known of one of two.
func (t descriptors) join(o descriptors, work *toil) descriptors {
	return descriptors{t.merge(o.table, dataLaw, work)}
}

var dataLaw = law[command.Data]{same: sameData, join: joinData, vague: func(d *command.Data) bool { return d.Same(joinData(d, nil)) }}

func sameData(a, b *command.Data) bool { return a == b || a.Same(*b) }

// joinData is what is read if it is one of two, of which one may not be known.
func joinData(a, b *command.Data) command.Data {
	switch {
	case a == nil:
		return b.Join(command.Data{Taint: b.Taint})
	case b == nil:
		return a.Join(command.Data{Taint: a.Taint})
	}
	return a.Join(*b)
}

// descriptor is what can be read from a descriptor.
func (r *reader) descriptor(s *state, n, path string) command.Data {
	if n == "0" {
		return s.stdin
	}
	if d := s.fds.get(n); d != nil {
		return *d
	}
	for i := len(r.procs) - 1; i >= 0; i-- {
		if r.procs[i].path == path {
			return r.procs[i].data
		}
	}
	return s.anyDescriptor()
}

// readsElsewhere notes that something is read from a descriptor that is not standard input. Others may be copies of it, which go on
// behind that.
func (s *state) readsElsewhere() {
	s.stdin = s.stdin.Unread()
	s.fds.loseThose(func(d *command.Data) bool { return !d.Same(d.Unread()) })
}

// reopened is a stream that is opened by a name as /dev/stdin: a file from its beginning, and else where it has been read to.
func reopened(d command.Data) command.Data {
	if d.Rest {
		return command.Data{Taint: d.Taint, Of: d.Of}
	}
	return d
}

// reopens makes standard input unknown that a word may stand for, where something of it has been read.
func reopens(inv *command.Invocation) {
	if inv.Stdin.Rest && slices.ContainsFunc(inv.Words, func(w command.Word) bool {
		return strings.Contains(w.Text, "/dev/") || strings.Contains(w.Text, "/proc/")
	}) {
		inv.Stdin = reopened(inv.Stdin)
	}
}

// anyDescriptor is what can be read from a descriptor that is not known.
func (s *state) anyDescriptor() command.Data {
	return command.Data{Taint: s.stdin.Taint | s.fds.taint()}
}
