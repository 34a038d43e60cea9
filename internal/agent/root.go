package agent

import (
	"path/filepath"

	"longline/internal/paths"
	"longline/internal/strictjson"
)

// Root is the project that the client names, or "". If it names several, it is
// the one that the call is in.
func Root(req *Request, env func(string) (string, bool)) string {
	if name := FactsOf(req.Call.Agent).RootVariable; name != "" {
		if dir, _ := env(name); filepath.IsAbs(dir) {
			return dir
		}
	}
	root := ""
	for _, r := range req.Document.Get("workspace_roots").Items {
		if in := paths.Within(req.Call.Dir, r.Text); r.Kind == strictjson.String && (root == "" || in) {
			root = r.Text
			if in {
				break
			}
		}
	}
	return root
}

// Cwd is the client's own directory, which may differ from the one that a tool
// runs in.
func Cwd(req *Request) string {
	if req.cwd != "" {
		return req.cwd
	}
	return req.Call.Dir
}

// firstOf is the first text of a list, or "".
func firstOf(doc strictjson.Value, key string) string {
	if list := doc.Get(key).Items; len(list) > 0 {
		return list[0].Text
	}
	return ""
}

// startedIn is the environment as it is in a directory, for clients that name the
// directory elsewhere; with "" it stays as it is.
func startedIn(dir string, env func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if name == "PWD" && dir != "" {
			return dir, true
		}
		return env(name)
	}
}
