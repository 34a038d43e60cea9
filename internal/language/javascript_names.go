package language

// Words of the language, and global names that are harmless in themselves.
const (
	jsKeywords = `if else for while do return let const var function of in new typeof instanceof try catch finally throw switch case default break continue true false null undefined NaN Infinity void delete async await yield`
	jsGlobals  = `parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI structuredClone atob btoa
Map Set WeakMap RegExp Error TypeError RangeError SyntaxError URLSearchParams TextDecoder TextEncoder ArrayBuffer DataView
Uint8Array Uint16Array Uint32Array Int8Array Int16Array Int32Array Float32Array Float64Array BigInt64Array BigUint64Array`
	// Modules are global names where code is given on the command line.
	jsModules = `async_hooks child_process cluster dgram diagnostics_channel dns domain events http http2 https inspector module net perf_hooks readline repl sea sqlite stream sys test timers tls trace_events tty v8 vm wasi worker_threads fs os path url util crypto zlib assert querystring punycode string_decoder buffer constants process`
)

// free says whether a name that no object offers is known to be harmless: a word
// of the language, a harmless global, or something the program itself declares
// under a name that means nothing else.
func (j *jsReader) free(i int) bool {
	name := j.at(i).text
	if HasWord(jsKeywords, name) || HasWord(jsGlobals, name) || j.at(i-1).isName("new") && HasWord(jsConstructors, name) {
		return true
	}
	if j.at(i+1).is(":") && j.at(i-1).isOne("{", ",") {
		return true // a key
	}
	return j.declaredNames()[name] && !HasWord(jsModules, name) && !HasWord(jsForbidden, name)
}

// declaredNames are the names that declarations, parameters and catch clauses
// anywhere in the program introduce.
func (j *jsReader) declaredNames() map[string]bool {
	if j.names != nil {
		return j.names
	}
	j.names = map[string]bool{}
	for i, t := range j.tokens {
		switch {
		case t.isName("const") || t.isName("let") || t.isName("var"):
			j.pattern(i + 1)
		case t.is(",") && j.declares(i+1):
			j.pattern(i + 1)
		case t.isName("function"):
			if j.at(i+1).kind == tokName {
				j.names[j.at(i+1).text] = true
				i++
			}
			if j.at(i + 1).is("(") {
				j.pattern(i + 1)
			}
		case t.isName("catch") && j.at(i+1).is("("):
			j.pattern(i + 1)
		case t.is("=>"):
			if prev := j.at(i - 1); prev.kind == tokName {
				j.names[prev.text] = true
			} else if prev.is(")") {
				j.pattern(j.opening(i - 1))
			}
		}
	}
	return j.names
}

// pattern takes in a name, or all names between matching brackets.
func (j *jsReader) pattern(i int) {
	if t := j.at(i); t.kind == tokName {
		j.names[t.text] = true
		return
	}
	depth := 0
	for ; i >= 0 && i < len(j.tokens); i++ {
		switch t := j.tokens[i]; {
		case t.isOne("(", "[", "{"):
			depth++
		case t.isOne(")", "]", "}"):
			if depth--; depth == 0 {
				return
			}
		case t.kind == tokName && !j.at(i-1).isOne(".", "?."):
			j.names[t.text] = true
		}
		if depth == 0 {
			return
		}
	}
}

// opening finds the bracket that the one at i closes.
func (j *jsReader) opening(i int) int {
	depth := 0
	for ; i >= 0; i-- {
		switch t := j.tokens[i]; {
		case t.isOne(")", "]", "}"):
			depth++
		case t.isOne("(", "[", "{"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
