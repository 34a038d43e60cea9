package language

import (
	"strings"

	"longline/internal/tool"
)

// Words of Lua, and the names that every program knows and that do no more than
// compute and print. Of os and io only some members do.
const (
	luaKeywords = `and break do else elseif end false for function if in local nil not or repeat return then true until while`
	luaNames    = `print pairs ipairs next select type tostring tonumber error assert pcall unpack rawequal rawlen string table math utf8 _VERSION self`
	luaTime     = `time date clock difftime`
	luaStreams  = `write read`
)

// luaForbidden is what Lua offers that reaches out of the program, or to code:
// no program may use such a name, not even for something of its own.
const luaForbidden = `load loadstring loadfile dofile require getmetatable setmetatable rawset rawget debug package module getfenv setfenv newproxy _G _ENV jit ffi arg coroutine xpcall collectgarbage
lfs vim redis ngx kpse tex texio posix`

// luaDeeds reads a Lua program: every name in it is a field, is defined in it,
// or is one that is known.
func luaDeeds(text string) Deeds {
	ts, d := luaTokens(text)
	l := luaReader{tokens: ts, opens: luaOpens(ts), deeds: d}
	l.bound = luaBound(ts, l.opens)
	for i, t := range ts {
		if t.kind == tokName {
			l.name(i)
		}
	}
	return l.deeds
}

type luaReader struct {
	tokens []token
	opens  []string        // the brackets that the tokens stand in
	bound  map[string]bool // names that the program defines
	deeds  Deeds
}

func (l *luaReader) at(i int) token { return tokenAt(l.tokens, i) }

// name judges the name at i.
func (l *luaReader) name(i int) {
	name := l.tokens[i].text
	switch {
	case name == "loadfile" && l.compiles(i):
		l.deeds.add(tool.Read, l.at(i+2).text)
	case HasWord(luaForbidden, name), strings.HasPrefix(name, "__"):
		l.deeds.fail("the name " + Quote(name))
	case l.field(i), HasWord(luaKeywords, name):
	case HasWord("os io", name):
		if !l.offers(name, i+1) {
			l.deeds.fail("the name " + Quote(name))
		}
	case !l.key(i) && !HasWord(luaNames, name) && !l.bound[name]:
		l.deeds.fail("the name " + Quote(name) + ", which the program does not define")
	}
}

// field says whether the name at i is a field of what stands before it.
func (l *luaReader) field(i int) bool {
	return l.at(i-1).isOne(".", ":") && !l.at(i-2).is(".")
}

// key says whether the name at i is a key of a table.
func (l *luaReader) key(i int) bool {
	return l.opens[i] == "{" && l.at(i-1).isOne("{", ",", ";") && l.at(i+1).is("=") && !l.at(i+2).is("=")
}

// compiles says whether a file is loaded at i only to see whether that works: what
// comes of it is handed to assert or print, of which nothing else is made.
func (l *luaReader) compiles(i int) bool {
	alone := (i == 2 || l.at(i-3).is(";")) && (i+5 == len(l.tokens) || l.at(i+5).is(";"))
	return alone && l.at(i-2).named("assert print") && looks(l.tokens, i-1, "( loadfile ( TEXT ) )") && !l.bound["assert"] && !l.bound["print"]
}

// offers says whether what is used of os or io at i is harmless.
func (l *luaReader) offers(library string, i int) bool {
	member := l.at(i + 1)
	if !l.at(i).is(".") || member.kind != tokName {
		return false
	}
	if library == "io" {
		return HasWord(luaStreams, member.text)
	}
	return HasWord(luaTime, member.text) || looks(l.tokens, i, ". getenv ( TEXT )") && !SecretName(l.at(i+3).text)
}

// luaOpens are the brackets that the tokens stand in, "" outside of all.
func luaOpens(ts []token) []string {
	opens := make([]string, len(ts))
	var open []string
	for i, t := range ts {
		if t.closes() && len(open) > 0 {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			opens[i] = open[len(open)-1]
		}
		if t.opens() {
			open = append(open, t.text)
		}
	}
	return opens
}

// luaBound are the names that a program defines: by local, by function, as
// parameters, in for, and by assignment.
func luaBound(ts []token, opens []string) map[string]bool {
	bound := map[string]bool{}
	for i, t := range ts {
		next := tokenAt(ts, i+1)
		switch {
		case t.isName("for"), t.isName("local") && !next.isName("function"):
			luaList(ts, i+1, bound)
		case t.isName("function"):
			luaFunction(ts, i+1, bound)
		case t.kind == tokName && next.is("=") && !tokenAt(ts, i+2).is("=") && !tokenAt(ts, i-1).isOne(".", ":", ",") && opens[i] == "":
			bound[t.text] = true
		}
	}
	return bound
}

// luaList binds the names of a list: NAME, NAME, ...
func luaList(ts []token, i int, bound map[string]bool) {
	for ; tokenAt(ts, i).kind == tokName; i += 2 {
		bound[ts[i].text] = true
		if !tokenAt(ts, i+1).is(",") {
			return
		}
	}
}

// luaFunction binds the name and the parameters of a function.
func luaFunction(ts []token, i int, bound map[string]bool) {
	if tokenAt(ts, i).kind == tokName {
		bound[ts[i].text] = true
		for i++; tokenAt(ts, i).isOne(".", ":"); {
			i += 2
		}
	}
	if tokenAt(ts, i).is("(") {
		luaList(ts, i+1, bound)
	}
}

// luaTokens takes a program apart.
func luaTokens(text string) ([]token, Deeds) {
	l := lexer{cursor: cursor{text: text}}
	for l.going() {
		switch c := l.text[l.at]; {
		case isSpace(c):
			l.at++
		case l.ahead("--["), l.ahead("[="), l.ahead("[["):
			l.fail("a long string or comment")
		case l.ahead("--"):
			l.line()
		case isQuote(c):
			l.str(c, false)
		case isWordByte(c):
			l.emit(l.nameOrNumber())
		case c >= 0x80 || c < ' ':
			l.fail("something that longline does not follow in Lua")
		default:
			l.op(1)
		}
	}
	return l.tokens, l.deeds
}
