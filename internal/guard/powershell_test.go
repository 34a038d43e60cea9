package guard_test

import (
	"strings"
	"testing"

	"longline/internal/guard"
	"longline/internal/paths"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

const (
	windowsHome    = "/c/Users/dev"
	windowsProject = windowsHome + "/proj"
)

// windowsWorld is [world] on Windows, where a snapshot brings the project back.
func windowsWorld() *tool.World {
	w := world()
	w.Home, w.Project, w.Windows, w.FoldCase = windowsHome, windowsProject, true, true
	w.Guard = []string{windowsHome + "/.config/longline", windowsHome + "/.local/state/longline"}
	w.Getenv = func(name string) (string, bool) { return windowsHome, name == "HOME" }
	w.Undo = func(path string) bool { return paths.Within(path, windowsProject) }
	return w
}

func powershell(g *guard.Guard, text string) tool.Verdict {
	v, _ := g.Judge(tool.Call{Tool: "PowerShell", Dialect: tool.PowerShell, Dir: windowsProject, Script: text, Shell: true, Edits: true, Attended: true}, windowsWorld())
	return v
}

// TestPowerShell holds the shipped policy to decisions about text of PowerShell.
func TestPowerShell(t *testing.T) {
	g := builtin(t)
	for _, tests := range read(t, "testdata/powershell/*.yaml", rulesfile.ParseTests) {
		for _, test := range tests {
			v := powershell(g, test.Command)
			if v.Decision != test.Decision {
				t.Errorf("%s: %s\n\t%s\n\tgot %s, want %s: [%s] %s", test.Source, test.ID, test.Command, v.Decision, test.Decision, v.Rule, v.Reason)
				continue
			}
			spoke := test.Rule == ""
			for _, f := range v.Findings {
				spoke = spoke || f.Rule == test.Rule && f.Decision == v.Decision
			}
			if !spoke {
				t.Errorf("%s: %s\n\t%s\n\t%s by %q, want it by %q", test.Source, test.ID, test.Command, v.Decision, v.Rule, test.Rule)
			}
		}
	}
}

// TestPowerShellLaws: what is denied is denied wherever it stands, and however it is written.
func TestPowerShellLaws(t *testing.T) {
	g := builtin(t)
	const denied = `Remove-Item -Recurse C:\Users\dev`
	for _, around := range []string{
		"%", "git status; %", "%; git status", "git status\n%", "exit 1\n%", "return; %", "if ($x) { % }", "if ($x) { a } else { % }", "while ($x) { % }", "do { % } until ($x)",
		"foreach ($a in 1..3) { % }", "for (;;) { % }", "switch ($x) { 1 { % } }", "try { % } catch { }", "try { } finally { % }", "function f { % }", "& { % }", "1 | % { # }", "gci | ForEach-Object { # }",
		"gci | Where-Object { # }", "$x = #", "$x = $(#)", "$x = @(#)", "(#)", `"a $(#) b"`, "@{a=(#)}", "git status && #", "git status || #", "Start-Job { # }", "Invoke-Command { # }",
		"Measure-Command { # }", "f (#)", "$x.f((#))", "[math]::Round((#))", "1,(#)", "-not (#)", "(#) -replace 'a','b'", "# | Out-Null", "# > x", "$x[(#)]", "powershell -c '#'", "iex '#'",
		"'#' | iex", "param($a = (#))", "{ # }", ". { # }", "$x | sort { # }", "if (#) { a }", "frobnicate {#}",
	} {
		text := strings.NewReplacer("%", denied, "#", denied).Replace(around)
		if strings.Contains(around, "% {") {
			text = strings.ReplaceAll(around, "#", denied)
		}
		if v := powershell(g, text); v.Decision != tool.Deny {
			t.Errorf("%s\n\t%s: [%s] %s", text, v.Decision, v.Rule, v.Reason)
		}
	}
	for _, spelled := range []string{
		`remove-item -recurse c:\users\dev`, `REMOVE-ITEM -RECURSE C:\USERS\DEV`, `ri -r C:/Users/dev`, `rm -rec 'C:\Users\dev'`, `del "C:\Users\dev" -Recurse`, "Rem`ove-Item -Recurse ~", `rd -r $HOME`,
		`Remove-Item –Recurse ~`, `& Remove-Item -Recurse ~`, `& 'Remove-Item' -Recurse ~`, `Microsoft.PowerShell.Management\Remove-Item -Recurse ~`, `Remove-Item -Recurse:$true -Path:~`,
		`Remove-Item ~ -Recurse`, `Remove-Item -Path ~ -Recurse -ea 0`, `Remove-Item -LiteralPath C:\Users\dev\ -r`, `Remove-Item -Recurse C:\Users\dev\proj\..`, `Remove-Item -Recurse C:\Users\dev.`,
		`Remove-Item -Recurse a,~`, `'~' | Remove-Item -Recurse`, `Get-Item ~ | Remove-Item -Recurse`, `$p = '~'; ri -r $p`, `$a = @{Recurse=$true;Path='~'}; ri @a`, `Remove-Item -Recurse (Join-Path C:\Users dev)`,
		`[System.IO.Directory]::Delete('C:\Users\dev', $true)`, `Remove-Item -Recurse $env:USERPROFILE`, `Remove-Item -Recurse ${HOME}`, `Remove-Item -Recurse "$HOME"`, `Remove-Item -Recurse "$($HOME)"`,
	} {
		if v := powershell(g, spelled); v.Decision != tool.Deny {
			t.Errorf("%s\n\t%s: [%s] %s", spelled, v.Decision, v.Rule, v.Reason)
		}
	}
}

// TestWindowsPaths: commands of Git Bash name the same places by paths of Windows.
func TestWindowsPaths(t *testing.T) {
	g := builtin(t)
	for text, want := range map[string]tool.Decision{
		`rm -rf 'C:\Users\dev'`:                      tool.Deny,
		`rm -rf C:/Users/dev`:                        tool.Deny,
		`rm -rf /c/Users/dev`:                        tool.Deny,
		`rm -rf /cygdrive/c/Users/dev`:               tool.Deny,
		`rm -rf /proc/cygdrive/c/Users/dev/`:         tool.Deny,
		`rm -rf C:\\Users\\dev\\proj\\dist`:          tool.Allow,
		`rm -rf "c:\users\DEV\proj\dist"`:            tool.Allow,
		`cat C:/Users/dev/proj/README.md`:            tool.Allow,
		`cat 'C:\Users\dev\.ssh\id_rsa'`:             tool.Ask,
		`cd C:/Users/dev/proj && git status`:         tool.Allow,
		`curl -s -o "C:\Users\dev\.bashrc" http://x`: tool.Ask,
		`echo x > 'D:\other\a.txt'`:                  tool.Ask,
		`cat '.env::$DATA'`:                          tool.Ask,
		`cp a '\\server\share\a'`:                    tool.Ask,
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: windowsProject, Script: text, Shell: true, Edits: true, Attended: true}, windowsWorld())
		if v.Decision != want {
			t.Errorf("%s\n\tgot %s, want %s: [%s] %s", text, v.Decision, want, v.Rule, v.Reason)
		}
	}
}
