package agent

// Redirects reports whether the client can be given another file than the one a
// tool names, as Claude Code's Read can.
func Redirects(req Request) bool {
	return req.Call.Agent == "claude" && req.Call.Tool == "Read" && req.Kind == BeforeTool
}

// Response is what a tool has returned, as the client wrote it; for a call that
// failed it is the error.
func Response(req *Request) (field string, ok bool) {
	for _, name := range [...]string{"tool_response", "error"} {
		if v := req.Document.Get(name); v.Raw != "" {
			return name, true
		}
	}
	return "", false
}
