package language

import (
	"encoding/base64"
	"testing"
	"unicode/utf16"

	"longline/internal/tool"
)

func TestPowershell(t *testing.T) {
	for text, want := range map[string]string{
		"Get-Content README.md": "read README.md",
		"gc .env":               "read .env",
		`Get-Content "a","b"`:   "read a read b",
		"get-content -Path src\\app.cs -TotalCount 5":                  "read src/app.cs",
		"Get-Content ~/.ssh/id_rsa":                                    "read ~/.ssh/id_rsa",
		"Get-Content C:\\Users\\dev\\.ssh\\id_rsa":                     "read ?",
		"Get-Content *.txt":                                            "read ?",
		"Get-Content 'a b.txt', .env":                                  "read a b.txt read .env",
		"Get-Content a.txt,.env":                                       "read a.txt read .env",
		"Get-Content -Path:.env":                                       "read .env",
		"Get-ChildItem -Recurse -Filter *.cs | Select-Object -First 5": "",
		"Get-ChildItem | Get-Content":                                  "read ?",
		"gci src -Recurse | sls TODO":                                  "read src/**",
		"gci src | where Name -like *.cs | gc":                         "read ?",
		"Select-String -Pattern TODO -Path src/a.cs":                   "read src/a.cs",
		"sls TODO .env":                                                "read .env",
		"Get-ChildItem Env:":                                           "control env.dump",
		"dir env:":                                                     "control env.dump",
		"gc env:API_TOKEN":                                             "control env.secret",
		"gc env:PATH":                                                  "",
		"Get-Process | Sort-Object CPU -Descending | Select -First 3":  "",
		"Get-Date; Get-Location":                                       "",
		"Write-Output 'hello world'":                                   "",
		// What is more than that is not followed.
		"Remove-Item x":                       "problem",
		"Get-Content x | Out-File y":          "problem",
		"Get-Content x > y":                   "problem",
		"echo 'a’; Remove-Item x; echo ‘b'":   "problem",
		"echo \"a”; Remove-Item x; echo “b\"": "problem",
		"gci | ":                  "problem",
		"Get-Content $x":          "problem",
		"Get-Content \"$(rm x)\"": "problem",
		"Get-Content (rm x)":      "problem",
		"Get-ChildItem | ForEach-Object { rm $_ }": "problem",
		"Get-ChildItem HKLM:\\Software":            "problem",
		"Get-Content x -OutVariable y":             "problem",
		"gc variable:x":                            "problem",
		"gc x, HKLM:\\Software":                    "problem",
		"Get-Content x -Pa y":                      "problem",
		"Invoke-Expression x":                      "problem",
		"& rm x":                                   "problem",
		"ps eww":                                   "problem",
		"sort .env":                                "problem",
		"Get-Content x |":                          "problem",
		"| Get-Content x":                          "problem",
		"'Get-Content' x":                          "problem",
		"Get-Content 'x":                           "problem",
		"Get-Content x`\nrm y":                     "problem",
		"Get-Content x # y\nrm z":                  "problem",
		"Get-Host x":                               "problem",
		"Get-Content -Path":                        "problem",
	} {
		if got := deedsText(powershellDeeds(text)); got != want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", text, got, want)
		}
	}
}

func TestEncodedPowershell(t *testing.T) {
	encode := func(text string) string {
		var raw []byte
		for _, u := range utf16.Encode([]rune(text)) {
			raw = append(raw, byte(u), byte(u>>8))
		}
		return base64.StdEncoding.EncodeToString(raw)
	}
	for text, want := range map[string]string{encode("Get-Content .env"): "read .env", encode("rm x"): "problem", "R2V0": "problem", "&": "problem"} {
		if got := deedsText(encodedPowershell(text)); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestCmd(t *testing.T) {
	for text, want := range map[string]string{
		"dir /b": "", "type .env": "read .env", "type src\\a.cs": "read src/a.cs", "type C:\\x": "read ?", "set": "control env.dump", "ver": "",
		"del x": "problem", "type x & del y": "problem", "type x>y": "problem", "type %USERPROFILE%": "problem", "": "problem",
	} {
		if got := deedsText(cmdDeeds(text)); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// deedsText writes deeds down, in order.
func deedsText(d Deeds) string {
	if d.Problem != "" {
		return "problem"
	}
	text := ""
	for _, x := range d.List {
		if text != "" {
			text += " "
		}
		target := x.Target
		if x.Home {
			target = "~/" + target
		}
		if x.Tree {
			target += "/**"
		}
		if x.Open {
			target = "?"
		}
		if x.Kind == tool.Control {
			text += "control " + target
		} else {
			text += x.Kind.String() + " " + target
		}
	}
	return text
}

// FuzzPowershell: nothing panics, and what holds a sign of a variable, a block or a
// redirection outside of single quotes is never followed.
func FuzzPowershell(f *testing.F) {
	for _, s := range []string{"Get-Content x", "gci | gc", "gc 'a b'", "gc \"a\"; ls", "$x", "gc x > y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := powershellDeeds(text)
		cmdDeeds(text)
		encodedPowershell(text)
		quoted := false
		for _, c := range text {
			if c == '\'' || c == '"' {
				quoted = true
			}
		}
		if quoted || d.Problem != "" {
			return
		}
		for _, c := range text {
			switch c {
			case '$', '{', '}', '(', ')', '>', '<', '&', '`', '@', '#':
				t.Fatalf("%q was followed", text)
			}
		}
	})
}
