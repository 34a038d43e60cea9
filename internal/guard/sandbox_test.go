package guard

import (
	"errors"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

func sandboxGuard(t testing.TB) *Guard {
	t.Helper()
	packs, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(packs, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Guard{Library: command.Builtin(), Policy: set}
}

func sandboxWorld() *tool.World {
	return &tool.World{Home: "/home/dev", Project: "/home/dev/proj", Sandbox: "/home/dev/work/sandbox", User: "dev"}
}

// TestRewrite lists scripts and what becomes of them. An empty want means that
// the script stays as it is.
func TestRewrite(t *testing.T) {
	const s = "~/work/sandbox"
	for _, c := range []struct{ script, want string }{
		{"git clone https://github.com/owner/repo.git", "git clone https://github.com/owner/repo.git " + s + "/repo"},
		{"git clone https://github.com/owner/repo", "git clone https://github.com/owner/repo " + s + "/repo"},
		{"git clone git@github.com:owner/repo.git", "git clone git@github.com:owner/repo.git " + s + "/repo"},
		{"git clone https://gitlab.com/group/subgroup/repo.git", "git clone https://gitlab.com/group/subgroup/repo.git " + s + "/repo"},
		{"git clone https://github.com/owner/repo/", "git clone https://github.com/owner/repo/ " + s + "/repo"},
		{"git clone https://github.com/o/repo.git ~/work/repo", "git clone https://github.com/o/repo.git " + s + "/repo"},
		{"git clone https://github.com/o/repo.git ~/work/sandbox/repo", ""},
		{"git clone https://github.com/o/repo.git .", "git clone https://github.com/o/repo.git " + s + "/repo"},
		{"git clone --depth 1 -b main https://github.com/o/repo.git", "git clone --depth 1 -b main https://github.com/o/repo.git " + s + "/repo"},
		{"git clone https://github.com/o/repo.git 'my dir'", `git clone https://github.com/o/repo.git "/home/dev/work/sandbox/my dir"`},
		{`D="$HOME/src"; git clone https://github.com/o/repo "$D/x"`, `D="$HOME/src"; git clone https://github.com/o/repo ` + s + `/x`},
		{"(git clone https://github.com/o/a) && ls", "(git clone https://github.com/o/a " + s + "/a) && ls"},
		{"git clone https://github.com/o/a && git clone https://github.com/p/a b", "git clone https://github.com/o/a " + s + "/a && git clone https://github.com/p/a " + s + "/b"},
		{"git clone https://github.com/o/a && git clone https://github.com/p/a c/a", "git clone https://github.com/o/a " + s + "/a && git clone https://github.com/p/a " + s + "/a-2"},
		{"bash -c 'git clone https://github.com/o/a'", "bash -c 'git clone https://github.com/o/a " + s + "/a'"},
		{"gh repo clone owner/repo", "gh repo clone owner/repo " + s + "/repo"},
		{"curl -o data.json https://example.com/d.json", "curl -o " + s + "/data.json https://example.com/d.json"},
		{"curl https://example.com/d.json -o data.json", "curl https://example.com/d.json -o " + s + "/data.json"},
		{"curl --output=data.json https://example.com/d", "curl --output=/home/dev/work/sandbox/data.json https://example.com/d"},
		{"curl -sSLodata.json https://example.com/d", "curl -sSLo/home/dev/work/sandbox/data.json https://example.com/d"},
		{"curl -O https://example.com/f.tgz", "curl -O https://example.com/f.tgz --output-dir " + s},
		{"wget -O file https://example.com/f", "wget -O " + s + "/file https://example.com/f"},
		{"wget -P dir https://example.com/f", "wget -P " + s + "/dir https://example.com/f"},
		{"wget https://example.com/f.zip", "wget https://example.com/f.zip -P " + s},
		{"curl https://example.com/d > out.json", "curl https://example.com/d > " + s + "/out.json"},
		{"curl https://example.com/d | tee out.json", "curl https://example.com/d | tee " + s + "/out.json"},
		{"git clone https://github.com/o/repo && cd repo && ls", "git clone https://github.com/o/repo " + s + "/repo && cd " + s + "/repo && ls"},
		{"curl -o a.json https://example.com/a && jq . a.json", "curl -o " + s + "/a.json https://example.com/a && jq . " + s + "/a.json"},
		{"git commit -m msg", ""},
		{"ls -la", ""},
		{"npm install", ""},
		{"git pull", ""},
		{"git fetch origin", ""},
		{"curl https://example.com/d", ""},
		{"wget -qO- https://example.com/d", ""},
		{"git clone ./local copy", ""},
		{"git worktree add ../x main", ""},
		{"go mod download", ""},
		{"pip install requests", ""},
		{"npm pack", ""},
		{"npm pack ./lib", ""},
		{"aws s3 cp f s3://bucket/k", ""},
		{"aws s3 cp s3://bucket/k -", ""},
		{"scp a host:b", ""},
		{"rsync -a a host:b", ""},
		{"sftp host", ""},
		{"git submodule add https://github.com/o/r", ""},
		{"npm install > log.txt", ""},
		{"npm install 2>&1 | tee log.txt", ""},
		{"git pull 2>&1 | tee log.txt", ""},
		{"go build ./... 2>&1 | tee log.txt", ""},
		{"tar xzf a.tgz", ""},
		{"unzip a.zip -d d", ""},
		{"cat a.tgz | tar xz", ""},
		{"curl -s https://example.com/d 2>&1", ""},
		{"curl -s https://example.com/d >&2", ""},
		{"curl -s https://example.com/d > /dev/null", ""},
		{"ssh host 'git clone https://github.com/o/r'", ""},
		{"ssh host 'curl https://example.com/f > f'", ""},
		{"git clone https://example.com", "git clone https://example.com " + s + "/example.com"},
		{"git clone https://github.com/o/..", "git clone https://github.com/o/.. " + s + "/download"},
		{"http -d https://example.com", "http -d https://example.com -o " + s + "/download"},
		{"git clone https://github.com/o/r ~/work/sandbox/../../x", "git clone https://github.com/o/r " + s + "/x"},
		{"git clone https://github.com/o/r ~/work/sandboxed", "git clone https://github.com/o/r " + s + "/sandboxed"},
		{"curl -o ../../../../etc/passwd https://example.com/f", "curl -o " + s + "/passwd https://example.com/f"},
		{"curl -o .. https://example.com/f", "curl -o " + s + "/f https://example.com/f"},
		{"curl -s https://example.com/f > \"$HOME/x y\"", `curl -s https://example.com/f > "/home/dev/work/sandbox/x y"`},
		{"git clone https://github.com/o/r 'für dich'", `git clone https://github.com/o/r "/home/dev/work/sandbox/für dich"`},
		{`git clone https://github.com/o/r "a'b"`, `git clone https://github.com/o/r "/home/dev/work/sandbox/a'b"`},
		{`git clone https://github.com/o/r 'a$b"c'`, `git clone https://github.com/o/r "/home/dev/work/sandbox/a\$b\"c"`},
		{`git clone https://github.com/o/r a\ b`, `git clone https://github.com/o/r "/home/dev/work/sandbox/a b"`},
		{`bash -c "curl -so 'x y' https://example.com/f"`, `bash -c "curl -so ` + s + `/x\ y https://example.com/f"`},
		{`bash -c 'curl -so "x y" https://example.com/f'`, `bash -c 'curl -so ` + s + `/x\ y https://example.com/f'`},
		{"bash <<'E'\ngit clone https://github.com/o/r\nE\n", "bash <<'E'\ngit clone https://github.com/o/r " + s + "/r\nE\n"},
		{"bash <<E\ngit clone https://github.com/o/r 'a b'\nE\n", "bash <<E\ngit clone https://github.com/o/r " + s + "/a\\ b\nE\n"},
		{"for r in a b c; do git clone https://github.com/o/$r dir-$r; done", "for r in a b c; do git clone https://github.com/o/$r " + s + "/dir-$r; done"},
		{`for r in a b; do git clone https://github.com/o/$r "$r"; done`, "for r in a b; do git clone https://github.com/o/$r " + s + `/"$r"; done`},
		{"for u in a b; do curl -s https://example.com/$u; done > out", "for u in a b; do curl -s https://example.com/$u; done > " + s + "/out"},
		{"{ curl -s https://example.com/f; } > out", "{ curl -s https://example.com/f; } > " + s + "/out"},
		{"f() { curl -s https://example.com/f; }; f > out", "f() { curl -s https://example.com/f; }; f > " + s + "/out"},
		{`X=$(curl -s https://example.com/f); echo "$X" > out`, `X=$(curl -s https://example.com/f); echo "$X" > ` + s + "/out"},
		{"cd sub; wget https://example.com/f && cat f", "cd sub; wget https://example.com/f -P " + s + " && cat " + s + "/f"},
		{"pushd /tmp; git clone https://github.com/o/r; popd", "pushd /tmp; git clone https://github.com/o/r " + s + "/r; popd"},
		{"git archive --remote=git@example.com:r HEAD | tar x -C d", "git archive --remote=git@example.com:r HEAD | tar x -C " + s + "/d"},
		{"mkdir -p vendor && curl -L https://example.com/f.tgz | tar xz -C vendor", "mkdir -p " + s + "/vendor && curl -L https://example.com/f.tgz | tar xz -C " + s + "/vendor"},
		{"rm -rf r && git clone https://github.com/o/r", "rm -rf " + s + "/r && git clone https://github.com/o/r " + s + "/r"},
		{"cd r 2>/dev/null || git clone https://github.com/o/r", "cd " + s + "/r 2>/dev/null || git clone https://github.com/o/r " + s + "/r"},
		{"git clone https://github.com/o/r && ls r/*.md", "git clone https://github.com/o/r " + s + "/r && ls " + s + "/r/*.md"},
		{"curl -o a https://example.com/a && wc -l < a", "curl -o " + s + "/a https://example.com/a && wc -l < " + s + "/a"},
		{"git clone https://github.com/o/r && make -C r", "git clone https://github.com/o/r " + s + "/r && make -C " + s + "/r"},
		{"git clone https://github.com/o/r && python r/x.py", "git clone https://github.com/o/r " + s + "/r && python " + s + "/r/x.py"},
	} {
		v, _ := sandboxGuard(t).Judge(tool.Call{Shell: true, Script: c.script, Dir: "/home/dev/proj"}, sandboxWorld())
		if v.Rewrite != c.want {
			t.Errorf("%s\n  gives %q (%s: %s)\n  want  %q", c.script, v.Rewrite, v.Decision, v.Reason, c.want)
		}
	}
}

// TestSandboxPlaces moves into sandboxes with difficult names, and around links.
func TestSandboxPlaces(t *testing.T) {
	for _, c := range []struct{ dir, script, want string }{
		{"/home/dev/my sandbox", "git clone https://github.com/o/r", `git clone https://github.com/o/r "/home/dev/my sandbox/r"`},
		{"/home/dev/my sandbox", "bash -c 'git clone https://github.com/o/r'", `bash -c 'git clone https://github.com/o/r ~/my\ sandbox/r'`},
		{"/home/dev/it's", "wget https://example.com/f", `wget https://example.com/f -P "/home/dev/it's"`},
		{"/home/dev/it's", "bash -c 'wget https://example.com/f'", ""},
		{`/home/dev/a"$b`, "curl -o x https://example.com/f", `curl -o "/home/dev/a\"\$b/x" https://example.com/f`},
		{"/srv/fetched", "curl -o x https://example.com/f", "curl -o /srv/fetched/x https://example.com/f"},
		{"/srv/fetched", "curl -o linked https://example.com/f", "curl -o /srv/fetched/linked-2 https://example.com/f"},
		{"/srv/fetched", "curl -o /srv/fetched/linked/x https://example.com/f", "curl -o /srv/fetched/x https://example.com/f"},
		{"/srv/fetched", "curl -o /srv/fetched/plain/x https://example.com/f", ""},
	} {
		w := sandboxWorld()
		w.Sandbox = c.dir
		w.Readlink = func(path string) (string, error) {
			if path == "/srv/fetched/linked" {
				return "/etc", nil
			}
			return "", errors.New("no link")
		}
		v, _ := sandboxGuard(t).Judge(tool.Call{Shell: true, Script: c.script, Dir: "/home/dev/proj"}, w)
		if v.Rewrite != c.want {
			t.Errorf("%s in %s\n  gives %q (%s: %s)\n  want  %q", c.script, c.dir, v.Rewrite, v.Decision, v.Reason, c.want)
		}
		if c.want == "" && !strings.Contains(c.script, "plain") && v.Decision != tool.Ask {
			t.Errorf("%s in %s: %s", c.script, c.dir, v.Decision)
		}
	}
}

// TestSandboxHearsTheClient lets the agent's own rules speak to the original.
func TestSandboxHearsTheClient(t *testing.T) {
	for _, c := range []struct {
		script string
		says   tool.Decision
		want   tool.Decision
		moved  bool
	}{
		{"git clone https://github.com/o/r", tool.Deny, tool.Deny, false},
		{"git clone https://github.com/o/r", tool.Ask, tool.Ask, true},
		{"git clone https://github.com/o/r", tool.Pass, tool.Allow, true},
		{"ls", tool.Deny, tool.Allow, false}, // nothing is hidden from the client
	} {
		g := sandboxGuard(t)
		g.Client = func(call *tool.Call, v tool.Verdict, invs []*command.Invocation) tool.Verdict {
			if call.Agent != "claude" || call.Script != c.script || len(invs) != 1 || len(invs[0].Words) != 3 {
				t.Errorf("asked about %+v, %+v", call, invs)
			}
			if c.says >= tool.Ask {
				v.Findings = append(v.Findings, tool.Finding{Rule: "own", Decision: c.says, Span: invs[0].Span})
				v.Decision = max(v.Decision, c.says)
			}
			return v
		}
		v, _ := g.Judge(tool.Call{Agent: "claude", Shell: true, Script: c.script, Dir: "/home/dev/proj"}, sandboxWorld())
		if v.Decision != c.want || (v.Rewrite != "") != c.moved {
			t.Errorf("%s, told %s: %s, and becomes %q", c.script, c.says, v.Decision, v.Rewrite)
		}
		for _, f := range v.Findings {
			if f.Rule == "own" && c.moved && (f.Invocation != -1 || f.Span != (tool.Span{})) {
				t.Errorf("%s: what is said of the original points at %+v in the changed script", c.script, f)
			}
		}
	}
}
