package powershell

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"longline/internal/syntax"
)

// shown writes the commands of a tree, one to a line, with what is in them: values of variables as $name, what is not known
// as ?, what commands print as $(...).
func shown(list []*syntax.Stmt) string {
	var lines []string
	for _, st := range list {
		lines = append(lines, command(st))
	}
	return strings.Join(lines, "; ")
}

func command(st *syntax.Stmt) string {
	text := ""
	switch c := st.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		var list []string
		for _, a := range c.Assigns {
			list = append(list, assigned(a))
		}
		for _, w := range c.Args {
			list = append(list, word(w))
		}
		text = strings.Join(list, " ")
	case *syntax.DeclClause:
		text = "export " + assigned(c.Args[0])
	case *syntax.BinaryCmd:
		text = command(c.X) + " " + c.Op.String() + " " + command(c.Y)
	case *syntax.Block:
		text = "{ " + shown(c.Stmts) + " }"
	case *syntax.IfClause:
		text = "if " + shown(c.Cond) + " then " + shown(c.Then)
		for e := c.Else; e != nil; e = e.Else {
			text += " else "
			if len(e.Cond) > 0 {
				text += "if " + shown(e.Cond) + " then "
			}
			text += shown(e.Then)
		}
		text += " fi"
	case *syntax.WhileClause:
		text = "while " + shown(c.Cond) + " do " + shown(c.Do) + " done"
	case *syntax.ForClause:
		iter := c.Loop.(*syntax.WordIter)
		text = "for " + iter.Name.Value + " in"
		for _, w := range iter.Items {
			text += " " + word(w)
		}
		text += " do " + shown(c.Do) + " done"
	case *syntax.FuncDecl:
		text = c.Name.Value + "() " + command(c.Body)
	}
	for _, r := range st.Redirs {
		n := ""
		if r.N != nil {
			n = r.N.Value
		}
		text += " " + n + r.Op.String() + word(r.Word)
	}
	if st.Background {
		text += " &"
	}
	return text
}

func assigned(a *syntax.Assign) string {
	if a.Array == nil {
		return a.Name.Value + "=" + word(a.Value)
	}
	var list []string
	for _, e := range a.Array.Elems {
		list = append(list, word(e.Value))
	}
	return a.Name.Value + "=(" + strings.Join(list, " ") + ")"
}

func word(w *syntax.Word) (text string) {
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text += p.Value
		case *syntax.SglQuoted:
			if strings.ContainsAny(p.Value, " ;$") || p.Value == "" {
				text += "'" + p.Value + "'"
			} else {
				text += p.Value
			}
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				text += inner(q)
			}
		default:
			text += inner(part)
		}
	}
	return text
}

func inner(part syntax.WordPart) string {
	switch p := part.(type) {
	case *syntax.ParamExp:
		switch {
		case p.Exp != nil && p.Exp.Word != nil:
			return "?{" + word(p.Exp.Word) + "}"
		case p.Exp != nil:
			return "?"
		case p.Index != nil:
			return "$" + p.Param.Value + "[]"
		}
		return "$" + p.Param.Value
	case *syntax.CmdSubst:
		return "$(" + shown(p.Stmts) + ")"
	}
	return "!"
}

// TestCommands: the commands that a text runs, as written down by hand from what PowerShell 7 and its language
// specification say.
func TestCommands(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		// Words, quotes, escapes.
		{"git status", "git status"},
		{"GIT.EXE status", "git status"},
		{"git  status -s\t# all", "git status -s"},
		{`echo 'it''s' "a ""b"" $x"`, `write-output it's 'a "b" '$_ps_x`},
		{"echo a`\n  b", "write-output a b"},
		{"echo \"a`nb`$c\"", "write-output 'a\nb$c'"},
		{`echo "a"'b'`, "write-output a b"},
		{`echo a"b c"d`, "write-output a'b c'd"},
		{"echo “a” ‘b’", "write-output a b"},
		{"Get-Item –Path x", "get-item --path x"},
		{"echo $(git status)", "write-output $(git status)"},
		{`echo "on $(git branch)"`, "write-output 'on '$(git branch)"},
		{"echo @'\na $b\n'@", "write-output 'a $b'"},
		{"echo @\"\na $b\n\"@", "write-output 'a '$_ps_b"},
		{"<# all # of it #> git status # and this", "git status"},
		// Several.
		{"git add a; git commit\ngit push", "git add a; git commit; git push"},
		{"a && b || c", "a && b || c"},
		{"a | b | c", "a | b | c"},
		{"a |\n  b", "a | b"},
		{"a &", "a &"},
		// Parameters and aliases.
		{"Remove-Item -Recurse -Fo dist", "remove-item --recurse --fo dist"},
		{"rm -r -fo dist", "remove-item --r --fo dist"},
		{"del dist", "remove-item dist"},
		{"ri a,b", "remove-item a b"},
		{"Remove-Item -Path a, b", "remove-item --path a --path b"},
		{"Remove-Item -Path:a -Confirm:$false -Force:$true", "remove-item --path=a --force"},
		{"Remove-Item '-x'", "remove-item ./-x"},
		{`Microsoft.PowerShell.Management\Remove-Item x`, "remove-item x"},
		{"$s = @{Path='dist'; Recurse=$true}; Remove-Item @s", "_ps_s=?{distTrue}; remove-item --path dist --recurse"},
		{`npm run --% a "b`, "!problem npm run a \"b"},
		// Paths.
		{`gc ~\.ssh\id_rsa`, "get-content $HOME/.ssh/id_rsa"},
		{`gc C:\Users\a\x.txt`, "get-content /c/Users/a/x.txt"},
		{`gc "C:\Program Files\x"`, "get-content '/c/Program Files/x'"},
		{`gc "$env:USERPROFILE\x"`, "get-content $HOME/x"},
		{`gc $env:APPDATA\x`, "get-content $HOME/AppData/Roaming/x"},
		{`python .\scripts\a.py`, "python ./scripts/a.py"},
		{`git commit -m "a\b"`, `git commit -m a\b`},
		{`rm *.log`, "remove-item *.log"},
		{`sp HKCU:\Software\Run x y`, "set-itemproperty /hkcu/Software/Run x y"},
		{"curl.exe -o NUL http://x", "curl -o /dev/null http://x"},
		// Places.
		{`Set-Location C:\x; ls`, "cd /c/x; find . -maxdepth 1"},
		{"cd -Path x", "cd x"},
		{"pushd x; popd", "pushd x; popd"},
		// Variables and expressions.
		{"$x = 'a'; echo $x", "_ps_x=a; write-output $_ps_x"},
		{"$x = git status", "_ps_x=$(git status)"},
		{"$x += 1", "_ps_x=?{1}"},
		{"$env:FOO = 'a b'", "export FOO='a b'"},
		{"$x = 'a','b'; echo $x", "_ps_x=(a b); write-output $_ps_x[]"},
		{"$x, $y = f", "_ps_x=?{$_ps_x$_ps_y$(f)}; _ps_y=?{$_ps_x}"},
		{"[string]$x = 'a'", "_ps_x=a"},
		{"'i'+'ex'", "write-output iex"},
		{"& ('i'+'ex') 'x'", "invoke-expression x"},
		{"& ('{1}{0}' -f 't','gi') status", "git status"},
		{"& 'C:/a b/x.exe' y", "'/c/a b/x.exe' y"},
		{"& $f x", "$_ps_f x"},
		{". ./x.ps1 a", "./x.ps1 a"},
		{"(gc a) -replace 'x','y' | sc a", "write-output ?{$(get-content a)xy} | set-content a"},
		{"$x.Name", "write-output ?{$_ps_x}"},
		{"$x.FullName", "write-output $_ps_x"},
		{"$x.Delete()", ".delete"},
		{"'a'.ToUpper()", "write-output ?{a}"},
		{"[math]::Round(1.5)", "write-output ?{1.5}"},
		{"[IO.File]::Delete('a')", "[io.file]::delete a"},
		{"[System.IO.Path]::Combine('a','b')", "write-output a/b"},
		{"Join-Path a b | gc", "for _ps__ in a/b do get-content --inputobject $_ps__ done"},
		{"gc (Join-Path $x 'b')", "get-content $_ps_x/b"},
		{"(New-Object Net.WebClient).DownloadString('http://x')", "[net.webclient]::new; .downloadstring http://x"},
		{"$x = if ($a) { git a } else { git b }", "_ps_x=$(if true then git a else git b fi)"},
		{"@{a=(git x)}", "write-output ?{$(git x)}"},
		{"1..3 | % { git $_ }", "for _ps__ in ?{13} do git $_ps__ done"},
		// Pipelines with blocks.
		{"gci src | % { gc $_.FullName }", "find src -maxdepth 1 | while read -r _ps__ do get-content $_ps__ done"},
		{"'a','b' | ForEach-Object { rm $_ }", "for _ps__ in a b do remove-item $_ps__ done"},
		{"gci | ? { $_.Name -like 'x' } | rm", "find . -maxdepth 1 | where-object {} | while read -r _ps__ do remove-item --inputobject $_ps__ done"},
		{"gci | where { git x }", "for _ps__ in ? do git x done; find . -maxdepth 1 | where-object {}"},
		{"icm { git x }", "for _ps__ in ? do git x done; invoke-command {}"},
		{"& { git x }", "git x"},
		// Statements.
		{"if (Test-Path a) { git a } elseif ($b) { git b } else { git c }", "if test-path a then git a else if true then git b else git c fi"},
		{"foreach ($f in 'a','b') { git $f }", "for _ps_f in a b do git $_ps_f done"},
		{"foreach ($f in gci src) { git $f }", "for _ps_f in $(find src -maxdepth 1) do git $_ps_f done"},
		{"for ($i=0; $i -lt 3; $i++) { git $i }", "_ps_i=0; while true do git $_ps_i; write-output ?{$_ps_i} done"},
		{"while (git x) { git y }", "while git x do git y done"},
		{"do { git y } while ($true)", "while true do git y done"},
		{"switch ($x) { 'a' { git a } default { git b } }", "if true then git a fi; if true then git b fi"},
		{"try { git a } catch [X] { git b } finally { git c }", "git a; _ps__=?; if true then git b fi; git c"},
		{"function Foo-Bar($a) { git $a }; foo-bar x", "foo-bar() { _ps_a=?; git $_ps_a }; foo-bar x"},
		{"param($a = 'x'); git $a", "_ps_a=?{x}; git $_ps_a"},
		{"[CmdletBinding()]param(); git a", "git a"},
		{"return git a", "git a"},
		{"exit 1; git a", "write-output 1; git a"},
		// Redirections.
		{"git a > x 2>&1", "git a >x 2>&1"},
		{"git a *> $null", "git a &>/dev/null"},
		{"git a 2>$null", "git a 2>/dev/null"},
		{"git a >> x", "git a >>x"},
		{"'x' > y", "{ write-output x } >y"},
		// Other things that start programs.
		{"Start-Process git -ArgumentList 'a b','c'", "git a b c; start-process git --argumentlist 'a b' --argumentlist c"},
		{"$env:X; Remove-Item Env:X; gci env:", "write-output $X; unset X; printenv"},
		{`dir Env:\*TOKEN*; gi env:$x; Get-Item Microsoft.PowerShell.Core\Environment::A`, "printenv; printenv; printenv A"},
		{"[Environment]::GetEnvironmentVariables()", "printenv"},
		{"cd env:; ls", "!problem get-date; find . -maxdepth 1"},
		{"mkdir -Force a", "new-item --itemtype directory --force a"},
		{"ls -Recurse *.cs", "find *.cs"},
		{"ls -Filter *.cs src", "find src -maxdepth 1 -name *.cs"},
		// What is not followed.
		{"class A { }", "!problem "},
		{"using module x", "!problem "},
		{"& {", "!problem "},
		{"echo 'a", "!problem write-output ?{a}"},
		{"[adsi]'x'", "!problem write-output ?{x}"},
		{"$PSDefaultParameterValues = @{}", "!problem _ps_psdefaultparametervalues=?"},
		{"eval x", "!problem "},
		{"Remove-Item @y", "!problem remove-item"},
		{"git a )", "!problem git a"},
	} {
		file, problems := Parse(test.text, true)
		got := shown(file.Stmts)
		if len(problems) > 0 {
			got = "!problem " + got
		}
		if got != test.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s\n\t%v", test.text, got, test.want, problems)
		}
	}
}

// TestUnix: on other systems the names of programs there are no aliases, and variables of the environment are what they are.
func TestUnix(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"ls -la", "ls -la"},
		{"rm -rf x", "rm -rf x"},
		{"del x", "remove-item x"},
		{"gc $env:TEMP/x", "get-content $TEMP/x"},
		{"gc $HOME/x", "get-content $HOME/x"},
	} {
		file, problems := Parse(test.text, false)
		if got := shown(file.Stmts); got != test.want || len(problems) > 0 {
			t.Errorf("%s\n\tgot  %s\n\twant %s\n\t%v", test.text, got, test.want, problems)
		}
	}
}

func TestCmd(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"dir /b", "find . -maxdepth 1"},
		{"rd /s /q dist", "remove-item --recurse dist"},
		{`del C:\x\y.txt`, "remove-item C:/x/y.txt"},
		{"echo hello", "write-output hello"},
		{`"git status && npm test"`, "git status; npm test"},
		{`type "a b.txt" 2>nul`, "get-content 'a b.txt' 2>/dev/null"},
		{"echo %PATH%", "!problem write-output %PATH%"},
		{"for %i in (*) do del %i", "!problem for %i in (*) do del %i"},
		{"a | b", "!problem a; b"},
	} {
		file, problems := ParseCmd(test.text, true)
		got := shown(file.Stmts)
		if len(problems) > 0 {
			got = "!problem " + got
		}
		if got != test.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s\n\t%v", test.text, got, test.want, problems)
		}
	}
}

func TestDecode(t *testing.T) {
	if text, ok := Decode("RwBlAHQALQBEAGEAdABlAA=="); !ok || text != "Get-Date" {
		t.Errorf("got %q, %v", text, ok)
	}
	for _, bad := range []string{"x", "====", "Rw==", "R!Bl"} {
		if text, ok := Decode(bad); ok {
			t.Errorf("%s is %q", bad, text)
		}
	}
}

// pieces are what random texts are made of.
var pieces = []string{"git", "rm", "-Recurse", "x", " ", "\n", ";", "|", "&&", "$x", "$(", ")", "@(", "@{", "}", "{", "'", `"`, "`", "=", "+", ",", "[int]", "[", "]", "::", ".", "(", "if", "foreach", "in", "%", "?", "#", "<#", "#>", "@'", "'@", "\\", "2>", ">", "&", "-f", "--%", "function", "param", "switch", "$env:A", "1..3", "!", "-not"}

// TestAnyText: whatever the text is, the parser comes to an end, and the tree can be walked.
func TestAnyText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		var b strings.Builder
		for range r.IntN(24) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		walked(b.String())
	}
}

func walked(text string) {
	for _, windows := range []bool{true, false} {
		for _, read := range []func(string, bool) (*syntax.File, []Problem){Parse, ParseCmd} {
			file, _ := read(text, windows)
			shown(file.Stmts)
			for _, st := range file.Stmts {
				syntax.Walk(st, func(n syntax.Node) bool {
					if n != nil {
						n.Pos()
						n.End()
					}
					return true
				})
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"git status", "$x = @{a=1}; f @x", "gci | % { rm $_ }", "\"a$(b)\" 'c' @'\nd\n'@", "if (a) { b } else { c }", "[IO.File]::Delete($x)"} {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) { walked(text) })
}

// TestLinear: eight times the text takes about eight times the memory that is asked for, whatever is repeated.
func TestLinear(t *testing.T) {
	for _, unit := range append([]string{"a | ", "$x = ", "(", "@{a=", "$(", "{", "if (a) {", "x.y(", "'a' + ", "-not ", "a,", "[a]", "\"$(", "foreach ($a in b) {", "a && ", "$a.b[", "function f {"}, pieces...) {
		cost := func(n int) uint64 {
			var before, after runtime.MemStats
			text := strings.Repeat(unit, n/len(unit))
			runtime.ReadMemStats(&before)
			Parse(text, true)
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		if small, large := cost(4<<10), cost(32<<10); large > 24*small+1<<20 {
			t.Errorf("%q: %d bytes for 4 KB, %d for 32 KB", unit, small, large)
		}
	}
}
