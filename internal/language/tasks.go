package language

// Plan is what a task runner would run for one task of a definition.
type Plan struct {
	// Reading are the commands that run when the definition is read, Lines those
	// of the task and of the tasks that it needs.
	Reading, Lines []Line
	// Incomplete says that there is more than is read.
	Incomplete bool
	// Problem says why the definition could not be read; "" if it could.
	Problem string
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

// eachTask visits a task, and once each the tasks that those visited need. It
// returns false if there are too many.
func eachTask(first string, visit func(name string) (needs []string)) bool {
	seen := map[string]bool{}
	for queue := []string{first}; len(queue) > 0; queue = queue[1:] {
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
