package powershell

import (
	"strings"
	"unicode/utf16"

	"longline/internal/paths"
	"longline/internal/syntax"
)

// Decode is the text of -EncodedCommand: UTF-16 in base64.
func Decode(text string) (string, bool) {
	raw, ok := decode64(strings.TrimSpace(text))
	if !ok || len(raw)%2 != 0 {
		return "", false
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return string(utf16.Decode(units)), true
}

// decode64 decodes base64. The package of the library for it would be linked for this alone.
func decode64(text string) (raw []byte, ok bool) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	if len(text)%4 != 0 {
		return nil, false
	}
	bits, held := uint32(0), 0
	plain := strings.TrimRight(text, "=")
	if len(text)-len(plain) > 2 {
		return nil, false
	}
	for i := range len(plain) {
		digit := strings.IndexByte(digits, plain[i])
		if digit < 0 {
			return nil, false
		}
		if bits, held = bits<<6|uint32(digit), held+6; held >= 8 {
			held -= 8
			raw = append(raw, byte(bits>>held))
		}
	}
	return raw, true
}

// own are the commands of cmd that are others here.
const own = `
dir get-childitem
type get-content
del remove-item
erase remove-item
rd remove-item
rmdir remove-item
copy copy-item
move move-item
ren rename-item
rename rename-item
md mkdir
echo write-output
set printenv
cls clear-host
ver get-host
vol get-psdrive
chdir cd
title write-output
`

// ParseCmd reads the text of cmd /c: plain commands, one after the other. Blocks, variables and everything else
// that cmd has are problems.
func ParseCmd(text string, windows bool) (*syntax.File, []Problem) {
	p := &parser{text: text, windows: windows, places: syntax.PlacesOf(text), tables: map[string][]entry{}, lists: map[string]bool{}, functions: map[string]bool{}}
	f := &syntax.File{}
	if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' && strings.Count(text, `"`) > 1 { // which it takes off
		p.text, p.at = text[:len(text)-1], 1
	}
	if strings.ContainsAny(p.text, "%^!()@'`\n<") {
		p.problem("more than plain commands of cmd", 0)
	}
	for p.at < len(p.text) {
		f.Stmts = append(f.Stmts, p.cmdCommand()...)
		for p.at < len(p.text) && strings.IndexByte("&| \n", p.text[p.at]) >= 0 {
			if p.text[p.at] == '|' && p.peek(1) != '|' && (p.at == 0 || p.text[p.at-1] != '|') {
				p.problem("a pipe of cmd", p.at)
			}
			p.at++
		}
	}
	return f, p.problems
}

// cmdCommand reads one command.
func (p *parser) cmdCommand() []*syntax.Stmt {
	s := stage{start: p.at}
	var words []*syntax.Word
	for {
		p.blanks()
		if p.at >= len(p.text) || strings.IndexByte("&|\n", p.text[p.at]) >= 0 {
			break
		}
		if p.redirection(&s) {
			continue
		}
		start, quoted := p.at, false
		var b strings.Builder
		for p.at < len(p.text) && (quoted || strings.IndexByte(" \t&|>\n", p.text[p.at]) < 0) {
			if c := p.text[p.at]; c == '"' {
				quoted = !quoted
			} else {
				b.WriteByte(c)
			}
			p.at++
		}
		if p.at == start {
			p.at++
		}
		words = append(words, p.quoted(strings.ReplaceAll(b.String(), `\`, "/"), start, p.at))
	}
	if len(words) == 0 {
		return nil
	}
	name := strings.ToLower(constant(words[0]))
	for line := range strings.SplitSeq(own, "\n") {
		if of, to, _ := strings.Cut(line, " "); of == name && of != "" {
			name, words = to, p.slashes(of, words)
			break
		}
	}
	if !isCmdlet(name) {
		name = p.named(name)
	}
	s.name = name
	for i, w := range words {
		if text := constant(w); i > 0 && strings.EqualFold(text, "nul") {
			words[i] = p.quoted("/dev/null", s.start, p.at)
		}
	}
	p.carryOut(&s, &args{p: p, words: words[1:], form: commandForm{cmdlet: isCmdlet(name)}})
	st := stage{start: s.start, stmts: p.one1(&s)}
	return p.build([]stage{{start: st.start, stmts: st.stmts, redirs: s.redirs}})
}

// slashes are the words of a command of cmd with its flags as parameters.
func (p *parser) slashes(of string, words []*syntax.Word) (list []*syntax.Word) {
	for i, w := range words {
		text := strings.ToLower(constant(w))
		if i == 0 || len(text) != 2 && !strings.HasPrefix(text, "/a") || text[0] != '/' {
			if i > 0 && paths.Wild(text) {
				w = p.pattern(constant(w), int(w.Pos().Offset()), int(w.End().Offset()))
			}
			list = append(list, w)
			continue
		}
		if text == "/s" && (of == "del" || of == "erase" || of == "rd" || of == "rmdir" || of == "dir") {
			list = append(list, p.quoted("--recurse", int(w.Pos().Offset()), int(w.End().Offset())))
		}
	}
	return list
}
