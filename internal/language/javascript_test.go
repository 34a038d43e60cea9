package language

import (
	"strings"
	"testing"
)

func TestNode(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{`console.log(1 + 1)`, "nothing"},
		{`require('./package.json').version`, "needs ./package.json"},
		{`require("react/package.json").version`, "needs react/package.json"},
		{`JSON.stringify(process.versions)`, "nothing"},
		{`console.log(Object.keys(require('./package.json').scripts).join("\n"))`, "needs ./package.json"},
		{`const fs=require('fs'); console.log(JSON.parse(fs.readFileSync('a.json','utf8')).x)`, "read a.json"},
		{`const {readFileSync} = require('node:fs'); console.log(readFileSync("a", "utf8").length)`, "read a"},
		{`JSON.parse(require('fs').readFileSync(0)).a`, "nothing"},
		{`const path = require('path'); console.log(path.join('a', 'b'))`, "nothing"},
		{"console.log(`${1 + 2} ${[1, 2].map(x => x * 2)}`)", "nothing"},
		{`"a/b".split(/\//g)[0]`, "nothing"},
		{`new Date().toISOString()`, "nothing"},
		{`process.env.HOME`, "nothing"},
		{`const s = [process.env.HOME, process.env.PATH || "x"]; console.log(s)`, "nothing"},
		{"let d = ''; process.stdin.on('data', c => d += c).on('end', () => console.log(d.length))", "nothing"},
		{"process.stdin.setEncoding('utf8')\nlet d = ''\nprocess.stdin.on('data', c => d += c)\nprocess.stdin.on('end', () => { console.log(d) })", "nothing"},
		{`require('fs').readFile('a', 'utf8', (e, d) => console.log(d)); require('fs').readFile('b', function (e, d) { console.log(d) })`, "read a, read b"},
		{`const p = require('./package.json'); for (const [k, v] of Object.entries(p.dependencies)) console.log(k, v)`, "needs ./package.json"},
		{`require('crypto').randomBytes(16).toString('hex')`, "nothing"},
		{`console.log(require('os').cpus().length)`, "nothing"},
		{`let d=''; process.argv[2]`, "nothing"},
		{`/* eval */ 1 // eval`, "nothing"},
		{`({a: 1, 'b': 2}).b`, "nothing"},
		{`require('child_process').execSync('id')`, "execute id"},
		{`child_process.execSync("id", {stdio: 'inherit'})`, "execute id"},
		{`require('child_process').execSync('id', {shell: 'x'})`, "execute id, problem"},
		{`const cp = require('child_process'); cp.spawnSync('rm', ['-rf', x])`, "execute [rm -rf ?], problem"},
		{`require('fs').writeFileSync('a', 'b')`, "write a"},
		{`const fs = require('fs'); fs.rmSync('/home/dev', {recursive: true})`, "delete-tree /home/dev"},
		{`const {rmSync} = require('fs'); rmSync(require('os').homedir())`, "delete-tree ~/"},
		{`const fs = require('fs'), path = require('path'), os = require('os'); const d = path.join(os.homedir(), '.ssh'); console.log(fs.readFileSync(d + '/id_rsa', 'utf8'))`, "read ~/.ssh/id_rsa"},
		{`import { rm } from 'node:fs/promises'; await rm(process.env.HOME, {recursive: true})`, "delete-tree ~/"},
		{`import fs from 'fs'; import {x as y} from './lib.js'; y(fs.existsSync('a'))`, "needs ./lib.js, calls ./lib.js"},
		{`import('./a.js').then(m => m.run())`, "needs ./a.js, calls ./a.js"},
		{`require('./x')`, "needs ./x, calls ./x"},
		{`const l = require('lib'); console.log(Object.keys(l))`, "needs lib, calls lib"},
		{`Deno.removeSync("/home/dev", { recursive: true })`, "delete-tree /home/dev"},
		{`fetch("http://x").then(r => r.json())`, "fetch http://x"},
		{`fetch("http://x", {method: "POST"})`, "send http://x"},
		{`for (let i = 0; i < 3; i++) console.log(process.argv[i], [1, 2][i - 1])`, "nothing"},
		{"module.exports = { a: 1 }; exports.b = 2; if (require.main === module) console.log(1)", "nothing"},
		{"import type { A } from './a'; import { type C, d } from './c';\nexport class S { private readonly n: number = 1; constructor(public x: string) { this.n = 2 } get(k: string): number | undefined { return this.n } }\nd()", "needs ./a, needs ./c, calls ./a ./c, problem"},
		{"const a: string = require('fs').readFileSync('x', 'utf8') as string;", "read x, problem"},
		{`try { JSON.parse("x") } catch (e) { console.log(e.message) }`, "nothing"},
		{`const path = require('path'); require('fs').readFileSync(path.join('a', 'b'))`, "read a/b"},
		{"const {sep, delimiter} = require('path'); console.log(sep, delimiter)", "nothing"},
		{`require('child_process').spawnSync('rm', ['-rf', 'a'.concat(process.argv[2]), 'b'])`, "execute [rm -rf ? b]"},
		{`require('child_process').spawnSync('rm', ['-rf', 'a' && process.argv[2], 'b' ? 'c' : 'd'])`, "execute [rm -rf ? ?]"},
	} {
		if got := nodeDeeds(c.code).show(); got != c.want {
			t.Errorf("%s\n  does: %s (%s)\n  want: %s", c.code, got, nodeDeeds(c.code).Problem, c.want)
		}
	}
	for _, code := range []string{
		`const o={if:x=>1};o.if(1)/1;eval("1")/1`,
		"for(let i=0;i<1;i++){if(0)continue\n/'/.exec(1);eval('1')//'\n}",
		"const x: string = eval('1')",
		"const x: T<eval('1')> = 1",
		"type A = typeof eval('1')",
		"let c = 1, a = 2; c ? (a) : (eval('1'), a) => 1",
		"const x = 1 as eval('1')",
		"function f(a: number = eval('1')) {}",
		"enum A { B = 1 }",
		`process.env.NODE_OPTIONS = "x"`,
		`require('https://x/y.js')`,
		`import x from 'npm:chalk'; x()`,
		`const l = require('lib'); l.child_process.execSync('id')`,
		`const k = process.argv[2]; const o = {}; o[k](1)`,
		"const x: string + 1",
		// What is taken out of a module is judged as what it is there.
		`const {env} = require('process'); console.log(env.API_TOKEN)`, `const {argv} = require('process'); console.log(argv)`, `const {posix} = require('path'); console.log(posix)`, `const {types} = require('util'); console.log(types)`, `const {sep} = require('path'); [sep] = [1]`,
		`require('path'); console.log(1)`,
		`const p = require('path', 1); console.log(p.sep)`,
		`const p = require('path' + 's'); console.log(p.sep)`,
		"type A = T\n? eval('1')\n: 1",
		`let i = 0; i = "constructor"; [][i][i]("x")()`,
		`for (let i of ["constructor"]) [][i][i]("x")()`,
		`let i = 0, j = 1; [i] = ["constructor"]; [][i]`,
		`function f() { return this.fetch }`,
		`class A extends Function {}`,
		`const f = require('fs'); const g = f; g.rmSync('a')`,
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
		`require('fs')['rm' + 'Sync']('a')`,
		`const r = require; r('fs')`,
		"require(`fs${1}`)",
		`[].\u0063onstructor`,
		`process.kill(1)`,
		`Error.prepareStackTrace = (e, s) => s`,
		"x = `${eval('1')}`",
		`Object.getPrototypeOf([])`,
		`readFileSync` + ` = require('fs').readFileSync; readFileSync(x)`,
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
		`a.b = require('fs'); a.b.rmSync('x')`,
		`const x = y = require('fs'); x.rmSync('a')`,
		`(y = require('fs')).rmSync('a')`,
		`const a = (1, fs = require('fs')); a.rmSync('x')`,
		`f = ({getOwnPropertyDescriptor: d}) => d; f(Object)`,
		`const O = Object, x = 1`,
		// A variable that counts is given something else, or another has its name.
		`let i = 0; function f(i) { return [].map[i]("x")() } f("constructor")`, `for (let i = 0; i < 1; i++) 1; const f = i => [].map[i]("x")(); f("constructor")`,
		`let i = 0; i ||= "constructor"; [].map[i]("x")()`, `let i = 0; i ??= "constructor"; [].map[i]("x")()`, `let i = 1; i &&= "constructor"; [].map[i]("x")()`, `let i = 0; (i) = "constructor"; [].map[i]("x")()`,
		`let i = 0; [(i)] = ["constructor"]; [].map[i]("x")()`, `let i = 0; if (1) (i) = "constructor"; [].map[i]("x")()`, `let i = 0; ({a: (i)} = {a: "constructor"}); [].map[i]("x")()`,
		// A call in front of a block is not a method that is defined.
		"1;eval('1')\n{}", "1;eval('1')/*\n*/{}", "{eval('1')\n{}}", "x => {;Function('1')()\n{}}", "1;eval('1') // a\n{}",
		// Text that a runtime runs later.
		`setTimeout("x")`, `setTimeout("x" + 1, 5)`, `const s = setTimeout; s("x")`, "setTimeout`x`", `const s = "x"; setTimeout(s, 1)`, `(s => setInterval(s))("x")`, `const o = {f: "x"}; setTimeout(o.f)`,
		// Options with which reading writes, and files of which more is done than read.
		`require('fs').readFileSync('x', ({flag: 'w+'}))`, `require('fs').readFileSync('x', 'utf8' && {flag: 'w+'})`, `require('fs').createReadStream('x', {flags: 'w'})`, `Bun.file('x').delete()`, `const f = Bun.file('x'); f.delete()`, `Bun.file('x').writer()`,
		`require('fs').readFile('x', function () {} && {flag: 'w'}, 1)`, `require('fs').readFileSync('x', {encoding: 'utf8'} && {flag: 'w+'})`,
		// Methods that return their object.
		`console.log(process.on('x', () => 1).env.API_TOKEN)`, `const p = process.on('x', () => 1); console.log(p.env)`, `process.once('x', () => 1).chdir('/')`, `(() => process.on('x', () => 1))().env`, "x = await\nprocess.on('x', () => 1); x.env", `process.stdin.on('x', () => 1).connect(9)`,
		`process.stdin.resume().setEncoding('utf8')._handle`, `const s = process.stdin.on('x', () => 1); s.connect(9)`, `f(process.on('x', () => 1))`, `process.on.call(process, 'x')`,
		// Objects of node that do more than they are asked to.
		`require('child_process').spawn('ls').spawn({file: '/bin/rm'})`, `const s = require('fs').createReadStream('a'); s.path = '/etc/shadow'`, `const s = require('fs').createWriteStream('a'); s['path'] = '/etc/x'`, `const s = require('fs').createWriteStream('a'); [s.path] = ['/etc/x']`,
		`const s = require('fs').createWriteStream('a'); Object.assign(s, {path: '/etc/x'})`, `const s = require('fs').createWriteStream('a'); Object.assign.call(0, s, {path: '/etc/x'})`,
		`console.log(Deno.env.get('API_' + 'TOKEN'))`, `import x from './id_rsa' with {type: 'text'}; console.log(x)`, `import {x} from './x.ts' with {type: 'macro'}; x()`,
		// The environment that others inherit.
		`process.env.PATH += ":/x"`, `process.env.PATH ||= "/x"`, `[process.env.PATH] = ["/x"]`, `({a: process.env.PATH} = {a: "/x"})`, `for (process.env.PATH of ["/x"]) 1`, `(process.env.PATH) = "/x"`, `delete process.env.PATH`, `process.env.PATH++`, `process.env["PATH"] += "x"`, `[process.env["PATH"]] = ["/x"]`,
		`[console.log] = [1]`, `for (path.join of [() => "/etc"]) 1`, `path.join ||= 1`,
	} {
		if d := nodeDeeds(code); d.Problem == "" {
			t.Errorf("%s\n  looks harmless: %s", code, d.show())
		}
	}
}

// TestNodeSeesOn: whatever is used, what stands right behind it is judged.
func TestNodeSeesOn(t *testing.T) {
	const names = "const fs = require('fs'), path = require('path'), os = require('os'), {sep, join} = require('path'), {readFileSync} = require('fs'); let n = 1; "
	for _, use := range []string{
		"path.sep", "path", "sep", "join('a', 'b')", "fs.existsSync('a')", "fs.constants", "readFileSync('a')", "os.cpus().length", "os.EOL", "process.pid", "process.argv", "process.env.HOME", "process.stdout", "console.log(1)", "JSON.stringify(1)", "Math.PI",
		"Object.keys({})", "require('path').sep", "require('fs').existsSync('a')", "new Date()", "new Map()", "n", "1", "'a'", "/a/", "`a${n}`", "[n]", "{a: n}", "n => n", "fetch('http://x')", "setTimeout(() => 1)", "Deno.env.get('HOME')", "Bun.file('a').text()", "class {}", "function () {}", "require", "n ? n : n", "typeof n", "Error('a')",
	} {
		for _, code := range []string{"f([USE, eval('1')])", "f([USE , n, eval('1')])", "f(USE, eval)", "[USE, eval]", "g = {a: USE, b: eval}", "(USE), Function('1')()"} {
			code = names + "function f(a) {} let g = 1; " + strings.Replace(code, "USE", use, 1)
			if d := nodeDeeds(code); d.Problem == "" {
				t.Errorf("%s\n  looks harmless: %s", code, d.show())
			}
		}
	}
}

// TestNodeBounds: what is nested too deeply, or too long, is not read.
func TestNodeBounds(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("`${", n) + "1" + strings.Repeat("}`", n) }
	for code, want := range map[string]bool{nested(5): true, nested(30): false, "1" + strings.Repeat(" ", 199_000): true, "1" + strings.Repeat(" ", 201_000): false} {
		if d := nodeDeeds(code); (d.Problem == "") != want {
			t.Errorf("%.40s and %d bytes: %q", code, len(code), d.Problem)
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
		`let c = child_process; c.execSync("id")`, `let child_process = 1; child_process.x()`,
		`vm.runInThisContext("1")`, "// x\u2028eval(1)", "// x\u2029eval(1)", `something_new()`, `worker_threads`, `x => { y() }`,
	} {
		if d := nodeDeeds(code); d.Problem == "" {
			t.Errorf("%s: found harmless", code)
		}
	}
}
