package command

// Model is what one program's arguments mean. Models are written in YAML (see
// docs/models.md), compiled, and read by [Library.Read].
type Model struct {
	Names []string // the program's names; the first is the model's own
	Level
}

// Level is one level of a command line: a program, or one of its subcommands.
type Level struct {
	Grammar Grammar
	Abbrev  bool // unique prefixes of long flags are accepted
	Permute bool // flags may follow operands
	// Unlisted says that flags which are not listed, and their values, are
	// text: a waiver for read-only commands with a hundred display flags.
	Unlisted bool
	// Numbers says that -5 is a flag.
	Numbers bool
	// Groups are the names of groups of subcommands, which may be globs: the
	// level stands again for what follows such a word. With [AnyGroup] among them
	// every word is one that is no subcommand, and a subcommand too if another
	// stands behind it, or any word if it is named here or matches a glob only.
	// That is sound only where subcommands take no operands.
	Groups []string
	// Plus says that +word is a flag: cargo +nightly.
	Plus bool
	// Response says that @FILE inserts the words of that file: gcc @options.
	Response bool

	Flags    Flags
	Global   Flags // accepted here and at all levels below
	Operands []Item
	After    []Item // operands after "--", if the model tells them apart
	Effects  []Spec
	Modes    []Mode
	Subs     Subs
	// Instead lists flags that make it another command altogether, with other
	// effects. Only tests use it, and it is not compiled.
	Instead []string
	Dry     []string // with one of these flags nothing is changed
	// Loads are files that the program takes code or settings from at this level and all below, by their
	// names in the directory that it works in.
	Loads []string
	// Same are other names of the command: "remove|rm" are those of its last word, of which each
	// may be several; without a bar it is all of the command, in which * is the program: "* rm".
	Same   []string
	Stdin  string  // what standard input is, if not data
	Output string  // what standard output says, if something is known
	Holds  string  // flags with which that holds; with others it says anything
	Lands  string  // "written", "operand", "fixed", "-FLAG" or "file:-FLAG": see [Landing]
	Env    EnvUses // variables this program reads
}

// AnyGroup is the name of a group that can have any name.
const AnyGroup = "*"

// Grammar is how words are divided into flags, values and operands.
type Grammar uint8

const (
	GNU    Grammar = iota // -abc is -a -b -c; --long=value
	Long                  // -name is one flag: find, go, java
	Bundle                // as GNU, and the first word needs no dash: tar xzf
	KeyVal                // name=value: dd
	Plain                 // no flags at all
)

// Flag is one flag and what its values are used for.
type Flag struct {
	Name     string
	Values   [][]Use // one element per value; empty for a switch
	Optional bool    // the value can only be glued on: --color=always, -i.bak
}

// Use is what a word is used for. Some uses take an argument: control:git.push.
type Use struct{ Name, Arg string }

// Item is one place, or many, in a list of operands.
type Item struct {
	Uses     []Use
	Many     bool // any number, also none
	Optional bool
}

// Spec is an effect that comes from running the program at all.
type Spec struct {
	Kind   string
	Target string
}

// Mode is what a flag changes about its level. Modes add uses and effects to
// those of the level and to each other; they never take any away.
type Mode struct {
	When     []string // any of these flags is given; flag=glob compares its value
	Unless   []string // and none of these
	Operands Presence // and operands are, or are not, given
	Piped    Presence // and standard input is, or is not, connected: Some or None
	Tree     bool     // paths among the operands cover what is below them
	Flags    []Flag
	Items    []Item
	Effects  []Spec
	Stdin    string
	Output   string
	Lands    string
}

// Presence is a condition on the number of operands.
type Presence uint8

const (
	Any Presence = iota
	None
	Some
	One
)
