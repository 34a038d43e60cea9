package language

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestPython(t *testing.T) {
	args := []Arg{{Text: "a.json", Known: true}, {Text: "b.json", Known: true}}
	for _, c := range []struct{ code, want string }{
		{`print(1)`, "nothing"},
		{`open('x', encoding='w')`, "read x"},
		{"x = f'a\nprint(1)'", "problem"},
		{"x = f'''a\nb''' + 'c'", "nothing"},
		{`import os; print(os.environ['API_TOKEN'] == '' + 'a')`, "problem"},
		{`import json,sys; print(json.load(sys.stdin)["a"])`, "nothing"},
		{`import json;print(json.load(open('package.json'))['version'])`, "read package.json"},
		{`import sys; print(sys.version_info[:2], sys.executable)`, "nothing"},
		{`from datetime import datetime, timedelta; print((datetime.now()-timedelta(days=3)).isoformat())`, "nothing"},
		{"import re\nfor m in re.finditer(r'\\d+', open('a.txt').read()):\n    print(m.group(0))", "read a.txt"},
		{`import base64; print(base64.b64decode('aGk=').decode())`, "nothing"},
		{`import hashlib; print(hashlib.sha256(open("f","rb").read()).hexdigest())`, "read f"},
		{`x = {"a": 1}; print(f"{x['a']:>5} {len(x)!r}")`, "nothing"},
		{`print("{} {:>3}".format(1, 2))`, "nothing"},
		{`from pathlib import Path; print(Path("a.toml").read_text())`, "read a.toml"},
		{`import os; print(os.path.join(os.getcwd(), 'x'), os.environ.get('HOME'))`, "nothing"},
		{`import ast; ast.parse(open('a.py').read()); print('ok')`, "read a.py"},
		{`import json, sys; print(json.load(open(sys.argv[1])))`, "read a.json"},
		{`import sys; print(open(sys.argv[2], 'r').read())`, "read b.json"},
		{`import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])`, "read pyproject.toml"},
		{`import urllib.parse; print(urllib.parse.quote("a b"))`, "nothing"},
		{`print(sorted(set(l.strip() for l in open('a'))))`, "read a"},
		{`with open('a.csv', newline='') as f:` + "\n  import csv\n  for r in csv.DictReader(f): print(r['x'])", "read a.csv"},
		{`import math; print(math.sqrt(2) if True else 0)`, "nothing"},
		{"x = 1\ny = 2\nprint(x) # decoding", "nothing"},
		{"def show(path, n: int):\n    print(open(path).read()[:n])\nshow('a.txt', 3)", "read a.txt"},
		{"def show(path):\n    print(open(path).read())\nshow('a')\nshow('b')", "read a, read b"},
		{"def copy(a, b):\n    open(b, 'w').write(open(a).read())\nif __name__ == '__main__':\n    copy('a', '/tmp/' + 'b')", "write /tmp/b, read a"},
		{"def show(path):\n    print(open(path).read())\n    show('b')\nshow('a')", "read b, read a"},
		// Texts in which something is replaced, beside paths: a path is replaced by one other.
		{"from pathlib import Path\np = Path('a')\np.write_text(p.read_text().replace('x', 'y'))", "write a, read a"},
		{"from pathlib import Path\ns = Path('a').read_text()\ns = s.replace('x', 'y', 1)\nPath('a').write_text(s)", "read a, write a"},
		{"from pathlib import Path\nq = Path('a')\nx = [q]\nx[0].replace('b')", "problem"},
		{"from pathlib import Path\nx = [Path('a')]\nx[0].replace('b',)", "problem"},
		{"from pathlib import Path\nx = [Path('a')]\nx[0].replace(*['b'], *[])", "problem"},
		// Files of a loop that are changed.
		// Lists of texts.
		{"for f in ['a', 'b']:\n    print(open(f).read())", "read a, read b"},
		{"from pathlib import Path\nbase = Path('src')\nfor n in ('a', 'b'):\n    (base / f'{n}.txt').write_text('')", "write src/a.txt, write src/b.txt"},
		// Requests that are made before they are sent.
		// Databases in files.
		{`import subprocess`, "nothing"},
		{`import os; os.system("id")`, "execute id"},
		{`import subprocess; subprocess.run("id")`, "execute [id]"},
		{`import subprocess; subprocess.run(["rm", "-rf", x])`, "execute [rm -rf ?]"},
		{`import subprocess, sys; subprocess.run(["git", "log", sys.argv[1]], check=True, cwd="sub")`, "execute [git log a.json] in sub"},
		{`from subprocess import run; run("id; ls", shell=True)`, "execute id; ls"},
		{`from subprocess import run as print; print("id")`, "execute [id]"},
		{`import subprocess; subprocess.run("id", env={})`, "execute [id], problem"},
		{`import urllib.request as u; u.urlopen("http://x")`, "fetch http://x"},
		{`import requests; print(requests.get("http://x/y").json())`, "fetch http://x/y"},
		{`import requests; requests.post("http://x/y", data=open("f"))`, "send http://x/y, read f"},
		{`import app; app.setup()`, "loads, calls app"},
		{`from app import Thing; t = Thing(1); t.load("x"); print(t.parameters)`, "loads, calls app"},
		{`from os import system`, "nothing"},
		{`open("a", "w").write("x")`, "write a"},
		{`open("a", mode="x")`, "create a"},
		{`d = "out"; f = d + "/x.txt"; open(f, "a").write("1")`, "write out/x.txt"},
		{`open("a" + "b")`, "read ab"},
		{`import shutil; shutil.rmtree("/home/dev")`, "delete-tree /home/dev"},
		{`import shutil, os; shutil.rmtree(os.path.expanduser("~"))`, "delete-tree ~/"},
		{`import shutil, os; h = os.environ["HOME"]; shutil.rmtree(os.path.join(h, "docs"))`, "delete-tree ~/docs"},
		{`import shutil; from pathlib import Path; shutil.rmtree(Path.home() / "docs")`, "delete-tree ~/docs, problem"},
		{`import shutil, sys; shutil.rmtree(sys.argv[1])`, "delete-tree a.json"},
		{`from pathlib import Path; Path("a").write_text("x")`, "write a"},
		{`from pathlib import Path; p = Path("~/a").expanduser(); p.unlink()`, "delete ~/a, problem"},
		{`from pathlib import Path; p = Path("a"); (p / "b").mkdir()`, "create a/b"},
		{`import os; os.makedirs("a/b", exist_ok=True)`, "create a/b"},
		{`import os; os.rename("a", "b")`, "delete-tree a, write b"},
		{"class A:\n  def __init__(self, n): self.n = n\n  def show(self): print(self.n)\nA(1).show()", "nothing"},
		{"from dataclasses import dataclass\n@dataclass\nclass A:\n  n: int = 0\nprint(A(1))", "nothing"},
		{`print(f"{1!r} {2:%Y-%m} {3:{4}} {5=}")`, "nothing"},
		{"async def main():\n  pass\nimport asyncio; asyncio.run(main())", "nothing"},
		{"match [1]:\n  case [a, *b]: print(a, b)", "nothing"},
		{`import numpy as np; print(np.__version__)`, "loads"},
		{`from app import tool, _helper; tool._private(); _helper()`, "loads, calls app app"},
		{`import os
for root, dirs, files in os.walk("x"):
  for file in files: print(os.path.join(root, file))`, "nothing"},
		// Strings that are put together.
		{`d = "out"; n = "x"; open(f"{d}/{n}.txt", "w")`, "write out/x.txt"},
		{`d = "out"; f = f"{d}/a"; g = f"{f}.b"; open(g)`, "read out/a.b"},
		{`open(f"a{{b}}")`, "read a{b}"},
		{"import requests\nbase = 'http://x:1'\nfor n in range(3):\n  print(requests.get(f'{base}/items/{n}').text)", "fetch http://x:1/items/"},
		{"import requests, sys\nprint(requests.get(f'http://x/{sys.argv[1]}'))", "fetch http://x/a.json"},
		// The environment.
		{`import os; os.environ["MODE"] = "fast"`, "sets MODE=fast"},
		{`import os; os.environ['LD_PRELOAD'] = 'x'`, "sets LD_PRELOAD=x"},
		// Places that modules come from.
		{`import sys; sys.path.insert(0, "src"); from app import x; x()`, "searches src, loads, calls app"},
		{`import sys; sys.path.append("src")`, "searches src"},
		{`import sys; sys.path.insert(0, '/tmp'); import json`, "searches /tmp"},
		// Archives and temporary files.
		// What is not a program at all.
		{`import os; os.remove("a"); print("a" b)`, "delete a"},
		{`import django, sys; print(django.VERSION, sys.version)`, "loads"},
		{`import a.b; print(a.__file__.split("/"))`, "loads"},
		{`from a.b import C, d; print("ok")`, "loads"},
		{`from a import __version__; print(__version__)`, "loads"},
	} {
		if got := pythonDeeds(c.code, args).show(); got != c.want {
			t.Errorf("%s\n  does: %s (%s)\n  want: %s", c.code, got, pythonDeeds(c.code, args).Problem, c.want)
		}
	}
	for _, code := range []string{
		`import tempfile; tempfile.NamedTemporaryFile(dir="/home/dev/.ssh")`,
		`import tempfile; tempfile.mkdtemp("", "../../home/x")`,
		`import tempfile; tempfile.mkdtemp(suffix="/../x")`,
		`import venv.__main__`,
		`from venv.__main__ import main`,
		`import app.__main__`,
		`import app; app.os.system("id")`,
		`from app import os; os.system("id")`,
		`from app import tool; tool._os.system("id")`,
		`from app import _subprocess; _subprocess.run("id")`,
		`from app import tool; tool._ `,
		`for file in "ab": file("x", "w")`,
		`from app import tool; tool.f.__globals__`,
		"g = (x for x in [1])\nmatch g:\n  case object(gi_frame=f): print(f)",
		"class A:\n  def gi_frame(self): pass\ng = (x for x in [1]); g.gi_frame",
		"import json; json.loads = 1",
		"import os; e = os.environ; e['LD_PRELOAD'] = 'x'",
		"import os; n = 'LD_PRELOAD'; os.environ[n] = 'x'",
		"import os; os.environ.update({'LD_PRELOAD': 'x'})",
		"import os; print(os.environ.pop('API_KEY'))",
		"import os; k = os.environ.pop('API_KEY'); print(k)",
		"import os; k = os.environ.get('API_KEY'); print(k[:3] if k else 1)",
		"import os; print(os.getenv('API_KEY') or 'none')",
		"import os; print([v for v in os.environ.values()])",
		"import os; (k := os.getenv('API_KEY')) == 1; print(k)",
		"import sys; p = sys.path; p.append('x')",
		"import sys; sys.path = ['x']",
		"import sys; sys.path[0] = 'x'",
		"import sys; sys.path += ['x']",
		"import sys\ndef print(x): x.append('y')\nprint(sys.path)",
		"import zipfile\nwith zipfile.ZipFile('a.zip', 'w') as z: z.open('b', 'w')",
		"import zipfile\nz = zipfile.ZipFile('a.zip')\nz = 1\nz.extractall('/')",
		"import app\nz = app.ZipFile('a.zip')\nz.open('b')",
		"x = 'a' if 1 else 'b'; print(eval)",
		"x = ['a'\nb]; eval('1')",
		"print(f'{x['a']}'); eval('1')",
		"print('a' t'{eval(1)}')",
		"import zipfile; zipfile.ZipFile('a', 'w')",
		"import zipfile; zipfile.ZipFile('a').extractall('/')",
		"import os; os.chdir('/'); open('x')",
		"import pickle; pickle.loads(b'')",
		"eval = 1; eval('x')",
		`import subprocess as s; x = s`,
		`import a; a.__version__ = 1`,
		`from . import a`,
		`from a import *`,
		`import antigravity`,
		`import os as o; x = o; x.system("id")`,
		`from os import *`,
		`from os import path as p; p.os.system("id")`,
		`__import__("os").system("id")`,
		`eval("1")`,
		`exec("1")`,
		`e = eval; e("1")`,
		`getattr(1, "x")`,
		`().__class__.__bases__`,
		`open("a", *["w"])`,
		`open("a", **{"mode": "w"})`,
		`o = open; o("a", "w")`,
		`open("a" + x)`,
		`open(f"a{x}")`,
		`import json; json.codecs.open("a", "w")`,
		`import re; re.sys.exit()`,
		`print("{0.__class__}".format(1))`,
		`x = "{0.y}"; print(x.format(1))`,
		`(lambda: 0).gi_frame`,
		"(x for x in y).\\\ngi_frame",
		"((x for x in y).\ngi_frame)",
		`import os; print(os.environ)`,
		`import os; print(os.environ["API_KEY"])`,
		"import json as j\nj.__dict__",
		"ｅval('1')",
		"# coding: utf-7\nprint(1)",
		"\n# coding: utf-7\nprint(1)",
		`print(f"{__import__('os')}")`,
		`print(f"{x:{eval('1')}}")`,
		`print(f'{x['a']}')`,
		"import sys; sys.argv[1] = '/etc/shadow'; print(open(sys.argv[1]).read())",
		"import sys; (sys.argv[1]) = '/etc/shadow'; print(open(sys.argv[1]).read())",
		"import sys; a = sys.argv; a[1] = 'x'; print(open(sys.argv[1]).read())",
		"import sys; sys.modules['os'].system('id')",
		`if 1: import os.path as x; x.os`,
		"@eval\ndef f(): pass",
		"`id`",
		"print 1; execfile('a')",
		"print(1) if open else 2",
		"import sys as open; open('a')",
		"import os; print(os\n.system('id'))",
		"'a' 'b",
		`print(t"{eval('1')}")`,
		"x = 'a\nb'",
		// A secret that is compared with an object of the program's own shows itself to it.
		"import os\nclass E:\n  def __eq__(s, o): print(o)\nos.environ['API_TOKEN'] == E()",
		"import os\nclass E:\n  def __ne__(s, o): print(o)\nif os.environ.get('API_TOKEN') != E(): pass",
		"import os\nclass E:\n  def __radd__(s, o): print(o)\nif os.environ['API_TOKEN'] + E(): pass",
		"import os\nclass E:\n  def __contains__(s, o): print(o)\nif os.environ['API_TOKEN'] in E(): pass",
		"import os\nclass E:\n  def __radd__(s, o): return s\n  def __eq__(s, o): print(o)\nif os.environ['API_TOKEN'] == 'x' + E(): pass",
		"import os\nx = os.environ['API_TOKEN']\nos.environ['B'] = x\nprint(os.environ['B'])",
		"import os\nprint(os.environ.get('API_' + 'TOKEN'))",
		"import os\nprint(os.environ.get('API_' 'TOKEN'))",
		"import os\nprint(os.getenv('API_' + 'TOKEN'))",
		"import os, subprocess\nfor os.environ['GIT_PAGER'] in ['x']: subprocess.run(['git', 'log'])",
		"import os, subprocess\n[os.environ['GIT_PAGER']] = ['x']\nsubprocess.run(['git', 'log'])",
		"import os, subprocess\nwith open('a') as os.environ['GIT_PAGER']: subprocess.run(['git', 'log'])",
		"import os, subprocess\nos.environ['GIT_PAGER'] += 'x'\nsubprocess.run(['git', 'log'])",
		"import argparse\np = argparse.ArgumentParser(fromfile_prefix_chars='@')\np.parse_args(['@x'])",
		"import argparse\np = argparse.ArgumentParser(**{'fromfile_prefix_chars': '@'})\np.parse_args(['@x'])",
		"import argparse\nclass P(argparse.ArgumentParser):\n  def __init__(self):\n    self.fromfile_prefix_chars = '@'\np = P()\np.parse_args(['@x'])",
		// Classes and objects of modules: a name that the program defines as well is still theirs.
		"import sqlite3\nc = sqlite3.connect(':memory:')\nprint(type(c)('/x').execute('select 1').fetchall())",
		"import subprocess\np = subprocess.Popen(['true'])\nt = type(p)\nt(['rm', 'x'])",
		"import subprocess\np = subprocess.Popen(['true'])\nlist(map(type, [p]))[0](['rm', 'x'])",
		"import zipfile\nclass A:\n  def extractall(s, p): pass\nzipfile.ZipFile('a.zip').extractall('/')",
		"import sqlite3\nclass A:\n  def load_extension(s, p): pass\nc = sqlite3.connect(':memory:')\nc.load_extension('/x')",
		"import asyncio\nclass A:\n  def get_loop(s): pass\n  def subprocess_shell(s, p): pass\nasync def f():\n  t = asyncio.create_task(f())\n  await t.get_loop().subprocess_shell(A, 'x')\nasyncio.run(f())",
		"import tempfile\nt = tempfile.TemporaryDirectory()\nt.name = '/home/dev'\nwith t: pass",
		"import urllib.request\nclass A:\n  def m(self): self.full_url = 1\nr = urllib.request.Request('http://a')\nr.full_url = 'http://b'\nurllib.request.urlopen(r)",
		// What longline knows of a function must stay true of it.
		"import os\nfor os.getcwd in [lambda: '/etc']: os.remove(os.getcwd() + '/x')",
		"import os\nos.getcwd: object = lambda: '/etc'\nos.remove(os.getcwd() + '/x')",
		"import os\n[os.getcwd] = [lambda: '/etc']\nos.remove(os.getcwd() + '/x')",
		"import os\n(os.getcwd) = lambda: '/etc'\nos.remove(os.getcwd() + '/x')",
		"import os\nos.getcwd, x = (lambda: '/etc'), 1\nos.remove(os.getcwd() + '/x')",
		"import os\nwith open('a') as os.path.join: os.remove(os.path.join('a'))",
		"import os\n[1 for os.path.join in [lambda *a: '/etc/passwd']]\nos.remove(os.path.join('a'))",
		"import os\nos.sep += 'x'",
		"from os import getcwd, remove\n(lambda getcwd: remove(getcwd() + '/x'))(lambda: '/etc')",
		"import os, shutil\ndef f(os): shutil.rmtree(os.getcwd())\nf(1)",
		"from pathlib import Path\nclass A:\n    def home(self): return 1\nfor Path in [A()]: print(Path.home())",
	} {
		if d := pythonDeeds(code, args); d.Problem == "" {
			t.Errorf("%s\n  looks harmless: %s", code, d.show())
		}
	}
}

// TestPythonNames holds the lists against a real interpreter: every builtin is
// in one of them, and no module offers another module under an allowed name.
func TestPythonNames(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed; .ci/tools installs it")
	}
	run := func(code string) []string {
		cmd := exec.Command(python, "-I", "-c", code)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("python3: %v", err)
		}
		return strings.Fields(string(out))
	}
	for _, name := range run(`import builtins; print(*[n for n in dir(builtins) if not n.startswith("_")])`) {
		isException := strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Warning") || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Exit") || strings.HasSuffix(name, "Interrupt") || strings.HasSuffix(name, "Iteration") || strings.HasSuffix(name, "Group")
		if !isException && name != "open" && !HasWord(harmlessBuiltins, name) && !HasWord(pyForbidden, name) && !HasWord(pyKeywords, name) {
			t.Errorf("builtin %q is in no list", name)
		}
	}
	// What every program can reach by an attribute is in a list of methods or in
	// that of attributes that reach out.
	for _, name := range run(`
import os, pathlib, re, shutil, types, functools
def g(): yield 1
async def c(): pass
async def a(): yield 1
co = c()
try: raise ValueError
except ValueError as e: tb = e.__traceback__
objs = [g, g(), co, a(), tb, tb.tb_frame, g.__code__, type, object, print, property(), pathlib.Path("x"), memoryview(b""), BaseException(), functools.partial(g), open(os.devnull), "", b"", [], {}, set(), 1, 1.0, re.compile("x")]
print(*sorted({n for o in objs for n in dir(o) if not n.startswith("__")} | {n for m in (os, shutil) for n in dir(m) if callable(getattr(m, n)) and not n[0].isupper() and not n.startswith("_")}))
co.close()`) {
		if !HasWord(pyMethods, name) && !HasWord(pyReach, name) && !HasWord(pyPathWrites, name) && name != "format" {
			t.Errorf("the attribute %q is in no list", name)
		}
	}
	for _, name := range run(`import sys; print(*sys.stdlib_module_names)`) {
		if !HasWord(pyStandard, name) {
			t.Errorf("the module %q is not among Python's own", name)
		}
	}
	const modules = "json sys re math datetime time collections itertools functools operator base64 hashlib hmac binascii zlib unicodedata struct random secrets uuid string textwrap statistics decimal fractions html shlex urllib.parse copy pprint bisect heapq ast csv glob fnmatch calendar shutil socket getpass ipaddress difflib keyword platform sysconfig site importlib.metadata os os.path pathlib typing"
	for _, found := range run("import importlib, types\nfor name in '" + modules + "'.split():\n m = importlib.import_module(name)\n print(*[name + ':' + n for n in dir(m) if isinstance(getattr(m, n), types.ModuleType)])") {
		name, attr, _ := strings.Cut(found, ":")
		if HasWord(pyModule(name), attr) {
			t.Errorf("module %s offers module %s", name, attr)
		}
	}
}

// harmlessBuiltins are those that only compute. A new one has to be judged.
const harmlessBuiltins = `abs all any ascii bin bool bytearray bytes callable chr complex dict dir divmod enumerate filter float format frozenset hasattr hash hex id int
isinstance issubclass iter len list map max min next object oct ord pow print range repr reversed round set slice sorted str sum tuple type zip
NotImplemented Ellipsis exit quit classmethod staticmethod property`

func FuzzPython(f *testing.F) {
	f.Add(`import json; print(f"{json.load(open('a'))['b']}")`)
	f.Fuzz(func(t *testing.T, code string) {
		if d := pythonDeeds(code, nil); d.Problem == "" && pythonDeeds(code+"\neval", nil).Problem == "" {
			t.Errorf("%q hides a line that follows it", code)
		}
	})
}
