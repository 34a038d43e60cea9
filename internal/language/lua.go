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
const luaForbidden = `load loadstring loadfile dofile require getmetatable setmetatable rawset rawget debug package module getfenv setfenv newproxy _G _ENV jit ffi arg coroutine xpcall collectgarbage`

// luaDeeds reads a Lua program: every name in it is a field, is defined in it,
// or is one that is known.
func luaDeeds(text string) Deeds {
	var d Deeds
	ts := luaTokens(text, &d)
	opens := luaOpens(ts)
	bound := luaBound(ts, opens)
	for i, t := range ts {
		if t.kind != tokName {
			continue
		}
		next, member := tokenAt(ts, i+1), tokenAt(ts, i+2)
		field := tokenAt(ts, i-1).isOne(".", ":") && !tokenAt(ts, i-2).is(".")
		switch {
		case t.text == "loadfile" && luaCompiles(ts, i) && !bound["assert"] && !bound["print"]:
			d.add(tool.Read, tokenAt(ts, i+2).text)
		case HasWord(luaForbidden, t.text), strings.HasPrefix(t.text, "__"):
			d.fail("the name " + Quote(t.text))
		case field, HasWord(luaKeywords, t.text):
		case t.text == "os" || t.text == "io":
			allowed := luaTime
			if t.text == "io" {
				allowed = luaStreams
			}
			name := tokenAt(ts, i+4)
			if next.is(".") && member.isName("getenv") && t.text == "os" && name.plain && !SecretName(name.text) && tokenAt(ts, i+3).is("(") {
				continue
			}
			if !next.is(".") || member.kind != tokName || !HasWord(allowed, member.text) {
				d.fail("the name " + Quote(t.text))
			}
		case next.is("=") && !member.is("=") && opens[i] == "{" && tokenAt(ts, i-1).isOne("{", ",", ";"): // a key
		case !HasWord(luaNames, t.text) && !bound[t.text]:
			d.fail("the name " + Quote(t.text) + ", which the program does not define")
		}
	}
	return d
}

// luaCompiles says whether a file is loaded at i only to see whether that works: what
// comes of it is handed to assert or print, of which nothing else is made.
func luaCompiles(ts []token, i int) bool {
	out := tokenAt(ts, i-2)
	name, end := tokenAt(ts, i+2), tokenAt(ts, i+5)
	return tokenAt(ts, i+1).is("(") && name.kind == tokString && name.plain && tokenAt(ts, i+3).is(")") && tokenAt(ts, i+4).is(")") &&
		tokenAt(ts, i-1).is("(") && (out.isName("assert") || out.isName("print")) && (i == 2 || tokenAt(ts, i-3).is(";")) && (end.kind == tokEnd || end.is(";"))
}

// luaOpens are the brackets that the tokens stand in, "" outside of all.
func luaOpens(ts []token) []string {
	opens := make([]string, len(ts))
	var open []string
	for i, t := range ts {
		if t.isOne(")", "]", "}") && len(open) > 0 {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			opens[i] = open[len(open)-1]
		}
		if t.isOne("(", "[", "{") {
			open = append(open, t.text)
		}
	}
	return opens
}

// luaBound are the names that a program defines: by local, by function, as
// parameters, in for, and by assignment.
func luaBound(ts []token, opens []string) map[string]bool {
	bound := map[string]bool{}
	list := func(i int) { // NAME, NAME, ...
		for tokenAt(ts, i).kind == tokName {
			bound[ts[i].text] = true
			if !tokenAt(ts, i+1).is(",") {
				return
			}
			i += 2
		}
	}
	for i, t := range ts {
		switch {
		case t.isName("for"):
			list(i + 1)
		case t.isName("local") && !tokenAt(ts, i+1).isName("function"):
			list(i + 1)
		case t.isName("function"):
			k := i + 1
			if tokenAt(ts, k).kind == tokName {
				bound[ts[k].text] = true
				for k++; tokenAt(ts, k).isOne(".", ":"); {
					k += 2
				}
			}
			if tokenAt(ts, k).is("(") {
				list(k + 1)
			}
		case t.kind == tokName && tokenAt(ts, i+1).is("=") && !tokenAt(ts, i+2).is("=") && !tokenAt(ts, i-1).isOne(".", ":", ",") && opens[i] == "":
			bound[t.text] = true
		}
	}
	return bound
}

func luaTokens(text string, d *Deeds) []token {
	var ts []token
	for i := 0; i < len(text) && d.Problem == ""; {
		c, rest := text[i], text[i:]
		switch {
		case isBlank(c) || c == '\r':
			i++
		case strings.HasPrefix(rest, "--[") || strings.HasPrefix(rest, "[=") || strings.HasPrefix(rest, "[["):
			d.fail("a long string or comment")
		case strings.HasPrefix(rest, "--"):
			line, _, _ := strings.Cut(rest, "\n")
			i += len(line)
		case c == '\'' || c == '"':
			end, plain := 1, true
			for end < len(rest) && rest[end] != c && rest[end] != '\n' {
				if rest[end] == '\\' {
					plain = false
					end++
				}
				end++
			}
			if end >= len(rest) || rest[end] != c {
				d.fail("a string does not end")
				break
			}
			ts = append(ts, token{kind: tokString, text: rest[1:end], plain: plain})
			i += end + 1
		case isLetter(c), isDigit(c):
			t := nameOrNumber(rest)
			ts = append(ts, t)
			i += len(t.text)
		case c >= 0x80 || c < ' ':
			d.fail("something that longline does not follow in Lua")
		default:
			ts = append(ts, token{kind: tokOp, text: rest[:1]})
			i++
		}
	}
	return ts
}
