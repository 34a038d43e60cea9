package rulesfile

import (
	"slices"
	"strings"

	"longline/internal/host"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/source"
	"longline/internal/tool"
)

func effect(n source.Node) policy.Effect {
	var e policy.Effect
	fields := places(&e.Places)
	fields["kind"] = func(n source.Node) { e.Kinds = kinds(n) }
	fields["tree"] = func(n source.Node) { e.Tree = answer(n) }
	fields["sweep"] = func(n source.Node) { e.Sweep = answer(n) }
	fields["reach"] = func(n source.Node) { e.Reach = reach(n) }
	fields["with"] = func(n source.Node) {
		with := effect(n)
		if with.With != nil {
			n.Errorf(`"with" cannot be used inside "with"`)
		}
		e.With = &with
	}
	fields["except"] = func(n source.Node) {
		n.Fields(places(&e.Except))
		notEmpty(n)
	}
	n.Fields(fields)
	notEmpty(n)
	if e.Kinds == 0 {
		e.Kinds = kindsOf(&e)
		return e
	}
	// A list that no kind can use is a mistake, and one that would go unnoticed.
	for _, list := range []struct {
		name  string
		given bool
		kinds policy.KindSet
	}{
		{"zones and paths", e.Zones != 0 || len(e.Paths) > 0, pathKinds.With(tool.Execute)},
		{"hosts", len(e.Hosts) > 0, hostKinds},
		{"names", len(e.Names) > 0, nameKinds},
	} {
		if list.given && e.Kinds&list.kinds == 0 {
			n.Errorf("%s say nothing about effects of this kind", list.name)
		}
	}
	return e
}

var (
	pathKinds = policy.KindSet(0).With(tool.Read).With(tool.Create).With(tool.Write).With(tool.Delete)
	hostKinds = policy.KindSet(0).With(tool.Fetch).With(tool.Send)
	nameKinds = policy.KindSet(0).With(tool.Execute).With(tool.Control)
)

// kindsOf says which kinds are meant where none is given: those that the lists
// speak of.
func kindsOf(e *policy.Effect) policy.KindSet {
	var k policy.KindSet
	if e.Zones != 0 || len(e.Paths) > 0 || e.Except.Zones != 0 || len(e.Except.Paths) > 0 {
		k |= pathKinds
	}
	if len(e.Hosts) > 0 || len(e.Except.Hosts) > 0 {
		k |= hostKinds
	}
	if len(e.Names) > 0 || len(e.Except.Names) > 0 {
		k |= nameKinds
	}
	if k == 0 {
		k = pathKinds | hostKinds | nameKinds
	}
	return k
}

func places(p *policy.Places) map[string]func(source.Node) {
	return map[string]func(source.Node){
		"zones": func(n source.Node) { p.Zones = zones(n) },
		"paths": func(n source.Node) { p.Paths = choice(n, expandGlobs) },
		"hosts": func(n source.Node) { p.Hosts = choice(n, hostGlob) },
		"names": func(n source.Node) { p.Names = choice(n, effectName) },
	}
}

// hostGlob reads a host or a glob of hosts. A host counts in all its spellings.
func hostGlob(n source.Node) []string {
	text := n.Text()
	if name, ok := host.Canonical(text); ok && !paths.Wild(name) {
		if host.Loopback(name) {
			name = "localhost"
		}
		return []string{name}
	}
	if !paths.Wild(text) {
		n.Errorf("%q is not a host: write a name or an address, without scheme and port", text)
	}
	return nameGlob(n)
}

func kinds(n source.Node) policy.KindSet {
	var set policy.KindSet
	for _, node := range list(n) {
		if k := tool.ParseKind(node.Text()); k != 0 {
			set = set.With(k)
		} else {
			node.Unknown("kind of effect", node.Text(), tool.KindNames())
		}
	}
	return set
}

func zones(n source.Node) policy.ZoneSet {
	var set policy.ZoneSet
	for _, node := range list(n) {
		if z, ok := policy.ParseZone(node.Text()); ok {
			set = set.With(z)
		} else {
			node.Unknown("zone", node.Text(), policy.ZoneNames())
		}
	}
	return set
}

func reach(n source.Node) policy.ReachSet {
	var set policy.ReachSet
	for _, node := range list(n) {
		if i := slices.Index(policy.ReachNames(), node.Text()); i >= 0 {
			set |= 1 << i
		} else {
			node.Unknown("reach", node.Text(), policy.ReachNames())
		}
	}
	return set
}

// list is nodes of a list that must not be empty.
func list(n source.Node) []source.Node {
	l := nodes(n)
	if len(l) == 0 && (n.IsList() || n.IsNull()) {
		n.Errorf("an empty list matches nothing")
	}
	return l
}

// effectName reads the name of code or state, which must be one that exists.
func effectName(n source.Node) []string {
	text := n.Text()
	if problem := policy.CheckGlob(text); problem != "" {
		n.Errorf("%q is not a valid glob: %s", text, problem)
	} else if !policy.KnownName(text) {
		known := slices.Clone(policy.ControlNames())
		for _, code := range policy.CodeNames() {
			known = append(known, code+":*")
		}
		if code, _, ok := strings.Cut(text, ":"); ok {
			n.Unknown("kind of code", code, policy.CodeNames())
		} else {
			n.Unknown("effect", text, known)
		}
	}
	return []string{text}
}
