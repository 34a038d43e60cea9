package language

import (
	"slices"
	"strings"
)

// Some texts are no programs, but name further files that become part of what is made of them: sources
// that include others, manual pages, scripts for a linker. Whoever writes such a text in a script can
// have any file printed by it.

// EntryPoints are what an interpreter tries behind a name with an ending, or with none, that it is told to run.
func EntryPoints(lang, ending string) []string {
	switch {
	case lang == "python" && ending != ".py":
		return []string{"/__main__.py"}
	case lang == "node" && !IsJavaScript(ending):
		return []string{".js", ".json", ".node", "/package.json", "/index.js"}
	}
	return nil
}

// IsJavaScript reports whether an ending is one of files in JavaScript or TypeScript.
func IsJavaScript(ending string) bool {
	return HasWord(".js .cjs .mjs .jsx .ts .cts .mts .tsx", ending)
}

// NamesNoFiles says whether a text of a kind certainly names no further files but headers beside
// it or of the system. A kind "without=A|B" is one in which these stand where others are named. Of kinds that are not known
// here it says so of none.
func NamesNoFiles(kind, text string) bool {
	switch kind {
	case "c":
		return includesHeaders(text)
	case "roff":
		return usesPageMacros(text)
	}
	signs, ok := strings.CutPrefix(kind, "without=")
	return ok && !slices.ContainsFunc(strings.Split(signs, "|"), func(sign string) bool { return strings.Contains(text, sign) })
}

// includesHeaders says it of C, its relatives, Fortran and assembly, which a C source can hold, too.
func includesHeaders(text string) bool {
	if strings.Contains(text, "??") || strings.Contains(text, "%:") || strings.Contains(text, "##") || hasAssembly(text) {
		return false // other ways to write a number sign, and names that are put together
	}
	for line := range strings.SplitSeq(spliced(text), "\n") {
		if !isHarmlessLine(line) {
			return false
		}
	}
	return true
}

// spliced is a text whose lines go on behind a backslash at their ends.
func spliced(text string) string {
	if !strings.Contains(text, "\\") {
		return text
	}
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		end := strings.TrimRight(line, " \t\r\n")
		if joined, ok := strings.CutSuffix(end, "\\"); ok && strings.HasSuffix(line, "\n") {
			line = joined
		}
		b.WriteString(line)
	}
	return b.String()
}

// hasAssembly says whether there is assembly in a text that may take in files, or be put together.
func hasAssembly(text string) bool {
	low := strings.ToLower(text)
	for _, sign := range [...]string{".inc", ".macro", ".irp", ".rept", ".altmacro", "_pragma", "#embed"} {
		if strings.Contains(low, sign) {
			return true
		}
	}
	for word := range strings.FieldsFuncSeq(low, func(c rune) bool { return !isWordRune(c) }) {
		if strings.Trim(word, "_") == "asm" {
			return true
		}
	}
	return false
}

func isWordRune(c rune) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isHarmlessLine says whether a line takes in nothing but a header. A comment can stand in front of a
// directive.
func isHarmlessLine(line string) bool {
	if first := strings.TrimLeft(line, " \t"); len(first) > 7 && strings.EqualFold(first[:7], "include") || strings.HasPrefix(first, "import") {
		return false // of Fortran and of modules
	}
	before, rest, ok := strings.Cut(line, "#")
	if ok && strings.Contains(before, "/*") {
		before, rest, ok = "*/", line[strings.LastIndexByte(line, '#')+1:], true
	}
	if before = strings.TrimSpace(before); !ok || before != "" && !strings.HasSuffix(before, "*/") {
		return true
	}
	rest = strings.TrimLeft(rest, " \t")
	n := 0
	for n < len(rest) && isWordRune(rune(rest[n])) {
		n++
	}
	return isHarmlessDirective(rest[:n], strings.TrimSpace(rest[n:]))
}

// isHarmlessDirective says it of what stands behind the number sign.
func isHarmlessDirective(name, rest string) bool {
	switch name {
	case "include", "include_next", "import":
		return isHeader(rest)
	case "pragma":
		return strings.HasPrefix(rest, "once") || strings.HasPrefix(rest, "omp") || strings.HasPrefix(rest, "pack") || strings.HasPrefix(rest, "GCC diagnostic")
	case "line", "embed", "":
		return name == "" && rest == ""
	}
	return name[0] > '9' // a number is that of a line in another file, which messages show
}

// isHeader says whether the name of a header is a plain one, of the system or beside the source.
func isHeader(text string) bool {
	if len(text) < 3 {
		return false
	}
	end := strings.IndexByte(text[1:], map[byte]byte{'<': '>', '"': '"'}[text[0]])
	if end < 0 {
		return false
	}
	name := text[1 : end+1]
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.ContainsFunc(part, func(c rune) bool { return !isWordRune(c) && !strings.ContainsRune(".+-", c) }) {
			return false
		}
	}
	_, ending, dotted := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	return text[0] == '<' && !dotted || dotted && strings.Contains(" .h .hh .hpp .hxx .h++ .inc .inl .ipp .tpp .def .c .cc .cpp .cxx .cuh .cu .m .mm ", " ."+ending+" ")
}

// usesPageMacros says whether a text in the language of manual pages uses only what shapes text.
func usesPageMacros(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] != '.' && line[0] != '\'' {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimLeft(line[1:], " \t"), " ")
		if name != "" && !strings.HasPrefix(name, `\"`) && !strings.Contains(pageMacros, " "+name+" ") {
			return false
		}
	}
	return true
}

const pageMacros = " TH SH SS PP P LP TP TQ IP B I BR RB IR RI BI IB SM SB HP RS RE EX EE UR UE MT ME SY YS OP nf fi br sp ft in ti ad hy nh " +
	"Dd Dt Os Nm Nd Sh Ss Pp Bl El It Op Ar Fl Cm Pa Xr Sy Em Li Ev Ic Dq Sq Ql Qq An Aq Bk Ek Bd Ed Va Vt Ft Fn Fo Fc Fa In Dv Er "
