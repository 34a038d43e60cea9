package content

import (
	"bytes"
	"slices"
)

// channel is how a text reaches its reader. People see less of it than an agent.
type channel uint8

const (
	plain   channel = iota
	aside           // a comment, an attribute: usual, and not seen on the page
	unseen          // made invisible by style or by the terminal
	encoded         // decoded from something else
)

var channelNames = [...]string{aside: "comment or attribute", unseen: "text made invisible"}

// region is a part of a view that people do not see.
type region struct {
	start, end int
	channel    channel
}

// regions finds the parts of a text that are not shown: comments and attributes of
// HTML and markdown, what a style hides, and what a terminal does not display.
func regions(text []byte) []region {
	var list []region
	list = htmlRegions(text, list)
	list = markdownRegions(text, list)
	list = terminalRegions(text, list)
	list = pushedAway(text, list)
	slices.SortFunc(list, func(a, b region) int { return a.start - b.start })
	return list
}

// at is the least visible channel of a part of a view.
func at(list []region, start, end int) channel {
	c := plain
	for _, r := range list {
		if r.start >= end {
			break
		}
		if r.end > start && start >= r.start {
			c = max(c, r.channel)
		}
	}
	return c
}

const maxTag = 4000

func htmlRegions(text []byte, list []region) []region {
	classes := hiddenClasses(text)
	for i := 0; i < len(text); {
		j := bytes.IndexByte(text[i:], '<')
		if j < 0 || len(list) > maxViews {
			break
		}
		i += j
		rest := text[i:]
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end := bytes.Index(rest, []byte("-->"))
			if end < 0 {
				end = len(rest)
			}
			list = append(list, region{i, i + end, aside})
			i += min(end, 4)
		case len(rest) > 1 && (rest[1]|0x20 >= 'a' && rest[1]|0x20 <= 'z'):
			end := tagEnd(rest)
			if end < 0 {
				i++
				continue
			}
			tag := rest[:end]
			if bytes.IndexByte(tag, '=') > 0 {
				list = append(list, region{i, i + end, aside})
			}
			switch string(tagName(tag)) {
			case "template", "noscript":
				list = append(list, region{i + end, i + end + elementEnd(rest[end:], tagName(tag)), unseen})
			case "script", "title", "desc", "metadata":
				list = append(list, region{i + end, i + end + elementEnd(rest[end:], tagName(tag)), aside})
			}
			if hides(tag, classes) {
				list = append(list, region{i + end, i + end + elementEnd(rest[end:], tagName(tag)), unseen})
			}
			i += end
		default:
			i++
		}
	}
	return list
}

// tagEnd is where a tag ends, quotes taken into account, or -1.
func tagEnd(text []byte) int {
	quote := byte(0)
	for i := 1; i < len(text) && i < maxTag; i++ {
		switch b := text[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			if text[i-1] == '=' || i > 1 && text[i-1] == ' ' && text[i-2] == '=' || text[i-1] == '\\' {
				quote = b
			}
		case b == '>':
			return i + 1
		case b == '<':
			return -1
		}
	}
	return -1
}

func tagName(tag []byte) []byte {
	end := 1
	for end < len(tag) && (tag[end]|0x20 >= 'a' && tag[end]|0x20 <= 'z' || tag[end] >= '0' && tag[end] <= '9') {
		end++
	}
	return bytes.ToLower(tag[1:end])
}

// elementEnd is where the element ends whose tag stood before text. Elements of
// the same name inside it are counted.
func elementEnd(text, name []byte) int {
	switch string(name) {
	case "img", "input", "meta", "link", "br", "hr":
		return 0
	}
	depth := 1
	for i := 0; i < len(text) && i < 64<<10; {
		j := bytes.IndexByte(text[i:], '<')
		if j < 0 {
			break
		}
		i += j
		rest := text[i:]
		closing := len(rest) > 1 && rest[1] == '/'
		skip := 1
		if closing {
			skip = 2
		}
		if len(rest) >= skip+len(name) && bytes.EqualFold(rest[skip:skip+len(name)], name) {
			if closing {
				depth--
			} else {
				depth++
			}
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return min(len(text), 4000)
}

// hides says whether a tag makes its element invisible.
func hides(tag []byte, classes [][]byte) bool {
	squeezed := squeeze(tag)
	for _, s := range hidingStyles {
		if bytes.Contains(squeezed, []byte(s)) {
			return true
		}
	}
	if low := bytes.ToLower(tag); bytes.Contains(low, []byte(" hidden>")) || bytes.Contains(low, []byte(" hidden ")) || bytes.Contains(low, []byte(" hidden=")) {
		return true
	}
	if at := bytes.Index(squeezed, []byte("class=")); at >= 0 && len(classes) > 0 {
		for _, c := range classes {
			if bytes.Contains(squeezed[at:], c) {
				return true
			}
		}
	}
	return false
}

// hidingStyles are declarations without blanks.
var hidingStyles = [...]string{
	"display:none", "visibility:hidden", "visibility:collapse", "opacity:0;", "opacity:0\"", "opacity:0'", "opacity:0.0", "opacity:.0", "opacity:0\\",
	"font-size:0", "font-size:1px", "font-size:.1", "font-size:0.", "font-size:2px", "line-height:0", "color:transparent",
	"color:#fff;", "color:#fff\"", "color:#fff'", "color:#ffffff", "color:white", "color:#fefefe", "color:#fdfdfd", "color:rgb(255,255,255)", "color:rgba(0,0,0,0", "color:rgba(255,255,255",
	"left:-9999", "left:-999", "left:-1000", "left:-5000", "top:-9999", "top:-999", "text-indent:-9", "text-indent:-1000", "clip:rect(0", "clip-path:inset(100%", "clip-path:inset(50%",
	"width:0;", "height:0;", "width:0px", "height:0px", "width:1px;height:1px", "height:1px;width:1px", "max-height:0", "transform:scale(0", "z-index:-", "mso-hide:all",
	"fill=\"white\"", "fill:white", "fill=\"none\"", "fill-opacity=\"0\"", "color=\"white\"", "color=\"#fff",
}

// squeeze is a tag in small letters without blanks.
func squeeze(tag []byte) []byte {
	out := make([]byte, 0, len(tag))
	for _, b := range tag {
		if b <= ' ' {
			continue
		}
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		out = append(out, b)
	}
	return out
}

// hiddenClasses lists the classes that a style sheet in the text hides.
func hiddenClasses(text []byte) (list [][]byte) {
	from := bytes.Index(text, []byte("<style"))
	if from < 0 {
		return nil
	}
	sheet := text[from:]
	if end := bytes.Index(sheet, []byte("</style")); end >= 0 {
		sheet = sheet[:end]
	}
	for len(sheet) > 0 && len(list) < 50 {
		open := bytes.IndexByte(sheet, '{')
		if open < 0 {
			break
		}
		end := bytes.IndexByte(sheet[open:], '}')
		if end < 0 {
			break
		}
		body := append(squeeze(sheet[open+1:open+end]), '"')
		for _, s := range hidingStyles {
			if !bytes.Contains(body, []byte(s)) {
				continue
			}
			selector := sheet[:open]
			if dot := bytes.LastIndexByte(selector, '.'); dot >= 0 {
				if name := squeeze(selector[dot+1:]); len(name) > 1 {
					list = append(list, name)
				}
			}
			break
		}
		sheet = sheet[open+end+1:]
	}
	return list
}

// markdownRegions finds comments written as link definitions, titles and the
// texts of images.
func markdownRegions(text []byte, list []region) []region {
	for i := 0; i < len(text); {
		j := bytes.IndexByte(text[i:], '[')
		if j < 0 || len(list) > maxViews {
			break
		}
		i += j
		rest := text[i:min(len(text), i+2000)]
		close := bytes.IndexByte(rest, ']')
		if close < 0 {
			i++
			continue
		}
		lineStart := i == 0 || text[i-1] == '\n'
		switch {
		case lineStart && close+1 < len(rest) && rest[close+1] == ':':
			end := bytes.IndexByte(rest, '\n')
			if open := bytes.IndexByte(rest[close:], '('); open >= 0 && (end < 0 || close+open < end) {
				if stop := bytes.Index(rest[close+open:], []byte(")\n")); stop >= 0 {
					end = close + open + stop
				}
			}
			if end < 0 {
				end = len(rest)
			}
			list = append(list, region{i, i + end, aside})
		case i > 0 && text[i-1] == '!' && close+1 < len(rest) && rest[close+1] == '(':
			end := bytes.IndexByte(rest, ')')
			if end < 0 {
				end = len(rest)
			}
			list = append(list, region{i, i + end, aside})
		}
		i++
	}
	return list
}

// terminalRegions finds what a terminal is told not to show: hidden and
// background-coloured text. The escape may be written out as well.
func terminalRegions(text []byte, list []region) []region {
	for i := 0; i < len(text); {
		j := bytes.IndexByte(text[i:], '[')
		if j < 0 {
			break
		}
		i += j
		if i == 0 || !escapeBefore(text[:i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && end < i+40 && (text[end] == ';' || text[end] >= '0' && text[end] <= '9') {
			end++
		}
		if end < len(text) && text[end] == 'm' && conceals(text[i+1:end]) {
			stop := bytes.Index(text[end:], []byte("[0m"))
			if other := bytes.Index(text[end:], []byte("[28m")); other >= 0 && (stop < 0 || other < stop) {
				stop = other
			}
			if stop < 0 {
				stop = min(len(text)-end, 2000)
			}
			list = append(list, region{end, end + stop, unseen})
		}
		// A line that is erased or gone back over was meant for nobody to see.
		if end < len(text) && (text[end] == 'K' || text[end] == 'A' || text[end] == 'F') {
			from := bytes.LastIndexByte(text[:i], '\n') + 1
			if text[end] != 'K' && from > 1 {
				from = bytes.LastIndexByte(text[:from-1], '\n') + 1
			}
			if from < i-8 {
				list = append(list, region{from, i, aside})
			}
		}
		i = end
	}
	return list
}

func escapeBefore(text []byte) bool {
	if text[len(text)-1] == 0x1b {
		return true
	}
	for _, s := range [...]string{`\x1b`, `\033`, `\u001b`, `\e`, `^[`, "\u009b", "␛"} {
		if len(text) >= len(s) && bytes.EqualFold(text[len(text)-len(s):], []byte(s)) {
			return true
		}
	}
	return false
}

// conceals says whether the numbers of an SGR sequence hide the text after it.
func conceals(numbers []byte) bool {
	parts := bytes.Split(numbers, []byte(";"))
	fore, back := "", "x"
	for i, p := range parts {
		switch s := string(p); {
		case (s == "8" || s == "08") && (i == 0 || string(parts[i-1]) != "38" && string(parts[i-1]) != "48" && string(parts[i-1]) != "5"):
			return true
		case len(s) == 2 && (s[0] == '3' || s[0] == '9') && s != "38":
			fore = s[1:]
		case len(s) == 2 && s[0] == '4' && s != "48", len(s) == 3 && s[:2] == "10":
			back = s[len(s)-1:]
		case (s == "38" || s == "48") && i+2 < len(parts):
			value := string(bytes.Join(parts[i+1:min(len(parts), i+5)], []byte(";")))
			if string(parts[i+1]) == "5" {
				value = string(parts[i+2])
			}
			if s == "38" {
				fore = "c" + value
			} else {
				back = "c" + value
			}
		}
	}
	return fore == back
}

// pushedAway finds text behind so many blanks that it lies outside of any window.
func pushedAway(text []byte, list []region) []region {
	const many = 80
	for i := many - 1; i < len(text) && len(list) <= maxViews; i += many { // no run of so many lies in between
		if text[i] != ' ' {
			continue
		}
		start := i
		for start > 0 && text[start-1] == ' ' {
			start--
		}
		for i < len(text) && text[i] == ' ' {
			i++
		}
		if i-start < many {
			continue
		}
		end := i
		for end < len(text) && text[end] != '\n' {
			end++
		}
		if start > 0 && text[start-1] > ' ' && end-i > 20 {
			list = append(list, region{i, end, unseen})
		}
		i = end
	}
	return list
}
