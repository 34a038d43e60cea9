package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Past is what is known about a session when one of its calls is judged. It
// adds objections, and spares questions that a person has answered; nil means that nothing is known.
type Past struct {
	Untrusted bool // text that others wrote was met, and may contain a prompt injection
	Injection bool // the session read a suspected prompt injection
	Secret    bool // a secret was read or printed
	// Fetched are files and directories that earlier calls have fetched. More says
	// that there were too many to remember.
	Fetched []Brought
	More    bool
	Written []string // files that the agent wrote in earlier calls
	// WrittenMore says that there were too many of them to remember.
	WrittenMore bool
	// Added are packages that the agent has listed in a manifest and that were installed since: the kind of manifest, a space and the name.
	Added []string
	// Remotes are those that earlier calls have added to repositories, and of which no commits were taken since.
	Remotes []Remote
	Agreed  []string // digests of calls that a person has agreed to
	Since   int64    // when the session began, in seconds since 1970
	Denied  []Denial // what was denied and not lifted since
}

// Remote is one of the repository that a directory is in.
type Remote struct{ Dir, Name string }

// Brought is something that was fetched.
type Brought struct {
	Path, Host string
	Tree       bool // a directory, with all below it
	Ran        bool // code of it has run since: whoever was asked has agreed
}

// Denial is one thing that was denied: the effect that a rule objected to, or, where
// the rule speaks of the command as such, one of those that the command had.
type Denial struct {
	Rule, Layer string
	Suggest     string // what the rule told the agent to do instead
	Effect      Effect
	// With is the name of what else the rule wanted: a file of secrets was to be sent.
	With string
	// Words are marks of the operands, which tell what a control effect is about.
	Words []uint32
	Call  uint64 // a mark of the call that was denied
}

// Known reports whether there is anything to remember.
func (p *Past) Known() bool {
	return p != nil && (p.Untrusted || p.Injection || p.Secret || p.More || len(p.Fetched) > 0 || len(p.Written) > 0 || len(p.Added) > 0 || len(p.Remotes) > 0 || len(p.Agreed) > 0 || p.WrittenMore || len(p.Denied) > 0)
}

// Origin returns what a file was fetched as: by its own name, or as a part of something. Directories whose code has run
// count only if ran is set.
func (p *Past) Origin(path string, ran bool) (b Brought, ok bool) {
	for _, b := range p.Fetched {
		if (ran || !b.Ran) && (b.Path == path || b.Tree && strings.HasPrefix(path, strings.TrimSuffix(b.Path, "/")+"/")) {
			return b, true
		}
	}
	return Brought{}, false
}

// Mark is a short mark of texts. It tells equal texts, and not what they were.
func Mark(texts ...string) uint64 {
	h := uint64(14695981039346656037)
	for _, text := range texts {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	return h
}

// Digest tells a call of the shell, with where it runs, from every other, and nothing of what it says. Other calls have none.
func (c *Call) Digest() string {
	if !c.Shell {
		return ""
	}
	sum := sha256.Sum256([]byte(c.Tool + "\x00" + c.Dir + "\x00" + c.Script))
	return hex.EncodeToString(sum[:16])
}

// Mark is the mark of a call: what it is, and where.
func (c *Call) Mark() uint64 {
	if c.Shell {
		return Mark(c.Tool, c.Dir, c.Script)
	}
	texts := []string{c.Tool, c.Dir, c.Script}
	for _, e := range c.Effects {
		texts = append(texts, e.Kind.String(), e.Target)
	}
	return Mark(texts...)
}
