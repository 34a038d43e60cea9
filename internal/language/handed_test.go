package language

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// touches says whether a program may do something to a path, or to what begins with it.
func (d Deeds) touches(kind tool.Kind, path string) bool {
	return slices.ContainsFunc(d.List, func(x Deed) bool {
		return x.Kind == kind && x.Perhaps && (x.Target == path || x.Open && strings.HasPrefix(path, x.Target))
	})
}

// handings are programs: whatever is called, and however the text is written that it is
// given, the text is found if the function is one of a module that is not known, and only
// then.
var handings = []struct {
	lang                  string
	writes, reads, knowns []string // calls of the text X
	texts                 []string // ways to write it; Y is a statement in front
}{
	{
		"python",
		[]string{
			"lib.save(X)", "lib.Thing(1).save(X)", "lib.a.b(1, X)", "lib.save(out=X)", "lib.save([X])", "lib.save({'a': X})", "lib.save(1, (2, X))",
			"lib.write(X)", "t = lib.Thing(); t.save(X)", "f = lib.save; f(X)", "f = lib.save\nf(1)(X)", "from lib import save as s; s(X)",
			"[t.save(X) for t in lib.things()]", "with lib.Thing() as t: t.save(X)", "print(lib.save(X))", "list(map(lib.save, [X]))",
			"def f(p): lib.save(p)\nf(X)", "def f(p):\n  lib.save(p)\nf(p=X)", "p = [X]\nlib.save(p[0])", "p = {'a': X}\nlib.save(p)",
			"lib.save(X if lib.x else 1)", "lib.save(None or X)", "import os; lib.save(os.path.join(X, lib.name))", "lib.open_file(X, 'w')",
			"for p in [X]: lib.save(p)", "p = 'a'\np = X\nlib.save(p)",
		},
		[]string{"lib.read_csv(X)", "lib.Thing().load(X)", "lib.open_file(X)", "from lib import read_table as r; r(X)", "lib.client().post(X)", "lib.print(X)"},
		[]string{"lib.run(); print(X)", "lib.run(); len(X)", "lib.name().startswith(X)", "lib.run(); import re; re.sub(X, '', 'a')", "lib.run()[X]", "def f(p): return len(p)\nlib.run(1); f(X)", "lib.run(); X"},
		[]string{
			`"/home/dev/x"`, `'/home' "/dev/x"`, `r"/home/dev/x"`, `"\x2fhome/dev/x"`, `"/home/dev" + "/x"`, `f"/home/dev/x"`, `str("/home/dev/x")`,
			`Y import os;os.path.join("/home", "dev", "x")`, `Y from pathlib import Path;Path("/home/dev") / "x"`, `Y d = "/home/dev";f"{d}/x"`, `Y d = "/home/dev";d + "/x"`,
		},
	},
	{
		"node",
		[]string{
			`require("lib").save(X)`, `require("lib")(1).save(X)`, `require("lib")(X)`, `require("lib").save({a: X})`, `require("lib").save([X])`, `const l = require("lib"); l.save(X)`,
			`const {save} = require("lib"); save(X)`, `const {save: s} = require("lib"); s(X)`, `const l = require("lib"), t = new l.Thing(); t.save(X)`, `import l from "lib"; l(X)`,
			`import {save} from "lib"; save(X)`, `import * as l from "lib"; l.save(X)`, `import("lib").then(m => m.save(X))`, `import("lib").then(({save}) => { save(X) })`,
			`import("lib").then(function (m) { m.save(X) })`, `(async () => { (await import("lib")).save(X) })()`, `const a = [X]; require("lib").save(a[0])`, `for (const p of [X]) require("lib").save(p)`,
			`function f(p) { require("lib").save(p) } f(X)`,
		},
		[]string{`require("lib").readFile(X)`, `require("lib").Thing.load(X)`, `require("lib").client().post(X)`},
		[]string{`require("lib").run(); console.log(X)`, `require("lib").run(); "a".split(X)`, `require("lib").run(); const a = X`, `require("lib").run(); if (1) { const a = X }`, `require("lib").run(() => { const a = X })`},
		[]string{`"/home/dev/x"`, "`/home/dev/x`", `"/home/dev" + "/x"`, `"\x2fhome/dev/x"`, `Y const d = "/home/dev";d + "/x"`, `Y const path = require("path");path.join("/home", "dev", "x")`},
	},
}

func TestHanded(t *testing.T) {
	for _, c := range handings {
		read := func(call, text string) (Deeds, string) {
			code := strings.ReplaceAll(call, "X", text)
			if before, found := strings.CutPrefix(text, "Y "); found {
				before, text, _ = strings.Cut(before, ";")
				code = before + ";\n" + strings.ReplaceAll(call, "X", text)
			}
			if c.lang == "python" {
				code = "import lib\n" + code
			}
			d, _ := Read(c.lang, code, nil)
			return d, code
		}
		for _, text := range c.texts {
			for calls, want := range map[*string][2]bool{&c.writes[0]: {true, true}, &c.reads[0]: {true, false}, &c.knowns[0]: {false, false}} {
				list := map[*string][]string{&c.writes[0]: c.writes, &c.reads[0]: c.reads, &c.knowns[0]: c.knowns}[calls]
				for _, call := range list {
					d, code := read(call, text)
					if got := [2]bool{d.touches(tool.Read, "/home/dev/x"), d.touches(tool.Write, "/home/dev/x")}; got != want {
						t.Errorf("%s\n  reads, writes: %v, want %v (%s; %s)", code, got, want, d.show(), d.Problem)
					}
				}
			}
		}
	}
}

// TestHandedNames holds what is taken for a path.
func TestHandedNames(t *testing.T) {
	for text, want := range map[string]string{
		"a/b": "a/b", "~/x": "~/x", "~": "", "/": "", "..": "", "../": "", "": "", "a\nb": "", "http://x/y": "", "s3://b/k": "",
		"file:///a/b": "/a/b", "sqlite:///a.db": "a.db", "sqlite:////a/b.db?mode=ro": "/a/b.db", "sqlite+pysqlite:////a.db": "/a.db", "sqlite://": "", "~x/y": "~x/y",
	} {
		v, ok := namesFile(constant{text: text})
		got := v.text
		if v.home {
			got = "~/" + got
		}
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q is the path %q, want %q", text, got, want)
		}
	}
}

// TestHandedDeeds holds what libraries do that are known.
func TestHandedDeeds(t *testing.T) {
	for _, c := range []struct{ lang, code, want string }{
		{"python", `from dotenv import dotenv_values; dotenv_values()`, "read .env, loads, calls dotenv"},
		{"python", `from dotenv import dotenv_values; dotenv_values("a.env")`, "perhaps read a.env, loads, calls dotenv"},
		{"python", `import dotenv; dotenv.load_dotenv("a.env")`, "loads, calls dotenv"},
		{"python", `from decouple import config; config("API_KEY")`, "read .env, loads, calls decouple"},
		{"python", `from decouple import config; config("PORT")`, "perhaps read PORT, perhaps write PORT, loads, calls decouple"},
		{"python", `import redis; redis.Redis().flushdb()`, "control database.drop, loads, calls redis"},
		{"python", `import pymongo; pymongo.MongoClient().a.b.drop()`, "control database.drop, loads, calls pymongo"},
		{"python", `import pandas; pandas.read_csv("a").drop()`, "perhaps read a, loads, calls pandas"},
		{"python", `import pyperclip; pyperclip.paste()`, "control clipboard.read, loads, calls pyperclip"},
		{"python", `import pg; pg.connect().execute("drop table a")`, "perhaps read drop table a, perhaps write drop table a, control database.drop, loads, calls pg"},
		{"python", `import pg; pg.connect().execute(f"truncate {pg.x}")`, "perhaps read truncate ?, perhaps write truncate ?, control database.drop, loads, calls pg pg"},
		{"python", `import pg; pg.connect().execute(f"delete from {pg.x}")`, "perhaps read delete from ?, perhaps write delete from ?, loads, calls pg pg"},
		{"python", `import pg; pg.connect().log("drop table a")`, "perhaps read drop table a, loads, calls pg"},
		{"python", `import duckdb; duckdb.sql("copy a to '/x'")`, "perhaps read copy a to '/x', perhaps write copy a to '/x', write /x, loads, calls duckdb"},
		{"node", `require("dotenv").config(); f = 1`, "needs dotenv"},
		{"node", `x(require("dotenv").config())`, "read .env, needs dotenv"},
		{"node", `require("dotenv").config()`, "read .env, needs dotenv"},
		{"node", `require("dotenv").config().parsed; 1`, "read .env, needs dotenv"},
		{"node", `const {Pool} = require("pg"); new Pool().query("truncate a")`, "perhaps read truncate a, perhaps write truncate a, control database.drop, needs pg"},
	} {
		d, _ := Read(c.lang, c.code, nil)
		if got := d.show(); !strings.HasPrefix(got, c.want) && !(c.lang == "node" && strings.HasPrefix(got, strings.Split(c.want, ", needs")[0])) {
			t.Errorf("%s\n  does: %s (%s)\n  want: %s", c.code, got, d.Problem, c.want)
		}
	}
	if d, _ := Read("python", `import click; click.edit("x")`, nil); d.Problem == "" {
		t.Error("click.edit runs a program")
	}
}
