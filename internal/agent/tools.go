package agent

import (
	"cmp"
	"errors"
	"runtime"
	"strings"

	"longline/internal/paths"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// onWindows says on which system the client runs.
var onWindows = runtime.GOOS == "windows"

// use is what a tool does with one field of its input.
type use uint8

const (
	nothing    use = iota // no effect outside the agent
	shell                 // the field is shell text; on Windows nobody knows of which shell
	bash                  // the field is text of bash on every system
	native                // the field is text of the system's shell, which on Windows is PowerShell
	powershell            // the field is text of PowerShell
	shells                // the field is a list of shell texts, each run on its own
	reads                 // the field is a path or a list of paths
	writes                // likewise
	deletes               // likewise
	lists                 // the field is a directory whose names are shown; default: the working directory
	searches              // likewise, but content is shown, of everything below that filters let through
	gathers               // the field is a pattern or a list of patterns; the content of what they match is shown
	globs                 // the field is a pattern; the names of files it matches are shown
	fetches               // the field is a URL or a list of URLs
	links                 // the field is prose; the URLs in it are fetched
	patches               // the field is a patch in the *** Begin Patch form
	asks                  // words of the agent go to a service of the client
	controls              // the state that the field names changes, if the input has a true field of the name in dir, or dir is ""
	runs                  // code that longline cannot see; the field is what to call it
)

// toolUse says what one field of one tool is used for. A tool that has no
// toolUse at all is judged by what its input looks like.
type toolUse struct {
	tool  string
	use   use
	field string
	// dir is the field with the directory that a shell text runs in or a
	// pattern starts from, or the one that makes a state change.
	dir string
}

// place is where relative names of a call are to be looked up.
type place struct{ dir, home string }

// describe fills in what the call does, by the agent's list of tools.
func (req *Request) describe(tools []toolUse, at place) error {
	known := false
	for i := range tools {
		if tools[i].tool == req.Call.Tool {
			known = true
			if err := req.apply(&tools[i], at); err != nil {
				return err
			}
		}
	}
	if known {
		return nil
	}
	if server, name, ok := mcpTool(req.Call.Tool); ok {
		return req.foreign(server, name, at)
	}
	// A tool nobody has heard of that takes a command is taken for a shell:
	// agents have grown new ones before.
	if field := commandField(req.Input); field != "" {
		return req.apply(&toolUse{use: shell, field: field}, at)
	}
	return req.foreign("", req.Call.Tool, at)
}

// commandField is the field of a tool's input that looks like shell text.
func commandField(input strictjson.Value) string {
	for _, field := range [...]string{"command", "cmd"} {
		if input.Get(field).Kind == strictjson.String {
			return field
		}
	}
	return ""
}

func mcpTool(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	server, tool, _ = strings.Cut(rest, "__")
	return server, tool, true
}

func (req *Request) does(kind tool.Kind, target string, reach tool.Reach) {
	req.Call.Effects = append(req.Call.Effects, tool.Effect{Kind: kind, Target: target, Reach: reach})
}

func (req *Request) apply(u *toolUse, at place) error {
	v := req.Input.Get(u.field)
	// others: a tool that is not used for anything does nothing.
	switch u.use {
	case shell:
		if onWindows {
			return req.unknownShell()
		}
		return req.shell(u, v, at)
	case bash:
		return req.shell(u, v, at)
	case native:
		if onWindows {
			req.Call.Dialect = tool.PowerShell
		}
		return req.shell(u, v, at)
	case powershell:
		req.Call.Dialect = tool.PowerShell
		return req.shell(u, v, at)
	case shells:
		if onWindows {
			return req.unknownShell()
		}
		return req.shells(u, v)
	case reads, writes, deletes:
		return req.paths(u, req.either(v, "file_path", "filePath", "path"), at)
	case lists, searches:
		return req.search(u, v, at)
	case gathers:
		return req.gather(u, req.either(v, "include", "paths", "patterns"), at)
	case globs:
		req.glob(u, v, at)
	case fetches, links:
		return req.urls(u, v)
	case patches:
		return req.patches(u, v, at)
	case asks:
		req.does(tool.Execute, "server:"+u.tool, tool.Exact)
	case controls:
		if u.dir == "" || req.Input.Get(u.dir).True {
			req.does(tool.Control, u.field, tool.Exact)
		}
	case runs:
		req.does(tool.Execute, u.field, tool.Exact)
	}
	return nil
}

// either is a value, or where it is missing the first of some other fields: agents call
// each other's hooks, with other names for the same field.
func (req *Request) either(v strictjson.Value, fields ...string) strictjson.Value {
	for _, field := range fields {
		if v.Kind == strictjson.Absent {
			v = req.Input.Get(field)
		}
	}
	return v
}

// search reads the places that are listed or searched, the directory if none are named.
func (req *Request) search(u *toolUse, v strictjson.Value, at place) error {
	if v.Kind == strictjson.Absent || v.Kind == strictjson.Null {
		req.does(tool.Read, at.here(), tool.Exact)
	} else if err := req.paths(u, v, at); err != nil {
		return err
	}
	if u.use != searches {
		return nil
	}
	for i := range req.Call.Effects {
		req.Call.Effects[i].Tree = true
	}
	return req.filters(at)
}

// glob reads the directory that a pattern begins with.
func (req *Request) glob(u *toolUse, v strictjson.Value, at place) {
	if d := req.Input.Get(u.dir); d.Kind == strictjson.String {
		at.dir, _ = at.absolute(d.Text)
	}
	at.path(req, tool.Read, globRoot(v.Text))
}

// gather reads what patterns match.
func (req *Request) gather(u *toolUse, v strictjson.Value, at place) error {
	list, ok := strs(v, "path")
	if !ok || len(list) == 0 {
		return req.missing(u.field, v)
	}
	for _, pattern := range list {
		req.pattern(pattern, at, false)
	}
	return nil
}

// patches reads a patch.
func (req *Request) patches(u *toolUse, v strictjson.Value, at place) error {
	if v.Kind != strictjson.String {
		return req.missing(u.field, v)
	}
	req.patch(v.Text, at)
	return nil
}

func (req *Request) missing(field string, v strictjson.Value) error {
	what := "has no " + strictjson.Quote(field)
	if v.Kind != strictjson.Absent {
		what = "has " + v.Kind.String() + " for " + strictjson.Quote(field)
	}
	return errors.New("the input of tool " + strictjson.Quote(req.Call.Tool) + " " + what)
}

func (req *Request) unknownShell() error {
	return errors.New("longline does not know which shell runs the tool " + strictjson.Quote(req.Call.Tool) + " on Windows")
}

func (req *Request) shell(u *toolUse, v strictjson.Value, at place) error {
	if v.Kind != strictjson.String {
		return req.missing(u.field, v)
	}
	req.Call.Script, req.Call.Shell, req.field = v.Text, true, u.field
	if u.dir == "" {
		return nil
	}
	switch d := req.Input.Get(u.dir); d.Kind {
	case strictjson.String:
		if d.Text != "" {
			dir, ok := at.absolute(d.Text)
			if !ok {
				return errors.New("the directory " + strictjson.Quote(d.Text) + " that the command runs in is not absolute")
			}
			req.cwd, req.Call.Dir = at.dir, paths.Native(dir)
		}
	case strictjson.Absent, strictjson.Null:
	default:
		return req.missing(u.dir, d)
	}
	return nil
}

// shells joins several scripts that run one by one. Each becomes an argument of
// its own shell, because joined bare the quotes of one could swallow the next.
func (req *Request) shells(u *toolUse, v strictjson.Value) error {
	if v.Kind != strictjson.Array || len(v.Items) == 0 {
		return req.missing(u.field, v)
	}
	list, ok := strs(v)
	if !ok {
		return req.missing(u.field, v)
	}
	req.Call.Script, req.Call.Shell, req.field = joinScripts(list), true, u.field
	return nil
}

func joinScripts(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	var script strings.Builder
	for i, one := range list {
		if i > 0 {
			script.WriteByte('\n')
		}
		script.WriteString("bash -c " + shellQuote(one))
	}
	return script.String()
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (req *Request) paths(u *toolUse, v strictjson.Value, at place) error {
	kind := tool.Read
	// others: all that is left reads.
	switch u.use {
	case writes:
		kind = tool.Write
	case deletes:
		kind = tool.Delete
	}
	found, ok := strs(v, "path", "file_path", "filePath")
	if !ok || len(found) == 0 {
		return req.missing(u.field, v)
	}
	for _, p := range found {
		if u.use == searches && paths.Fixed(p) != p { // some take patterns
			req.pattern(p, at, false)
			p = globRoot(p)
		}
		at.path(req, kind, p)
	}
	return nil
}

// filterFields are the names that agents have for what limits a search to some files.
var filterFields = [...]string{"glob", "globs", "include", "includes", "include_pattern", "includePattern", "include_patterns", "file_pattern", "filePattern", "files"}

// filters counts what a search is limited to as names that somebody is after. Where lines are shown the search is judged as the
// command that makes it, too: that looks at what there is to be found.
func (req *Request) filters(at place) error {
	at.dir = req.searchDir(at)
	script := "rg --hidden"
	for _, field := range filterFields {
		v := req.Input.Get(field)
		if v.Kind == strictjson.Absent || v.Kind == strictjson.Null {
			continue
		}
		list, ok := strs(v)
		if !ok {
			return req.missing(field, v)
		}
		for _, filter := range list {
			for _, one := range splitFilters(filter) {
				script += " -g " + shellQuote(one)
				if !strings.HasPrefix(one, "!") {
					req.pattern(one, at, true)
				}
			}
		}
	}
	pattern := cmp.Or(remark(req.Input, "pattern"), remark(req.Input, "query"), remark(req.Input, "regex"))
	if remark(req.Input, "output_mode") == "content" && pattern != "" && strings.Contains(script, " -g ") {
		req.Call.Script, req.Call.Apart = script+" -e "+shellQuote(pattern)+" "+shellQuote(at.dir), true
	}
	return nil
}

// searchDir is the directory that a search is in.
func (req *Request) searchDir(at place) string {
	for _, field := range [...]string{"path", "dir_path", "directory"} {
		if d := req.Input.Get(field); d.Kind == strictjson.String && d.Text != "" {
			if dir, ok := at.absolute(globRoot(d.Text)); ok {
				return dir
			}
			break
		}
	}
	return at.here()
}

// splitFilters takes a list of patterns apart at blanks and at commas outside of braces.
func splitFilters(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == ' ' || r == ',' && depth <= 0
	})
}

// pattern adds a read of what a pattern matches, below the directory if it is a name
// alone and names count anywhere.
func (req *Request) pattern(text string, at place, anywhere bool) {
	list, ok := braces(text)
	if !ok {
		req.does(tool.Read, "", tool.Anywhere)
		return
	}
	for _, one := range list {
		if anywhere && !strings.Contains(strings.TrimSuffix(one, "/"), "/") {
			one = "**/" + one
		} else if anywhere {
			one = strings.TrimPrefix(one, "/") // from where the search begins
		}
		target, ok := at.absolute(one)
		e := tool.Effect{Kind: tool.Read, Target: target, Pattern: true, Reach: tool.Exact}
		if !ok {
			e = tool.Effect{Kind: tool.Read}
		}
		req.Call.Effects = append(req.Call.Effects, e)
	}
}

// braces writes out the {a,b} of a pattern. It is not ok if there are too many.
func braces(pattern string) (list []string, ok bool) {
	const most = 64
	todo := []string{pattern}
	for len(todo) > 0 {
		one := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		end := strings.IndexByte(one, '}')
		start := -1
		if end >= 0 {
			start = strings.LastIndexByte(one[:end], '{')
		}
		if start < 0 {
			list = append(list, one)
		} else {
			for choice := range strings.SplitSeq(one[start+1:end], ",") {
				todo = append(todo, one[:start]+choice+one[end+1:])
			}
		}
		if len(list)+len(todo) > most {
			return nil, false
		}
	}
	return list, true
}

// urls fetches the addresses in a field, or those that its prose has in it.
func (req *Request) urls(u *toolUse, v strictjson.Value) error {
	if u.use == links {
		req.links(v.Text)
		return nil
	}
	found, ok := strs(v, "url")
	if !ok || len(found) == 0 {
		return req.missing(u.field, v)
	}
	for _, s := range found {
		req.fetch(s)
	}
	return nil
}

// strs returns a string, or the strings of a list of strings or of objects that
// have one of the given keys.
func strs(v strictjson.Value, keys ...string) ([]string, bool) {
	if v.Kind == strictjson.String {
		return []string{v.Text}, true
	}
	if v.Kind != strictjson.Array {
		return nil, false
	}
	var all []string
	for _, item := range v.Items {
		for _, key := range keys {
			if item.Kind == strictjson.Object {
				if m := item.Get(key); m.Kind == strictjson.String {
					item = m
				}
			}
		}
		if item.Kind != strictjson.String {
			return nil, false
		}
		all = append(all, item.Text)
	}
	return all, true
}
