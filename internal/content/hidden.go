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
		if bytes.HasPrefix(rest, []byte("<!--")) {
			end := until(rest, "-->")
			list = append(list, region{i, i + end, aside})
			i += min(end, 4)
			continue
		}
		end := tagEnd(rest)
		if end < 0 {
			i++
			continue
		}
		list = tagRegions(text, i, i+end, classes, list)
		i += end
	}
	return list
}

// until is where a text has something, or its end.
func until(text []byte, what string) int {
	if i := bytes.Index(text, []byte(what)); i >= 0 {
		return i
	}
	return len(text)
}

// tagRegions adds a tag with attributes, and its element if that is not shown.
func tagRegions(text []byte, start, end int, classes [][]byte, list []region) []region {
	tag := text[start:end]
	name := tagName(tag)
	if bytes.IndexByte(tag, '=') > 0 {
		list = append(list, region{start, end, aside})
	}
	switch string(name) {
	case "template", "noscript":
		list = append(list, region{end, end + elementEnd(text[end:], name), unseen})
	case "script", "title", "desc", "metadata":
		list = append(list, region{end, end + elementEnd(text[end:], name), aside})
	}
	if hides(tag, classes) {
		list = append(list, region{end, end + elementEnd(text[end:], name), unseen})
	}
	return list
}

// tagEnd is where the tag that a text begins with ends, quotes taken into account, or -1.
func tagEnd(text []byte) int {
	if len(text) < 2 || !isASCIILetter(text[1]) {
		return -1
	}
	text = text[:min(len(text), maxTag)]
	for i := 1; i < len(text); i++ {
		switch b := text[i]; {
		case (b == '"' || b == '\'') && beginsValue(text[:i]):
			n := bytes.IndexByte(text[i+1:], b)
			if n < 0 {
				return -1
			}
			i += n + 1
		case b == '>':
			return i + 1
		case b == '<':
			return -1
		}
	}
	return -1
}

// beginsValue says whether a quote behind a part of a tag begins the value of an attribute.
func beginsValue(before []byte) bool {
	return bytes.HasSuffix(before, []byte("=")) || bytes.HasSuffix(before, []byte("= ")) || bytes.HasSuffix(before, []byte(`\`))
}

// isASCIILetter says whether a byte is a letter.
func isASCIILetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

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
	for i := 0; i < len(text) && i < 64<<10; i++ {
		j := bytes.IndexByte(text[i:], '<')
		if j < 0 {
			break
		}
		i += j
		rest, closing := bytes.CutPrefix(text[i+1:], []byte("/"))
		switch {
		case len(rest) < len(name) || !bytes.EqualFold(rest[:len(name)], name):
		case !closing:
			depth++
		case depth == 1:
			return i
		default:
			depth--
		}
	}
	return min(len(text), 4000)
}

// hides says whether a tag makes its element invisible.
func hides(tag []byte, classes [][]byte) bool {
	squeezed := squeeze(tag)
	if hidesBy(squeezed) {
		return true
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
	sheet = sheet[:until(sheet, "</style")]
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
		if name := lastClass(sheet[:open]); len(name) > 1 && hidesBy(body) {
			list = append(list, name)
		}
		sheet = sheet[open+end+1:]
	}
	return list
}

// lastClass is the last class of a selector, if it has one.
func lastClass(selector []byte) []byte {
	if dot := bytes.LastIndexByte(selector, '.'); dot >= 0 {
		return squeeze(selector[dot+1:])
	}
	return nil
}

// hidesBy says whether a text without blanks has a declaration that hides something.
func hidesBy(squeezed []byte) bool {
	for _, s := range hidingStyles {
		if bytes.Contains(squeezed, []byte(s)) {
			return true
		}
	}
	return false
}

// markdownRegions finds comments written as link definitions, titles and the
// texts of images.
func markdownRegions(text []byte, list []region) []region {
	for i := 0; i < len(text); i++ {
		j := bytes.IndexByte(text[i:], '[')
		if j < 0 || len(list) > maxViews {
			break
		}
		i += j
		rest := text[i:min(len(text), i+2000)]
		_, after, _ := bytes.Cut(rest, []byte("]"))
		if len(after) == 0 {
			continue
		}
		before := byte('\n')
		if i > 0 {
			before = text[i-1]
		}
		switch {
		case before == '\n' && after[0] == ':':
			list = append(list, region{i, i + definitionEnd(rest, len(rest)-len(after)-1), aside})
		case before == '!' && after[0] == '(':
			list = append(list, region{i, i + until(rest, ")"), aside})
		}
	}
	return list
}

// definitionEnd is where a link definition ends whose name ends at close: with its line, or with
// the line in which a title in brackets ends that begins in it.
func definitionEnd(text []byte, close int) int {
	end := until(text, "\n")
	if open := bytes.IndexByte(text[close:], '('); open >= 0 && close+open < end {
		if stop := bytes.Index(text[close+open:], []byte(")\n")); stop >= 0 {
			return close + open + stop
		}
	}
	return end
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
		end := pass(text[:min(len(text), i+40)], i+1, func(b byte) bool { return b == ';' || b >= '0' && b <= '9' })
		if end < len(text) {
			list = sequenceRegion(text, i, end, list)
		}
		i = end
	}
	return list
}

// sequenceRegion adds what the sequence hides whose numbers begin behind start and end before its
// letter.
func sequenceRegion(text []byte, start, end int, list []region) []region {
	switch text[end] {
	case 'm':
		if conceals(text[start+1 : end]) {
			return append(list, region{end, end + concealed(text[end:]), unseen})
		}
	case 'K', 'A', 'F':
		// A line that is erased or gone back over was meant for nobody to see.
		from := bytes.LastIndexByte(text[:start], '\n') + 1
		if text[end] != 'K' && from > 1 {
			from = bytes.LastIndexByte(text[:from-1], '\n') + 1
		}
		if from < start-8 {
			return append(list, region{from, start, aside})
		}
	}
	return list
}

// concealed is how long a text is hidden from its beginning on.
func concealed(text []byte) int {
	if stop := min(until(text, "[0m"), until(text, "[28m")); stop < len(text) {
		return stop
	}
	return min(len(text), 2000)
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
		switch s := string(p); s {
		case "8", "08":
			if !isColorBefore(parts[:i]) {
				return true
			}
		case "38":
			fore = colorAt(parts[i+1:], fore)
		case "48":
			back = colorAt(parts[i+1:], back)
		default:
			if isForeground(s) {
				fore = s[1:]
			} else if isBackground(s) {
				back = s[len(s)-1:]
			}
		}
	}
	return fore == back
}

// isColorBefore says whether a number that follows others belongs to a colour.
func isColorBefore(parts [][]byte) bool {
	if len(parts) == 0 {
		return false
	}
	switch string(parts[len(parts)-1]) {
	case "38", "48", "5":
		return true
	}
	return false
}

// colorAt is a colour as the numbers behind 38 or 48 say it, or what it was before if they are
// too few.
func colorAt(parts [][]byte, before string) string {
	switch {
	case len(parts) < 2:
		return before
	case string(parts[0]) == "5":
		return "c" + string(parts[1])
	}
	return "c" + string(bytes.Join(parts[:min(len(parts), 4)], []byte(";")))
}

// isForeground and isBackground say whether a number sets one of the usual colours.
func isForeground(s string) bool { return len(s) == 2 && (s[0] == '3' || s[0] == '9') }

func isBackground(s string) bool {
	return len(s) == 2 && s[0] == '4' || len(s) == 3 && s[:2] == "10"
}

// pushedAway finds text behind so many blanks that it lies outside of any window.
func pushedAway(text []byte, list []region) []region {
	const many = 80
	for i := many - 1; i < len(text) && len(list) <= maxViews; i += many { // no run of so many lies in between
		if text[i] != ' ' {
			continue
		}
		start := len(bytes.TrimRight(text[:i], " "))
		i = pass(text, i, func(b byte) bool { return b == ' ' })
		if i-start < many {
			continue
		}
		end := i + until(text[i:], "\n")
		if start > 0 && text[start-1] > ' ' && end-i > 20 {
			list = append(list, region{i, end, unseen})
		}
		i = end
	}
	return list
}
