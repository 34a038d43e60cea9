package modelfile

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// fedNothing are those that do not run what they are fed when they are given nothing
// else, by the reason.
var fedNothing = map[string]string{
	"a tool that works on files, settings or packages, and takes code for that besides": "nextpnr-ice40, pylint, love, scandeps.pl, sips, ndjson-cat, jscodeshift, makeinfo, mdl, " +
		"pt-query-digest, c8, exiftool, pandoc, java, rake, makepkg, brew bundle, jmeter, mitmdump, ghc, api-extractor run, git filter-repo, " +
		"deno test, deno bench, deno install, deno add, deno update, deno i, deno approve-scripts, deno cache, deno ci, deno link, bun test",
	"without an operand it lists what it could run":                   "bun run, yarn run, uv run, console, symfony console",
	"prints or keeps the choice of a version for the shell around it": "conda shell, pyenv shell, plenv shell, asdf shell, mise shell",
	"asks for other reasons":                                          "scw shell, anchor shell, devbox shell, neo4j console, sst shell",
	"opens a page":                                                    "pulumi console, playwright trace console",
}

// TestInterpretersRunTheirInput feeds every program and subcommand that runs code, and
// every one that is called a console, something that nobody knows: it must say that
// it runs it, or that it does not know.
func TestInterpretersRunTheirInput(t *testing.T) {
	lib, parsed := load(t)
	excused := map[string]bool{}
	for _, names := range fedNothing {
		for name := range strings.SplitSeq(names, ", ") {
			excused[name] = true
		}
	}
	fed := 0
	var look func(path []string, l *command.Level)
	look = func(path []string, l *command.Level) {
		for i := range l.Subs.All() {
			for _, name := range l.Subs.All()[i].Names {
				if !strings.ContainsAny(name, "*?[") && name != "--" {
					look(append(slices.Clone(path), name), l.Subs.All()[i].Level)
				}
			}
		}
		if !interprets(path[len(path)-1], l) {
			return
		}
		words := make([]command.Word, len(path))
		for i, w := range path {
			words[i] = command.Known(w, tool.Span{})
		}
		inv := &command.Invocation{Words: words, Dir: command.Known("/p", tool.Span{})}
		lib.Read(inv, &tool.World{Home: "/home/dev", Project: "/p"})
		fed++
		line := strings.Join(path, " ")
		if !excused[line] && !runsInput(inv) {
			t.Errorf("%s runs code, but nothing says that it runs its standard input: %v", line, inv.Effects)
		}
	}
	for _, f := range parsed {
		for _, m := range f.Models {
			if !strings.HasPrefix(m.Names[0], "list/") {
				look(m.Names[:1], &m.Level)
			}
		}
	}
	t.Logf("%d programs and subcommands were fed", fed)
}

// interprets says whether a level is one of an interpreter: its first operand is a
// program in a language, a flag of it is, or it is called a console.
func interprets(name string, l *command.Level) bool {
	general := func(uses []command.Use) bool {
		return slices.ContainsFunc(uses, func(u command.Use) bool {
			return (u.Name == "run" || u.Name == "source" || u.Name == "code") &&
				slices.Contains(strings.Fields("sh bash zsh fish python node perl php ruby lua java clojure haskell ocaml elixir erlang r julia scheme lisp tcl groovy kotlin scala swift javascript"), u.Arg)
		})
	}
	if slices.Contains(strings.Fields("repl console shell irb pry tinker"), name) {
		return true
	}
	if len(l.Operands) > 0 && general(l.Operands[0].Uses) {
		return true
	}
	return slices.ContainsFunc(l.Flags.All(), func(f command.Flag) bool {
		return len(f.Values) > 0 && general(f.Values[0])
	})
}

func runsInput(inv *command.Invocation) bool {
	return len(inv.Gaps) > 0 || len(inv.Runs) > 0 || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Execute && (strings.HasPrefix(e.Target, "stdin:") || strings.HasPrefix(e.Target, "shell:") || strings.HasPrefix(e.Target, "package:")) ||
			e.Kind == tool.Control && (strings.HasSuffix(e.Target, ".exec") || strings.HasSuffix(e.Target, ".shell") || strings.HasSuffix(e.Target, ".write") || e.Target == "container.run" || e.Target == "privilege")
	})
}
