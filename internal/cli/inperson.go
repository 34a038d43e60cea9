package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"longline/internal/person"
	"longline/internal/screen"
)

// byPerson refuses what only a person may do. It returns false after having said
// why.
func (p *process) byPerson(what string) bool {
	check := p.person
	if check == nil {
		check = p.atTerminal
	}
	if err := check(); err != nil {
		p.errorf("%s: %v", what, err)
		p.hintf("only a person can do this: run it yourself, in your own terminal")
		return false
	}
	return true
}

// atTerminal says why whoever runs this is no person at a terminal, as far as
// that can be told. What an agent runs has the agent among its ancestors, or no
// terminal, or variables that the agent sets.
func (p *process) atTerminal() error {
	if !screen.IsTerminal(p.in) || !screen.IsTerminal(p.err) {
		return errors.New("refused: there is no terminal")
	}
	if name := person.AgentMark(p.env.Get); name != "" {
		return fmt.Errorf("refused: an agent is running this ($%s is set)", name)
	}
	name, err := person.AgentAncestor()
	if err != nil {
		return fmt.Errorf("refused: cannot find out who runs this: %w", err)
	}
	if name != "" {
		return fmt.Errorf("refused: it is run by %q", name)
	}
	return nil
}

// confirm asks a question. "y" and "yes" are yes; everything else is no.
func (p *process) confirm(question string) bool {
	fmt.Fprintf(p.err, "%s [y/N] ", question)
	line, _ := readLine(bufio.NewReader(p.in))
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}
