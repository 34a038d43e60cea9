package review

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"
)

// Screens are what a person sees and what keys do to it.
type Screens interface {
	View() []string
	Key(key string)
	Click(line int)
	Resize(width, height int)
	Done() (done, agreed bool)
}

// Run shows the screens on a terminal until the person has finished. Whatever
// happens, the terminal is left as it was.
func (m *Model) Run(in, out *os.File) (write bool, err error) { return Run(m, in, out) }

// Run is [Model.Run] for any screens.
func Run(m Screens, in, out *os.File) (agreed bool, err error) {
	old, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return false, err
	}
	defer func() {
		// Mouse off, cursor on, the screen of before.
		_, _ = out.WriteString("\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[?1049l")
		if restored := term.Restore(int(in.Fd()), old); err == nil {
			err = restored
		}
	}()
	if _, err := out.WriteString("\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1006h"); err != nil {
		return false, err
	}
	sizes := make(chan os.Signal, 1)
	notifySizes(sizes)
	defer signal.Stop(sizes)
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ends)
	return loop(m, out, typedIn(in), sizes, ends)
}

// typed is what was typed, or why nothing can be any more.
type typed struct {
	text []byte
	err  error
}

// typedIn reads what is typed. It ends with the process: a read from a terminal cannot be
// taken back.
func typedIn(in *os.File) <-chan typed {
	keys := make(chan typed)
	go func() {
		for {
			buf := make([]byte, 256)
			n, err := in.Read(buf)
			keys <- typed{buf[:n], err}
			if err != nil {
				return
			}
		}
	}()
	return keys
}

// loop shows the screen, and handles what comes, until the person has finished.
func loop(m Screens, out *os.File, keys <-chan typed, sizes, ends <-chan os.Signal) (write bool, err error) {
	var rest []byte
	for {
		if err := draw(m, out); err != nil {
			return false, err
		}
		var late <-chan time.Time
		if len(rest) > 0 {
			late = time.After(200 * time.Millisecond)
		}
		select {
		case <-sizes:
			continue
		case <-ends:
			return false, nil
		case t := <-keys:
			if t.err != nil {
				return false, unlessEnded(t.err)
			}
			rest = feed(m, append(rest, t.text...))
		case <-late:
			rest = nil // a lone Escape
		}
		if done, write := m.Done(); done {
			return write, nil
		}
	}
}

// unlessEnded is an error that is not the end of the input.
func unlessEnded(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// draw puts the screen on a terminal of whatever size.
func draw(m Screens, out *os.File) error {
	if width, height, err := term.GetSize(int(out.Fd())); err == nil && width > 0 && height > 0 {
		m.Resize(width, height)
	}
	_, err := out.WriteString("\x1b[H" + strings.Join(m.View(), "\x1b[K\r\n") + "\x1b[K\x1b[J")
	return err
}

// sequences are the keys that terminals send as several bytes.
var sequences = map[string]string{
	"\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left", "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left",
	"\x1b[5~": "pageup", "\x1b[6~": "pagedown",
}

// feed handles what was typed and returns the beginning of a sequence that is not
// complete yet.
func feed(m Screens, text []byte) (rest []byte) {
	for len(text) > 0 {
		if done, _ := m.Done(); done {
			return nil
		}
		if text[0] != 0x1b {
			m.Key(keyOf(text[0]))
			text = text[1:]
			continue
		}
		end := sequenceEnd(text)
		if end < 0 {
			if len(text) > 32 {
				return nil // no key is that long
			}
			return text
		}
		if sequence := string(text[:end]); strings.HasPrefix(sequence, "\x1b[<") {
			mouse(m, sequence)
		} else if key := sequences[sequence]; key != "" {
			m.Key(key)
		}
		text = text[end:]
	}
	return nil
}

// keyOf is the key that a terminal sends as one byte.
func keyOf(c byte) string {
	switch c {
	case '\r', '\n':
		return "enter"
	case 3, 4:
		return "ctrl-c"
	case ' ':
		return "pagedown"
	}
	return strings.ToLower(string(rune(c)))
}

// sequenceEnd is where an escape sequence ends, or -1 if it does not yet.
func sequenceEnd(text []byte) int {
	if len(text) < 2 {
		return -1
	}
	switch text[1] {
	case 'O':
		if len(text) < 3 {
			return -1
		}
		return 3
	case '[':
		for i := 2; i < len(text); i++ {
			if text[i] >= 0x40 && text[i] <= 0x7e {
				return i + 1
			}
		}
		return -1
	}
	return 1 // Escape, and then a key
}

// mouse handles ESC [ < BUTTON ; COLUMN ; LINE M.
func mouse(m Screens, sequence string) {
	fields := strings.Split(sequence[3:len(sequence)-1], ";")
	if len(fields) != 3 || sequence[len(sequence)-1] != 'M' {
		return
	}
	line, err := strconv.Atoi(fields[2])
	if err != nil {
		return
	}
	switch fields[0] {
	case "0":
		m.Click(line - 1)
	case "64":
		m.Key("pageup")
	case "65":
		m.Key("pagedown")
	}
}
