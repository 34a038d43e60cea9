package wall

import (
	"cmp"
	_ "embed"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"longline/internal/paths"
	"longline/internal/policy"
)

// A profile is what Seatbelt, the sandbox of macOS, is told of a plan. Of its rules the last that matches counts. No path and no
// name stands in its text: they are parameters, so that none of them can end where a rule goes on.
type profile struct {
	text   strings.Builder
	params []string // their values: P0, P1, ...
	words  map[string]string
}

// What holds for every plan, for files, and for the network where it is closed and where it is open.
var (
	//go:embed seatbelt/base.sb
	seatbeltBase string
	//go:embed seatbelt/files.sb
	seatbeltFiles string
	//go:embed seatbelt/local.sb
	seatbeltLocal string
	//go:embed seatbelt/open.sb
	seatbeltOpen string
)

const (
	seatbeltReads  = "file-read-data file-read-xattr file-map-executable"
	seatbeltWrites = "file-write* file-link"
)

// profile is the plan as Seatbelt takes it. The kernel goes by the names that are on the disk: canonical makes a path one of those.
func (p *Plan) profile(canonical func(path string) string) *profile {
	s := &profile{words: map[string]string{}}
	s.text.WriteString("(version 1)\n(allow default)\n")
	if !p.Keeps {
		s.text.WriteString(seatbeltBase)
	}
	s.text.WriteString(seatbeltFiles)
	layers := slices.Clone(p.Layers)
	for i := range layers {
		layers[i].Path = canonical(layers[i].Path)
	}
	// A deeper path counts before one above it, and of one path the stricter.
	slices.SortFunc(layers, func(a, b Layer) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind)) })
	for _, l := range layers {
		switch l.Kind {
		case Open:
			s.rule("allow "+seatbeltReads+" "+seatbeltWrites, s.subpath(l.Path))
		case Closed:
			s.rule("deny "+seatbeltWrites, s.subpath(l.Path))
		case Hidden, Empty:
			s.rule("deny "+seatbeltReads+" "+seatbeltWrites, s.subpath(l.Path))
		}
	}
	var projects []string
	for _, project := range p.Projects {
		if project = canonical(project); !slices.Contains(projects, project) {
			projects = append(projects, project)
		}
	}
	for _, project := range projects {
		p.seatbeltNames(s, project, canonical(p.Home))
	}
	for _, path := range pins(layers) {
		s.rule("deny file-write-unlink", s.filter("literal", path))
	}
	if p.Keeps {
		return s
	}
	if p.Network {
		s.text.WriteString(seatbeltOpen)
	} else {
		s.text.WriteString(seatbeltLocal)
	}
	if p.Overlay.Private != "" {
		projects = append(projects, canonical(p.Overlay.Private))
	}
	for _, dir := range projects {
		s.rule("allow network-bind", "(local unix-socket "+s.subpath(dir)+")")
		s.rule("allow network-outbound", "(remote unix-socket "+s.subpath(dir)+")")
	}
	for _, socket := range p.Sockets {
		s.rule("allow network-outbound", "(remote unix-socket "+s.subpath(canonical(socket))+")")
	}
	return s
}

// pins are the paths that cannot be moved or removed: what is open as a whole, and in it what is not and what leads there.
// What was moved would not be known by its name any more.
func pins(layers []Layer) (list []string) {
	open := func(path string) bool {
		return slices.ContainsFunc(layers, func(l Layer) bool { return l.Kind == Open && paths.Within(path, l.Path) })
	}
	for _, l := range layers {
		for at := l.Path; open(at) && at != "/"; at = filepath.Dir(at) {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// seatbeltNames keeps names in a project: guarded ones as a whole, those that lead there from being made. A full directory that is
// moved there looks to a profile like a new one.
func (p *Plan) seatbeltNames(s *profile, project, home string) {
	var everywhere, outside protectedNames // of what builds make
	var builds []string
	kept := protecting
	if p.Keeps {
		kept = agentOnly
	}
	for z := range policy.Zone(32) {
		if p.members == nil || !kept.Has(z) && z != policy.ZoneBuild {
			continue
		}
		for _, member := range p.members(z) {
			switch {
			case z == policy.ZoneBuild:
				builds = append(builds, strings.ReplaceAll(quoteRegex(member), `\*`, "[^/]*")) // not a name more than these
			case agentOnly.Has(z) || strings.HasPrefix(member, ".git/"):
				p.addNames(&everywhere, member, project, home)
			default:
				p.addNames(&outside, member, project, home)
			}
		}
	}
	within, loose := s.subpath(project), ""
	for names := range slices.Chunk(builds, chunk) {
		loose += " (require-not " + s.filter("regex", "^"+quoteRegex(project)+"/(.*/)?("+strings.Join(names, "|")+")(/|$)") + ")"
	}
	deny := func(what string, names []string, but string) {
		slices.Sort(names)
		for some := range slices.Chunk(slices.Compact(names), chunk) {
			s.rule("deny "+what, "(require-all "+within+" "+s.filter("regex", "/("+strings.Join(some, "|")+")")+but+")")
		}
	}
	deny(seatbeltWrites, everywhere.guarded, "")
	deny(seatbeltWrites, outside.guarded, loose)
	for _, regex := range slices.Concat(everywhere.here, outside.here) {
		s.rule("deny "+seatbeltWrites, s.filter("regex", regex))
	}
	if p.Keeps {
		return // git makes directories before what is in them
	}
	deny("file-write-create", slices.Concat(everywhere.leading, outside.leading), loose)
}

// chunk is how many names are in one expression: a kernel has to match each with all that is written.
const chunk = 24

// protectedNames are names as regular expressions.
type protectedNames struct {
	guarded, leading []string // without the slash before them
	here             []string // whole ones, for names that stand at one place of the machine
}

// addNames adds a member of a zone.
func (p *Plan) addNames(to *protectedNames, member, project, home string) {
	member, folder := strings.CutSuffix(member, "/")
	member, below := strings.CutSuffix(member, "/**")
	end := "(/|$)"
	if below {
		end = "/."
	}
	switch {
	case member == "":
	case member[0] == '/' || member[0] == '~':
		p.behind(member, []string{home}, func(names []string) {
			to.here = append(to.here, "^"+strings.Join(append([]string{quoteRegex(project)}, nameRegexes(names)...), "/")+end)
		})
	case strings.HasPrefix(member, "./"):
		to.here = append(to.here, "^"+quoteRegex(project)+"/"+strings.Join(nameRegexes(strings.Split(member[2:], "/")), "/")+end)
	default:
		names := nameRegexes(strings.Split(member, "/"))
		for i := 1; i < len(names) || below && i == len(names); i++ {
			to.leading = append(to.leading, strings.Join(names[:i], "/")+"$")
		}
		if !folder {
			to.guarded = append(to.guarded, strings.Join(names, "/")+end)
		}
	}
}

func nameRegexes(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = nameRegex(name)
	}
	return list
}

// nameRegex is a regular expression for a name. Letters stand for both cases, because volumes of macOS do not tell them apart, and
// those of which one sign has several for that sign, too. What cannot be said exactly is anything: rather one name too many is
// protected than one too few.
func nameRegex(name string) string {
	const anything = "[^/]*"
	if at := strings.IndexAny(name, `[]{}()\|!`); at >= 0 {
		return nameRegex(strings.TrimRight(name[:at], "?*+@")) + anything
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch lower := c | 0x20; {
		case c >= 0x80 || c == '*':
			b.WriteString(anything)
		case c == '?':
			b.WriteString("[^/]")
		case lower < 'a' || lower > 'z':
			b.WriteString(quoteRegex(name[i : i+1]))
		case i+1 < len(name) && strings.Contains(" ff fi fl ss st ", " "+strings.ToLower(name[i:i+2])+" "):
			b.WriteString(anything)
			i = len(name) - len(strings.TrimLeft(name[i:], "fFiIlLsStT")) - 1
		case lower == 'k':
			b.WriteString("(k|K|\u212a)")
		case lower == 's':
			b.WriteString("(s|S|\u017f)")
		default:
			b.WriteString("[" + string(rune(lower)) + string(rune(lower-0x20)) + "]")
		}
	}
	return b.String()
}

// quoteRegex is a regular expression for a text as it is.
func quoteRegex(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(`\.+*?()|[]{}^$`, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// rule adds a rule.
func (s *profile) rule(what, filter string) {
	s.text.WriteString("(" + what + " " + filter + ")\n")
}

func (s *profile) subpath(path string) string { return s.filter("subpath", path) }

// filter is a filter by a text, which is a parameter.
func (s *profile) filter(kind, text string) string {
	word, known := s.words[text]
	if !known {
		word = `(param "P` + strconv.Itoa(len(s.params)) + `")`
		s.words[text] = word
		s.params = append(s.params, text)
	}
	return "(" + kind + " " + word + ")"
}

// argv are the words that run a program behind it.
func (s *profile) argv(program []string) []string {
	argv := []string{"sandbox-exec", "-p", s.text.String()}
	for i, value := range s.params {
		argv = append(argv, "-D", "P"+strconv.Itoa(i)+"="+value)
	}
	return append(append(argv, "--"), program...)
}
