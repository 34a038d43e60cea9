package shell

import (
	"iter"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/scan"
	"longline/internal/tool"
)

// Names that a script counts are others in each round of a loop, if the number is: a counter, or an expression that gives another number
// for each. What is left of a division is none.

// arithmetic finds the first expression in a text: what is before it, the expression, and what is behind it.
func arithmetic(text string) (before, expr, after string, ok bool) {
	start := strings.Index(text, "$((")
	if start < 0 {
		return text, "", "", false
	}
	depth := 0
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:start], strings.TrimSuffix(text[start+3:i], ")"), text[i+1:], true
			}
		}
	}
	return text, "", "", false
}

// repeats says whether an expression may give one number in several rounds: it is not a sum of one number that changes with each, or a
// multiple, and of others that stay.
func repeats(script, expr string, looked *int) bool {
	if strings.ContainsAny(expr, "%/&|^<>?~!,[#") || strings.Contains(expr, "**") || strings.Contains(strings.ReplaceAll(expr, " ", "")+"+", "*0+") {
		return true
	}
	changing := 0
	for i := 0; i < len(expr); {
		name := nameAt(expr[i:])
		if name == "" {
			i++
			continue
		}
		if i += len(name); name[0] >= '0' && name[0] <= '9' {
			continue
		}
		switch *looked++; {
		case *looked > maxStaying, isAnother(name):
			return true
		case !wraps(script, name) && !isFixed(script, name):
			changing++
		}
	}
	return changing != 1 // also where two that change may add up to the same
}

// assignment is where a script gives a variable a value: how, and what stands behind that.
type assignment struct {
	at       int
	op, rest string
}

// assignments are the places where a script may give a variable a value.
func assignments(script, name string) iter.Seq[assignment] {
	return func(yield func(assignment) bool) {
		for at := 0; name != ""; {
			i := strings.Index(script[at:], name)
			if i < 0 {
				return
			}
			start := at + i
			at = start + len(name)
			before, rest := strings.TrimRight(script[:start], " "), strings.TrimLeft(script[at:], " ")
			if start > 0 && scan.IsNameByte(script[start-1]) || at < len(script) && scan.IsNameByte(script[at]) || strings.HasSuffix(before, "$") || strings.HasSuffix(before, "{") {
				continue // another word, or what it is
			}
			end := 0
			for end < len(rest) && end < 3 && strings.IndexByte("+-*/%&|^<>=", rest[end]) >= 0 {
				end++
			}
			set := assignment{start, rest[:end], rest[end:]}
			switch {
			case set.op == "++" || set.op == "--", set.op != "==" && set.op != "<=" && set.op != ">=" && strings.HasSuffix(set.op, "="):
			case strings.HasSuffix(before, "++"), strings.HasSuffix(before, "--"), strings.HasSuffix(before, "for"), strings.HasSuffix(before, "read"), strings.HasSuffix(before, " -r"):
				set.op = ""
			default:
				continue
			}
			if !yield(set) {
				return
			}
		}
	}
}

// inLoop says whether a place in a script is in a loop.
func (set *assignment) inLoop(script string) bool {
	before := script[:set.at]
	return strings.Count(before, "do ")+strings.Count(before, "do\n") > strings.Count(before, "done")
}

// wraps says whether a variable gets a value again that it has had: a script sets it to a number in a loop, or to what repeats.
// One that is set at more places than are looked at may.
func wraps(script, name string) bool {
	n := 0
	for set := range assignments(script, name) {
		if n++; n > maxStaying {
			return true
		}
		switch set.op {
		case "%=", "/=", "&=", "^=", ">>=":
			return true
		case "=":
			if value := valueOf(set.rest); isDigits(value) && set.inLoop(script) || stepsBack(name, value) {
				return true
			}
		}
	}
	return false
}

// isFixed says whether a script gives a variable no value, or one in front of its loops.
func isFixed(script, name string) bool {
	n := 0
	for set := range assignments(script, name) {
		if n++; n > 1 || set.op != "=" || set.inLoop(script) {
			return false
		}
	}
	return true
}

// stepsBack says whether an expression that a variable is set to repeats, whatever the variable itself is. It may be one of bash's own.
func stepsBack(name, value string) bool {
	expr := value
	if _, inner, rest, ok := arithmetic(value); ok && rest == "" {
		expr = inner
	} else if strings.ContainsAny(value, "$`\"'") {
		return false
	}
	if expr = strings.NewReplacer("$", "", "{", "", "}", "", " ", "").Replace(expr); isDigits(expr) {
		return false
	}
	if step, is := strings.CutPrefix(expr, name); is && len(step) > 1 && (step[0] == '+' || step[0] == '-') && isDigits(step[1:]) {
		return false
	}
	return strings.ContainsAny(expr, "%/&^<>?")
}

// valueOf is what stands behind the sign of an assignment, up to the end of the command or of the expression.
func valueOf(text string) string {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if depth < 0 || depth == 0 && strings.IndexByte(";\n&|,", text[i]) >= 0 {
			return strings.TrimSpace(text[:i])
		}
	}
	return strings.TrimSpace(text)
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// endsNumbered is what stands in front of a number that a name ends with which the script computes.
func endsNumbered(script, name string) (before string, is bool) {
	if before, _, after, ok := arithmetic(name); ok && after == "" {
		return before, true
	}
	before, last, _ := strings.Cut(name, "$")
	if last != "" && numberOfShell(last) == last {
		return before, true
	}
	if last = strings.Trim(last, "{}"); last == "" || nameAt(last) != last {
		return before, false
	}
	value, one := soleValue(script, last)
	_, _, after, counted := arithmetic(value)
	return before, wraps(script, last) || one && counted && after == ""
}

// isNumberedFile says whether a name that ends with a number that the script computes is no directory: the script makes none beside it, and
// there is none.
func isNumberedFile(led *ledger, name string, to tool.Effect) bool {
	before, ok := endsNumbered(led.given, name)
	if !ok || strings.ContainsAny(before, "$`(") || led.world.Entries == nil {
		return false
	}
	if led.spellings.survey(led).lays {
		return false
	}
	list, whole := led.entriesIn(directoryOf(to))
	return whole && !slices.ContainsFunc(list, func(e tool.Entry) bool {
		number, is := strings.CutPrefix(e.Name, before[strings.LastIndexByte(before, '/')+1:])
		return (e.Dir || e.Link) && is && isDigits(number)
	})
}

// directoryOf is the directory that something lies in of which the name is not known.
func directoryOf(e tool.Effect) string {
	if e.Reach == tool.Under {
		return e.Target
	}
	return paths.GlobDir(e.Target)
}

// isInFresh says whether a name of which the end is not known lies in a directory that the script has made, and put nothing into but what
// it calls so: no name there is that of a directory.
func isInFresh(led *ledger, name string, to tool.Effect) bool {
	dir, last := directoryOf(to), strings.LastIndexByte(name[:max(0, strings.IndexAny(name, "$`("))], '/')
	if last <= 0 || strings.HasSuffix(name, "/") || led.world.Exists == nil || led.world.Exists(dir) || !strings.HasSuffix(dir, paths.Clean("/", name[:last])) {
		return false
	}
	made, other := false, func(inv *command.Invocation, e tool.Effect) bool {
		if e.Kind != tool.Write && e.Kind != tool.Create || e.Manner == tool.Moved || e.Span == to.Span || spelled(led, inv, e) == name {
			return false
		}
		at := paths.Fixed(e.Target)
		return e.Reach == tool.Anywhere || paths.Within(at, dir) && at != dir || paths.Within(dir, at) && (e.Kind != tool.Create || !isExact(e) || e.Tree)
	}
	for _, inv := range led.invocations {
		for _, e := range inv.Effects {
			if other(inv, e) {
				return false
			}
			made = made || e.Kind == tool.Create && e.Manner != tool.Plain && isExact(e) && paths.Within(e.Target, dir)
		}
	}
	return made
}
