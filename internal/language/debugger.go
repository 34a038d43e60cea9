package language

import "strings"

// debuggerLooks are commands to a debugger that look at a program that has stopped or crashed, or let the one run that the debugger
// was given. Most others evaluate expressions, which may call functions of the program, and some reach a shell.
const debuggerLooks = `,bt,bt full,bt -full,backtrace,backtrace full,backtrace -full,where,where full,frame,info frame,info threads,info registers,info locals,info args,info sharedlibrary,info signals,` +
	`thread apply all bt,thread apply all bt full,thread apply all bt -full,thread apply all backtrace,thread apply all backtrace full,` +
	`run,r,continue,c,quit,q,detach,set pagination off,set confirm off,set width 0,set height 0,set print pretty on,set print thread-events off,`

// debuggerDeeds reads commands to a debugger, one on each line.
func debuggerDeeds(text string) (d Deeds) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" && (strings.Contains(line, ",") || !strings.Contains(debuggerLooks, ","+line+",")) {
			d.fail("the command " + Quote(line) + " of a debugger")
			break
		}
	}
	return d
}
