package hook

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"

	"longline/internal/config"
)

// TestLeave: when the answer is given because the time is up, the judgement that it was
// not waited for ends as soon as it looks at the clock, and so does its goroutine.
func TestLeave(t *testing.T) {
	const call = `{"hook_event_name":"PreToolUse","cwd":"/home/dev/project","tool_name":"Bash","tool_input":{"command":"ls"}}`
	var out, errs bytes.Buffer
	answered, left := make(chan int, 2), make(chan bool)
	over := make(chan bool, 1)
	h := Hook{
		Env: []string{"HOME=" + t.TempDir()}, In: strings.NewReader(call), Out: &out, Err: &errs, Deadline: 20 * time.Millisecond,
		Exit: func(status int) { answered <- status }, Leave: runtime.Goexit,
	}
	h.Load = func(o config.Options) (*config.Config, error) {
		stop := o.Limit()
		before := stop()
		<-answered // the answer has been given
		over <- !before && stop()
		return config.Load(o)
	}
	go func() {
		defer close(left)
		h.Run(nil)
		t.Error("Run returned, though the answer had been given")
	}()
	for _, wait := range []<-chan bool{over, left} {
		select {
		case ended, open := <-wait:
			if open && !ended {
				t.Error("the judgement may go on")
			}
		case <-time.After(10 * time.Second):
			t.Fatal("it goes on")
		}
	}
	if !strings.Contains(out.String(), `"ask"`) {
		t.Errorf("the answer is %s", out.String())
	}
}
