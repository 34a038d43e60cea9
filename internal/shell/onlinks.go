package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// maxMet bounds the links that the patterns of one invocation are followed through.
const maxMet = 256

// throughPatterns repeats effects on patterns on the links, there on the disk, that
// they match: a repository can ship a link under a harmless name. Rules follow only
// what is named.
func (r *reader) throughPatterns(inv *command.Invocation) {
	if r.world.Links == nil || r.remote {
		return
	}
	for i, n := 0, len(inv.Effects); i < n; i++ {
		e := inv.Effects[i]
		if !e.Pattern || e.Reach != tool.Exact || e.Kind != tool.Read && e.Kind != tool.Write {
			continue
		}
		dir, name, rest := firstWild(e.Target)
		if name == "**" || strings.IndexByte(name, '(') >= 0 {
			continue // what searches look for; they do not follow the links that they meet
		}
		for _, link := range r.linksIn(dir) {
			if is, sure := matches(name, link); sure && !is {
				continue
			}
			if len(inv.Effects) > n+maxMet {
				inv.Gaps = append(inv.Gaps, command.Gap{Why: "more links match than can be followed", Span: e.Span})
				return
			}
			e.Target, e.Pattern = dir+"/"+link+rest, isWild(rest)
			if e.Pattern {
				e.Target = command.EscapeGlob(dir+"/"+link) + rest
			}
			inv.Effects = append(inv.Effects, e)
		}
	}
}

// linksIn lists the links in a directory, which is asked for once.
func (r *reader) linksIn(dir string) []string {
	for _, l := range r.looked {
		if l.dir == dir {
			return l.links
		}
	}
	found := r.world.Links(dir)
	if len(r.looked) < 64 {
		r.looked = append(r.looked, directory{dir, found})
	}
	return found
}

// directory is what one holds of links.
type directory struct {
	dir   string
	links []string
}

// firstWild takes a pattern apart at its first name with wildcards: the directory
// before it, without backslashes, and what follows.
func firstWild(pattern string) (dir, name, rest string) {
	at := 0
	for at < len(pattern) {
		end := strings.IndexByte(pattern[at+1:], '/')
		if end < 0 {
			end = len(pattern)
		} else {
			end += at + 1
		}
		if isWild(pattern[at:end]) {
			return plain(pattern[:at]), strings.TrimPrefix(pattern[at:end], "/"), pattern[end:]
		}
		at = end
	}
	return plain(pattern), "", ""
}

// isWild says whether a part of a pattern stands for more than itself.
func isWild(part string) bool {
	for i := 0; i < len(part); i++ {
		switch part[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		case '(':
			return true // alternatives
		}
	}
	return false
}

// plain is a part of a pattern without its backslashes.
func plain(part string) string {
	if strings.IndexByte(part, '\\') < 0 {
		return part
	}
	var b strings.Builder
	for i := 0; i < len(part); i++ {
		if part[i] == '\\' && i+1 < len(part) {
			i++
		}
		b.WriteByte(part[i])
	}
	return b.String()
}
