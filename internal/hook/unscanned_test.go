package hook

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/policy"
	"longline/internal/state"
	"longline/internal/tool"
)

// A directory that could not be scanned in time is asked about until a call ran after
// the question, and again when something new has landed there.
func TestUnscannedIsAskedOnce(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	store := state.Open(t.TempDir())
	cfg := &config.Config{}
	cfg.Guard.Policy, cfg.World = &policy.Set{}, &tool.World{}
	open := func() *gate {
		return &gate{cfg: cfg, dirs: []string{dir}, store: store, until: time.Now().Add(-time.Second), now: time.Now()}
	}
	request := func(id string) agent.Request {
		return agent.Request{Call: tool.Call{
			Agent: "claude", Session: "s", ToolUse: id, Tool: "Search", Event: "PreToolUse",
			Effects: []tool.Effect{{Kind: tool.Read, Target: dir, Tree: true, Reach: tool.Exact}},
		}}
	}
	before := func(id string) tool.Decision {
		g := open()
		defer g.keep()
		return g.search(request(id), tool.Verdict{Decision: tool.Pass}, dir).Decision
	}
	after := func(id string) {
		g, req := open(), request(id)
		g.agreed(&req)
		g.keep()
	}
	if before("1") != tool.Ask || before("2") != tool.Ask {
		t.Fatal("a directory that was not scanned is not asked about")
	}
	after("other")
	if before("3") != tool.Ask {
		t.Error("a call that was not asked about counts as agreement")
	}
	after("3")
	if got := before("4"); got != tool.Pass {
		t.Errorf("asked again (%v) after a call ran", got)
	}
	g := open()
	g.arrived(filepath.Join(dir, "new", "b.txt"))
	g.keep()
	if before("5") != tool.Ask {
		t.Error("not asked again after something new has landed")
	}
}
