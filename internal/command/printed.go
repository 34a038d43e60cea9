package command

import (
	"cmp"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
)

// part is the last name of a known path, or the directory in front of it.
func (l *commandLine) part(d *Data, which string) {
	n := len(l.oper)
	if len(l.given) > 0 || n == 0 || l.oper[0].Text == "" || !allKnown(l.oper) {
		return
	}
	text := l.oper[0].Text
	switch {
	case which == "dirname" && n == 1:
		text = dirOf(text)
	case which == "basename" && n <= 2:
		text = path.Base(text)
		for _, suffix := range l.oper[1:] {
			text = cmp.Or(strings.TrimSuffix(text, suffix.Text), text)
		}
	default:
		return
	}
	d.Text, d.Reach = text+"\n", tool.Exact
}

// dirOf is what stands in front of the last name of a path, as it is: "a/../b" is in "a/..".
func dirOf(text string) string {
	text = strings.TrimRight(text, "/")
	at := strings.LastIndexByte(text, '/')
	switch dir := strings.TrimRight(text[:at+1], "/"); {
	case text == "" || at >= 0 && dir == "":
		return "/"
	case at < 0:
		return "."
	default:
		return dir
	}
}

// joinOperands is what a program prints that prints its operands, with blanks between them.
func (l *commandLine) joinOperands(d *Data) {
	var b strings.Builder
	for i, w := range l.oper {
		if i > 0 {
			b.WriteByte(' ')
		}
		if !w.IsKnown() || w.Hollow {
			d.Text, d.Reach, d.Taint = b.String(), tool.Prefix, d.Taint|w.Taint
			if len(l.oper) == 1 && !w.Glob {
				again(d, w)
			}
			return
		}
		b.WriteString(w.Text)
	}
	d.Text, d.Reach = b.String()+"\n", tool.Exact
	if len(l.oper) == 1 {
		d.At = l.oper[0].At
	}
}

// again makes a stream hold one value of which something is known.
func again(d *Data, w Word) {
	switch {
	case w.Hollow && w.IfEmpty != "":
		*d = Data{Taint: d.Taint}
		return
	}
	d.Text, d.Reach, d.Plain, d.Of, d.Seen = w.Text, w.Reach, w.Plain, w.Of, w.Seen
	d.Hollow, d.Full = w.Hollow && w.Reach == tool.Exact, !w.Hollow
	*d = d.Ended(w.Hollow)
}

// sequence counts from one whole number to another, if both are known and there are few.
func (l *commandLine) sequence(d *Data) {
	n := [3]int{1, 1, 0} // first, step, last
	at := [4][]int{1: {2}, 2: {0, 2}, 3: {0, 1, 2}}
	if len(l.given) > 0 || len(l.oper) == 0 || len(l.oper) > 3 || !allKnown(l.oper) {
		return
	}
	for i, w := range l.oper {
		if !isPlainNumber(w.Text, 6) {
			return
		}
		n[at[len(l.oper)][i]] = atoi(w.Text)
	}
	if n[1] == 0 || (n[2]-n[0])/n[1] > 100 {
		return
	}
	var b strings.Builder
	for i := n[0]; i <= n[2]; i += n[1] {
		b.WriteString(strconv.Itoa(i))
		b.WriteByte('\n')
	}
	d.Text, d.Reach, d.Plain = b.String(), tool.Exact, false
}

// isPlainNumber says whether a text is a number of at most some digits that nobody takes for
// an octal one.
func isPlainNumber(text string, digits int) bool {
	return len(text) <= digits && isNumber(text) && (text[0] != '0' || len(text) == 1)
}

// echo joins its operands; the flags -n, -e and -E stand in front of them.
func (l *commandLine) echo(d *Data) {
	words, newline, escapes := l.oper, true, false
	for len(words) > 0 && isEchoFlags(words[0]) {
		flags := words[0].Text
		newline = newline && !strings.Contains(flags, "n")
		if last := strings.LastIndexAny(flags, "eE"); last >= 0 {
			escapes = flags[last] == 'e'
		}
		words = words[1:]
	}
	rest := commandLine{oper: words}
	rest.joinOperands(d)
	if d.Reach == tool.Exact && !newline {
		d.Text = strings.TrimSuffix(d.Text, "\n")
	} else if !newline && d.Reach == tool.Under {
		d.Taint |= WithNul // in a loop the names become one
	}
	if len(words) > 0 && words[0].Text == "-" { // which ends the flags of one shell
		*d = Data{Taint: d.Taint}
	}
	if escapes && strings.Contains(d.Text, `\`) {
		if text, ok := unescape(d.Text); ok {
			d.Text, d.At = text, 0
		} else {
			*d = Data{Taint: d.Taint}
		}
	}
}

// isEchoFlags says whether a word is flags of echo.
func isEchoFlags(w Word) bool {
	return w.IsKnown() && len(w.Text) > 1 && w.Text[0] == '-' && strings.Trim(w.Text[1:], "neE") == ""
}

// printf formats with %s, %d and %b; where shells make different things of a format, it is not
// followed any further.
func (l *commandLine) printf(d *Data, loose bool) {
	words := l.oper
	if len(words) > 0 && isExactly(words[0], "--") {
		words = words[1:]
	} else if len(words) > 0 && strings.HasPrefix(words[0].Text, "-") {
		return // a flag, to some
	}
	if len(words) == 0 || !words[0].IsKnown() || words[0].Hollow {
		return
	}
	p, format := printer{args: words[1:]}, words[0].Text
	if d.Full = printsText(format, words[1:]); loose {
		d.Full = printsText(format, nil)
	}
	for again := true; again; {
		before := len(p.args)
		if !p.once(d, format) {
			d.Text, d.Reach = p.String(), tool.Prefix
			return
		}
		again = len(p.args) > 0 && len(p.args) < before // the format is used until no words are left
	}
	d.Text, d.Reach = p.String(), tool.Exact
	if len(words) == 1 && d.Text == format {
		d.At = words[0].At
	}
}

// printsText says whether printf prints something besides ends of lines, whatever the words are of which nothing is known: text of the
// format, a number, or a word that is not empty.
func printsText(format string, args []Word) bool {
	for i := 0; i < len(format); i++ {
		switch c := format[i]; {
		case c == '\\':
			if i+1 == len(format) || format[i+1] != 'n' {
				return false // some end all that is printed
			}
			i++
		case c != '%':
			return c != '\n'
		default:
			rest := strings.TrimLeft(format[i+1:], "-+ #0")
			switch {
			case rest == "", strings.HasPrefix(strings.TrimLeft(rest, "0123456789"), "$"): // which word it is
				return false
			case rest[0] >= '1' && rest[0] <= '9', strings.IndexByte("%diuoxX", rest[0]) >= 0: // padded, or a number
				return true
			case rest[0] != 's' || len(args) == 0:
				return false
			case !args[0].Split && !args[0].Hollow && (args[0].Text != "" || args[0].Reach != tool.Exact):
				return true
			}
			args, i = args[1:], len(format)-len(rest)
		}
	}
	return false
}

// printer is what printf has printed, and the words that are left to print.
type printer struct {
	strings.Builder
	args []Word
}

// once prints the format once. It says whether the whole of it is known.
func (p *printer) once(d *Data, format string) bool {
	for i := 0; i < len(format); i++ {
		switch format[i] {
		case '\\':
			c, n := escaped(format[i:])
			if n == 0 || c == '%' {
				return false
			}
			p.WriteByte(c)
			i += n - 1
		case '%':
			if i++; i == len(format) || !p.conversion(d, format[i:]) {
				return false
			}
		default:
			p.WriteByte(format[i])
		}
	}
	return true
}

// conversion prints the next word as the conversion says that a text begins with.
func (p *printer) conversion(d *Data, how string) bool {
	switch {
	case how[0] == '%':
		p.WriteByte('%')
		return true
	case strings.IndexByte("sdb", how[0]) < 0:
		d.Endless = vastWidth(how, p.args)
		return false
	case len(p.args) > 0 && (!p.args[0].IsKnown() || p.args[0].Hollow):
		d.Taint |= p.args[0].Taint
		return false
	}
	return p.convert(how[0])
}

// convert prints the next word, or what stands for none. It fails for what is no plain decimal
// number where there should be one, and for escapes that are not followed.
func (p *printer) convert(how byte) bool {
	text := ""
	if len(p.args) > 0 {
		text, p.args = p.args[0].Text, p.args[1:]
	} else if how == 'd' {
		text = "0"
	}
	switch how {
	case 'd':
		if !isPlainNumber(text, 18) {
			return false
		}
	case 'b':
		var ok bool
		if text, ok = unescape(text); !ok {
			return false
		}
	}
	p.WriteString(text)
	return true
}

// vastWidth says whether a conversion pads what it prints to more than a script
// should print.
func vastWidth(conversion string, args []Word) bool {
	digits := 0
	for i := 0; i < len(conversion) && strings.IndexByte("0123456789.*+-# '", conversion[i]) >= 0; i++ {
		if conversion[i] == '*' {
			digits = max(digits, 20)
			if len(args) > 0 && args[0].IsKnown() {
				digits = max(0, len(args[0].Text))
			}
		}
		if conversion[i] >= '0' && conversion[i] <= '9' {
			digits++
		}
	}
	return digits > 7
}

// unescape resolves the backslash escapes of echo -e and printf.
func unescape(s string) (string, bool) {
	if !strings.Contains(s, `\`) {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		c, n := escaped(s[i:])
		if n == 0 {
			return "", false
		}
		b.WriteByte(c)
		i += n - 1
	}
	return b.String(), true
}

// escaped is the byte that an escape stands for, and how long the escape is: 0 if echo and printf,
// or one shell and another, make different things of it. Two hexadecimal digits are a byte to all
// that know them, but zsh keeps a NUL in a value.
func escaped(s string) (c byte, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	if j := strings.IndexByte(`abfnrtv\`, s[1]); j >= 0 {
		return "\a\b\f\n\r\t\v\\"[j], 2
	}
	if s[1] != 'x' || len(s) < 4 || !isHex(s[2]) || !isHex(s[3]) || s[2:4] == "00" {
		return 0, 0
	}
	return byte(digit(s[2])*16 + digit(s[3])), 4
}

// isHex says whether a character is a hexadecimal digit.
func isHex(c byte) bool { return digit(c) >= 0 && digit(c) <= 15 }

// filtered is known text sent through a filter that longline can compute. Flags beside those that
// ask for it change what it does.
func (r *reader) filtered(d *Data, filter string) {
	in := r.inv.Stdin
	if in.Reach != tool.Exact || in.None || len(r.oper) > 0 || len(r.given) != asking(filter) {
		return
	}
	var text string
	ok := false
	switch filter {
	case "base64d":
		text, ok = decode(language.Base64, in.Text)
	case "hexd":
		text, ok = decode(hex.DecodeString, in.Text)
	case "rev":
		text, ok = eachLine(in.Text, reverse), isPrintable(in.Text)
	}
	if ok {
		d.Text, d.Reach = text, tool.Exact
	}
}

// asking is how many flags ask for a filter.
func asking(filter string) int {
	switch filter {
	case "base64d":
		return 1
	case "hexd": // to go back, and from plain digits
		return 2
	}
	return 0
}

// decode decodes lines of text. What lies between the digits, and a NUL that comes out, are not
// the same to all.
func decode(f func(string) ([]byte, error), text string) (string, bool) {
	out, err := f(strings.ReplaceAll(text, "\n", ""))
	return string(out), err == nil && !slices.Contains(out, 0)
}

// isPrintable says whether a text is characters of one byte, and lines.
func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && (c < ' ' || c > '~') })
}

func eachLine(text string, f func(string) string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = f(l)
	}
	return strings.Join(lines, "\n")
}

func reverse(s string) string {
	rs := []rune(s)
	for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
		rs[i], rs[j] = rs[j], rs[i]
	}
	return string(rs)
}
