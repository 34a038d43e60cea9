package review

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// reviewed is set in the process that shows the screens of the tests below.
const reviewed = "LONGLINE_TEST_REVIEW"

func TestMain(m *testing.M) {
	if os.Getenv(reviewed) == "" {
		os.Exit(m.Run())
	}
	screens := model()
	write, err := screens.Run(os.Stdin, os.Stdout)
	fmt.Println("chosen", screens.Chosen, write, err)
}

// terminal is a pseudo-terminal with a review on it.
type terminal struct {
	t      *testing.T
	master *os.File
	done   chan error

	mu   sync.Mutex
	seen strings.Builder
}

// newTerminal starts a review on a terminal of its own, so that the kernel tells it
// about a new size as it tells any program.
func newTerminal(t *testing.T, width, height uint16) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	term := &terminal{t: t, master: master, done: make(chan error, 1)}
	term.resize(width, height)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), reviewed+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	go func() { term.done <- cmd.Wait() }()
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			term.mu.Lock()
			term.seen.Write(buf[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return term
}

func (m *terminal) resize(width, height uint16) {
	m.t.Helper()
	if err := unix.IoctlSetWinsize(int(m.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: height, Col: width}); err != nil {
		m.t.Fatal(err)
	}
}

func (m *terminal) send(text string) {
	m.t.Helper()
	if _, err := m.master.WriteString(text); err != nil {
		m.t.Fatal(err)
	}
}

// screen is the newest whole screen.
func (m *terminal) screen() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	text := m.seen.String()
	end := strings.LastIndex(text, "\x1b[K\x1b[J")
	if end < 0 {
		return nil
	}
	start := strings.LastIndex(text[:end], "\x1b[H")
	return strings.Split(text[start+len("\x1b[H"):end], "\x1b[K\r\n")
}

// waitFor waits until the screen is as it should be.
func (m *terminal) waitFor(what string, ok func(lines []string) bool) {
	m.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if lines := m.screen(); lines != nil && ok(lines) {
			return
		}
	}
	m.t.Fatalf("%s was not seen; the screen is\n%s", what, strings.Join(m.screen(), "\n"))
}

func shows(text string) func([]string) bool {
	return func(lines []string) bool { return strings.Contains(strings.Join(lines, "\n"), text) }
}

// end waits until the review is over and returns what it had printed by then.
func (m *terminal) end() string {
	m.t.Helper()
	select {
	case err := <-m.done:
		if err != nil {
			m.t.Fatal(err)
		}
	case <-time.After(20 * time.Second):
		m.t.Fatal("the review did not end")
	}
	time.Sleep(20 * time.Millisecond) // what is still on its way
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen.String()
}

// A click chooses what the line says, and the wheel scrolls.
func TestMouseOnTerminal(t *testing.T) {
	term := newTerminal(t, 80, 24)
	term.waitFor("the first group", shows("1 of 3   git push"))
	term.send("\x1b[<0;5;5M\x1b[<0;5;5m") // the fifth line: allow
	term.waitFor("the second group", shows("2 of 3   strange"))
	term.send("\x1b[<65;5;5M\x1b[<64;5;5M") // the wheel
	term.send("\x1b[<0;5;4M\x1b[<0;5;4m")   // the fourth line: keep asking
	term.waitFor("the third group", shows("3 of 3   npm publish"))
	term.send("\x1b[<0;5;7M\x1b[<0;5;7m") // the seventh line: deny
	term.waitFor("the changes", shows("[y] write them"))
	term.send("\x1b[<0;5;2M\x1b[<0;5;2m")
	out := term.end()
	if !strings.Contains(out, "chosen [1 0 3] true <nil>") {
		t.Errorf("the end of what it printed: %q", out[max(0, len(out)-200):])
	}
	for _, mode := range []string{"?1000", "?1006", "?1049"} {
		if strings.LastIndex(out, "\x1b["+mode+"l") < strings.LastIndex(out, "\x1b["+mode+"h") {
			t.Errorf("mode %s is left on", mode)
		}
	}
}

// When the window changes, the screen is drawn for its new size at once, and what
// was chosen stays.
func TestResizeOfTerminal(t *testing.T) {
	term := newTerminal(t, 80, 24)
	term.waitFor("the first group", shows("1 of 3   git push"))
	term.send("a")
	term.waitFor("the second group", shows("2 of 3   strange"))
	for _, size := range [][2]uint16{{40, 12}, {120, 50}, {20, 8}, {80, 24}} {
		term.resize(size[0], size[1])
		term.waitFor(fmt.Sprintf("a screen of %d × %d", size[0], size[1]), func(lines []string) bool {
			if len(lines) > int(size[1]) || len(lines) < int(size[1])-2 {
				return false
			}
			for _, line := range lines {
				if len([]rune(line)) > int(size[0]) {
					return false
				}
			}
			return strings.HasPrefix(lines[0], "2 of 3")
		})
	}
	term.send("\x1b[D") // back to the first
	term.waitFor("the choice", shows("[a] allow  *"))
	term.send("q")
	if out := term.end(); !strings.Contains(out, "chosen [1 0 0] false <nil>") {
		t.Errorf("the end of what it printed: %q", out[max(0, len(out)-200):])
	}
}
