package language

// Plan is what a task runner would run for one task of a definition.
type Plan struct {
	// Lines are the commands that run when the definition is read, and those of the
	// task and of the tasks that it needs. In a rehearsal they are what runs all the same.
	Lines []Line
	// Tasks are the tasks that were asked for, where the words alone do not say that.
	Tasks []string
	// Incomplete says that there is more than is read.
	Incomplete bool
	// Problem says why the definition could not be read; "" if it could.
	Problem string
}

// Request is what a task runner is asked for.
type Request struct {
	Task  string     // "" is the default one
	Given []Variable // of the command line, which win over those of the definition
	Files []string   // names of the definition
	Args  []Argument // words that name tasks and give them arguments
	Dry   bool       // it is to say what it would do
	Load  func(file string) (text string, ok bool)
	// Secret says whether there is a file of secrets of this name.
	Secret func(file string) bool
	// Gone says whether there surely is no such file.
	Gone func(file string) bool
	// List lists the files that a pattern stands for; whole is false if there may be more.
	List  func(pattern string) (files []string, whole bool)
	Dir   string // where the definition is worked on; "" if that is not known
	Home  string // the user's directory; "" if that is not known
	depth int    // in how many modules the definition is
}

// Variable is a variable that is given to a task runner.
type Variable struct {
	Name, Value string
	Known       bool
	Environment bool
}

// Line is one command of a task, the shell that runs it, and where it does: ""
// is the directory of the definition.
type Line struct{ Text, Shell, Dir string }

// unknownValue stands for what a task runner computes: a shell variable that has no value,
// so that the reader of scripts does not know it either.
const unknownValue = "${longline_unknown}"

// MaxTasks bounds how many tasks and commands of a definition are read. What
// lies beyond counts as unknown: a long definition must not hide its end.
const MaxTasks = 64

// eachTask visits tasks, and once each the tasks that those visited need. It
// returns false if there are too many.
func eachTask(queue []string, visit func(name string) (needs []string)) bool {
	seen := map[string]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		next := queue[0]
		if seen[next] {
			continue
		}
		if len(seen) == MaxTasks {
			return false
		}
		seen[next] = true
		queue = append(queue, visit(next)...)
	}
	return true
}
