package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// composeUse stands for what happens in the containers that a definition makes.
const composeUse = "container.compose"

// compose is the start of the containers that the project defines. A definition
// that gives them more of this machine than the project is another matter.
func (r *reader) compose() {
	runsProjectOf(r)
	if r.composeReachesOut() {
		r.control("container.run", r.inv.Span)
		return
	}
	r.control("container.project", r.inv.Span)
}

// composeReachesOut says whether the definition that is used does.
func (r *reader) composeReachesOut() bool {
	return slices.ContainsFunc(composeFiles(r), func(file Word) bool {
		text, ok := r.manifestText(file)
		return ok && ReachesOut(text)
	})
}

// composeFiles are the files that make up the definition: those that flags name, or a variable, or else
// what is found in the project's directory or above it.
func composeFiles(r *reader) (files []Word) {
	for i := range r.given {
		if g := &r.given[i]; g.flag != nil && g.flag.has("config") {
			files = append(files, g.values...)
		}
	}
	if len(files) == 0 {
		files = r.pathList("COMPOSE_FILE")
	}
	if len(files) > 0 {
		return files
	}
	dir := worksIn(r)
	if dir.Reach != tool.Exact {
		return nil
	}
	for at := dir.Text; ; at = path.Dir(at) {
		if files = composeFilesIn(r, at); len(files) > 0 || at == "/" {
			break
		}
	}
	if len(files) == 0 {
		files = []Word{Known(dir.Text+"/compose.yaml", r.inv.Span)} // perhaps the script writes it
	} else if inside := paths.Within(dir.Text, r.world.Project); inside && !paths.Within(files[0].Text, r.world.Project) {
		r.config(files[0], false)
	}
	return files
}

// composeFilesIn are the files of a directory that a definition is in: the first of these names, and what changes it.
func composeFilesIn(r *reader, dir string) (files []Word) {
	found := func(names ...string) {
		for _, name := range names {
			if at := clean(dir + "/" + name); r.exists(at) {
				files = append(files, Known(at, r.inv.Span))
				return
			}
		}
	}
	if found("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"); len(files) > 0 {
		found("compose.override.yml", "compose.override.yaml", "docker-compose.override.yml", "docker-compose.override.yaml")
	}
	return files
}

// ReachesOut reports whether a definition of containers gives them rights or files of
// this machine outside the project.
func ReachesOut(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if strings.Contains(line, ".sock") || settingReachesOut(line, beginsWith("- \" '", line)) {
			return true
		}
		if !strings.ContainsAny(line, "[{") {
			continue
		}
		for part := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune("[]{},", c) }) {
			if settingReachesOut(strings.TrimSpace(part), true) {
				return true
			}
		}
	}
	return false
}

// settingReachesOut says whether one setting does, or one item of a list.
func settingReachesOut(text string, item bool) bool {
	text = strings.Trim(strings.TrimPrefix(text, "- "), `"' `)
	key, value, _ := strings.Cut(text, ":")
	key, value = strings.Trim(key, `"' `), strings.Trim(value, `"' `)
	switch key {
	case "source", "device":
		return outsidePath(value)
	}
	return givesRights(key, value) || item && strings.Contains(text, ":/") && outsidePath(text)
}

// givesRights says whether a setting gives a container rights on this machine, or takes more
// from elsewhere.
func givesRights(key, value string) bool {
	switch key {
	case "privileged":
		return value != "false"
	case "cap_add", "devices", "security_opt", "include", "extends":
		return true
	case "network_mode", "pid", "ipc", "userns_mode":
		return value == "host"
	}
	return false
}

// outsidePath says whether a path leads, or may lead, out of the project.
func outsidePath(path string) bool { return beginsWith("/ ~ .. $", path) }
