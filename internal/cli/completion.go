package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

func completionCommand() subcommand {
	return subcommand{
		name: "completion", usage: "bash|zsh|fish", short: "print a completion script for your shell",
		purpose: forReadOn, example: "completion bash", words: []string{"bash", "zsh", "fish"},
		help: `  source <(longline completion bash)
  longline completion zsh >"${fpath[1]}/_longline"
  longline completion fish >~/.config/fish/completions/longline.fish`,
		run: func(p *process, args []string) int {
			if len(args) != 1 {
				return p.usageError("completion", "expected one of bash, zsh, fish")
			}
			if asksHelp(args) {
				return helpOn(p, "completion", nil)
			}
			switch args[0] {
			case "bash":
				return p.ended(writeText(p, bashCompletion(p)), exitOK)
			case "zsh":
				return p.ended(writeText(p, zshCompletion(p)), exitOK)
			case "fish":
				return p.ended(writeText(p, fishCompletion(p)), exitOK)
			}
			return p.usageError("completion", "unknown shell %q; expected one of bash, zsh, fish", args[0])
		},
	}
}

// flagHelp is a flag as help shows it. Its values are the words that it may have,
// if they are known.
type flagHelp struct{ name, kind, about, values string }

// flagsIn lists the flags of a set.
func flagsIn(set *flag.FlagSet) (list []flagHelp) {
	set.VisitAll(func(f *flag.Flag) {
		h := flagHelp{name: dashed(f.Name)}
		h.kind, h.about = flag.UnquoteUsage(f)
		if c, ok := f.Value.(*choice); ok {
			h.values = strings.Join(c.values, " ")
		}
		list = append(list, h)
	})
	return list
}

// flagsOf are the flags of a subcommand, as it registers them.
func (p *process) flagsOf(c *subcommand) (list []flagHelp) {
	if !c.flags {
		return c.read
	}
	shown := process{env: p.env, in: strings.NewReader(""), out: io.Discard, err: io.Discard, flags: func(set *flag.FlagSet) { list = flagsIn(set) }}
	c.run(&shown, []string{"-h"})
	return list
}

// arguments are the words that may stand as arguments of a subcommand, beside files.
func (c *subcommand) arguments() []string {
	if c.names {
		return append(subcommandNames(), c.words...)
	}
	return c.words
}

// offers is the part that bash and zsh share: it sets offers to the words that
// may come, by the subcommand and the word before.
func (p *process) offers(before, subcommand string) string {
	var words, values strings.Builder
	for _, c := range subcommands() {
		all := c.arguments()
		for _, f := range p.flagsOf(&c) {
			all = append(all, f.name)
			if f.values != "" {
				fmt.Fprintf(&values, "\t\t'%s %s') offers='%s' ;;\n", c.name, f.name, f.values)
			}
		}
		if len(all) > 0 {
			fmt.Fprintf(&words, "\t\t\t%s) offers='%s' ;;\n", c.name, strings.Join(all, " "))
		}
	}
	return "\tcase \"" + subcommand + " " + before + "\" in\n" + values.String() + "\t\t*)\n\t\t\tcase " + subcommand + " in\n" + words.String() + "\t\t\tesac ;;\n\tesac\n"
}

func subcommandNames() (names []string) {
	for _, c := range subcommands() {
		names = append(names, c.name)
	}
	return names
}

func bashCompletion(p *process) string {
	return `_longline() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} offers=''
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W '` + strings.Join(subcommandNames(), " ") + `' -- "$cur"))
		return
	fi
` + p.offers("$prev", "${COMP_WORDS[1]}") + `	COMPREPLY=($(compgen -W "$offers" -- "$cur"))
}
complete -o default -F _longline longline
`
}

// zshCompletion works as a file of fpath, where it is the body of the function,
// and sourced.
func zshCompletion(p *process) string {
	return `#compdef longline
_longline() {
	local offers=''
	if (( CURRENT == 2 )); then
		compadd -- ` + strings.Join(subcommandNames(), " ") + `
		return
	fi
` + p.offers("${words[CURRENT-1]}", "${words[2]}") + `	[[ -n $offers ]] && compadd -- ${=offers} || _files
}
if [[ $funcstack[1] == _longline ]]; then
	_longline "$@"
else
	compdef _longline longline
fi
`
}

func fishCompletion(p *process) string {
	var b strings.Builder
	b.WriteString("complete -c longline -e\n")
	quote := func(text string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
	}
	for _, c := range subcommands() {
		fmt.Fprintf(&b, "complete -c longline -n __fish_use_subcommand -f -a %s -d %s\n", c.name, quote(c.short))
		seen := "-n '__fish_seen_subcommand_from " + c.name + "'"
		if words := c.arguments(); words != nil {
			fmt.Fprintf(&b, "complete -c longline %s -f -a %s\n", seen, quote(strings.Join(words, " ")))
		}
		for _, f := range p.flagsOf(&c) {
			option := "-l " + strings.TrimLeft(f.name, "-")
			if len(f.name) == 2 {
				option = "-s " + f.name[1:]
			}
			if f.kind != "" {
				option += " -r"
			}
			if f.values != "" {
				option += " -f -a " + quote(f.values)
			}
			fmt.Fprintf(&b, "complete -c longline %s %s -d %s\n", seen, option, quote(f.about))
		}
	}
	return b.String()
}
