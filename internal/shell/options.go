package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"
)

// setOptions is set, which changes options and positional parameters. With an option that a shell
// does not have it changes nothing.
func (s *state) setOptions(args []command.Word, inv *command.Invocation) {
	switch {
	case len(args) == 0:
		s.out = command.Data{Taint: command.FromSecret} // it prints all variables
	case !takesOptions(args, false): // it may print options
		s.out = command.Data{}
	}
	if !namesOddOption(args) {
		s.setWords(args, inv)
		return
	}
	before := s.fork()
	s.setWords(args, inv)
	s.joinParams(before)
	s.doubt |= optErrexit & (s.opts | before.opts)
}

// namesOddOption says whether a word of set may be the name of an option that a shell does not have.
func namesOddOption(args []command.Word) bool {
	for i := 0; i+1 < len(args) && args[i].IsKnown() && isSwitch(args[i].Text) && args[i].Text != "--"; i++ {
		if !strings.Contains(args[i].Text, "o") {
			continue
		}
		i++
		if !args[i].IsKnown() || !isUsualOption(args[i].Text) {
			return true
		}
	}
	return false
}

// isUsualOption says whether shells have an option of that name.
func isUsualOption(name string) bool {
	return slices.Contains(strings.Fields("allexport errexit ignoreeof monitor noclobber noexec noglob notify nounset pipefail verbose vi emacs xtrace"), name)
}

// setWords carries out set.
func (s *state) setWords(args []command.Word, inv *command.Invocation) {
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !w.IsKnown() {
			if w.Reach == tool.Anywhere || w.Reach == tool.Prefix && (strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "+")) {
				// It may be options as well as parameters.
				gapIn(inv, "set with a word known only at run time")
			}
			s.params, s.many, s.loose = args[i:], true, 1
			return
		}
		text := w.Text
		switch {
		case text == "--":
			s.setParams(args[i+1:], len(inv.Words), inv.Loose)
			return
		case text == "-", text == "+":
			if before := s.fork(); i+1 < len(args) {
				s.setParams(args[i+1:], len(inv.Words), inv.Loose)
			} else if s.inZsh() { // which takes the parameters away
				s.params, s.many, s.loose = nil, false, 0
				s.joinParams(before)
			}
			return
		case isSwitch(text):
			if strings.Trim(text[1:], "abefhkmnoptuvxBCEHPT") != "" {
				gapIn(inv, "set with the unknown option "+text)
				return
			}
			i += s.setFlags(text, args[i+1:], inv)
		default:
			s.setParams(args[i:], len(inv.Words), inv.Loose)
			return
		}
	}
}

// isSwitch says whether a text turns options on or off: -x or +x.
func isSwitch(text string) bool { return len(text) > 1 && (text[0] == '-' || text[0] == '+') }

// setFlags switches the options of one word of set, and says how many words behind it are
// names of options.
func (s *state) setFlags(text string, args []command.Word, inv *command.Invocation) (taken int) {
	on := text[0] == '-'
	if s.oddLetters(text[1:], on) {
		gapIn(inv, "an option that changes how commands are read: "+text)
	}
	for _, c := range text[1:] {
		switch {
		case c != 'o':
			s.switchOption(optionLetter(c), on, inv)
			if c == 'f' && s.inZsh() {
				s.doubt |= optNoglob // it is another option there
			}
		case taken < len(args) && (!args[taken].IsKnown() || !strings.HasPrefix(args[taken].Text, "-") && !strings.HasPrefix(args[taken].Text, "+")):
			s.setNamed(args[taken], on, inv)
			taken++
		}
	}
	return taken
}

// oddLetters says whether letters stand for options that change what words mean, or where cd leads to.
func (s *state) oddLetters(letters string, on bool) bool {
	if !on {
		return strings.ContainsAny(letters, "B")
	}
	return strings.ContainsAny(letters, "kHP") || s.inZsh() && strings.ContainsAny(letters, "T")
}

// inZsh says whether the shell may be zsh.
func (s *state) inZsh() bool { return s.world != nil && s.world.Zsh && s.opts&optPosix == 0 }

// positional makes words the parameters; loose counts from the name of the command.
func (s *state) setParams(words []command.Word, given, loose int) {
	if len(words) > maxElems {
		s.params, s.many, s.loose = []command.Word{value.Lost(words...)}, true, 1
		return
	}
	s.params, s.many, s.loose = words, false, 0
	if loose > 0 {
		s.loose = max(1, loose-(given-len(words)))
	}
}

func (s *state) switchOption(o options, on bool, inv *command.Invocation) {
	s.turns++
	if s.doubt &^= o; on {
		s.opts |= o
	} else {
		s.opts &^= o
	}
	if o == optXtrace && on {
		if v := s.lookup("PS4"); v != nil && !v.unset {
			gapIn(inv, "set -x evaluates PS4")
		}
	}
}

// named switches an option by its name. Those that change what words, patterns
// or echo mean are not followed.
func (s *state) namedOption(w command.Word, on bool, inv *command.Invocation) {
	if !w.IsKnown() {
		gapIn(inv, "a shell option known only at run time")
		return
	}
	switch w.Text {
	case "physical":
		gapIn(inv, "an option that changes where cd leads to: "+w.Text)
	case "braceexpand":
		if !on {
			gapIn(inv, "an option that changes how commands are read: "+w.Text)
		}
	case "nocasematch", "nocaseglob", "failglob", "localvar_inherit", "localvar_unset", "assoc_expand_once", "expand_aliases", "execfail", "extdebug", "sourcepath", "patsub_replacement", "dotglob", "xpg_echo", "cdable_vars", "posix", "keyword", "histexpand", "history", "restricted_shell", "compat31", "compat32", "compat40", "compat41", "compat42", "compat43", "compat44":
		if on {
			gapIn(inv, "an option that changes how commands are read: "+w.Text)
		}
	}
	s.switchOption(optionNamed(w.Text), on, inv)
}

// setNamed switches an option by the name that set is given. Zsh has many more than bash, of which each has several
// spellings, and some are the opposite of those of bash.
func (s *state) setNamed(w command.Word, on bool, inv *command.Invocation) {
	if !s.inZsh() {
		s.namedOption(w, on, inv)
		return
	}
	s.zshOption(w, on, inv)
}

// zshOption is namedOption for a shell that may be zsh.
func (s *state) zshOption(w command.Word, on bool, inv *command.Invocation) {
	if !w.IsKnown() || isUsualOption(w.Text) {
		s.namedOption(w, on, inv)
		return
	}
	name := strings.ToLower(strings.ReplaceAll(w.Text, "_", ""))
	other := strings.TrimPrefix(name, "no")
	o := optionNamed(name) | optionNamed(other) | optionNamed("no"+other)
	switch {
	case o != 0:
		s.switchOption(o, true, inv)
		s.doubt |= o // bash does not know all the spellings
	case isUsualOption(name), isMild(name), isMild(other):
	case isBashOption(w.Text):
		s.namedOption(w, on, inv)
	default:
		gapIn(inv, "an option that changes how zsh reads commands: "+w.Text)
	}
}

// isMild says whether an option of zsh leaves alone what commands do.
func isMild(name string) bool {
	return strings.HasPrefix(name, "hist") || slices.Contains(strings.Fields("unset exec monitor notify nomatch shwordsplit beep bgnice hup checkjobs checkrunningjobs "+
		"promptsubst promptcr promptsp zle correct correctall interactivecomments sharehistory appendhistory incappendhistory autolist automenu longlistjobs localoptions localtraps printexitvalue"), name)
}

// isBashOption says whether it is one of the options of bash that other shells may not have.
func isBashOption(name string) bool {
	return slices.Contains(strings.Fields("braceexpand errtrace functrace hashall histexpand history interactive-comments keyword nolog onecmd physical posix privileged"), name)
}

func optionLetter(c rune) options {
	switch c {
	case 'u':
		return optNounset
	case 'a':
		return optAllexport
	case 'x':
		return optXtrace
	case 'v':
		return optVerbose
	case 'T':
		return optVerbose | optFunctrace
	case 'E':
		return optErrtrace
	case 'f':
		return optNoglob
	case 'C':
		return optNoclobber
	case 'e':
		return optErrexit
	}
	return 0
}

func optionNamed(name string) options {
	switch name {
	case "nounset":
		return optNounset
	case "allexport":
		return optAllexport
	case "xtrace":
		return optXtrace
	case "verbose":
		return optVerbose
	case "functrace":
		return optVerbose | optFunctrace
	case "errtrace":
		return optErrtrace
	case "noglob":
		return optNoglob
	case "noclobber":
		return optNoclobber
	case "errexit":
		return optErrexit
	case "pipefail":
		return optPipefail
	case "extglob":
		return optExtglob
	case "globstar":
		return optGlobstar
	case "nullglob":
		return optNullglob
	case "lastpipe":
		return optLastpipe
	}
	return 0
}

func (s *state) shopt(args []command.Word, inv *command.Invocation) {
	mode, named := byte(0), false
	for _, w := range args {
		if !w.IsKnown() {
			gapIn(inv, "a shell option known only at run time")
			continue
		}
		switch flag := strings.TrimPrefix(w.Text, "-"); {
		case flag != w.Text && strings.Trim(flag, "opqsu") == "":
			if strings.ContainsAny(flag, "su") {
				mode = flag[strings.IndexAny(flag, "su")]
			}
			if strings.Contains(flag, "s") && strings.Contains(flag, "u") {
				gapIn(inv, "a shell option that is turned on and off")
			}
		case flag != w.Text:
			gapIn(inv, "shopt with the unknown option "+w.Text)
		case mode != 0:
			s.namedOption(w, mode == 's', inv)
			named = true
		}
	}
	if mode == 0 || !named { // it prints them
		s.out = command.Data{}
	}
}

// shift moves the positional parameters.
func (led *ledger) shift(s *state, args []command.Word) {
	n, sure := led.numberGiven(s, args)
	s.ended()
	switch {
	case !sure || s.many:
		s.params, s.many, s.loose = []command.Word{value.Lost(s.params...)}, true, 1
	case s.loose > 0 && n >= int64(s.loose):
		// One that is gone may have stood for many or for none.
		s.params, s.loose = []command.Word{value.Lost(s.params...)}, 1
	case n <= int64(len(s.params)):
		s.params = s.params[n:]
		if s.loose > 0 {
			s.loose -= int(n)
		}
	}
}

// numberGiven is the number that shift, break and their like are given, which is one if it is
// left out, and whether it is known.
func (led *ledger) numberGiven(s *state, args []command.Word) (n int64, sure bool) {
	for _, w := range args {
		led.zshNumber(s, w)
	}
	if len(args) != 1 || !args[0].IsKnown() {
		return 1, len(args) == 0
	}
	return decimal(args[0].Text)
}

// getopts takes the next option; which it is, is not followed.
func (led *ledger) getopts(s *state, args []command.Word) []*state {
	if len(args) < 2 {
		return one(s.end(false))
	}
	led.plainName(s, args[1])
	led.forget(s, args[1])
	optarg := value.Lost(append(s.params[:len(s.params):len(s.params)], args...)...)
	optarg.Hollow = true
	led.assign(s, "OPTARG", optarg, args[1].Span)
	s.set("OPTIND", numberWord(number{}))
	return one(s.ended())
}

// startOptions sets the options that a shell is started with.
func (c *state) startOptions(shell string, outer *command.Invocation) {
	c.opts, c.doubt = posix(shell), 0
	if !shellName(outer.Name) || len(outer.Words) == 0 {
		return // its words are not those of a shell
	}
	c.givenOptions(outer.Words[1:], outer, shell == "zsh")
}

// lineOptions sets those that the first line of a file gives.
func (c *state) lineOptions(line string, outer *command.Invocation) {
	fields := strings.Fields(line[2:])
	if strings.HasSuffix(line, "/sh") || len(fields) > 0 && strings.HasSuffix(fields[0], "/sh") {
		c.opts |= optPosix
	}
	for i := 1; i < len(fields); i++ {
		if fields[i] == "-S" || !strings.HasPrefix(fields[i], "-") {
			continue
		}
		var words []command.Word
		for _, f := range fields[i:] {
			words = append(words, command.Known(f, outer.Span))
		}
		c.givenOptions(words, outer, strings.Contains(line, "zsh"))
		return
	}
}

// givenOptions sets options that stand before what a shell runs. That it matches no names is
// not believed.
func (c *state) givenOptions(words []command.Word, outer *command.Invocation, zsh bool) {
	for i := 0; i < len(words) && words[i].IsKnown(); i++ {
		text := words[i].Text
		switch {
		case text == "--verbose":
			c.opts |= optVerbose
		case text == "--" || !isSwitch(text):
			return
		case text[1] == '-' || text[0] == '+':
			c.doubt |= optErrexit & c.opts // which may be off again
		default:
			i += c.givenLetters(text[1:], words[i+1:], outer, zsh)
		}
	}
}

// givenLetters sets the options of one word, and says how many words behind it are names of
// options.
func (c *state) givenLetters(letters string, words []command.Word, outer *command.Invocation, zsh bool) (taken int) {
	for _, letter := range letters {
		switch {
		case letter == 'o' || letter == 'O' && !zsh:
			switch {
			case taken == len(words):
			case zsh:
				c.zshOption(words[taken], true, outer)
			default:
				c.namedOption(words[taken], true, outer)
			}
			taken = min(taken+1, len(words))
		case letter == 'f':
		case c.oddLetters(string(letter), true), zsh && !strings.ContainsRune("abcdeghilmnpstuvxyC", letter):
			gapIn(outer, "an option that changes how the shell reads commands: -"+string(letter))
		default:
			c.opts |= optionLetter(letter)
		}
	}
	return taken
}
