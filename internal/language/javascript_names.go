package language

// Words of the language, and global names that are harmless in themselves.
const (
	jsKeywords = `if else for while do return let const var function of in new typeof instanceof try catch finally throw switch case default break continue true false null undefined NaN Infinity void delete async await yield extends`
	jsGlobals  = `parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI structuredClone atob btoa setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask
Map Set WeakMap WeakSet RegExp Error TypeError RangeError SyntaxError URLSearchParams TextDecoder TextEncoder ArrayBuffer DataView AbortController __dirname __filename
Uint8Array Uint16Array Uint32Array Int8Array Int16Array Int32Array Float32Array Float64Array BigInt64Array BigUint64Array`
	// Modules are global names where code is given on the command line.
	jsModules = `async_hooks child_process cluster dgram diagnostics_channel dns domain events http http2 https inspector module net perf_hooks readline repl sea sqlite stream sys test timers tls trace_events tty v8 vm wasi worker_threads fs os path url util crypto zlib assert querystring punycode string_decoder buffer constants process
fs/promises path/posix path/win32 stream/promises timers/promises util/types assert/strict dns/promises readline/promises test/reporters stream/web stream/consumers inspector/promises`
	// jsObjects are global objects of which only some members are harmless.
	jsObjects = `console process Object Array Buffer JSON Math Intl Number String BigInt Date URL Boolean Promise performance Deno Bun`
	// jsTimers run a function later. Some of them, in some runtimes, run text instead.
	jsTimers = `setTimeout setInterval setImmediate`
	// jsInternal are members of node's own objects that do more than their documents say.
	jsInternal = `spawn connect _handle createConnection`
	// jsActs are names under which what a module of the project holds can be one of
	// node's own.
	jsActs = `execSync execFile execFileSync spawn spawnSync fork rmSync rmdirSync unlink unlinkSync writeFile writeFileSync appendFile appendFileSync renameSync copyFileSync cpSync createWriteStream child_process fs process vm worker_threads net http https promises runInThisContext runInNewContext`
)

// jsForbidden are names that give access to code or to everything, as
// variables or as members.
const jsForbidden = `eval Function constructor __proto__ prototype __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ this globalThis global window self
module exports Reflect Proxy WebAssembly fetch WebSocket EventSource XMLHttpRequest Worker SharedWorker Deno Bun import with class super arguments caller callee Symbol
AsyncFunction GeneratorFunction mainModule binding dlopen getBuiltinModule prepareStackTrace captureStackTrace getFunction getThis getPrototypeOf setPrototypeOf
getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols defineProperty defineProperties
navigator performance WeakRef FinalizationRegistry Iterator ShadowRealm Atomics SharedArrayBuffer alert prompt confirm open close localStorage sessionStorage
indexedDB caches crypto Blob File FormData Request Response MessageChannel BroadcastChannel debugger $`

// jsMembers lists the members of global objects and modules that are part of the
// subset. "*" stands for all that are not forbidden, "-" for those in jsCalls alone.
const jsMembers = `
console: log error warn info debug table dir group groupEnd count time timeEnd assert
process: version versions platform arch argv argv0 pid ppid title release cwd uptime memoryUsage hrtime exit exitCode stdout stderr stdin env execPath cpuUsage resourceUsage features
process.stdout: write columns rows isTTY
process.stderr: write columns rows isTTY
performance: now mark
Object: keys values entries fromEntries freeze is groupBy hasOwn assign
Array: from isArray of
Buffer: from alloc concat byteLength isBuffer compare
JSON: *
Math: *
Intl: *
Number: *
String: *
BigInt: *
Date: *
URL: *
Boolean: *
Promise: resolve reject all allSettled race any
fs: existsSync readdirSync statSync lstatSync accessSync realpathSync constants
fs/promises: readdir stat lstat access realpath
fs.promises: readdir stat lstat access realpath
path: *
url: *
querystring: *
punycode: *
string_decoder: *
assert: *
os: cpus totalmem freemem platform arch type release homedir tmpdir hostname uptime loadavg EOL endianness version machine networkInterfaces availableParallelism userInfo
util: inspect format isDeepStrictEqual types stripVTControlCharacters parseArgs
crypto: createHash randomUUID randomBytes randomInt getHashes getCiphers createHmac hash timingSafeEqual
zlib: gzipSync gunzipSync inflateSync deflateSync brotliDecompressSync brotliCompressSync
child_process: -
http: -
https: -
Deno: args version cwd build exit stdin stdout pid
Bun: version revision argv
`

// jsObject lists the members of a global object or a module that are part of
// the subset; "" for one that is not.
func jsObject(name string) string { return entry(jsMembers, name) }

// jsConstructors are what may follow "new".
const jsConstructors = `Date Map Set Array Object RegExp URL URLSearchParams Error TypeError RangeError TextDecoder TextEncoder Intl WeakMap WeakSet Uint8Array Uint16Array Uint32Array Int32Array Float64Array Promise AbortController`

func isJSModule(name string) bool {
	return HasWord("fs fs/promises path url querystring punycode string_decoder assert os util crypto zlib child_process http https", name)
}

// jsCalls are the functions of modules that reach out of the program, as pyCalls.
const jsCalls = `
fetch: fetch http.get https.get
shell: child_process.exec child_process.execSync
run: child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync
read: Deno.readTextFile Deno.readTextFileSync Deno.readFile Deno.readFileSync
write: Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync Bun.write fs.writeFileSync fs.writeFile fs/promises.writeFile fs.promises.writeFile fs.appendFileSync fs.appendFile fs/promises.appendFile fs.promises.appendFile fs.chmodSync fs.chmod fs.truncateSync fs.truncate fs.utimesSync
delete-tree: Deno.remove Deno.removeSync fs.rmSync fs.rm fs/promises.rm fs.promises.rm fs.rmdirSync fs.rmdir fs/promises.rmdir fs.promises.rmdir
create: Deno.mkdir Deno.mkdirSync fs.mkdirSync fs.mkdir fs/promises.mkdir fs.promises.mkdir
move/write: Deno.rename Deno.renameSync fs.renameSync fs.rename fs/promises.rename fs.promises.rename
read/write: Deno.copyFile Deno.copyFileSync fs.copyFileSync fs.copyFile fs/promises.copyFile fs.promises.copyFile
read-tree/write-tree: fs.cpSync fs.cp fs/promises.cp fs.promises.cp
load: fs.readFileSync fs.readFile fs/promises.readFile fs.promises.readFile
delete: fs.unlinkSync fs.unlink fs/promises.unlink fs.promises.unlink
`

// jsCall says what a function of a module does that reaches out of the program; "" for
// one that does not.
func jsCall(name string) string { return deedOf(jsCalls, name) }
