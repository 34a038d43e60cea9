package guard

import (
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
	} {
		v, _ := sandboxGuard(t).Judge(tool.Call{Shell: true, Script: c.script, Dir: "/home/dev/proj"}, sandboxWorld())
		if v.Rewrite != c.want {
			t.Errorf("%s\n  gives %q (%s: %s)\n  want  %q", c.script, v.Rewrite, v.Decision, v.Reason, c.want)
		}
	}
}
