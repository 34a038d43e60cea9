package shell

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestQuotedPatternsAgree holds the values of expansions with quotes in their patterns against those that the shells make of them.
func TestQuotedPatternsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	words := []string{
		"'}'*", "'}'", "'a'", "'/'", "'/*'", "'a/'", "'$y'", "$'a'", "$'\\n'", "$'\\x61'", "'\\a'", "\\}", "\"}\"", "\"}\"*", "'}/../'", "'}'$y", "'*'", "\\'", "[']}']", "'{'", "'a'$y", "'a'*", "$'}'", "$'/'",
	}
	exps := planted([]string{"${x#¤}", "${x##¤}", "${x%¤}", "${x%%¤}", "${x/¤/b}", "${x//¤/b}", "${x/#¤/b}", "${x/%¤}", "${x/a/¤}", "${x//b/¤}", "${##¤}", "${@%¤}", "${*#¤}", "${a[@]#¤}", "${nosuch%¤}", "${1#¤}", "${z:-${x#¤}}", "${x#${z:-¤}}", "${x:+${x%¤}}"}, words, 1)
	scripts := planted([]string{"rm \"¤\"", "rm \"src/¤\"", "v=\"¤\"; rm src/$v/k", "rm \"$(cat <<E\n¤\nE\n)\"", "[[ \"¤\" == *a* ]] && rm y || rm n"}, exps, 3)
	values := planted([]string{"x=a/b y=a; set -- a/b; a=(a/b c)\n¤", "x='{\"a\":1}' y=a; set -- '}'\n¤", "x=\"a'b\" y='}'; a=(\"'a'\")\n¤"}, scripts, 1)
	for _, script := range []string{
		"rm \"`cat <<'E'\nsrc/\\\n../m\nE\n`\"", "rm `cat <<'E'\nsrc/\\$y\nE\n`", "rm `cat <<'E'\nsrc/\\\\a\nE\n`", "rm `cat <<'E'\nsrc/\\a\nE\n`", "rm \"`cat <<\\E\nsrc/\\\n../m\nE\n`\"", "rm `cat <<E\nsrc/\\\n../m\nE\n`", "rm \"$\\\nx\"", "rm \"$\\\n{x}\"", "rm \"$x\\\ny\"", "rm \"${x\\\n#a}\"", "rm \"$\\\n((1+1))\"", "rm \"${\\\nx}\"",
		"rm \"$(cat <<E\n$\\\nx\nE\n)\"",
	} {
		values = append(values, "x=a/b y=c xy=d\n"+script)
	}
	agree(t, values, true, "bash", "zsh")
}

// TestQuotesHideNothing puts a command where the quotes around it may or may not make it text: in the words of
// expansions, in here-documents, behind continued lines and in backquotes. If one of the shells runs it, the
// reader must have seen it, or have said that it cannot know.
func TestQuotesHideNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	list := sample(slices.Concat(quotedPatterns(), tickedDocuments(), continuedDollars()))
	lib := testLibrary(t)
	w := &tool.World{Home: "/home/dev", Project: "/home/dev/proj", Zsh: true}
	for _, name := range []string{"bash", "zsh"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		n := 0
		for _, i := range runsPlanted(t, path, list) {
			n++
			res := Resolve(list[i], "/home/dev/proj", w, lib)
			if !hasGap(res) && !slices.ContainsFunc(res.Invocations, isPlanted) {
				t.Errorf("%s runs what is in %q", name, list[i])
			}
		}
		if n < len(list)/20 {
			t.Errorf("%s runs what is in %d of %d scripts only", name, n, len(list))
		}
		t.Logf("%s runs what is in %d of %d scripts", name, n, len(list))
	}
}

// TestUsualQuotes are expansions with quotes in their words, and here-documents in backquotes, that every shell takes apart
// alike: nothing is uncertain in them but perhaps a value.
func TestUsualQuotes(t *testing.T) {
	lib := testLibrary(t)
	for _, script := range []string{
		`v="${x%'}'*}"; echo "$v"`, `echo "${x#'a'}" "${x%'.txt'}"`, `echo "${x//'/'/-}"`, `echo "${x//\'/}" "${x//"'"/}" "${x//\"/}"`, `echo "${x//$'\n'/ }" "${x%$'\r'}" "${x//[$'\t\n ']/}"`,
		`echo "${x%%<*}" "${x#*>}" "${x//</&lt;}"`, `echo "${x//'<'/}" "${x//'('/}"`, `echo "${x:?use <name>}"`, `echo "${@#--}" "${@#'a'}" "${-//[^i]/}"`, `echo "${t//'{{name}}'/joe}" "${t//'$NAME'/joe}"`,
		`declare -A m; m['a b']=1; m["$k"]=2; m[${x#a}]=3; echo a[1] b[${x}]`, "x=`cat <<'E'\nwith \\. and 'quotes'\nE\n`", `echo "costs 5$"`, "echo \"a\\\nb\"",
	} {
		if res := Resolve(script, "/home/dev/proj", &tool.World{Home: "/home/dev", Project: "/home/dev/proj", Zsh: true}, lib); hasGap(res) {
			t.Errorf("%s: %v", script, res.Gaps)
		}
	}
}

func isPlanted(inv *command.Invocation) bool {
	return len(inv.Words) == 2 && inv.Words[0].Text == "rm" && inv.Words[1].Text == "planted"
}

// runsPlanted has a shell run scripts and returns the numbers of those that called rm. What a script leaves
// running holds the pipe open, so that late calls count too.
func runsPlanted(t *testing.T, shell string, list []string) []int {
	var b strings.Builder
	b.WriteString("exec 9>&1 >/dev/null 2>&1 </dev/null\nrm() { printf '%s\\n' \"$number\" >&9; }\n")
	for i, s := range list {
		b.WriteString("(number=" + strconv.Itoa(i) + "; eval '" + strings.ReplaceAll(s, "'", `'\''`) + "')\n")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "all.sh")
	must(t, os.WriteFile(file, []byte(b.String()), 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Second)
	defer cancel()
	args := map[string][]string{"zsh": {"-f"}}[filepath.Base(shell)]
	cmd := exec.CommandContext(ctx, shell, append(args, file)...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "LC_ALL=C.UTF-8"}
	cmd.WaitDelay = 5 * time.Second
	out, _ := cmd.Output() // how the last one ends is its own affair
	var ran []int
	for _, l := range strings.Fields(string(out)) {
		i, err := strconv.Atoi(l)
		must(t, err)
		ran = append(ran, i)
	}
	slices.Sort(ran)
	return slices.Compact(ran)
}

// planted puts every text into every place, of which one in so many is kept.
func planted(places, texts []string, keep int) (list []string) {
	for i, place := range places {
		for j, text := range texts {
			if (i*len(texts)+j*7+i)%keep == 0 {
				list = append(list, strings.ReplaceAll(place, "¤", text))
			}
		}
	}
	return list
}

// carriers are the ways to run a command inside of a word.
var carriers = []string{"$(rm planted)", "`rm planted`", "<(rm planted)", ">(rm planted)"}

// quotedPatterns are expansions with commands in their words.
func quotedPatterns() []string {
	words := planted([]string{
		"¤", "'¤'", "'}¤'", "'/¤'", "'/¤/'", "$'¤'", "$'}¤'", `"¤"`, `"'¤'"`, `"}¤"`, `\'¤\'`, "'}'¤", "'}'*¤", `'"¤"'`, `'"'¤'"'`, "'a'¤", "a/'¤'", "a/¤", "'a\\'¤'", "'\\\n¤'", "${u:-¤}", "${u:-'¤'}", "${HOME#¤}", "${HOME#'¤'}", "\\}¤", "{'}¤'", "[']¤']", "/'¤'", "'}''¤'", "'}'\"'¤'\"", "'}'$u\"'¤'\"", "'\"'¤", "'\"'}\" '¤'", "${HOME#'}'}'¤'", "${u:-${HOME#'}'}}'¤'", "$'\\'}\"; :¤; : '", "$'\\''¤", "$'\\n}'¤", "'}'${u#'¤'}", "'}'\\'¤\\'",
	}, carriers, 1)
	var exps []string
	for _, name := range []string{"HOME", "u", "#", "@", "a[@]", "?", "-", "*", "!", "$", "1", "!u", "#u"} {
		for _, op := range strings.Fields(":- - :+ + := :? ? # ## % %% / // /# /% /h/ //h/ ^ ^^ , ,, : :1:") {
			exps = append(exps, "${"+name+op+"¤}")
		}
	}
	all := append(planted(exps, words, 1), words...)
	return planted([]string{`: "¤"`, `: ¤`, `x="¤"`, `[[ -n "¤" ]]`, `: <<< "¤"`, ": <<E\n¤\nE", ": $(( ¤ ))", "(( ¤ ))", ": `: \"¤\"`", `: "$(: "¤")"`, `a=("¤")`, "a[¤]=1", "declare a[¤]=1", "a=([¤]=1)", `a["¤"]=1`, "a[1]=¤", `: "${a[¤]}"`, "for x in ¤; do :; done", "case ¤ in a) ;; esac", "f() { : ¤; }; f"}, all, 211)
}

// tickedDocuments are backquotes with here-documents in them.
func tickedDocuments() []string {
	ends := []string{"E", "'E'", `"E"`, `\E`, `\\E`, `\"E\"`, "E''", "\\'E\\'"}
	bodies := []string{
		"a\nE\\\n\nrm planted\nE", "a\nE\nrm planted", "$(rm planted)\nE", "\\$(rm planted)\nE", "\\\\$(rm planted)\nE", "\\`rm planted\\`\nE", "a\\\nE\nrm planted\nE", "a\\\\\nE\nrm planted\nE", "\\E\nrm planted\nE", "'\nE\nrm planted", "` ; rm planted\nE", "#`; rm planted\nE", "\"\nE\nrm planted\n\"", "$(\nrm planted\n)\nE", "\\\nE\nrm planted\nE",
	}
	var list []string
	for _, end := range ends {
		for _, body := range bodies {
			list = append(list, "cat <<"+end+"\n"+body+"\n")
			list = append(list, "cat <<-"+end+"\n"+strings.ReplaceAll(body, "E", "\tE")+"\n")
		}
	}
	return planted([]string{"x=`¤`", `: "` + "`¤`" + `"`, ": $(: `¤`)", ": `: $(¤)`", ": \"${u:-`¤`}\"", ": \"`: \"$(¤)\"`\"", ": <<F\n`¤`\nF", ": `: \\`¤\\``"}, list, 1)
}

// continuedDollars are dollar signs, and what belongs to them behind a continued line.
func continuedDollars() []string {
	texts := planted([]string{
		"$\\\n(: '¤')", "$\\\n{HOME#'¤'}", "$\\\n((: '¤'))", "$\\\n[ '¤' ]", "$\\\n'¤'", "$(\\\n: '¤')", "${\\\nHOME#'¤'}", "${HOME\\\n#'¤'}", "${HOME#\\\n'¤'}", "$\\\n(cat <<'E'\n¤\nE\n)", "${u:-$\\\n(: '¤')}", "$(\\\n( '¤' ))", "$\\\n\\\n(: '¤')", "\\\\\n(: '¤')", "\\$\\\n(: '¤')",
	}, carriers, 1)
	return planted([]string{`: "¤"`, `: ¤`, ": <<E\n¤\nE", `x="¤"`, ": `: \"¤\"`", `: "${u:-¤}"`, `: "${HOME#¤}"`}, texts, 1)
}
