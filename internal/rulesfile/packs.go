package rulesfile

import (
	"errors"
	"maps"
	"slices"

	"longline/internal/agent"
	"longline/internal/policy"
	"longline/internal/source"
)

// Packs reads the rules and the zones that longline brings along, as files by their
// names: the rules with their tests, the zones in their compact form.
func Packs(files map[string][]byte) (rules *policy.File, zones []byte, err error) {
	var parsed []*policy.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name == "zones.yaml" {
			zones, err = parseZones(name, files[name])
		} else {
			var f *policy.File
			f, err = Parse(name, files[name], nil)
			parsed = append(parsed, f)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	rules, err = Join("builtin", parsed)
	return rules, zones, err
}

// parseZones reads the file that lists what belongs to the zones and returns
// its compact form, with what the descriptions of agents say belongs to them.
func parseZones(name string, text []byte) ([]byte, error) {
	src, docs := source.Parse(name, text)
	in, except := map[policy.Zone][]string{}, map[policy.Zone][]string{}
	var itself policy.ZoneSet
	var called policy.Called
	for _, doc := range docs {
		for _, p := range doc.Pairs() {
			z, ok := policy.ParseZone(p.Name())
			if !ok {
				p.Key.Unknown("zone", p.Name(), policy.ZoneNames())
				continue
			}
			p.Value.Fields(map[string]func(source.Node){
				"itself": func(n source.Node) {
					if n.Bool() {
						itself = itself.With(z)
					}
				},
				"members": func(n source.Node) { in[z] = memberGlobs(n) },
				"except":  func(n source.Node) { except[z] = memberGlobs(n) },
				"called":  func(n source.Node) { parseCalled(n, &called) },
			})
		}
	}
	if err := src.Err(); err != nil {
		return nil, err
	}
	for _, b := range agent.Belonging() {
		for _, folder := range b.Folders {
			in[policy.ZoneAgent] = append(in[policy.ZoneAgent], folder+"/")
		}
		in[policy.ZoneAgent] = append(in[policy.ZoneAgent], b.Guarded()...)
		in[policy.ZoneStartup] = append(in[policy.ZoneStartup], b.Run()...)
		in[policy.ZoneInstructions] = append(in[policy.ZoneInstructions], b.Instructions...)
	}
	for _, z := range []policy.Zone{policy.ZoneAgent, policy.ZoneStartup, policy.ZoneInstructions} {
		slices.Sort(in[z])
		in[z] = slices.Compact(in[z])
	}
	return policy.EncodeZones(in, except, itself, &called), nil
}

// parseCalled reads the words of names that make a file secret.
func parseCalled(n source.Node, called *policy.Called) {
	into := func(list *string) func(source.Node) { return func(n source.Node) { *list = n.Text() } }
	n.Fields(map[string]func(source.Node){
		"words":   into(&called.Words),
		"whole":   into(&called.Whole),
		"kinds":   into(&called.Kinds),
		"live":    into(&called.Live),
		"bare":    into(&called.Bare),
		"ended":   into(&called.Ended),
		"endings": into(&called.Endings),
		"scripts": into(&called.Scripts),
		"stages":  into(&called.Stages),
		"about":   into(&called.About),
		"folders": into(&called.Folders),
		"places":  into(&called.Places),
		"told":    into(&called.Told),
	})
}

func memberGlobs(n source.Node) []string {
	var list []string
	for _, node := range n.List() {
		if problem := policy.CheckGlob(node.Text()); problem != "" {
			node.Errorf("%q is not a valid glob: %s", node.Text(), problem)
		}
		list = append(list, node.Text())
	}
	return list
}

// Join makes one file of several, as the built-in packs are. An id may occur
// only once in all of them.
func Join(name string, files []*policy.File) (*policy.File, error) {
	all := &policy.File{Name: name}
	ids := map[string]string{}
	for _, f := range files {
		for _, r := range f.Rules {
			if first, ok := ids[r.ID]; ok {
				return nil, errors.New(r.Source + ": the id " + r.ID + " is taken, first in " + first)
			}
			ids[r.ID] = r.Source
		}
		all.Rules = append(all.Rules, f.Rules...)
		all.Tests = append(all.Tests, f.Tests...)
	}
	return all, nil
}
