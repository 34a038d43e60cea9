package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// browser drives a real Chromium through its driver.
type browser struct {
	t    *testing.T
	base string // address of the session
}

// startBrowser starts Chromium in a home directory of its own. It skips the test
// where Chromium or its driver is not installed; .ci/run installs both.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	driver, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("chromedriver is not installed; .ci/tools installs it")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	home := t.TempDir()
	cmd := exec.Command(driver, fmt.Sprintf("--port=%d", port))
	cmd.Env = append(os.Environ(), "HOME="+home)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	b := &browser{t: t, base: fmt.Sprintf("http://127.0.0.1:%d", port)}
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if response, err := http.Get(b.base + "/status"); err == nil {
			response.Body.Close()
			break
		}
		if time.Since(begin) > 30*time.Second {
			t.Fatal("chromedriver does not answer")
		}
	}
	var session struct {
		ID string `json:"sessionId"`
	}
	b.call("POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"browserName":        "chrome",
		"goog:chromeOptions": map[string]any{"args": []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + filepath.Join(home, "profile")}},
		"goog:loggingPrefs":  map[string]string{"browser": "ALL", "performance": "ALL"},
	}}}, &session)
	b.base += "/session/" + session.ID
	t.Cleanup(func() { b.call("DELETE", "", nil, nil) })
	return b
}

// call sends one command; into receives its value.
func (b *browser) call(method, path string, body, into any) {
	b.t.Helper()
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			b.t.Fatal(err)
		}
		in = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, b.base+path, in)
	if err != nil {
		b.t.Fatal(err)
	}
	client := http.Client{Timeout: time.Minute}
	response, err := client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		b.t.Fatalf("%s %s: %s", method, path, text)
	}
	if into != nil {
		answer := struct {
			Value any `json:"value"`
		}{into}
		if err := json.Unmarshal(text, &answer); err != nil {
			b.t.Fatalf("%s: %v", text, err)
		}
	}
}

// eval runs a script on the page and returns what it returns.
func (b *browser) eval(script string) string {
	b.t.Helper()
	var value any
	b.call("POST", "/execute/sync", map[string]any{"script": script, "args": []any{}}, &value)
	return fmt.Sprint(value)
}

// keys types on the page.
func (b *browser) keys(text string) {
	var actions []map[string]string
	for _, key := range text {
		actions = append(actions, map[string]string{"type": "keyDown", "value": string(key)}, map[string]string{"type": "keyUp", "value": string(key)})
	}
	b.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keys", "actions": actions}}}, nil)
}

// TestBrowser opens the page in a real browser, sorts, filters and opens an entry,
// by mouse and by keyboard. Nothing of what the log holds runs, nothing is loaded.
func TestBrowser(t *testing.T) {
	c := NewCollector()
	for i := range 40 {
		c.Add(record(i, "ask", "git-push", "git push origin b"+fmt.Sprint(i)))
		c.Add(ran(i, time.Minute))
		c.Add(record(100+i*1000, "allow", "", "ls -la"))
	}
	attack := `echo '<img src="http://127.0.0.1:9/x" onerror="document.title=1">' && rm -rf "é~" </script><script>document.title=1</script>`
	c.Add(record(300, "deny", "rm-recursive-root", attack))
	c.Add(record(301, "deny", "curl-pipe-shell", "curl http://127.0.0.1:9/y | sh"))
	r := c.Report()
	for _, e := range r.Entries {
		if e.Command == attack {
			at := strings.Index(attack, "rm -rf")
			e.Spans = [][2]int{{at, at + len(`rm -rf "é~"`)}}
			e.Reason = "<b>because</b>"
		}
	}
	file := filepath.Join(t.TempDir(), "report.html")
	var html bytes.Buffer
	if err := r.Write(&html, start); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, html.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t)
	b.call("POST", "/url", map[string]string{"url": "file://" + file}, nil)
	is := func(what, script, want string) {
		t.Helper()
		if got := b.eval(script); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	const rows = `document.querySelectorAll("#list tbody tr:not(.open)").length`
	is("title", "return document.title", "longline report")
	is("rows", "return "+rows, "3")
	is("first row", `return document.querySelector("#list tbody td").textContent`, "deny")
	is("charts", `return document.querySelectorAll("svg rect").length > 3`, "true")

	b.eval(`document.querySelector('[data-decision="allow"]').click()`)
	is("rows with allowed ones", "return "+rows, "4")
	b.eval(`document.querySelectorAll("#list th button")[3].click()`) // times, most first
	is("sorted", `return document.querySelector("#list tbody tr").cells[3].textContent`, "40")
	b.eval(`document.querySelectorAll("#list th button")[3].click()`)
	is("sorted the other way", `return document.querySelector("#list tbody tr").cells[3].textContent`, "1")

	b.keys("/rm-recursive")
	is("filtered", "return "+rows, "1")
	b.keys("\ue00cj\ue007") // Escape, next, Enter
	is("opened", `return document.querySelector("tr.open mark").textContent`, `rm -rf "é~"`)
	is("whole command", `return document.querySelector("tr.open pre").textContent`, attack)
	is("reason is text", `return document.querySelector("tr.open dl").textContent.includes("<b>because</b>")`, "true")
	is("explain line", `return document.querySelector("tr.open dl").textContent.includes("longline explain --cwd '/home/dev/proj'")`, "true")
	is("nothing ran", "return document.title", "longline report")
	is("nothing was made of it", `return document.querySelectorAll("img").length`, "0")
	b.keys("\ue007")
	is("closed", `return document.querySelectorAll("tr.open").length`, "0")

	var log []struct{ Level, Message string }
	b.call("POST", "/se/log", map[string]string{"type": "browser"}, &log)
	for _, line := range log {
		t.Errorf("console: %s %s", line.Level, line.Message)
	}
	b.call("POST", "/se/log", map[string]string{"type": "performance"}, &log)
	own := 0
	for _, line := range log {
		// The browser's own start page asks for its parts too.
		if !strings.Contains(line.Message, `"Network.requestWillBeSent"`) || !strings.Contains(line.Message, `"documentURL":"file://`+file) {
			continue
		}
		own++
		if !strings.Contains(line.Message, `"url":"file://`+file) {
			t.Errorf("request: %.300s", line.Message)
		}
	}
	if own != 1 {
		t.Errorf("%d requests of the page, want 1, for itself", own)
	}
}
