package shell

import (
	"longline/internal/command"
	"longline/internal/packed"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// notes is what reading a script has brought up so far.
type notes struct {
	invocations []*command.Invocation
	gaps        []command.Gap
	parsed      bool
	problem     string
	revealed    []tool.Span // where secrets come to light
	use         use
	openers     []int // the invocations that may open files for all that follow
	sent        []sending
	restored    []tool.Effect
}

// budget is what reading may cost, and what it has cost so far.
type budget struct {
	notes
	steps     int
	toil      toil
	spent     bool
	late      bool            // the time is over
	maxStates int             // ways that are followed apart; 0 for [maxStates]
	allowed   int             // steps that a script may take; 0 for what [roomFor] says
	room      int             // how many steps are enough; 0 is [maxSteps]
	found     map[string]bool // texts on the disk, and whether they have been granted steps
	skimmed   *skimmed        // not nil while what the steps did not do for is judged
}

// ledger is where it is noted what commands change: variables, files, streams. It runs
// nothing, so it needs no reader.
type ledger struct {
	budget
	process
	site
	disk
	src     *source  // of the node being run
	blanks  bool     // the script makes names with blanks in them, which are split
	masked  bool     // what it makes may be such that it cannot be written to again
	dashed  []string // names that the script makes and that begin with - or @
	procs   streams
	jobs    launches
	several int // commands that were judged with more words; see [alsoSeveral]

	recounted int // how often names that are counted were compared; see [countedAgain]
	derived   int // names that were made of those of files; see [onDerivedName]
	spellings spellings
	sieves    command.Sieves // what is left out of lists
}

// watcher keeps all that the script may have been like since something was set up that
// may run at any point, if it is watching.
type watcher struct {
	watching bool
	past     []*state // the n-th stands for 2^n of them
	lately   *state
	given    *state   // the parameters that the script has had since
	early    []*state // the first ones, each by itself; see [heed]
}

// memo is what running a command has come to before.
type memo struct{ seen map[syntax.Node][]record }

// disk is what has been looked at on the disk, and whether it is still so.
type disk struct {
	start        string // the directory that the script begins in
	given        string // the script
	looked       []directory
	blank        blanks
	sought       sought
	trees        map[walkedFrom]*tree
	ends         ends
	laidOut      []string                 // directories that the first invocations may have made
	surveyed     int                      // so many of them
	hidden       map[string][]tool.Entry  // what lies in hidden directories of a directory
	deleted      []string                 // directories that are gone
	cloned       []string                 // clones that the script has made, where nothing was
	released     []command.Release        // what the script has taken out of the index of a repository
	unpacked     []string                 // directories with names that nobody has seen
	packed       []string                 // files of secrets in directories that were copied or packed
	archived     map[string][]packed.Link // the links in archives that were looked into
	unpackedSize int                      // how much was read of these
	odd          []string                 // files that the script has given names with blanks or quotes
	renamed      []string                 // where files of a list that has secrets in it were put under other names
	copied       []copied                 // directories that the script has copied or moved
	walked       int                      // directories that were looked at for them
	idle         map[string][]bool        // of the links below a directory, those that do not matter to what is put there
	weighed      int                      // links that were followed to say so
	compared     int                      // names of links that were looked for in what is put there
	traced       int                      // copies that were followed back to what they are copies of
	real         map[string]string        // where directories lie by the links on the disk
	touched      bool                     // something that has run may have made a file
	checked      int                      // so many invocations have been asked
	standing     string                   // a directory that is there
	ignores      *command.Data            // what the script has made of the list of files that git ignores
}
