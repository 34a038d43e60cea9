package agent

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"longline/internal/language"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// What tools of servers and tools that nobody has described do with their
// arguments is not known. Whatever in them names a file, an address or a command
// counts, at any depth, as far as longline would object to it.

// Bounds on what is looked at of a tool's arguments.
const (
	maxArguments = 4096    // values
	maxArgument  = 1 << 20 // bytes of all strings that are read
)

var errArguments = errors.New("the tool's arguments are too large for longline to inspect")

// foreign describes a call to a tool of a server, or to one that nobody has described: by the words in its name, and by
// its arguments, which are judged as commands are. The words are those of whoever wrote the server.
func (req *Request) foreign(server, name string, at place) error {
	if server != "" {
		req.does(tool.Execute, "server:"+server+"/"+name, tool.Exact)
	}
	req.Call.Given = func(yield func(name, value string)) { given("", req.Input, yield) }
	a := &arguments{req: req, at: at, words: words(name), server: strings.ToLower(server)}
	if server == "" && listed("own", strings.Join(a.words, "_")) {
		return nil
	}
	sure := false
	a.class, sure = classify(a.words)
	a.browser = a.about("browser")
	if a.browser && (!sure || a.class == classCall) && slices.ContainsFunc(a.words, func(w string) bool { return listed("ui?", w) }) {
		a.class = classUI
	}
	a.remote = partOf("service", a.server)
	a.quiet = listed("quiet", strings.Join(a.words, "_"))
	a.actions(req.Input, 0)
	if err := a.value("", req.Input); err != nil {
		return err
	}
	if len(a.scripts) > 0 {
		req.Call.Script, req.Call.Runs, req.Call.Apart = joinScripts(a.scripts), true, !a.command
	}
	a.conclude()
	return nil
}

// Describe reads a call of a tool that somebody has written down, as an agent tells of it, or as Claude Code does if no agent is
// named. Only the agents that tell in its words are known here.
func Describe(name, called string, input []byte, source, dir, home string) (Request, error) {
	a := Find(cmp.Or(name, All[0].Name()))
	switch a.(type) {
	case claude, claudeLegacy, codex, gemini, qwen, droid, auggie, vscode:
	default:
		return Request{}, errors.New("the tools of " + strconv.Quote(name) + " cannot be judged this way; leave --agent out")
	}
	if len(input) == 0 {
		input = []byte("{}")
	}
	doc := new(object)
	doc.text("hook_event_name", "PreToolUse")
	doc.text("cwd", dir)
	doc.text("tool_name", called)
	doc.raw("tool_input", string(input))
	if source != "" {
		doc.text("source", source)
	}
	return a.Decode([]byte(doc.String()), func(variable string) (string, bool) { return home, variable == "HOME" })
}

// InWords is how a call of a tool reads in a line.
func InWords(name string, input []byte) string {
	if len(input) == 0 {
		return name
	}
	return name + " " + string(input)
}

// given calls a function with the fields of an input that hold one value.
func given(key string, v strictjson.Value, yield func(name, value string)) {
	switch v.Kind {
	case strictjson.Object:
		for _, m := range v.Members {
			given(m.Key, m.Value, yield)
		}
	case strictjson.Array:
		for _, item := range v.Items {
			given(key, item, yield)
		}
	case strictjson.String:
		yield(key, v.Text)
	default:
		yield(key, v.Raw)
	}
}

type arguments struct {
	req     *Request
	at      place
	words   []string // of the tool's name
	server  string   // its name, in small letters
	class   class
	browser bool // it works on pages
	quiet   bool // it is known to do no harm, whatever its verb
	remote  bool // its paths are a service's
	local   bool // they are this machine's
	written bool // a file of this machine is changed
	command bool // a command of a shell is run
	sent    bool // something is sent to an address
	secret  bool // it is about something that nobody needs to see
	http    bool // the class is that of a method of HTTP
	scripts []string
	values  int
	bytes   int
}

// about says whether a word of the tool's name, or a part of its server's, is in a line of the table.
func (a *arguments) about(line string) bool {
	for _, w := range a.words {
		if listed(line, w) {
			return true
		}
	}
	return partOf(line, a.server)
}

// conclude adds what the call does by its class, as far as its arguments have not said it.
func (a *arguments) conclude() {
	req := a.req
	if req.brought() && (a.quiet || a.class <= classProject) {
		req.does(tool.Control, "server.unproven", tool.Exact)
		return
	}
	if a.quiet {
		return
	}
	if (a.class == classRead || a.class == classUI) && a.reveals() {
		req.does(tool.Control, "server.secret", tool.Exact)
	}
	if name := a.state(); name != "" {
		req.does(tool.Control, name, tool.Exact)
	}
}

// state is the state that a call of its class changes; "" if its arguments have said all.
func (a *arguments) state() string {
	runs, said := len(a.scripts) > 0, a.sent || a.written && a.local
	switch {
	case a.class == classUI && !a.browser:
		return "desktop.control"
	case a.class <= classCall && runs && a.class != classRead && a.command && (a.remote || a.about("elsewhere")):
		return "server.write" // it runs on another machine
	case (a.class == classNone || a.class == classCall) && !runs:
		return "server.unknown"
	case a.class == classWrite && (runs || said), a.class == classDelete && said, a.class == classSend && (a.sent || runs && a.about("call?")):
		return ""
	}
	return states[a.class]
}

// states are what calls of a class change.
var states = [...]string{classWrite: "server.write", classSend: "server.send", classDelete: "server.delete", classPay: "server.pay", classRelease: "server.release", classAccess: "server.access"}

// brought says whether the project has brought the server: then nobody has said that its words are true.
func (req *Request) brought() bool { return req.source() == "project" }

func (req *Request) source() string {
	source := remark(req.Document.Get("mcp_server"), "source")
	if source == "" {
		source = remark(req.Document, "source")
	}
	return strings.ToLower(source)
}

// reveals says whether what the tool shows is a secret. A list of secrets has their names.
func (a *arguments) reveals() bool {
	if a.secret {
		return true
	}
	if slices.Contains(a.words, "list") || slices.Contains(a.words, "search") {
		return false
	}
	return saysSecret(a.words) || partOf("vault", a.server)
}

// partOf says whether a name has a word of a line in it.
func partOf(line, name string) bool {
	if name == "" {
		return false
	}
	for text := range strings.Lines(verbTable) {
		if list, ok := strings.CutPrefix(text, line+": "); ok {
			for _, w := range strings.Fields(list) {
				if len(w) > 4 && strings.Contains(name, w) {
					return true
				}
			}
		}
	}
	return false
}

// actions looks for fields that say what is done, and for those by which one sees where paths are.
func (a *arguments) actions(v strictjson.Value, depth int) {
	for _, m := range v.Members {
		key := strings.ToLower(m.Key)
		a.remote = a.remote || listed("remote", key)
		if m.Value.Kind == strictjson.Object && depth < 2 {
			a.actions(m.Value, depth+1)
		}
		if m.Value.Kind != strictjson.String || len(m.Value.Text) > 200 {
			continue
		}
		value := words(m.Value.Text)
		switch {
		case listed("action", key):
			a.act(value, m.Value.Text)
		case key == "name" && a.class == classCall:
			a.act(value, m.Value.Text)
		case a.class == classUI && listed("element", key):
			a.grave(value)
		case len(value) == 1 && (key == "kind" || key == "type" || key == "resource" || key == "resourcetype" || key == "resource_type"):
			a.secret = a.secret || listed("secret", value[0])
		}
	}
}

// act takes what a field says that the tool does. The methods of HTTP have names of their own.
func (a *arguments) act(value []string, text string) {
	if a.browser && a.class <= classUI {
		a.class = max(a.class, classUI)
		a.grave(value)
		return
	}
	c, _ := classify(value)
	switch strings.ToUpper(text) {
	case "GET", "HEAD", "OPTIONS":
		c = classRead
	case "POST", "PUT", "PATCH", "QUERY":
		c, a.http = classWrite, true
	case "DELETE":
		c, a.http = classDelete, true
	}
	if c == classNone {
		return
	}
	a.secret = a.secret || saysSecret(value)
	if a.class == classNone || a.class == classCall {
		a.class = c
	} else if c != classCall {
		a.class = max(a.class, c)
	}
}

// grave takes what is pressed in a page by its words.
func (a *arguments) grave(words []string) {
	for _, w := range words {
		if listed("grave", w) {
			a.class = max(a.class, classOf(w, ""))
		}
	}
}

func (a *arguments) value(key string, v strictjson.Value) error {
	if a.values++; a.values > maxArguments {
		return errArguments
	}
	switch v.Kind {
	case strictjson.Object:
		for _, m := range v.Members {
			if m.Key == "$out" || m.Key == "$merge" { // a search that writes what it finds
				a.class = max(a.class, classWrite)
			}
			if err := a.value(m.Key, m.Value); err != nil {
				return err
			}
		}
	case strictjson.Array:
		return a.list(key, v)
	case strictjson.String:
		if a.bytes += len(v.Text); a.bytes > maxArgument {
			return errArguments
		}
		a.text(key, v.Text)
	}
	return nil
}

// list is a list of values, or the words of one command.
func (a *arguments) list(key string, v strictjson.Value) error {
	isCommand := isCommandField(key)
	if words, ok := strs(v); ok && len(words) > 0 && isCommand {
		a.vector(key, words)
	}
	for _, item := range v.Items {
		if item.Kind == strictjson.String && isCommand {
			continue // a word of the command above
		}
		if err := a.value(key, item); err != nil {
			return err
		}
	}
	return nil
}

// isScript reports whether the tool runs texts, and one of some signs makes a text a script.
func (a *arguments) isScript(text, signs string) bool {
	runs := slices.ContainsFunc(a.words, func(w string) bool {
		return slices.Contains([]string{"run", "exec", "execute", "shell", "terminal", "bash", "zsh", "powershell", "spawn"}, w)
	})
	return runs && strings.ContainsAny(text, signs)
}

// text is one string. It is an address or a path by how it looks, a path also by
// the name of its field, and a command by the name of its field or of the tool.
func (a *arguments) text(key, text string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
	case isCommandField(key), a.isCode(key):
		a.code(key, text)
	case a.isSQL(key, text):
		a.scripts = append(a.scripts, sqlScript(a.server, text))
	case strings.HasPrefix(strings.ToLower(text), "mutation") && !isAlpha((text + " ")[8]):
		a.class = max(a.class, classWrite)
	case a.address(text), strings.ContainsAny(text, "\n\x00"):
		if a.isScript(text, "\n") {
			a.command = true
			a.scripts = append(a.scripts, text)
		}
	case isWorkplace(key) && !isFile(text):
		a.at.path(a.req, tool.Read, text)
	case isFile(text), a.at.rooted(text):
		a.local = true
		a.file(key, text)
	case slices.Contains(filterFields[:], key) && a.class != classWrite:
		a.req.pattern(text, a.at, true)
	case isPathField(key) && !a.isScript(text, "\t;|&$`<>"):
		a.local = a.local || !a.remote && (strings.Contains(strings.ToLower(key), "relative") || strings.HasSuffix(key, "InProject") || a.server == "" || a.about("local"))
		a.file(key, text)
	case a.isScript(text, " \t;|&$`<>"):
		a.command = true
		a.scripts = append(a.scripts, text)
	}
}

// isCode says whether a field holds code of a language that the tool runs.
func (a *arguments) isCode(key string) bool {
	key = strings.ToLower(key)
	return a.class == classCall && (strings.HasSuffix(key, "code") || key == "function" || key == "expression" || key == "cell_source" || key == "pagefunction")
}

// pageSigns are what code in a page does not need to look at it.
const pageSigns = `fetch( xmlhttprequest sendbeacon websocket cookie localstorage sessionstorage indexeddb require( import( import  eval( function( .constructor atob( fromcharcode
process. child_process .submit( .click( location= location. .location window[ globalthis[ self[ document[ .open( postmessage new image serviceworker .request .route( .src= .action= credentials navigator.clipboard .goto( .evaluate( .setcontent(`

// code takes a text that the tool runs, in the language that its words name. Code in a page sees what the page does.
func (a *arguments) code(key, text string) {
	lang := strings.ToLower(a.req.Input.Get("language").Text + " " + key + " " + strings.Join(a.words, " ") + " " + a.server)
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return strings.Contains(lang, w) })
	}
	shell := has("shell", "bash", "zsh", "terminal", "command", "cmd")
	switch {
	case a.browser && !shell:
		low := strings.ToLower(text)
		for sign := range strings.FieldsSeq(pageSigns) {
			if strings.Contains(low, sign) {
				a.class = classNone
				return
			}
		}
		a.class = classUI
	case has("python", "jupyter", "notebook", "pandas") || a.server == "ide":
		a.scripts = append(a.scripts, "python3 -c "+shellQuote(text))
	case has("javascript", "typescript", "node", "deno", "js"):
		a.scripts = append(a.scripts, "node -e "+shellQuote(text))
	case isCommandField(key) && (shell || !strings.EqualFold(key, "code")):
		a.command = true
		a.scripts = append(a.scripts, text)
	case a.class == classCall:
		a.class = classNone
	}
}

// isSQL says whether a text is a statement of SQL: by its field, by the tool's words, or by how it looks.
func (a *arguments) isSQL(key, text string) bool {
	key = strings.ToLower(key)
	switch {
	case strings.Contains(key, "sql"), strings.HasPrefix(key, "statement"), key == "ddl":
		return true
	}
	first, rest, _ := strings.Cut(text, " ")
	if !language.HasWord("select with insert update delete drop alter create truncate grant revoke explain show describe pragma merge replace copy call set use vacuum attach load lock analyze begin commit reindex refresh comment do exec execute", strings.ToLower(strings.TrimRight(first, "\n\t(;"))) {
		return false
	}
	if key == "query" || key == "queries" || key == "q" {
		for _, w := range [...]string{"sql", "postgres", "database", "duckdb", "mariadb", "clickhouse", "bigquery", "snowflake", "supabase", "neon", "redshift", "oracle", "cockroach", "trino", "athena"} {
			if strings.Contains(a.server, w) || slices.Contains(a.words, w) {
				return true
			}
		}
	}
	second, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	return language.HasWord("table from into database schema index view user role", strings.ToLower(second)) && (strings.EqualFold(first, second) || strings.ToUpper(first) == first)
}

// sqlScript is the command that runs a statement as the server does. Only what asks SQLite about itself is read by its own rules.
func sqlScript(server, text string) string {
	switch {
	case strings.HasPrefix(strings.ToLower(text), "pragma") && !strings.ContainsAny(text, "=;"):
		return "sqlite3 :memory: " + shellQuote(text)
	case strings.Contains(server, "mysql"), strings.Contains(server, "mariadb"):
		return "mysql -e " + shellQuote(text)
	}
	return "psql -c " + shellQuote(text)
}

// vector is an argument vector, or several commands.
func (a *arguments) vector(key string, words []string) {
	a.command = true
	if strings.EqualFold(key, "commands") {
		a.scripts = append(a.scripts, words...)
		return
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shellQuote(w)
	}
	a.scripts = append(a.scripts, strings.Join(quoted, " "))
}

// address adds what goes to an address of the web, if a text is one: a method that changes something sends.
func (a *arguments) address(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	if !ok || strings.ContainsAny(text, " \t\n") {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "ws", "wss", "ftp", "sftp":
		a.req.fetch("http" + text[len(scheme):])
		if a.http {
			e := &a.req.Call.Effects[len(a.req.Call.Effects)-1]
			e.Kind, a.sent = tool.Send, true
		}
		return true
	}
	return false
}

// isWorkplace says whether a field names the directory that a tool works in.
func isWorkplace(key string) bool {
	key = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
	return strings.HasSuffix(key, "cwd") || strings.HasSuffix(key, "workdir") || strings.HasSuffix(key, "workingdirectory") || strings.HasSuffix(key, "repopath") ||
		strings.HasSuffix(key, "projectpath") || strings.HasSuffix(key, "projectroot") || strings.HasSuffix(key, "workspaceroot") || strings.HasSuffix(key, "rootdir") || key == "rootpath"
}

// file adds what the tool may do to a file.
func (a *arguments) file(key, name string) {
	key = strings.ToLower(key)
	from := strings.HasPrefix(key, "source") || key == "src" || key == "from" || strings.HasPrefix(key, "old")
	to := strings.HasPrefix(key, "out") || strings.HasPrefix(key, "dest") || strings.HasPrefix(key, "save") || strings.HasPrefix(key, "target")
	moves := slices.ContainsFunc(a.words, func(w string) bool { return w == "move" || w == "mv" || w == "rename" })
	does := func(kind tool.Kind) {
		a.at.path(a.req, kind, name)
		a.written = a.written || kind != tool.Read
	}
	switch {
	case a.class == classDelete:
		does(tool.Delete)
	case a.class == classWrite && from && moves:
		does(tool.Read)
		does(tool.Delete)
	case a.class == classWrite && from:
		does(tool.Read)
	case a.class == classWrite, to && a.class != classSend, key == "filename" && a.browser && a.class != classSend:
		does(tool.Write)
	case a.class == classRead, a.class == classSend, a.class == classUI, a.class == classProject, a.quiet:
		does(tool.Read)
	default:
		does(tool.Read)
		does(tool.Write)
	}
}

// isFile says whether a text is a path of the home directory or an address of a file.
func isFile(text string) bool {
	return text == "~" || strings.HasPrefix(text, "~/") || len(text) > 5 && strings.EqualFold(text[:5], "file:")
}

// roots are the directories that file systems begin with. What else begins with a
// slash is as likely a route of a server or a path in a repository.
var roots = []string{
	"Applications", "Library", "System", "Users", "Volumes", "bin", "boot", "data", "dev", "etc", "home", "lib", "media", "mnt", "nix", "opt", "private",
	"proc", "root", "run", "sbin", "srv", "sys", "tmp", "usr", "var", "work", "workspace", "workspaces",
}

// rooted says whether a text is an absolute path of this machine.
func (at place) rooted(text string) bool {
	if !path.IsAbs(text) || len(text) > 4096 {
		return false
	}
	first := firstName(path.Clean(text))
	return first == "" || slices.Contains(roots, first) || first == firstName(at.dir) || first == firstName(at.home)
}

func firstName(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return name
}

// isCommandField says whether a field is named like one that holds a command.
func isCommandField(key string) bool {
	switch strings.ToLower(key) {
	case "command", "cmd", "script", "code", "argv", "commands", "shell_command", "command_line", "commandline", "cli_command", "shell", "bash":
		return true
	}
	return false
}

// isPathField says whether a field is named like one that holds a path.
func isPathField(key string) bool {
	key = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
	switch key {
	case "path", "pathinproject", "paths", "file", "files", "filename", "dir", "directory", "folder", "source", "destination", "src", "dest", "target", "uri", "root":
		return true
	}
	return strings.HasSuffix(key, "path") || strings.HasSuffix(key, "paths") || strings.HasSuffix(key, "file") || strings.HasSuffix(key, "files")
}
