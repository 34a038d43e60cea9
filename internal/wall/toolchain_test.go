//go:build linux && (amd64 || arm64)

package wall

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Real tools on small real projects do behind a wall what they do without, with a home
// directory in which nothing but the project can be written.
func TestToolchains(t *testing.T) {
	needWall(t)
	for _, c := range []struct {
		name  string
		needs []string
		files map[string]string
		setUp string // run without a wall
		fetch bool   // it is set up from the network, which only make toolchains does
		run   string
		says  string
	}{
		{
			name: "go", needs: []string{"go"},
			files: map[string]string{"go.mod": "module x\n\ngo 1.21\n", "x.go": "package x\n\nfunc Two() int { return 2 }\n", "x_test.go": `package x
import ("os"; "testing")
func TestTwo(t *testing.T) {
	if Two() != 2 { t.Fatal() }
	if err := os.WriteFile(t.TempDir()+"/f", nil, 0o644); err != nil { t.Fatal(err) }
}
`},
			setUp: "go test ./... && echo '// edited' >> x.go", run: "go vet ./... && go test -count=1 ./... && go build ./...", says: "ok",
		},
		{
			name: "cargo", needs: []string{"cargo"},
			files: map[string]string{"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "#[test]\nfn two() { assert_eq!(1 + 1, 2); }\n"},
			setUp: ":", run: "cargo test --offline", says: "1 passed",
		},
		{
			name: "npm", needs: []string{"npm", "node"},
			files: map[string]string{"package.json": `{"name":"x","version":"1.0.0","scripts":{"test":"node --test"}}`, "x.test.js": `
const test = require("node:test"), assert = require("node:assert"), net = require("net"), fs = require("fs"), os = require("os"), cp = require("child_process");
test("loopback", (_, done) => { const s = net.createServer(c => c.end("x")).listen(0, () => net.connect(s.address().port, "localhost").on("data", d => { s.close(); done(); })); });
test("files", () => { fs.mkdirSync("out/deep", {recursive: true}); fs.writeFileSync("out/deep/f", "x"); fs.renameSync("out/deep/f", "out/g"); fs.rmSync("out", {recursive: true}); fs.writeFileSync(os.tmpdir() + "/longline-wall-x", ""); fs.rmSync(os.tmpdir() + "/longline-wall-x"); });
test("children", () => { assert.equal(cp.execSync("echo hi").toString(), "hi\n"); });
`},
			setUp: ":", run: "npm test", says: "# fail 0",
		},
		{
			name: "pytest", needs: []string{"python3", "pytest"},
			files: map[string]string{"test_x.py": `
import multiprocessing, os, socket, subprocess, tempfile, pty, sqlite3
def test_loopback():
    l = socket.create_server(("127.0.0.1", 0)); c = socket.create_connection(l.getsockname()); c.close()
def test_pool():
    with multiprocessing.get_context("fork").Pool(2) as p: assert p.map(abs, [-1, -2]) == [1, 2]
def test_tmp(tmp_path): (tmp_path / "f").write_text("x")
def test_child(): assert subprocess.check_output(["echo", "hi"]) == b"hi\n"
def test_pty(): m, s = pty.openpty(); os.write(s, b"x"); assert os.read(m, 1) == b"x"
def test_db():
    d = sqlite3.connect("x.db"); d.execute("create table if not exists t (a)"); d.execute("insert into t values (1)"); d.commit(); d.close(); os.remove("x.db")
`},
			setUp: ":", run: "pytest -q", says: "6 passed",
		},
		{
			name: "venv", needs: []string{"python3"},
			files: map[string]string{"test_x.py": "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(1 + 1, 2)\n"},
			setUp: "python3 -m venv --without-pip .venv", run: ".venv/bin/python -m unittest -q", says: "OK",
		},
		{
			name: "make", needs: []string{"make", "cc"},
			files: map[string]string{"Makefile": "x: x.c\n\tcc -o $@ $<\n\t./x\n", "x.c": "#include <stdio.h>\nint main(void) { puts(\"built\"); }\n"},
			setUp: ":", run: "make -j2", says: "built",
		},
		{
			name: "git beside it", needs: []string{"git"},
			files: map[string]string{"a": "x"},
			setUp: "git init -q . && git config user.email a@example.com && git config user.name a && git add a && git commit -qm a",
			run:   "git status --short && echo y > a && git -c core.fsmonitor=false diff --stat && git add a && git commit -qm b && git log --oneline | wc -l", says: "2",
		},
		{
			name: "git that makes more of it", needs: []string{"git"},
			files: map[string]string{"a": "x"},
			setUp: "git init -q . && git config user.email a@example.com && git config user.name a && git add a && git commit -qm a",
			run: "git worktree add -q wt -b w && git -C wt status -sb && git clone -q . copy && mkdir new && cd new && git init -q && echo x > x && git add x && git -c user.name=a -c user.email=a@example.com commit -qm new && " +
				"cd .. && git log --oneline | wc -l", says: "1",
		},
		{
			name: "git in a worktree", needs: []string{"git"},
			files: map[string]string{"main/a": "x"},
			setUp: "cd main && git init -q . && git config user.email a@example.com && git config user.name a && git add a && git commit -qm a && git worktree add -q ../wt",
			run:   "cd wt && echo $$ > a && git commit -qam b && git log -1 --format=done-%s", says: "done-b",
		},
		{
			name: "cmake", needs: []string{"cmake", "ninja", "cc"},
			files: map[string]string{"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(x C)\nenable_testing()\nadd_executable(x x.c)\nadd_test(x x)\n", "x.c": "#include <stdio.h>\nint main(void) { puts(\"built\"); }\n"},
			setUp: ":", run: "cmake -G Ninja -B out . && cmake --build out && ctest --test-dir out", says: "100% tests passed",
		},
		{
			name: "gdb", needs: []string{"gdb", "cc"},
			files: map[string]string{"x.c": "int main(void) { return 7; }\n"},
			setUp: "cc -g -o x x.c", run: "gdb -batch -ex 'break main' -ex run -ex 'print 6*7' -ex continue ./x", says: "$1 = 42",
		},
		{
			name: "ruby", needs: []string{"ruby"},
			files: map[string]string{"x.rb": "require 'socket'\nrequire 'tmpdir'\ns = TCPServer.new('127.0.0.1', 0)\nTCPSocket.new('127.0.0.1', s.addr[1]).close\nDir.mktmpdir { |d| File.write(d + '/f', 'x') }\nputs `echo child`\n"},
			setUp: ":", run: "ruby x.rb", says: "child",
		},
		{
			name: "php", needs: []string{"php"},
			files: map[string]string{"x.php": "<?php $s = stream_socket_server('tcp://127.0.0.1:0'); $c = stream_socket_client('tcp://' . stream_socket_get_name($s, false)); file_put_contents(tempnam(sys_get_temp_dir(), 'x'), 'x'); echo shell_exec('echo child');"},
			setUp: ":", run: "php x.php", says: "child",
		},
		{
			name: "redis", needs: []string{"redis-server", "redis-cli"},
			setUp: ":", run: "redis-server --port 0 --unixsocket $PWD/r.sock --save '' --daemonize no > log & p=$!; for i in $(seq 50); do [ -S r.sock ] && break; sleep 0.1; done; redis-cli -s r.sock set a 42; redis-cli -s r.sock get a; kill $p; wait", says: "42",
		},
		{
			name: "crashes", needs: []string{"sh"},
			setUp: ":", run: "for s in SEGV ABRT QUIT BUS FPE ILL TRAP SYS; do sh -c 'ulimit -c 0; kill -'$s' $$'; echo $?; done 2>/dev/null | tr '\\n' ' '", says: "139 134 131 135 136 132 133 159",
		},
		{
			name: "jest", needs: []string{"npm", "node"}, fetch: true,
			files: map[string]string{"package.json": `{"name":"x","version":"1.0.0","scripts":{"test":"jest"}}`, "x.test.js": `
const net = require("net"), fs = require("fs"), os = require("os"), cp = require("child_process");
test("loopback", done => { const s = net.createServer(c => c.end("x")).listen(0, () => net.connect(s.address().port, "localhost").on("data", () => { s.close(); done(); })); });
test("socket", done => { const p = process.cwd() + "/s.sock", s = net.createServer(c => c.end("x")).listen(p, () => net.connect(p).on("data", () => { s.close(); done(); })); });
test("files", () => { const d = fs.mkdtempSync(os.tmpdir() + "/x"); fs.writeFileSync(d + "/f", "x"); fs.rmSync(d, {recursive: true}); });
test("children", () => { expect(cp.execSync("echo hi").toString()).toBe("hi\n"); });
`},
			setUp: "npm install --no-audit --no-fund --ignore-scripts jest@30", run: "npm test", says: "4 passed",
		},
		{
			name: "vitest", needs: []string{"npm", "node"}, fetch: true,
			files: map[string]string{"package.json": `{"name":"x","version":"1.0.0","scripts":{"test":"vitest run"}}`, "x.test.mjs": `
import { test, expect } from "vitest"; import net from "node:net"; import fs from "node:fs";
test("loopback", () => new Promise(done => { const s = net.createServer(c => c.end("x")).listen(0, () => net.connect(s.address().port, "localhost").on("data", () => { s.close(); done(); })); }));
test("files", () => { fs.mkdirSync("out/deep", {recursive: true}); fs.renameSync("out/deep", "out/d"); fs.rmSync("out", {recursive: true}); expect(1 + 1).toBe(2); });
`},
			setUp: "npm install --no-audit --no-fund --ignore-scripts vitest@4", run: "NO_COLOR=1 npm test", says: "2 passed",
		},
		{
			name: "maven", needs: []string{"mvn", "javac"}, fetch: true,
			files: map[string]string{
				"pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies></project>`,
				"src/main/java/A.java": "public class A { static int two() { return 2; } }",
				"src/test/java/ATest.java": `import org.junit.Test;
public class ATest {
	@Test public void two() throws Exception {
		org.junit.Assert.assertEquals(2, A.two());
		try (var s = new java.net.ServerSocket(0)) { new java.net.Socket("localhost", s.getLocalPort()).close(); }
	}
}`,
			},
			setUp: "mvn -q -B test && rm -r target", run: "mvn -B -o test", says: "Tests run: 1, Failures: 0, Errors: 0",
		},
		{
			name: "browser", needs: []string{"chromium", "python3"},
			files: map[string]string{"page.html": `<h1 id="x"></h1><script>fetch("/data").then(r => r.text()).then(t => document.getElementById("x").textContent = t)</script>`, "test.py": `
import http.server, os, subprocess, tempfile, threading
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"the server was asked" if self.path == "/data" else open("page.html", "rb").read()
        self.send_response(200); self.send_header("Content-Type", "text/html"); self.end_headers(); self.wfile.write(body)
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    print(subprocess.run(["chromium", "--headless=new", *(["--no-sandbox"] if os.getuid() == 0 else []), "--disable-gpu", "--user-data-dir=" + profile, "--virtual-time-budget=4000",
        "--dump-dom", "http://127.0.0.1:%d/" % server.server_port], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60).stdout)
`},
			setUp: ":", run: "python3 test.py", says: "<h1 id=\"x\">the server was asked</h1>",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if os.Getenv("LONGLINE_TOOLCHAINS") == "" && !strings.HasPrefix(c.name, "git") {
				t.Skip("make toolchains runs it")
			}
			for _, tool := range c.needs {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("there is no %s here", tool)
				}
			}
			st := newStage(t, os.Getuid())
			project := st.root + "/home/code/project"
			must(0, errors.Join(os.RemoveAll(project), os.RemoveAll(filepath.Dir(project)+"/alone")))
			must(0, os.MkdirAll(project+"/.git", 0o755))
			if strings.HasPrefix(c.name, "git") {
				must(0, os.RemoveAll(project+"/.git"))
			}
			for name, text := range c.files {
				must(0, os.MkdirAll(filepath.Dir(filepath.Join(project, name)), 0o755))
				must(0, os.WriteFile(filepath.Join(project, name), []byte(text), 0o644))
			}
			// The tools are where the machine's own user has them; what they write goes
			// into the home directory of the stage.
			caches := must(os.UserCacheDir())
			must(0, os.MkdirAll(caches, 0o755))
			cache := "GOCACHE=" + caches + "/go-build"
			env := append(os.Environ(), "GOTOOLCHAIN=local", "GOPROXY=off", cache)
			prepare := exec.Command("sh", "-c", c.setUp)
			prepare.Dir, prepare.Env = project, env
			if out, err := prepare.CombinedOutput(); err != nil {
				t.Skipf("it cannot be set up here: %s", out)
			}
			alone := exec.Command("sh", "-c", "cp -a . ../alone && cd ../alone && ("+c.run+")") // without a wall, to hold it against
			alone.Dir, alone.Env = project, env
			if out, err := alone.CombinedOutput(); err != nil || !strings.Contains(string(out), c.says) {
				t.Skipf("it does not work without a wall either: %v\n%s", err, out)
			}
			cmd := st.command("wall", "", "sh", "-c", c.run)
			cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
			for _, name := range []string{"GOMODCACHE", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT"} {
				if v, ok := os.LookupEnv(name); ok {
					cmd.Env = append(cmd.Env, name+"="+v)
				}
			}
			cmd.Env = append(cmd.Env, "GOTOOLCHAIN=local", "GOPROXY=off", cache, "WALL_CACHE="+caches)
			if home, err := os.UserHomeDir(); err == nil {
				for name, dir := range map[string]string{"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"} {
					if _, set := os.LookupEnv(name); !set {
						cmd.Env = append(cmd.Env, name+"="+filepath.Join(home, dir))
					}
				}
			}
			timer := time.AfterFunc(80*time.Second, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), c.says) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
