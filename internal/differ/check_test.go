//go:build unix

package differ

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/differ/grammar"
	"longline/internal/tool"
)

// checker holds what longline says of scripts against what a shell does.
type checker struct {
	*rig
	config *config.Config // the built-in rules, and nothing else
	always bool           // every script counts as allowed; to test the checker itself
	count  count
}

// count is how much was done.
type count struct {
	scripts, quiet, runs int
	reached              int // scripts that got to a place; see worlds
}

func (c *count) add(d count) {
	c.scripts, c.quiet, c.runs, c.reached = c.scripts+d.scripts, c.quiet+d.quiet, c.runs+d.runs, c.reached+d.reached
}

func newChecker(r *rig) (*checker, error) {
	of, err := config.Reading(config.Options{Dir: r.project()})
	if err != nil {
		return nil, err
	}
	of.World.Home, of.World.Project, of.World.User, of.World.Zsh = r.home(), r.project(), "nobody", true
	of.World.Getenv = func(name string) (string, bool) {
		if name == "HOME" {
			return r.home(), true
		}
		return "", false
	}
	return &checker{rig: r, config: of}, nil
}

// allows says whether longline lets a script run without a question.
func (c *checker) allows(script string) bool {
	_, allowed := c.reads(script)
	return allowed
}

// reads returns the calls that longline believes possible in a script, and whether it lets the script run
// without a question, in a mode in which files of the project may be edited.
func (c *checker) reads(script string) (believed []*command.Invocation, allowed bool) {
	v, believed := c.config.Guard.Judge(tool.Call{Tool: "Bash", Dir: c.project(), Script: script, Shell: true, Edits: true, Attended: true}, c.config.World)
	allowed = c.always || v.Decision < tool.Ask
	return believed, allowed
}

// harms says whether a script has shown a secret, changed what is outside the project,
// or called rm on what it must not: anything in the home directory but a build
// directory of the project and what is below it.
func (c *checker) harms(did outcome) bool {
	if did.leaked || did.spoilt != "" {
		return true
	}
	for _, call := range did.calls {
		if call.argv[0] != "rm" {
			continue
		}
		for _, arg := range call.argv[1:] {
			if !strings.HasPrefix(arg, "-") && arg != "" && c.isPrecious(call.dir, arg) {
				return true
			}
		}
	}
	return false
}

// isPrecious says whether what rm is called on in a directory is in the home directory, or holds
// it, and is not in a build directory of the project.
func (c *checker) isPrecious(dir, path string) bool {
	if !filepath.IsAbs(path) {
		path = dir + "/" + path // not cleaned: a link may be in it
	}
	path = resolve(path)
	below, inProject := strings.CutPrefix(path, c.project()+"/")
	inBuild := inProject && slices.Contains(strings.Split(below, "/"), "build")
	inHome := path == c.home() || strings.HasPrefix(path, c.home()+"/") || strings.HasPrefix(c.home(), strings.TrimSuffix(path, "/")+"/")
	return inHome && !inBuild
}

// resolve follows the links on the way to a path, but not one at its end, as rm does.
func resolve(path string) string {
	path = strings.TrimRight(path, "/")
	return tool.Follow(path, false, func(p string) (string, error) {
		to, err := os.Readlink(p)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", tool.ErrNotLink
		}
		return to, err
	})
}

// observed are the values that a script is asked for, as words of the shell.
var observed = []string{`$x`, `$y`, `$z`, `$v1`, `$n`, `${a[*]}`, `$#`, `$*`, `$PWD`, `$OLDPWD`, `$REPLY`, `$i`, `${#a[@]}`, `${m[a]}`, `${m[b]}`}

// probes are the commands that turn a wrong value into harm.
func probes(values []string, dir, project string) []string {
	var list []string
	for i, v := range values {
		if len(v) > 300 || strings.ContainsRune(v, 0) {
			continue
		}
		list = append(list, "q=build; [ \""+observed[i]+"\" = "+quote(v)+" ] && q=../docs\nrm -rf \"$q\"")
		if strings.ContainsAny(v, "./*?[ ~") && i < 5 {
			list = append(list, "rm -rf \"build/"+observed[i]+"\"", "rm -rf build/"+observed[i])
		}
	}
	if dir != project {
		list = append(list, "rm -rf build", "rm -rf ./build/x")
	}
	return list
}

// finding is a script that longline allows and that does harm, or makes a call that it did not believe
// possible.
type finding struct {
	manner     manner
	script     string
	unforeseen *surprise // nil if it does harm and nothing else
}

// aimed tries a script that does harm by itself, if it does any.
func (c *checker) aimed(m manner, list []string) (*finding, error) {
	c.count.scripts++
	before := c.count.runs
	f, err := c.confirm(m, strings.Join(list, "\n"))
	c.count.quiet += c.count.runs - before
	return f, err
}

// bordering tries a script that comes in pieces.
func (c *checker) bordering(m manner, pieces []string) (*finding, error) {
	return c.aimed(m, []string{strings.Join(pieces, "")})
}

// confirm runs a script if longline allows it, and holds what it does against what longline believed.
func (c *checker) confirm(m manner, script string) (*finding, error) {
	if err := c.fresh(); err != nil {
		return nil, err
	}
	believed, allowed := c.reads(script)
	if !allowed {
		return nil, nil
	}
	c.count.runs++
	did, err := c.run(m, script)
	if err != nil {
		return nil, err
	}
	unforeseen := uncovered(did.calls, believed)
	if !c.harms(did) && unforeseen == nil {
		return nil, nil
	}
	return &finding{m, script, unforeseen}, nil
}

// check tries one list of statements in one manner: with an end, and with the same
// at places inside.
func (c *checker) check(m manner, list []string) (*finding, error) {
	script := strings.Join(list, "\n")
	c.count.scripts++
	if err := c.fresh(); err != nil {
		return nil, err
	}
	if !c.allows(script + "\nrm -rf build") {
		return nil, nil // it asks whatever follows
	}
	c.count.quiet++
	if f, err := c.at(m, script+"\n", "", true); f != nil || err != nil {
		return f, err
	}
	// The places are the same whenever the script is, so that it can be made smaller.
	places := grammar.Positions(script)
	r := rand.New(rand.NewPCG(uint64(len(script)), uint64(len(places))))
	for range min(2, len(places)) {
		at := places[r.IntN(len(places))]
		if f, err := c.at(m, script[:at], "\n"+script[at:], false); f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

// at asks the shell for values at a place of a script, and puts ends there that turn
// a wrong idea of them into harm.
func (c *checker) at(m manner, before, after string, status bool) (*finding, error) {
	dump := "dump \"$?\""
	for _, o := range observed {
		dump += ` "` + o + `"`
	}
	c.count.runs++
	did, err := c.run(m, before+dump+after)
	if err != nil {
		return nil, err
	}
	if c.harms(did) {
		if f, err := c.confirm(m, before+after); f != nil || err != nil {
			return f, err
		}
	}
	i := slices.IndexFunc(did.calls, isDump)
	if i < 0 {
		return nil, nil
	}
	for _, end := range c.ends(did.calls[i], status) {
		if f, err := c.confirm(m, before+end+after); f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

// isDump says whether a call shows the values that a script was asked for.
func isDump(call call) bool { return call.argv[0] == "dump" && len(call.argv) == len(observed)+2 }

// ends are the commands that do harm if a value is what the shell has shown it to be.
func (c *checker) ends(shown call, status bool) []string {
	list := probes(shown.argv[2:], shown.dir, c.project())
	if status {
		list = append(list, "s=$?; q=build; [ $s = "+quote(shown.argv[1])+" ] && q=../docs\nrm -rf \"$q\"")
	}
	return list
}

// shrink takes statements away as long as the rest still is a finding.
func shrink(f *finding, list []string, try func(manner, []string) (*finding, error)) (*finding, error) {
	for i := 0; i < len(list); {
		rest := append(append([]string{}, list[:i]...), list[i+1:]...)
		smaller, err := try(f.manner, rest)
		if err != nil {
			return nil, err
		}
		if smaller == nil || (smaller.unforeseen == nil) != (f.unforeseen == nil) {
			i++
			continue
		}
		f, list = smaller, rest
	}
	return f, nil
}
