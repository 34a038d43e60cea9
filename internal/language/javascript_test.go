package language

import "testing"

func TestNode(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{`console.log(1 + 1)`, "nothing"},
		{`require('./package.json').version`, "read ./package.json"},
		{`require("react/package.json").version`, "read node_modules/react/package.json"},
		{`JSON.stringify(process.versions)`, "nothing"},
		{`console.log(Object.keys(require('./package.json').scripts).join("\n"))`, "read ./package.json"},
		{`const fs=require('fs'); console.log(JSON.parse(fs.readFileSync('a.json','utf8')).x)`, "read a.json"},
		{`const {readFileSync} = require('node:fs'); console.log(readFileSync("a", "utf8").length)`, "read a"},
		{`JSON.parse(require('fs').readFileSync(0)).a`, "nothing"},
		{`const path = require('path'); console.log(path.join('a', 'b'))`, "nothing"},
		{"console.log(`${1 + 2} ${[1, 2].map(x => x * 2)}`)", "nothing"},
		{`"a/b".split(/\//g)[0]`, "nothing"},
		{`new Date().toISOString()`, "nothing"},
		{`process.env.HOME`, "nothing"},
		{`const p = require('./package.json'); for (const [k, v] of Object.entries(p.dependencies)) console.log(k, v)`, "read ./package.json"},
		{`require('crypto').randomBytes(16).toString('hex')`, "nothing"},
		{`console.log(require('os').cpus().length)`, "nothing"},
		{`let d=''; process.argv[2]`, "nothing"},
		{`/* eval */ 1 // eval`, "nothing"},
		{`({a: 1, 'b': 2}).b`, "nothing"},
		{`try { JSON.parse("x") } catch (e) { console.log(e.message) }`, "nothing"},
	} {
		if got := nodeDeeds(c.code).show(); got != c.want {
			t.Errorf("%s\n  does: %s (%s)\n  want: %s", c.code, got, nodeDeeds(c.code).Problem, c.want)
		}
	}
	for _, code := range []string{
		`require('child_process').execSync('id')`,
		`require('fs').writeFileSync('a', 'b')`,
		`const fs = require('fs'); fs.rmSync('a')`,
		`const f = require('fs'); const g = f; g.rmSync('a')`,
		`const {rmSync} = require('fs'); rmSync('a')`,
		`const {rmSync: r} = require('fs'); r('a')`,
		`eval("1")`,
		`new Function("return 1")()`,
		`[]["filter"]["constructor"]("x")()`,
		`[].filter.constructor("x")()`,
		`const k = "constr" + "uctor"; [][k][k]("x")()`,
		`const {constructor: c} = []; c`,
		`const {"constructor": c} = []; c`,
		`const {"\x63onstructor": c} = []; c`,
		`const {["constr" + "uctor"]: c} = []; c`,
		`this.process`,
		`globalThis.process`,
		`process.mainModule.require('fs')`,
		`process.binding('fs')`,
		`process.env`,
		`process.env.SECRET_TOKEN`,
		`process["env"]`,
		`const p = process; p.env`,
		`import('fs')`,
		`require(x)`,
		`require('./x')`,
		`require('fs')['rm' + 'Sync']('a')`,
		`const r = require; r('fs')`,
		"require(`fs`)",
		`[].\u0063onstructor`,
		`fetch("http://x")`,
		`process.kill(1)`,
		`Error.prepareStackTrace = (e, s) => s`,
		"x = `${eval('1')}`",
		`Object.getPrototypeOf([])`,
		`readFileSync` + ` = require('fs').readFileSync; readFileSync(x)`,
		`require('fs').readFileSync(process.argv[1])`,
		`a = "x`,
		`x = 1 } / eval("1") /`,
		`new Worker("x")`,
		`Object["getPrototypeOf"]`,
		`const [a, b] = [require('fs')]; a.rmSync`,
		`f(require('fs'))`,
		"x <!-- `\neval('1')\n//`",
		"of = 4; of /`${eval('1')}`/ 1",
		"a.in /`${eval('1')}`/ 1",
		"if (a) b = `${x}` /`${eval('1')}`/ 1",
		`do {fs.rmSync('a')} while (0); const fs = require('fs')`,
		`a.b = require('fs'); a.b.rmSync('x')`,
		`const x = y = require('fs'); x.rmSync('a')`,
		`(y = require('fs')).rmSync('a')`,
		`const a = (1, fs = require('fs')); a.rmSync('x')`,
		`f = ({getOwnPropertyDescriptor: d}) => d; f(Object)`,
		`const O = Object, x = 1`,
	} {
		if d := nodeDeeds(code); d.Problem == "" {
			t.Errorf("%s\n  looks harmless: %s", code, d.show())
		}
	}
}

func FuzzNode(f *testing.F) {
	f.Add("const {a} = require('fs'); a(`${b}`) / 2")
	f.Fuzz(func(t *testing.T, code string) {
		if nodeDeeds(code).Problem == "" && nodeDeeds(code+"\n;eval").Problem == "" {
			t.Errorf("%q hides a line that follows it", code)
		}
	})
}

// Code on the command line sees every module as a global name, and a name that
// nobody declared may be one of a newer version.
func TestNodeFreeNames(t *testing.T) {
	for _, code := range []string{
		`child_process.execSync("id")`, `let c = child_process; c.execSync("id")`, `let child_process = 1; child_process.x()`,
		`fs.writeFileSync("a", "b")`, `vm.runInThisContext("1")`, `something_new()`, `worker_threads`, `x => { y() }`,
	} {
		if d := nodeDeeds(code); d.Problem == "" {
			t.Errorf("%s: found harmless", code)
		}
	}
}
