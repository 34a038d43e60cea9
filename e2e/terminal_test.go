//go:build linux

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// key is what a person types once the screen shows something new.
type key struct {
	After string // without regard to blanks, which a screen often makes by moving the cursor
	Type  string
}

// hangUp in place of what is typed ends the program.
const hangUp = "\x00"

// screen is a terminal as far as a test needs one: what was written to it.
type screen struct {
	mu       sync.Mutex
	written  bytes.Buffer
	keyboard *os.File
}

// inTerminal runs a program in a terminal of its own, types the keys in their order
// and returns all that was written.
func inTerminal(ctx context.Context, cmd *exec.Cmd, keys []key) (string, error) {
	terminal, line, err := openTerminal(50, 160)
	if err != nil {
		return "", err
	}
	defer terminal.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = line, line, line
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		line.Close()
		return "", err
	}
	line.Close()
	s := &screen{keyboard: terminal}
	read := make(chan struct{})
	go func() {
		defer close(read)
		s.watch()
	}()
	typed, stop := context.WithCancel(ctx)
	go s.play(typed, cmd.Process.Pid, keys)
	err = cmd.Wait()
	stop()
	select {
	case <-read:
	case <-time.After(time.Second): // somebody else holds the terminal open
	}
	return s.text(), err
}

func openTerminal(rows, columns uint16) (terminal, line *os.File, err error) {
	if terminal, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	var number, locked int32
	for _, c := range []struct {
		request uintptr
		value   unsafe.Pointer
	}{
		{syscall.TIOCSPTLCK, unsafe.Pointer(&locked)},
		{syscall.TIOCGPTN, unsafe.Pointer(&number)},
	} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, terminal.Fd(), c.request, uintptr(c.value)); errno != 0 {
			terminal.Close()
			return nil, nil, fmt.Errorf("open a terminal: %w", errno)
		}
	}
	if line, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0); err == nil {
		err = unix.IoctlSetWinsize(int(line.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns})
	}
	if err != nil {
		terminal.Close()
	}
	return terminal, line, err
}

func (s *screen) watch() {
	buf := make([]byte, 1<<14)
	for {
		n, err := s.keyboard.Read(buf)
		s.mu.Lock()
		s.written.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return // the program has ended
		}
	}
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.String()
}

// play types each key when what it waits for has come after the one before.
func (s *screen) play(ctx context.Context, pid int, keys []key) {
	seen := 0
	for _, k := range keys {
		for want := solid(k.After); ; {
			text := s.text()
			if strings.Contains(solid(text[seen:]), want) {
				seen = len(text)
				break
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
		time.Sleep(300 * time.Millisecond) // a dialog that has just appeared may not listen yet
		if k.Type == hangUp {
			_ = syscall.Kill(-pid, syscall.SIGKILL)
			return
		}
		if _, err := s.keyboard.WriteString(k.Type); err != nil {
			return
		}
	}
}

var controls = regexp.MustCompile("\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)|\x1b\\[[0-9;?<>=]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b.|[\x00-\x20\x7f]")

// solid is text without what moves the cursor, colours it or is blank.
func solid(text string) string { return controls.ReplaceAllString(text, "") }

// shows says whether a screen has shown a text.
func (r *report) shows(text string) bool { return strings.Contains(solid(r.Output), solid(text)) }
