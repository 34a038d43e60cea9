package agent

import (
	"errors"
	"path"
	"slices"
	"strings"

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

// arguments adds what the arguments of a tool may mean.
func (req *Request) arguments(at place) error {
	a := &arguments{req: req, at: at, verb: verbOf(req.Call.Tool)}
	if err := a.value("", req.Input); err != nil {
		return err
	}
	if len(a.scripts) > 0 {
		req.Call.Script = joinScripts(a.scripts)
	}
	return nil
}

type arguments struct {
	req     *Request
	at      place
	verb    verb
	scripts []string
	values  int
	bytes   int
}

func (a *arguments) value(key string, v strictjson.Value) error {
	if a.values++; a.values > maxArguments {
		return errArguments
	}
	switch v.Kind {
	case strictjson.Object:
		for _, m := range v.Members {
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
		a.command(key, words)
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
	return a.verb.runs && strings.ContainsAny(text, signs)
}

// text is one string. It is an address or a path by how it looks, a path also by
// the name of its field, and a command by the name of its field or of the tool.
func (a *arguments) text(key, text string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
	case isCommandField(key):
		a.scripts = append(a.scripts, text)
	case a.address(text), strings.ContainsAny(text, "\n\x00"):
		if a.isScript(text, "\n") {
			a.scripts = append(a.scripts, text)
		}
	case isFile(text), a.at.rooted(text):
		a.file(text)
	case slices.Contains(filterFields[:], key) && !a.verb.writes:
		a.req.pattern(text, a.at, true)
	case a.isScript(text, " \t;|&$`<>"):
		a.scripts = append(a.scripts, text)
	case isPathField(key):
		a.file(text)
	}
}

// command is an argument vector, or several commands.
func (a *arguments) command(key string, words []string) {
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

// address adds a fetch if a text is an address of the web.
func (a *arguments) address(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	if !ok || strings.ContainsAny(text, " \t\n") {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "ws", "wss", "ftp", "sftp":
		a.req.fetch("http" + text[len(scheme):])
		return true
	}
	return false
}

// file adds what the tool may do to a file.
func (a *arguments) file(name string) {
	if a.verb.reads || !a.verb.writes {
		a.at.path(a.req, tool.Read, name)
	}
	if a.verb.writes || !a.verb.reads {
		a.at.path(a.req, tool.Write, name)
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
	case "command", "cmd", "script", "code", "argv", "commands", "shell_command", "command_line", "commandline":
		return true
	}
	return false
}

// isPathField says whether a field is named like one that holds a path.
func isPathField(key string) bool {
	key = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
	switch key {
	case "path", "paths", "file", "files", "filename", "dir", "directory", "folder", "source", "destination", "src", "dest", "target", "uri", "root":
		return true
	}
	return strings.HasSuffix(key, "path") || strings.HasSuffix(key, "paths") || strings.HasSuffix(key, "file") || strings.HasSuffix(key, "files")
}

// verb is what a tool does with files, as far as its name says so.
type verb struct{ reads, writes, runs bool }

// verbOf takes the name of a tool apart into words.
func verbOf(name string) (v verb) {
	if _, tool, ok := mcpTool(name); ok && tool != "" {
		name = tool
	}
	for _, word := range words(name) {
		switch word {
		case "run", "exec", "execute", "shell", "terminal", "bash", "zsh", "powershell", "spawn":
			v.runs = true
		case "read", "get", "list", "ls", "search", "find", "grep", "glob", "view", "show", "cat", "head", "tail", "stat", "hover", "describe", "diff", "load",
			"fetch", "check", "lint", "analyze", "count", "query", "lookup", "inspect", "info", "diagnostics", "symbols", "references", "definition", "lsp",
			"resource", "resources", "tree", "compare", "preview", "validate":
			v.reads = true
		case "write", "create", "edit", "update", "delete", "remove", "rm", "move", "mv", "rename", "copy", "cp", "put", "save", "append", "patch", "insert",
			"replace", "set", "upload", "download", "export", "install", "apply", "format", "fix", "generate", "make", "mkdir", "touch", "modify", "change", "restore", "reset", "unzip", "extract":
			v.writes = true
		}
	}
	return v
}

// words takes a name apart: read_file, readFile and ReadFile are read and file.
func words(name string) []string {
	var list []string
	start := 0
	for i := 0; i <= len(name); i++ {
		end := i == len(name) || !isAlpha(name[i])
		if end || i > start && isUpper(name[i]) && name[i-1] >= 'a' {
			if i > start {
				list = append(list, strings.ToLower(name[start:i]))
			}
			if start = i; end {
				start = i + 1
			}
		}
	}
	return list
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
