package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// anyValue is a value of OTLP's JSON form, as Go has it.
type anyValue struct{ v any }

func (a *anyValue) UnmarshalJSON(text []byte) error {
	var in struct {
		StringValue *string
		IntValue    *json.Number
		DoubleValue *float64
		BoolValue   *bool
		ArrayValue  *struct{ Values []anyValue }
		KvlistValue *struct {
			Values []struct {
				Key   string
				Value anyValue
			}
		}
	}
	if err := json.Unmarshal(text, &in); err != nil {
		// Numbers of 64 bits are texts.
		in.IntValue = nil
		var other struct{ IntValue string }
		if json.Unmarshal(text, &other) != nil {
			return err
		}
		a.v = other.IntValue
		return nil
	}
	switch {
	case in.StringValue != nil:
		a.v = *in.StringValue
	case in.IntValue != nil:
		a.v = in.IntValue.String()
	case in.DoubleValue != nil:
		a.v = fmt.Sprint(*in.DoubleValue)
	case in.BoolValue != nil:
		a.v = *in.BoolValue
	case in.ArrayValue != nil:
		list := []any{}
		for _, one := range in.ArrayValue.Values {
			list = append(list, one.v)
		}
		a.v = list
	case in.KvlistValue != nil:
		m := map[string]any{}
		for _, one := range in.KvlistValue.Values {
			m[one.Key] = one.Value.v
		}
		a.v = m
	}
	return nil
}

// field is what a path of keys leads to.
func field(v any, path string) any {
	for key := range strings.SplitSeq(path, "/") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// TestMappings: lines that come out of the real Collector are in OCSF and in ECS.
func TestMappings(t *testing.T) {
	program := collectorProgram(t)
	for _, test := range []struct {
		config string
		want   map[string]map[string]any // by decision
	}{
		{"ocsf.yaml", map[string]map[string]any{
			"deny":  {"class_uid": "1007", "category_uid": "1", "type_uid": "100701", "severity_id": "4", "action_id": "2", "disposition_id": "2", "metadata/version": "1.6.0", "metadata/uid": "id-deny", "process/cmd_line": "rm -rf ~/", "actor/user/name": "ann", "device/hostname": "m1", "time": "1794737411000", "unmapped/rule": "r-deny"},
			"ask":   {"severity_id": "3", "action_id": "99", "disposition_id": "99", "disposition": "ask"},
			"allow": {"severity_id": "1", "action_id": "1", "disposition_id": "1"},
		}},
		{"ecs.yaml", map[string]map[string]any{
			"deny":  {"ecs/version": "8.17.0", "@timestamp": "2026-11-15T10:10:11.000Z", "event/id": "id-deny", "event/kind": "event", "event/outcome": "failure", "process/command_line": "rm -rf ~/", "rule/id": "r-deny", "host/name": "m1", "user/name": "ann", "longline/decision": "deny"},
			"ask":   {"event/outcome": "unknown", "longline/decision": "ask"},
			"allow": {"event/outcome": "success"},
		}},
	} {
		t.Run(test.config, func(t *testing.T) {
			got := make(chan any, 10)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				zip, err := gzip.NewReader(r.Body)
				if err != nil {
					t.Error(err)
					return
				}
				var in struct {
					ResourceLogs []struct {
						ScopeLogs []struct{ LogRecords []struct{ Body anyValue } }
					}
				}
				if err := json.NewDecoder(zip).Decode(&in); err != nil {
					t.Error(err)
				}
				for _, rl := range in.ResourceLogs {
					for _, sl := range rl.ScopeLogs {
						for _, rec := range sl.LogRecords {
							got <- rec.Body.v
						}
					}
				}
				io.WriteString(w, "{}")
			}))
			defer server.Close()
			dir := t.TempDir()
			logs := filepath.Join(dir, "home/ann/.claude/hooks-logs")
			if err := os.MkdirAll(logs, 0o700); err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, d := range []string{"deny", "ask", "allow"} {
				text += fmt.Sprintf(`{"ts":"2026-11-15T10:10:11.000Z","tool":"Bash","cwd":"/srv","command":"rm -rf ~/","decision":%q,"matched_rules":["r-%s"],"reason":"why","session_id":"s","agent":"claude","rule":"r-%s","event":"PreToolUse","line":"id-%s","v":1}`+"\n", d, d, d, d)
			}
			if err := os.WriteFile(logs+"/longline.jsonl", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			c := &collector{program: program, host: "m1", dir: dir, logs: logs + "/longline*.jsonl", receiver: server.URL, more: []string{test.config}}
			c.start(t)
			defer c.kill()
			for _, d := range []string{"deny", "ask", "allow"} {
				select {
				case body := <-got:
					for path, want := range test.want[d] {
						if v := field(body, path); fmt.Sprint(v) != fmt.Sprint(want) {
							t.Errorf("%s: %s is %v, want %v", d, path, v, want)
						}
					}
				case <-time.After(60 * time.Second):
					c.kill()
					t.Fatalf("nothing comes: %s", c.out.String())
				}
			}
		})
	}
}

// TestShip: what "longline ship" sends goes through a Collector into the store, once, also
// when the Collector is killed and ship has to be run again.
func TestShip(t *testing.T) {
	program, longline := collectorProgram(t), os.Getenv("FLEET_LONGLINE")
	if longline == "" {
		t.Skip("FLEET_LONGLINE does not name longline")
	}
	ctx := context.Background()
	l, err := newLoader(ctx, postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.db.Close()
	server := httptest.NewServer(l)
	defer server.Close()
	home := t.TempDir()
	m := &machine{host: "m1", home: home, start: time.Now()}
	m.log.Path = home + "/.claude/hooks-logs/longline.jsonl"
	const total = 20_000
	for n := range total {
		if err := m.log.Append(time.Now(), recorded{m.line(n), m}); err != nil {
			t.Fatal(err)
		}
	}
	port := freePort(t)
	gateway := func() *exec.Cmd {
		cmd := exec.Command(program, "--config", "gateway.yaml")
		cmd.Env = append(os.Environ(), "LONGLINE_LISTEN=127.0.0.1:"+port, "LONGLINE_RECEIVER="+server.URL)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	g := gateway()
	defer func() { g.Process.Kill(); g.Wait() }()
	for run := range 20 {
		cmd := exec.Command(longline, "ship", "--to", "http://127.0.0.1:"+port)
		cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if run < 3 { // the one and the other are killed
			time.Sleep(time.Duration(700+300*run) * time.Millisecond)
			g.Process.Kill()
			g.Wait()
			cmd.Process.Kill()
			cmd.Wait()
			g = gateway()
			continue
		}
		if cmd.Wait() == nil {
			break
		}
		time.Sleep(time.Second)
	}
	var stored, distinct int
	l.db.QueryRow(ctx, "SELECT count(*), count(DISTINCT line) FROM longline_lines").Scan(&stored, &distinct)
	if stored != total || distinct != total {
		t.Errorf("%d lines are stored, %d different ones, of %d", stored, distinct, total)
	}
	t.Logf("%d lines sent by longline ship are in the store once each", stored)
}
