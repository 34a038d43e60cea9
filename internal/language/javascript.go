package language

import (
	"strings"

	"longline/internal/tool"
)

// A JavaScript program provably only computes and prints when it names nothing
// through which code or the machine can be reached: no constructors of
// functions, no "this", no computed member names, of process and of modules
// only listed members. JSON files may be required and files read by a constant
// name, which is an effect.

// jsForbidden are names that give access to code or to everything, as
// variables or as members.
const jsForbidden = `eval Function constructor __proto__ prototype __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ this globalThis global window self
module exports Reflect Proxy WebAssembly fetch WebSocket EventSource XMLHttpRequest Worker SharedWorker Deno Bun import with class super arguments caller callee Symbol
AsyncFunction GeneratorFunction mainModule binding dlopen getBuiltinModule prepareStackTrace captureStackTrace getFunction getThis getPrototypeOf setPrototypeOf
getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols defineProperty defineProperties setImmediate setInterval setTimeout queueMicrotask
navigator performance WeakRef FinalizationRegistry Iterator ShadowRealm Atomics SharedArrayBuffer alert prompt confirm open close localStorage sessionStorage
indexedDB caches crypto Blob File FormData Request Response MessageChannel BroadcastChannel debugger $`

// jsObject lists the members of a global object or a module that are part of
// the subset; "" for one that is not. "*" stands for all that are not forbidden.
func jsObject(name string) string {
	switch name {
	case "console":
		return "log error warn info debug table dir group groupEnd count time timeEnd assert"
	case "process":
		return "version versions platform arch argv argv0 pid ppid title release cwd uptime memoryUsage hrtime exit exitCode stdout stderr env execPath nextTick cpuUsage resourceUsage features"
	case "process.stdout", "process.stderr":
		return "write columns rows isTTY"
	case "Object":
		return "keys values entries fromEntries assign freeze is groupBy hasOwn"
	case "Array":
		return "from isArray of"
	case "Buffer":
		return "from alloc concat byteLength isBuffer compare"
	case "JSON", "Math", "Intl", "Number", "String", "BigInt", "Date", "URL", "Boolean":
		return "*"
	case "Promise":
		return "resolve all allSettled race any"
	case "fs":
		return "readFileSync existsSync readdirSync statSync lstatSync"
	case "path", "url", "querystring", "punycode", "string_decoder", "assert":
		return "*"
	case "os":
		return "cpus totalmem freemem platform arch type release homedir tmpdir hostname uptime loadavg EOL endianness version machine networkInterfaces availableParallelism userInfo"
	case "util":
		return "inspect format isDeepStrictEqual types stripVTControlCharacters"
	case "crypto":
		return "createHash randomUUID randomBytes randomInt getHashes getCiphers createHmac hash"
	case "zlib":
		return "gzipSync gunzipSync inflateSync deflateSync brotliDecompressSync brotliCompressSync"
	}
	return ""
}

// jsConstructors are what may follow "new".
const jsConstructors = `Date Map Set Array Object RegExp URL URLSearchParams Error TypeError RangeError TextDecoder TextEncoder Intl WeakMap Uint8Array Uint16Array Uint32Array Int32Array Float64Array Promise`

// nodeDeeds reads a program.
func nodeDeeds(text string) Deeds {
	s := scriptScanner{text: text}
	s.scan(0)
	j := jsReader{bound: map[string]string{}}
	j.deeds.Problem = s.problem
	for _, t := range s.tokens {
		if t.kind != tokLine {
			j.tokens = append(j.tokens, t)
		}
	}
	if j.deeds.Problem == "" {
		j.requires()
	}
	if j.deeds.Problem == "" {
		j.judge()
	}
	return j.deeds
}

type jsReader struct {
	tokens []token
	bound  map[string]string // variables that hold a module or a function of one
	names  map[string]bool   // what the program declares; nil until asked for
	deeds  Deeds
}

func (j *jsReader) at(i int) token { return tokenAt(j.tokens, i) }

// requires finds the variables that hold modules: x = require('m'), and
// {a, b} = require('m').
func (j *jsReader) requires() {
	for i, t := range j.tokens {
		if !t.isName("require") || !j.at(i-1).is("=") || !j.at(i+1).is("(") || !j.at(i+3).is(")") || j.at(i+4).isOne(".", "?.", "[", "(") {
			continue
		}
		module := strings.TrimPrefix(j.at(i+2).text, "node:")
		if !isJSModule(module) {
			continue
		}
		start := i - 2
		if j.at(start).is("}") {
			for start > 0 && !j.at(start).is("{") {
				start--
			}
		}
		if !j.declares(start) {
			j.deeds.fail("a module used as a value")
			return
		}
		if start == i-2 {
			j.bound[j.at(start).text] = module
			continue
		}
		for k := i - 3; k >= 0 && !j.at(k).is("{"); k-- {
			switch n := j.at(k); {
			case n.is(","):
			case n.kind == tokName && j.offers(module, n.text):
				j.bound[n.text] = module + "." + n.text
			default:
				j.deeds.fail("a module used as a value")
				return
			}
		}
	}
}

// declares says whether a declaration gives a name or pattern at token i its
// value: nothing else gets hold of it then.
func (j *jsReader) declares(i int) bool {
	if t := j.at(i); t.kind != tokName && !t.is("{") {
		return false
	}
	prev := j.at(i - 1)
	if !prev.is(",") {
		return prev.isName("const") || prev.isName("let") || prev.isName("var")
	}
	depth := 0
	for k := i - 2; k >= 0 && depth >= 0; k-- {
		switch t := j.at(k); {
		case t.isOne(")", "]", "}"):
			depth++
		case t.isOne("(", "[", "{"):
			depth--
		case depth == 0 && (t.isName("const") || t.isName("let") || t.isName("var")):
			return true
		case depth == 0 && t.is(";"):
			return false
		}
	}
	return false
}

func isJSModule(name string) bool {
	return HasWord("fs path url querystring punycode string_decoder assert os util crypto zlib", name)
}

// offers says whether a member of an object is part of the subset.
func (j *jsReader) offers(object, member string) bool {
	list := jsObject(object)
	return !HasWord(jsForbidden, member) && (list == "*" || HasWord(list, member)) || object == "crypto" && HasWord(list, member)
}

func (j *jsReader) judge() {
	for i := 0; i < len(j.tokens) && j.deeds.Problem == ""; i++ {
		t, prev, next := j.tokens[i], j.at(i-1), j.at(i+1)
		switch t.kind {
		case tokString:
			// A key of a pattern can name a member as well.
			if next.is(":") && (!t.plain || HasWord(jsForbidden, t.text)) || prev.is("[") && HasWord(jsForbidden, t.text) {
				j.deeds.fail("the member " + Quote(t.text))
			}
		case tokOp:
			if t.text == "[" {
				j.bracket(i)
			}
			if t.text == "?." && next.kind != tokName {
				j.deeds.fail("an unusual way to name a member")
			}
		case tokName:
			switch {
			case prev.isOne(".", "?."):
				if HasWord(jsForbidden, t.text) && t.text != "open" && t.text != "close" && t.text != "self" {
					j.deeds.fail("the member " + Quote(t.text))
				}
			case t.text == "require":
				i = j.require(i) - 1
			case t.text == "new":
				if next.kind != tokName || !HasWord(jsConstructors, next.text) {
					j.deeds.fail("a constructor that longline does not know")
				}
			case j.bound[t.text] != "" && j.declared(i):
			case j.bound[t.text] != "":
				i = j.object(j.bound[t.text], i+1) - 1
			case HasWord("console process Object Array Buffer JSON Math Intl Number String BigInt Date URL Boolean Promise", t.text) && !prev.isName("new"):
				i = j.object(t.text, i+1) - 1
			case next.is(":") && HasWord("open close self module exports class import with", t.text): // a key
			case HasWord(jsForbidden, t.text), t.text == "Error" && !next.is("("):
				j.deeds.fail("the name " + Quote(t.text))
			case !j.free(i):
				j.deeds.fail("the name " + Quote(t.text))
			}
		}
	}
}

// declared says whether a name at i is only being bound: in const x = require.
func (j *jsReader) declared(i int) bool {
	if j.at(i+1).is("=") && j.at(i+2).isName("require") {
		return true
	}
	for k := i + 1; j.at(k).is(",") || j.at(k).kind == tokName; k++ {
		if j.at(k + 1).is("}") {
			return j.at(k+2).is("=") && j.at(k+3).isName("require")
		}
	}
	return j.at(i+1).is("}") && j.at(i+2).is("=") && j.at(i+3).isName("require")
}

// bracket is an array, or a member named by a value: that must be a constant.
func (j *jsReader) bracket(i int) {
	prev := j.at(i - 1)
	member := prev.kind == tokString || prev.isOne(")", "]", "}", "?.") || prev.kind == tokName && !HasWord("return typeof case in of do else void delete throw await yield const let var", prev.text) || prev.kind == tokRegex
	key := j.at(i + 1)
	constant := (key.kind == tokNumber || key.kind == tokString && key.plain) && j.at(i+2).is("]")
	if member && !constant {
		j.deeds.fail("a member whose name is computed")
	}
	// In an object or a pattern, brackets compute a key.
	depth := 0
	for k := i; k < len(j.tokens); k++ {
		if j.tokens[k].isOne("[", "(", "{") {
			depth++
		} else if j.tokens[k].isOne("]", ")", "}") {
			if depth--; depth == 0 {
				if prev.isOne("{", ",") && j.at(k+1).isOne(":", "(") {
					j.deeds.fail("a member whose name is computed")
				}
				return
			}
		}
	}
}

// require is the loading of a module: one of the subset, or a JSON file.
func (j *jsReader) require(i int) int {
	name := j.at(i + 2)
	if !j.at(i+1).is("(") || name.kind != tokString || !name.plain || !j.at(i+3).is(")") {
		j.deeds.fail("a module that is not known")
		return i + 1
	}
	i += 4
	if strings.HasSuffix(name.text, ".json") {
		path := name.text
		if !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "/") {
			path = "node_modules/" + path
		}
		j.deeds.List = append(j.deeds.List, Deed{Kind: tool.Read, Target: path, Beside: true})
		return i
	}
	module := strings.TrimPrefix(name.text, "node:")
	if !isJSModule(module) {
		j.deeds.fail("the module " + Quote(name.text))
		return i
	}
	if j.at(i-5).is("=") && !j.at(i).isOne(".", "?.", "[", "(") {
		return i // bound to variables, which are judged where they are used
	}
	return j.object(module, i)
}

// object follows the use of a global object or module, whose name ends before
// token i, and returns the index after it.
func (j *jsReader) object(object string, i int) int {
	module, function, isFunction := strings.Cut(object, ".")
	if isFunction && jsObject(object) == "" {
		return j.call(module, function, i)
	}
	member := j.at(i + 1)
	if !j.at(i).isOne(".", "?.") || member.kind != tokName {
		// Some are functions as well, which convert values.
		if j.at(i).is("(") && HasWord("Number String Boolean BigInt Date Array Object", object) || j.at(i).is(")") && HasWord("Number String Boolean BigInt", object) {
			return i
		}
		j.deeds.fail(Quote(object) + " used as a value")
		return i
	}
	if !j.offers(object, member.text) {
		j.deeds.fail("the member " + Quote(object+"."+member.text))
		return i
	}
	if inner := object + "." + member.text; jsObject(inner) != "" {
		return j.object(inner, i+2)
	}
	return j.call(object, member.text, i+2)
}

// call looks at how a member that may reach out is used; i is the token after it.
func (j *jsReader) call(object, member string, i int) int {
	switch {
	case object == "process" && member == "env":
		name := j.at(i + 1)
		named := j.at(i).isOne(".", "?.") && name.kind == tokName || j.at(i).is("[") && name.plain && j.at(i+2).is("]")
		if !named || SecretName(name.text) {
			j.deeds.fail("a look at the environment")
		}
		return i + 2
	case object == "process" && member == "argv" && !j.at(i).is("[") && !j.at(i).is("."):
		j.deeds.fail("the arguments used as a value")
	case object == "fs" && member == "readFileSync":
		j.readFile(i)
	case object == "fs" && !j.at(i).is("("):
		j.deeds.fail("a function of a module used as a value")
	case object == "util" && member == "types", object == "path" && (member == "posix" || member == "win32"):
		j.deeds.fail("an object of a module")
	}
	return i
}

// readFile is fs.readFileSync of a constant name.
func (j *jsReader) readFile(i int) {
	name, after := j.at(i+1), j.at(i+2)
	if !j.at(i).is("(") || !after.isOne(")", ",") {
		j.deeds.fail("a file whose name is computed")
		return
	}
	switch {
	case name.kind == tokString && name.plain:
		j.deeds.add(tool.Read, name.text)
	case name.kind == tokNumber && name.text == "0":
	default:
		j.deeds.fail("a file whose name is computed")
	}
	// A flag could make reading create the file.
	if after.is(",") && !(j.at(i+3).kind == tokString && j.at(i+4).is(")")) {
		j.deeds.fail("an unusual way to read a file")
	}
}
