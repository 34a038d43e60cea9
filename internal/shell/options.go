package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"
)

// set changes options and positional parameters.
func (r *reader) set(s *state, args []command.Word, inv *command.Invocation) {
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !w.IsKnown() {
			if w.Reach == tool.Anywhere {
				// It may be options as well as parameters.
				r.gapIn(inv, "set with a word that is not known")
			}
			s.params, s.many, s.loose = args[i:], true, 1
			return
		}
		text := w.Text
		switch {
		case text == "--":
			r.positional(s, args[i+1:], len(inv.Words))
			return
		case text == "-":
			if i+1 < len(args) {
				r.positional(s, args[i+1:], len(inv.Words))
			}
			return
		case len(text) > 1 && (text[0] == '-' || text[0] == '+'):
			on := text[0] == '-'
			if strings.Trim(text[1:], "abefhkmnoptuvxBCEHPT") != "" {
				return // an error
			}
			if on && strings.ContainsAny(text[1:], "kH") {
				r.gapIn(inv, "an option that changes how commands are read: "+text)
			}
			for _, c := range text[1:] {
				if c == 'o' {
					if i+1 < len(args) {
						i++
						r.named(s, args[i], on, inv)
					}
					continue
				}
				r.option(s, optionLetter(c), on)
			}
		default:
			r.positional(s, args[i:], len(inv.Words))
			return
		}
	}
}

func (r *reader) positional(s *state, words []command.Word, given int) {
	s.params, s.many, s.loose = words, false, 0
	if r.loose > 0 {
		// r.loose counts from the name of the command.
		s.loose = max(1, r.loose-(given-len(words)))
	}
}

func (r *reader) option(s *state, o options, on bool) {
	if on {
		s.opts |= o
	} else {
		s.opts &^= o
	}
	if o == optXtrace && on {
		if v := s.lookup("PS4"); v != nil && !v.unset {
			r.gap("set -x evaluates PS4", tool.Span{})
		}
	}
}

// named switches an option by its name. Those that change what words, patterns
// or echo mean are not followed.
func (r *reader) named(s *state, w command.Word, on bool, inv *command.Invocation) {
	if !w.IsKnown() {
		r.gapIn(inv, "a shell option that is not known")
		return
	}
	switch w.Text {
	case "nocasematch", "nocaseglob", "dotglob", "xpg_echo", "cdable_vars", "posix", "keyword", "histexpand", "history", "restricted_shell", "compat31", "compat32", "compat40", "compat41", "compat42", "compat43", "compat44":
		if on {
			r.gapIn(inv, "an option that changes how commands are read: "+w.Text)
		}
	}
	r.option(s, optionNamed(w.Text), on)
}

func optionLetter(c rune) options {
	switch c {
	case 'e':
		return optErrexit
	case 'a':
		return optAllexport
	case 'x':
		return optXtrace
	case 'f':
		return optNoglob
	}
	return 0
}

func optionNamed(name string) options {
	switch name {
	case "errexit":
		return optErrexit
	case "allexport":
		return optAllexport
	case "xtrace":
		return optXtrace
	case "noglob":
		return optNoglob
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

func (r *reader) shopt(s *state, args []command.Word, inv *command.Invocation) {
	mode := byte(0)
	for _, w := range args {
		if !w.IsKnown() {
			r.gapIn(inv, "a shell option that is not known")
			continue
		}
		switch {
		case w.Text == "-s" || w.Text == "-so" || w.Text == "-os":
			mode = 's'
		case w.Text == "-u" || w.Text == "-uo" || w.Text == "-ou":
			mode = 'u'
		case strings.HasPrefix(w.Text, "-"):
		case mode != 0:
			r.named(s, w, mode == 's', inv)
		}
	}
}

func (r *reader) shift(s *state, args []command.Word) {
	n := 1
	if len(args) > 0 {
		v, ok := parseNumber(args[0].Text)
		if !args[0].IsKnown() || !ok {
			s.params, s.many, s.loose = nil, true, 0
			s.ended()
			return
		}
		n = int(v)
	}
	switch {
	case s.loose > 0 && n >= s.loose:
		// One that is gone may have stood for many or for none.
		s.params, s.loose = []command.Word{value.Lost(s.params...)}, 1
		s.ended()
	case n >= 0 && n <= len(s.params):
		s.params = s.params[n:]
		if s.loose > 0 {
			s.loose -= n
			s.ended()
			return
		}
		s.end(true)
	case s.many:
		s.params = nil
		s.ended()
	default:
		s.end(false)
	}
}

// getopts takes the next option; which it is, is not followed.
func (r *reader) getopts(s *state, args []command.Word) []*state {
	if len(args) < 2 {
		return one(s.end(false))
	}
	if r.plainName(args[1]) {
		r.assign(s, args[1].Text, command.Word{Plain: true}, args[1].Span)
	}
	s.set("OPTARG", value.Lost(s.params...))
	s.set("OPTIND", command.Word{Plain: true})
	return one(s.ended())
}
