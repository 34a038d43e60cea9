package powershell

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/syntax"
)

// verbs are those that the names of cmdlets begin with.
const verbs = `add clear close compare complete compress confirm connect convert convertfrom convertto copy debug disable disconnect dismount enable enter exit expand export find
foreach format get grant group hide import initialize install invoke join limit lock measure merge mount move new open optimize out ping pop protect publish push read receive
register remove rename repair request reset resize resolve restart restore resume revoke save search select send set show skip sort split start step stop submit suspend switch sync
tee test trace unblock undo uninstall unlock unprotect unpublish unregister update use wait watch where write`

// isCmdlet says whether a name in lower case is one of PowerShell's own.
func isCmdlet(name string) bool {
	verb, noun, ok := strings.Cut(name, "-")
	return ok && noun != "" && hasWord(verbs, verb) && strings.IndexFunc(noun, func(c rune) bool { return c < 'a' || c > 'z' }) < 0
}

// ofFiles says whether the operands of a cmdlet name files, with wildcards.
func ofFiles(name string) bool {
	_, noun, _ := strings.Cut(name, "-")
	return hasWord("item content childitem path location itemproperty acl filehash csv archive file clixml", noun) && name != "join-path" && name != "new-item"
}

// overridable are commands that a function of the same name would be run instead of.
const overridable = "get-childitem get-content set-content remove-item copy-item move-item invoke-expression invoke-webrequest set-location write-output write-host out-file test-path get-item new-item start-process"

// aliases are names of cmdlets, each with what it stands for. Those of the second list are programs of their own on other systems.
const (
	aliases = `%,foreach=foreach-object ?,where=where-object ac=add-content clc=clear-content clp=clear-itemproperty cli=clear-item compress=compress-archive
copy,cpi=copy-item cpp=copy-itemproperty cvpa=convert-path del,erase,rd,ri=remove-item rp=remove-itemproperty dir,gci=get-childitem
echo,write=write-output epal=export-alias epcsv=export-csv ipcsv=import-csv fc=format-custom fl=format-list ft=format-table fw=format-wide
fhx=format-hex gal=get-alias gc,type=get-content gcb=get-clipboard scb=set-clipboard gcm=get-command gdr=get-psdrive ghy,history,h=get-history
gi=get-item gp=get-itemproperty gpv=get-itempropertyvalue gl,pwd=get-location gm=get-member gmo=get-module gps=get-process group=group-object
gsv=get-service gtz=get-timezone gu=get-unique gv=get-variable gin=get-computerinfo icm=invoke-command iex=invoke-expression ihy,r=invoke-history
ii=invoke-item ipal=import-alias ipmo=import-module irm=invoke-restmethod iwr=invoke-webrequest kill,spps=stop-process measure=measure-object
mi,move=move-item mp=move-itemproperty nal=new-alias ndr=new-psdrive ni=new-item nmo=new-module nsn=new-pssession nv=new-variable oh=out-host
popd=pop-location pushd=push-location rcjb=receive-job rcsn=receive-pssession rdr=remove-psdrive ren,rni=rename-item rnp=rename-itemproperty
rjb=remove-job rmo=remove-module rv=remove-variable rvpa=resolve-path sajb=start-job sal=set-alias saps,start=start-process sasv=start-service
sc=set-content select=select-object set,sv=set-variable si=set-item sl,cd,chdir=set-location sls=select-string sp=set-itemproperty spjb=stop-job
spsv=stop-service swmi=set-wmiinstance gwmi=get-wmiobject iwmi=invoke-wmimethod rwmi=remove-wmiobject gcim=get-ciminstance icim=invoke-cimmethod
wjb=wait-job etsn=enter-pssession shcm=show-command cls=clear-host md=mkdir`
	shadowing = `ls=get-childitem cat=get-content rm,rmdir=remove-item cp=copy-item mv=move-item ps=get-process sort=sort-object sleep=start-sleep tee=tee-object
diff=compare-object man,help=get-help clear=clear-host mount=new-psdrive lp=out-printer`
)

// findAlias is what an alias stands for.
func findAlias(name string, windows bool) (string, bool) {
	lists := [...]string{aliases, shadowing}
	if !windows {
		lists[1] = ""
	}
	for _, list := range lists {
		for entry := range strings.FieldsSeq(list) {
			names, to, _ := strings.Cut(entry, "=")
			for one := range strings.SplitSeq(names, ",") {
				if one == name {
					return to, true
				}
			}
		}
	}
	return "", false
}

// named is the name of a command as it is known.
func (p *parser) named(text string) string {
	lower := strings.ToLower(text)
	if p.functions[lower] {
		return lower
	}
	if to, ok := findAlias(lower, p.windows); ok {
		return to
	}
	text = strings.ReplaceAll(text, `\`, "/")
	if module, name, ok := strings.Cut(lower, `\`); ok && strings.HasPrefix(module, "microsoft.powershell.") {
		return name
	}
	if module, name, ok := strings.Cut(lower, `/`); ok && strings.HasPrefix(module, "microsoft.powershell.") {
		return name
	}
	if isCmdlet(lower) {
		return lower
	}
	if p.windows && lower != "where.exe" {
		for _, ending := range [...]string{".exe", ".cmd", ".com"} {
			if cut, ok := strings.CutSuffix(lower, ending); ok && !strings.Contains(text, "/") {
				text = text[:len(cut)]
			}
		}
		if !strings.Contains(text, "/") {
			text = strings.ToLower(text)
		}
	}
	return text
}

// carryOut makes of a command that is known what it does.
func (p *parser) carryOut(s *stage, a *args) {
	words := a.words
	name := p.quoted(s.name, s.start, s.start+1)
	switch s.name {
	case "foreach-object":
		p.eachObject(s, a)
		return
	case "get-childitem":
		if list := p.found(a); list != nil && !p.ofEnvironment(s, words) {
			s.call = &syntax.CallExpr{Args: list}
			return
		} else if s.call != nil {
			return
		}
	case "set-location":
		if p.ofEnvironment(s, words) {
			return
		}
		s.name, words = "cd", p.places1(a, "cd")
		name = p.quoted("cd", s.start, s.start+1)
	case "push-location":
		if p.ofEnvironment(s, words) {
			return
		}
		s.name, words = "pushd", p.places1(a, "pushd")
		name = p.quoted("pushd", s.start, s.start+1)
		if len(words) == 0 {
			words = []*syntax.Word{p.quoted(".", s.start, p.at)}
		}
	case "pop-location":
		name, words = p.quoted("popd", s.start, s.start+1), nil
	case "mkdir":
		words = append([]*syntax.Word{p.quoted("--itemtype", s.start, p.at), p.quoted("directory", s.start, p.at)}, dashes(p, words)...)
		name, s.name = p.quoted("new-item", s.start, s.start+1), "new-item"
	case "start-process":
		s.stmts = append(s.stmts, p.process(a)...)
	case "new-object":
		if kind, rest := p.objectOf(a); kind != "" {
			name, words = p.quoted("["+kind+"]::new", s.start, s.start+1), rest
		}
	case "curl", "wget":
		if p.windows && fetches(words) {
			name, words = p.quoted("invoke-webrequest", s.start, s.start+1), dashes(p, words)
		}
	case "cmd", "powershell", "pwsh":
		words = lower(p, words)
	case "set-item", "new-item", "remove-item", "get-item", "get-content", "set-content", "clear-item", "test-path", "copy-item", "rename-item", "add-content":
		if p.ofEnvironment(s, words) {
			return
		}
	}
	if bashOnly(s.name) {
		p.problem("a command that only other shells have", s.start)
		return
	}
	s.call = &syntax.CallExpr{Args: append([]*syntax.Word{name}, words...)}
}

// found is Get-ChildItem as the words of find, which lists the same; nil if it is not that easy.
func (p *parser) found(a *args) []*syntax.Word {
	text := func(s string) *syntax.Word { return p.quoted(s, p.at, p.at) }
	var places, names []*syntax.Word
	depth, after := "1", ""
	for _, w := range a.words {
		flag, is := strings.CutPrefix(constant(w), "--")
		switch {
		case is && (flag == "s" || hasPrefix(flag, "recurse")):
			depth = ""
		case is && hasPrefix(flag, "force directory file ad af hidden ah followsymlink"):
		case is && hasPrefix(flag, "path literalpath pspath lp filter include exclude depth erroraction ea inputobject"):
			after = flag
			continue
		case is:
			return nil
		case after == "" && len(places) > 0, hasPrefix(after, "filter include"):
			names = append(names, w)
		case after == "", hasPrefix(after, "path literalpath pspath lp inputobject"):
			places = append(places, w)
		case hasPrefix(after, "depth"):
			depth = ""
		}
		after = ""
	}
	if len(places) == 0 {
		places = append(places, text("."))
	}
	list := append([]*syntax.Word{text("find")}, places...)
	if depth != "" {
		list = append(list, text("-maxdepth"), text("1"))
	}
	if len(names) == 1 {
		if name, ok := known(names[0]); ok {
			list = append(list, text("-name"), text(name))
		}
	}
	return list
}

// bashOnly says whether a name would be taken for a builtin by a reader of other shells.
func bashOnly(name string) bool {
	return hasWord(`: . source dirs export local declare typeset readonly unset shift eval trap alias unalias exec command builtin read mapfile readarray getopts let hash enable
shopt ulimit umask logout wait jobs fg bg disown suspend fc complete compgen compopt bind times caller printf test [`, name)
}

// eachObject is ForEach-Object: its blocks are done for each thing that comes in.
func (p *parser) eachObject(s *stage, a *args) {
	s.loops = true
	for _, b := range a.blocks {
		s.each = append(s.each, b...)
	}
	if len(a.blocks) > 0 {
		return
	}
	for _, w := range a.words { // the name of a member
		text, ok := known(w)
		text = strings.ToLower(text)
		if !ok || !strings.HasPrefix(text, "--") && !hasWord(computing, text) && !hasWord(sameText, text) && !hasWord(asItIs, text) && !hasWord("name basename extension length count key value id line matches groups directoryname parent lastwritetime trim", text) {
			p.problem("a member that is called for each thing", s.start)
		}
		if hasWord(asItIs, text) {
			s.each = []*syntax.Stmt{p.call(s.start, p.at, p.quoted(showing, s.start, p.at), &syntax.Word{Parts: []syntax.WordPart{p.variable(inShell("_"), s.start, p.at)}})}
			return
		}
	}
	s.each = []*syntax.Stmt{p.call(s.start, p.at, append([]*syntax.Word{p.quoted(showing, s.start, p.at)}, p.unknown(s.start, p.at, one(&syntax.Word{Parts: []syntax.WordPart{p.variable(inShell("_"), s.start, p.at)}})).words...)...)}
}

// places1 is the directory that a command goes to.
func (p *parser) places1(a *args, name string) (words []*syntax.Word) {
	for _, w := range a.words {
		text := constant(w)
		switch {
		case text == "--path" || text == "--literalpath" || text == "--passthru" || strings.HasPrefix("--literalpath", text) && len(text) > 2 || strings.HasPrefix("--path", text) && len(text) > 2:
			continue
		case strings.EqualFold(text, "/d"): // as cmd has it
			continue
		case strings.HasPrefix(text, "--"):
			if !hasPrefix(text[2:], "erroraction ea verbose stackname") {
				p.problem("an unknown parameter", int(w.Pos().Offset()))
			}
			continue
		case hasWord("stop silentlycontinue continue ignore", strings.ToLower(text)) && len(words) > 0:
			continue
		}
		words = append(words, w)
	}
	if len(words) > 1 {
		p.problem("more than one directory", int(words[1].Pos().Offset()))
	}
	return words
}

// process is what Start-Process starts.
func (p *parser) process(a *args) []*syntax.Stmt {
	var list []*syntax.Word
	after := ""
	for _, w := range a.words {
		text, ok := known(w)
		if name, is := strings.CutPrefix(text, "--"); ok && is && !strings.Contains(name, "=") {
			if after = name; hasPrefix(name, "nonewwindow wait passthru usenewenvironment loaduserprofile whatif confirm") {
				after = ""
			}
			continue
		}
		switch {
		case after == "", strings.HasPrefix("filepath", after), after == "path":
			list = append(list, w)
		case strings.HasPrefix("argumentlist", after) || after == "args":
			if ok && !strings.ContainsAny(text, `"'`) {
				for _, one := range strings.Fields(text) {
					list = append(list, p.quoted(one, int(w.Pos().Offset()), int(w.End().Offset())))
				}
			} else {
				list = append(list, w)
			}
		}
		after = ""
	}
	if len(list) == 0 {
		return nil
	}
	text, ok := known(list[0])
	if ok && strings.Contains(text, "://") {
		return nil // which opens a page
	}
	s := stage{start: int(list[0].Pos().Offset())}
	if !ok {
		s.call = &syntax.CallExpr{Args: list}
		return p.one1(&s)
	}
	s.name = p.named(text)
	p.carryOut(&s, &args{p: p, words: list[1:]})
	return p.one1(&s)
}

// objectOf is the type that New-Object makes one of.
func (p *parser) objectOf(a *args) (string, []*syntax.Word) {
	kind, words, after := "", []*syntax.Word(nil), ""
	for _, w := range a.words {
		text, ok := known(w)
		if name, is := strings.CutPrefix(text, "--"); ok && is {
			after = name
			if hasPrefix(name, "comobject strict") {
				return "", nil
			}
			continue
		}
		switch {
		case after == "property":
		case ok && kind == "" && (after == "" || strings.HasPrefix("typename", after)):
			kind = strings.TrimPrefix(strings.ToLower(text), "system.")
		default:
			words = append(words, w)
		}
		after = ""
	}
	return kind, words
}

// fetches says whether the words of curl or wget are those of Invoke-WebRequest.
func fetches(words []*syntax.Word) bool {
	for _, w := range words {
		if hasWord("-usebasicparsing -uri -outfile -method -body -headers -infile -timeoutsec -contenttype -credential -passthru", strings.ToLower(constant(w))) {
			return true
		}
	}
	return false
}

// dashes are words with parameters as those of a cmdlet.
func dashes(p *parser, words []*syntax.Word) (list []*syntax.Word) {
	for _, w := range words {
		if text := constant(w); len(text) > 1 && text[0] == '-' && isLetter(text[1]) {
			w = p.quoted("-"+strings.ToLower(text), int(w.Pos().Offset()), int(w.End().Offset()))
		}
		list = append(list, w)
	}
	return list
}

// lower are words with flags in lower case.
func lower(p *parser, words []*syntax.Word) (list []*syntax.Word) {
	for _, w := range words {
		if text := constant(w); len(text) > 1 && (text[0] == '-' || text[0] == '/') && len(text) < 20 {
			w = p.quoted(strings.ToLower(text), int(w.Pos().Offset()), int(w.End().Offset()))
		}
		list = append(list, w)
	}
	return list
}

// noFiles takes a path on one of the drives that are no files apart; the drive is "" for any other.
func noFiles(text string) (drive, rest string) {
	drive, rest, ok := strings.Cut(text, ":")
	drive = strings.ToLower(drive)
	if strings.HasPrefix(rest, ":") { // by the name of what provides it
		drive = strings.NewReplacer("environment", "env", "certificate", "cert").Replace(drive[strings.LastIndexByte(drive, '/')+1:])
	}
	if !ok || !hasWord("env cert function variable alias wsman", drive) {
		return "", ""
	}
	return drive, strings.Trim(rest, ":/")
}

// ofEnvironment is a command on one of the drives that are no files.
func (p *parser) ofEnvironment(s *stage, words []*syntax.Word) bool {
	var names []*syntax.Word
	drives, all := "", false
	for _, w := range words {
		if len(w.Parts) == 0 {
			continue
		}
		q, ok := w.Parts[0].(*syntax.SglQuoted)
		if !ok {
			continue
		}
		if drive, rest := noFiles(q.Value); drive != "" {
			drives = drive
			switch {
			case paths.Wild(rest), len(w.Parts) > 1:
				all = true
			case rest != "":
				names = append(names, p.quoted(rest, s.start, p.at))
			}
		}
	}
	verb, _, _ := strings.Cut(s.name, "-")
	switch {
	case drives == "":
		return false
	case verb == "test", verb == "get" && drives != "env":
		s.call = &syntax.CallExpr{Args: []*syntax.Word{p.quoted("get-date", s.start, p.at)}}
	case verb == "get" && all:
		s.call = &syntax.CallExpr{Args: []*syntax.Word{p.quoted("printenv", s.start, p.at)}}
	case verb == "get":
		s.call = &syntax.CallExpr{Args: append([]*syntax.Word{p.quoted("printenv", s.start, p.at)}, names...)}
	case drives == "env" && s.name == "remove-item" && len(names) > 0:
		s.call = &syntax.CallExpr{Args: append([]*syntax.Word{p.quoted("unset", s.start, p.at)}, names...)}
	default:
		p.problem("a drive that is more than files", s.start)
		s.call = &syntax.CallExpr{Args: []*syntax.Word{p.quoted("get-date", s.start, p.at)}}
	}
	s.name = ""
	return true
}

// computed is the value of a command in parentheses that is known: a path that is put together, or where a program is.
func (p *parser) computed(list []*syntax.Stmt, start int) (val, bool) {
	if len(list) != 1 || len(list[0].Redirs) > 0 {
		return val{}, false
	}
	c, ok := list[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return val{}, false
	}
	name := constant(c.Args[0])
	if w := dated(p, name, c.Args[1:], start); w != nil {
		return one(w), true
	}
	if !hasWord("join-path get-command resolve-path convert-path get-item get-location split-path", name) {
		return val{}, false
	}
	words, flags := operands(c.Args[1:])
	switch {
	case name == "get-location" && len(words) == 0:
		return one(&syntax.Word{Parts: []syntax.WordPart{p.variable("PWD", start, p.at)}}), true
	case name == "join-path" && len(words) > 1 && flags == "":
		return one(p.slashed(words, start)), true
	case name == "split-path" && len(words) == 1 && (flags == "" || hasPrefix(strings.TrimSpace(flags), "parent leaf")):
		of := "dirname"
		if strings.HasPrefix(flags, " l") {
			of = "basename"
		}
		v := p.printed([]*syntax.Stmt{p.call(start, p.at, p.quoted(of, start, p.at), p.quoted("--", start, p.at), words[0])}, start)
		v.direct = nil
		return v, true
	case len(words) == 1 && flags == "" && name != "join-path" && name != "split-path":
		if v := one(words[0]); len(words[0].Parts) == 1 {
			if _, is := words[0].Parts[0].(*syntax.Lit); !is {
				return v, true
			}
		}
	}
	return val{}, false
}

// dated is what Get-Date prints in a format of digits and signs that mean nothing.
func dated(p *parser, name string, words []*syntax.Word, start int) *syntax.Word {
	if name != "get-date" || len(words) != 2 || !hasPrefix(strings.TrimPrefix(constant(words[0]), "--"), "format uformat") {
		return nil
	}
	format := constant(words[1])
	if format == "" || strings.Trim(format, "yMdHhmsf%YS-_.T") != "" {
		return nil
	}
	return p.printed([]*syntax.Stmt{p.call(start, p.at, p.quoted("date", start, p.at), p.quoted("+%s", start, p.at))}, start).words[0]
}

// operands are the words of a command on paths, and those of its parameters that make it another one.
func operands(list []*syntax.Word) (words []*syntax.Word, flags string) {
	skip := false
	for _, w := range list {
		text := constant(w)
		switch {
		case skip:
			skip = false
		case strings.HasPrefix(text, "--"):
			flag := text[2:]
			skip = hasPrefix(flag, "erroraction ea")
			if !skip && !hasPrefix(flag, "path literalpath childpath additionalchildpath name force relative") {
				flags += " " + flag
			}
		default:
			words = append(words, w)
		}
	}
	return words, flags
}
