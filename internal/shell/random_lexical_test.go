package shell

// lexical are scripts that are particular about where a word, a quotation, a comment or a command ends.
func (g gen) lexical() string {
	tok := func() string {
		return g.of("rm a", "rm b", "rm", "c", "d", " ", " ", " ", " ", "\n", "\n", ";", ";", "#", " # e", "\\\n", "\\", "'", "'f'", `"`, `"g"`, "$'h\\'i'", `$"j"`, "$(rm k)", "$(echo l)", "`echo m`", "`", "$(", ")", "(", "{", "}", "{ ", "; }", "&&", "||", "|", "&", ">/dev/null", "2>&1", "<<E\nn\nE\n", "<<'E'\n$x\nE\n", "<<-E\n\to\n\tE\n", "<<E", "\nE\n", "<<<p", "if true; then ", "; fi", "for i in q r; do ", "; done", "case x in ", "x) ", "(x) ", ";;", " esac", "while false; do ", "f() { ", "f", "function g { ", "[[ ", " ]]", "((", "))", "$((1+", "))", "${x}", "${x:-", "}", "$x", "~", "*", "=", "x=", "x=s", "x=(", "!", "! ", "time ", "eval ", "eval '", "\t", "$", "\\'", "\\\"", "#t", "a#b", "\r", "$#", "${#x}", "${x#", "%", "@(a|b)", "-", "--", "[", "]", "then ", "else ", "do ", "in ", "coproc ", "$[1+1]", "<(echo u)", "\\#", "''", `""`, ":", ": ", "true ", "echo ", "\\\\", "\\$x", "`\\`echo v\\``", "\"$(echo \"w y\")\"", "\"`echo \\\"z\\\"`\"", "$(case a in a) echo A;; esac)", "$(# )\necho B)", "$(echo \\))", "$(echo ')')", "((x=1))", "{C,D}", "1>", "2", "&>", ">|", ">>", "<", "<>", ";&", "select ", "until ", "[[ a == a ]] ", "rm $((2+1))", "rm \"$x\"", "rm $x", "\n\n")
	}
	s := "x=X\n"
	for range 3 + g.IntN(9) {
		s += tok() + g.of("", "", " ")
	}
	return s + g.of("", "\n", "\nrm end", "; rm end", "\n}\nrm end", "\nfi\nrm end", "'\nrm end", "\"\nrm end", ")\nrm end", "\ndone\nrm end", "\nesac\nrm end", "`\nrm end")
}
