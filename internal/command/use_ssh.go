package command

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// sshHost is the host of a remote login. With nothing to run, no terminal and
// nothing to read, all that happens is the host's greeting, which is how people
// test their keys; otherwise commands run there.
func (r *reader) sshHost(w Word) {
	if len(r.oper) == 1 && r.flagGiven("-T", true) && r.inv.Stdin.None {
		r.sshAddress(tool.Fetch, w)
		return
	}
	r.sshAddress(tool.Send, w)
	r.controlOnce("remote.shell", w.Span)
	if home, ok := r.here(sshAuthority(w.Text)); ok {
		r.scope.login = &home
	}
}

// remoteFile is "host", where a session begins, or "host:path", a file that is
// fetched as well unless it is a directory.
func (r *reader) remoteFile(w Word) {
	r.sshAddress(tool.Send, w)
	host, path, ok := strings.Cut(strings.TrimPrefix(w.Text, "sftp://"), ":")
	if i := strings.IndexByte(host, '/'); i >= 0 {
		path, ok = host[i:], true
	}
	if !ok || path == "" {
		return
	}
	r.sshAddress(tool.Fetch, w)
	if home, ok := r.here(host); ok {
		e := pathEffect(tool.Read, Word{Text: afterLogin(path), Reach: w.Reach, Glob: paths.Wild(path), Span: w.Span}, home, r.world)
		e.Tree = true
		r.effect(e)
	}
	name := strings.TrimRight(path, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	if len(r.oper) < 2 {
		e := r.path(tool.Write, Known(name, w.Span))
		if w.Reach != tool.Exact || name == "" || name == ".." || paths.Wild(name) {
			e = anyName(r.path(tool.Write, Word{Text: ".", Reach: tool.Under, Span: w.Span}))
		}
		r.effect(put(e))
	}
}

// sshAddress is "user@host" or "ssh://user@host:port".
func (f *findings) sshAddress(kind tool.Kind, w Word) {
	w.Text = strings.TrimPrefix(w.Text, "ssh://")
	f.host(kind, w)
}

// sshAuthority is the "user@host:port" of such an address.
func sshAuthority(text string) string {
	rest, ok := strings.CutPrefix(text, "ssh://")
	if !ok {
		return text
	}
	rest, _, _ = strings.Cut(rest, "/")
	return rest
}

// sshOption is "Name=value" or "Name value", as in the configuration file of
// ssh. Options that are not known to be harmless are gaps.
func (r *reader) sshOption(w Word) {
	i := strings.IndexAny(w.Text, "= \t")
	if i < 0 || w.Reach != tool.Exact && w.Reach != tool.Prefix {
		r.gap("the ssh option is known only at run time", w.Span)
		return
	}
	name := strings.ToLower(w.Text[:i])
	text := strings.TrimLeft(w.Text[i:], "= \t")
	v := w
	v.Text, v.At = text, w.At.Shift(len(w.Text)-len(text))
	kind := sshOptionKind(name)
	off := v.IsKnown() && (strings.EqualFold(text, "no") || strings.EqualFold(text, "none"))
	if off && kind != "" && kind != "read" {
		return
	}
	r.sshValue(kind, name, v)
}

// sshOptions says what options of ssh are.
var sshOptions = [...]struct{ names, kind string }{
	{"addressfamily batchmode bindaddress bindinterface canonicalizehostname casignaturealgorithms checkhostip ciphers", "plain"},
	{"clearallforwardings compression connectionattempts connecttimeout escapechar exitonforwardfailure fingerprinthash", "plain"},
	{"gssapiauthentication hashknownhosts hostbasedauthentication hostkeyalgorithms hostkeyalias identitiesonly ipqos", "plain"},
	{"kbdinteractiveauthentication kexalgorithms loglevel macs nohostauthenticationforlocalhost numberofpasswordprompts", "plain"},
	{"passwordauthentication port preferredauthentications pubkeyacceptedalgorithms pubkeyauthentication rekeylimit", "plain"},
	{"requiredrsasize serveralivecountmax serveraliveinterval stricthostkeychecking tcpkeepalive updatehostkeys", "plain"},
	{"user verifyhostkeydns visualhostkey challengeresponseauthentication pubkeyacceptedkeytypes logverbose controlpersist", "plain"},
	{"proxycommand localcommand knownhostscommand", "command"},
	{"remotecommand requesttty", "shell"},
	{"permitlocalcommand controlmaster controlpath", "open"},
	{"forwardagent forwardx11 forwardx11trusted tunnel localforward remoteforward dynamicforward permitremoteopen streamlocalbindunlink gatewayports", "tunnel"},
	{"proxyjump", "jump"},
	{"identityfile certificatefile", "read"},
	{"userknownhostsfile globalknownhostsfile", "write"},
}

// sshOptionKind is the kind of an option, or "".
func sshOptionKind(name string) string {
	for _, o := range sshOptions {
		if hasWord(o.names, name) {
			return o.kind
		}
	}
	return ""
}

// sshValue is the value of an option of a kind.
func (r *reader) sshValue(kind, name string, v Word) {
	switch kind {
	case "plain":
	case "command":
		if v.IsKnown() {
			r.inv.Runs = append(r.inv.Runs, Nested{Script: &v, Shell: "sh", Dir: &r.dir, Among: true})
		} else {
			r.execute("config:"+name, v.Span)
		}
	case "shell":
		r.controlOnce("remote.shell", v.Span)
	case "open":
		r.gap("longline does not follow the option "+quote(name)+" of ssh", v.Span)
	case "tunnel":
		r.controlOnce("tunnel", v.Span)
	case "jump":
		r.sshAddress(tool.Send, v)
	case "read":
		r.pathUse(tool.Read, v, false)
	case "write":
		r.pathUse(tool.Write, v, false)
	default:
		r.gap("longline does not know the option "+quote(name)+" of ssh", v.Span)
	}
}

// shellWords joins this operand and those after it with blanks: shell text for
// each submodule, with "remote" for another machine, and else for a device of that kind.
func (r *reader) shellWords(where string, _ Word) {
	if r.shellDone {
		return // the first of the words spoke for all
	}
	r.shellDone = true
	n := Nested{Shell: "sh", Stdin: r.inv.Stdin, Piped: true}
	switch where {
	case "remote":
		if n.Remote = r.scope.login == nil; !n.Remote {
			n.Dir = r.scope.login
		}
	case "modules":
		n.Dir, n.Again = &r.dir, true
	default:
		n.Remote, n.Device, n.Alters = true, where, "remote.shell"
	}
	words := r.oper[r.at:]
	if len(words) == 1 {
		script := words[0]
		n.Script = &script
	} else {
		var b strings.Builder
		reach := tool.Exact
		var taint Taint
		for i, w := range words {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w.Text)
			if taint |= w.Taint; !w.IsKnown() {
				if reach = tool.Prefix; i == 0 {
					reach = tool.Anywhere
				}
				break
			}
		}
		n.Script = &Word{Text: b.String(), Reach: reach, Taint: taint, Span: words[0].Span}
	}
	if where == "modules" && inModules(r, n) {
		return
	}
	r.inv.Runs = append(r.inv.Runs, n)
}

// socket is an address as socat takes it, "TYPE:rest,options": files, hosts and
// programs by its type.
func (r *reader) socket(w Word) {
	text, options, _ := strings.Cut(w.Text, ",")
	if w.Reach == tool.Anywhere || strings.Contains(options, "=") && !w.IsKnown() {
		r.gap("an address is known only at run time", w.Span)
	}
	if w.Reach == tool.Anywhere {
		return
	}
	kind, rest, _ := strings.Cut(text, ":")
	v := w
	v.Text, v.At = rest, 0
	if beginsWith("/ .", kind) {
		kind = "OPEN"
	}
	if rest == "" {
		v.Text = text
	}
	if rest != "" && strings.EqualFold(kind, "PIPE") {
		r.pathUse(tool.Create, v, false)
		r.pathUse(tool.Write, v, false)
		return
	}
	r.socketAt(kind, v)
}

// socketAt is what an address of a type does at its place.
func (r *reader) socketAt(kind string, v Word) {
	switch socketKind(strings.ToUpper(kind)) {
	case "stream":
	case "program":
		r.execute("shell:reverse", v.Span)
	case "listen":
		r.control("network.listen", v.Span)
	case "local":
		r.effect(tool.Effect{Kind: tool.Send, Target: "@local", Reach: tool.Exact, Span: v.Span})
		isTold(r, v)
	case "host":
		isTold(r, v)
		r.host(tool.Send, v)
	case "file":
		r.pathUse(tool.Read, v, false)
		r.pathUse(tool.Write, v, false)
	case "create":
		r.pathUse(tool.Write, v, false)
	default:
		r.gap("unknown kind of address "+quote(kind), v.Span)
	}
}

// socketKinds says what the types of addresses are; "*" stands for anything.
var socketKinds = [...]struct{ types, kind string }{
	{"- STDIO STDIN STDOUT STDERR PIPE", "stream"},
	{"EXEC SYSTEM SHELL", "program"},
	{"*LISTEN* *RECV*", "listen"},
	{"UNIX* ABSTRACT*", "local"},
	{"TCP* UDP* OPENSSL* SSL* SCTP* PROXY* SOCKS*", "host"},
	{"OPEN FILE GOPEN", "file"},
	{"CREATE CREAT", "create"},
}

func socketKind(kind string) string {
	for _, k := range socketKinds {
		for pattern := range strings.FieldsSeq(k.types) {
			if paths.Stars(pattern, kind) {
				return k.kind
			}
		}
	}
	return ""
}
