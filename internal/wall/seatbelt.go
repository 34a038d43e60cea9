package wall

import (
	"cmp"
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

// seatbeltBase is what holds for every plan. What asks another process to act is closed as a whole: of the services of the
// system only those remain that log, say who a user is, and announce changes.
const seatbeltBase = `(version 1)
(allow default)

; what others would do in the place of the program
(deny mach-lookup mach-register)
(allow mach-lookup
  (global-name "com.apple.logd")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership")
  (global-name "com.apple.bsd.dirhelper"))
(deny appleevent-send)
(deny lsopen)
(deny job-creation)
(deny authorization-right-obtain)
(deny user-preference-write)
(deny iokit-open)
(allow iokit-open (iokit-registry-entry-class "IOSurfaceRootUserClient") (iokit-registry-entry-class "RootDomainUserClient"))

; other processes, and more rights
(deny process-info*)
(allow process-info* (target same-sandbox))
(deny signal)
(allow signal (target same-sandbox))
(deny mach-priv-task-port mach-task-name)
(allow mach-priv-task-port (target same-sandbox))
(deny process-exec (file-mode #o4000))

; files: a clone of a directory would bring along what is hidden in it
(deny file-mount file-unmount)
(deny file-clone (vnode-type DIRECTORY))
(deny file-write* file-link)
(allow file-write*
  (regex #"^/dev/(null|zero|tty|ptmx|stdout|stderr|dtracehelper|ttys[0-9]+|fd/[0-9]+)$")
  (regex #"^/private/var/folders/[^/]+/[^/]+/T(/|$)"))
`

// seatbeltLocal closes the network but for this machine. A profile can name no other machines, and of a server not who may connect.
const seatbeltLocal = `(deny network*)
(allow network-outbound (remote ip "localhost:*"))
(allow network-bind (local ip "*:*"))
(allow network-inbound (local ip "*:*"))
`

// seatbeltOpen leaves the network open, with those who find names and look at certificates.
const seatbeltOpen = `(deny network*)
(allow network-outbound (remote ip "*:*"))
(allow network-bind (local ip "*:*"))
(allow network-inbound (local ip "*:*"))
(allow network-outbound (remote unix-socket (path-literal "/private/var/run/mDNSResponder")))
(allow mach-lookup
  (global-name "com.apple.trustd")
  (global-name "com.apple.trustd.agent")
  (global-name "com.apple.SystemConfiguration.configd"))
`

const (
	seatbeltReads  = "file-read-data file-read-xattr file-map-executable"
	seatbeltWrites = "file-write* file-link"
)

// profile is the plan as Seatbelt takes it. The kernel goes by the names that are on the disk: canonical makes a path one of those.
func (p *Plan) profile(canonical func(path string) string) *profile {
	s := &profile{words: map[string]string{}}
	s.text.WriteString(seatbeltBase)
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
	var everywhere, outside seatbeltGroup
	var builds []string
	everywhere.leading, outside.leading = map[string]bool{}, map[string]bool{}
	for z := range policy.Zone(32) {
		if p.members == nil || !protecting.Has(z) && z != policy.ZoneBuild {
			continue
		}
		for _, member := range p.members(z) {
			switch {
			case z == policy.ZoneBuild:
				builds = append(builds, strings.ReplaceAll(quoteRegex(member), `\*`, "[^/]*")) // not a name more than these
			case agentOnly.Has(z) || strings.HasPrefix(member, ".git/"):
				everywhere.add(member, project, home)
			default:
				outside.add(member, project, home)
			}
		}
	}
	within := s.subpath(project)
	loose := ""
	for names := range slices.Chunk(builds, 24) {
		loose += " (require-not " + s.filter("regex", "^"+quoteRegex(project)+"/(.*/)?("+strings.Join(names, "|")+")(/|$)") + ")"
	}
	for regex := range everywhere.regexes() {
		s.rule("deny "+seatbeltWrites, "(require-all "+within+" "+s.filter("regex", regex)+")")
	}
	for regex := range outside.regexes() {
		s.rule("deny "+seatbeltWrites, "(require-all "+within+" "+s.filter("regex", regex)+loose+")")
	}
	for _, g := range []seatbeltGroup{everywhere, outside} {
		for regex := range chunked(sortedNames(g.leading), "/(", ")$") {
			s.rule("deny file-write-create", "(require-all "+within+" "+s.filter("regex", regex)+loose+")")
		}
	}
}

// seatbeltGroup is names as regular expressions.
type seatbeltGroup struct {
	same, below []string        // guarded with what is below them, and only what is below
	fixed       []string        // whole expressions, for names that stand at one place
	leading     map[string]bool // that lead to one of them
}

// add adds a member of a zone.
func (g *seatbeltGroup) add(member, project, home string) {
	member, below := strings.CutSuffix(member, "/**")
	member, folder := strings.CutSuffix(member, "/")
	base := ""
	switch {
	case member == "":
		return
	case strings.HasPrefix(member, "./"):
		base, member = project, member[2:]
	case member[0] == '~':
		base, member = home, strings.TrimPrefix(member[1:], "/")
	case member[0] == '/':
		base, member = "/", member[1:]
	default:
		parts := strings.Split(member, "/")
		for i := 1; i < len(parts) || below && i == len(parts); i++ {
			g.leading[nameRegexes(strings.Join(parts[:i], "/"))] = true
		}
		switch {
		case folder:
		case below:
			g.below = append(g.below, nameRegexes(member))
		default:
			g.same = append(g.same, nameRegexes(member))
		}
		return
	}
	// Few of those that stand at one place can be in the project.
	fixed := strings.TrimSuffix(base, "/")
	for name := range strings.SplitSeq(member, "/") {
		if !paths.Literal(name) {
			break
		}
		fixed += "/" + name
	}
	if base == "" || folder || !paths.Within(strings.ToLower(fixed), strings.ToLower(project)) && !paths.Within(strings.ToLower(project), strings.ToLower(fixed)) {
		return
	}
	end := "(/|$)"
	if below {
		end = "/."
	}
	g.fixed = append(g.fixed, "^"+quoteRegex(strings.TrimSuffix(base, "/"))+"/"+nameRegexes(member)+end)
}

// regexes yields the expressions for what is guarded.
func (g *seatbeltGroup) regexes() func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, list := range []func(func(string) bool){chunked(g.same, "/(", ")(/|$)"), chunked(g.below, "/(", ")/."), slices.Values(g.fixed)} {
			for regex := range list {
				if !yield(regex) {
					return
				}
			}
		}
	}
}

// chunked puts names together, not too many: a kernel has to match them with every name that is written.
func chunked(names []string, before, after string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for some := range slices.Chunk(names, 24) {
			if !yield(before + strings.Join(some, "|") + after) {
				return
			}
		}
	}
}

func sortedNames(set map[string]bool) (list []string) {
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// nameRegexes is a regular expression for the names of a member.
func nameRegexes(member string) string {
	names := strings.Split(member, "/")
	for i, name := range names {
		names[i] = nameRegex(name)
	}
	return strings.Join(names, "/")
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
