package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/tool"
)

// Settings of git hold passwords where somebody has put one into the address of a remote, or into a header. Showing the settings
// is everyday work, so the files are looked into: only what shows such a value is a question.

// shownPrefix begins the targets of effects that show settings: "all", or "remotes", whose addresses are shown.
const shownPrefix = "@git-settings:"

// showsSettings adds that a secret is printed, if one is among what is shown.
func showsSettings(r *reader, which string) {
	showsSetting(r, func(section, key string) bool {
		return which != "remotes" || section == "url" || section == "remote" && strings.HasSuffix(key, "url")
	})
}

// gitTrace is whether git tells what it runs, with the addresses of remotes as they are.
func gitTrace(r *reader, w Word) {
	if !w.IsKnown() || w.Text != "0" && w.Text != "false" {
		showsSettings(r, "remotes")
	}
}

// showsNamed adds that a secret is printed, if the setting of a name, or one that a pattern may match, is one.
func showsNamed(r *reader, w Word) {
	const get = "--get --get-all --get-regexp --get-urlmatch"
	if len(r.oper) > 1 && !r.anyGiven(false, strings.Fields(get)...) || r.level().sets() {
		return // it is set
	}
	name := strings.ToLower(w.Text)
	pattern := r.anyGiven(false, "--get-regexp", "--regexp")
	if pattern {
		name = strings.NewReplacer("^", "", "$", "", ".*", "", `\.`, ".").Replace(name)
	}
	showsSetting(r, func(_, key string) bool {
		key = strings.ToLower(key)
		switch {
		case !w.IsKnown():
			return true
		case pattern:
			return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz.-") != "" || strings.Contains(key, name)
		case !strings.Contains(name, "."):
			return strings.HasPrefix(key, name+".")
		}
		return key == name || r.anyGiven(false, "--get-urlmatch", "--url") && strings.HasPrefix(key, name[:strings.LastIndexByte(name, '.')+1])
	})
}

// sets says whether a command changes settings.
func (l *Level) sets() bool {
	return slices.ContainsFunc(l.Effects, func(s Spec) bool { return s.Kind == "write" && s.Target == "@repository" })
}

// showsSetting looks at the settings that are shown.
func showsSetting(r *reader, shown func(section, key string) bool) {
	dir := r.workingTree()
	if r.world.Tells == nil || r.world.ReadFile == nil || r.world.Exists == nil || r.inv.Remote || dir.Reach != tool.Exact || r.anyGiven(false, "-f", "--file", "--blob") {
		return
	}
	var files []string
	if !r.anyGiven(true, "--local", "--worktree") {
		files = userSettings(r.world)
	}
	if !r.anyGiven(true, "--global", "--system") {
		files = append(files, repoSettings(&r.surroundings, dir.Text)...)
	}
	for _, file := range files {
		eachSetting(r.world, file, 0, func(_, section, part, name, value string) {
			key := section + "." + name
			if part != "" {
				key = section + "." + part + "." + name
			}
			if r.flagGiven("--name-only", true) {
				value = ""
			}
			if isSecretSetting(r.world.Tells, section, part, name, value) && shown(section, key) {
				r.controlOnce("secret.print", r.inv.Span)
			}
		})
	}
}

// isSecretSetting says whether a setting holds a password or a token: in an address, or by its name.
func isSecretSetting(tells func(string) bool, section, part, name, value string) bool {
	if section == "url" && strings.Contains(part, "://") && tells(part) || strings.Contains(value, "://") && tells(value) {
		return true
	}
	return value != "" && name != "cookiefile" && isSecretKey(name)
}

// isSecretKey says whether a setting holds something that should not be shown, by its name.
func isSecretKey(name string) bool {
	return holdsOne(name, "extraheader", "token", "password", "passwd", "smtppass", "secret", "cookiefile")
}

// userSettings are the files that hold settings of git for all repositories.
func userSettings(w *tool.World) []string {
	if w.ReadFile == nil || w.Home == "" {
		return nil
	}
	return []string{"/etc/gitconfig", w.Home + "/.config/git/config", w.Home + "/.gitconfig"}
}

// repoSettings are those of the repository that a directory is in.
func repoSettings(s *surroundings, dir string) []string {
	git := s.gitDir(Follow(dir, s.world))
	if git == "" {
		return nil
	}
	return []string{git + "/config", git + "/config.worktree"}
}

// eachSetting visits the settings of a file, and of those that it includes, with the file that each is in.
func eachSetting(w *tool.World, file string, depth int, visit func(file, section, part, name, value string)) {
	text, err := w.ReadFile(file)
	if err != nil || len(text) > maxGitConfig || depth > 3 {
		return
	}
	included := 0
	readGitConfig(string(text), func(section, part, name, value string) {
		visit(file, section, part, name, value)
		if (section == "include" || section == "includeif") && name == "path" && included < 8 {
			included++
			if rest, ok := strings.CutPrefix(value, "~/"); ok {
				value = w.Home + "/" + rest
			}
			eachSetting(w, at(path.Dir(file), value), depth+1, visit)
		}
	})
}

// SecretSettings are the files of git's settings, for a directory, that hold a secret.
func SecretSettings(w *tool.World, dir string, tells func(text string) bool) (list []string) {
	if w.ReadFile == nil || w.Exists == nil {
		return nil
	}
	for _, first := range append(userSettings(w), repoSettings(&surroundings{world: w}, dir)...) {
		eachSetting(w, first, 0, func(file, section, part, name, value string) {
			if !slices.Contains(list, file) && isSecretSetting(tells, section, part, name, value) {
				list = append(list, file)
			}
		})
	}
	return list
}

// HookDirs are the directories, other than the usual one, in which settings of git say that the hooks of a working tree are. One that
// is called "_" holds those that run the hooks beside it.
func HookDirs(w *tool.World, root string) (list []string) {
	if w.ReadFile == nil || w.Exists == nil {
		return nil
	}
	for _, first := range append(userSettings(w), repoSettings(&surroundings{world: w}, root)...) {
		eachSetting(w, first, 0, func(_, section, _, name, value string) {
			if section != "core" || name != "hookspath" || value == "" {
				return
			}
			if rest, ok := strings.CutPrefix(value, "~/"); ok {
				value = w.Home + "/" + rest
			}
			dir := at(root, value)
			if list = append(list, dir, Follow(dir, w)); path.Base(dir) == "_" {
				list = append(list, path.Dir(dir))
			}
		})
	}
	return list
}

// UsualHooks is the directory that the hooks of a working tree are in where no setting says otherwise. Linked trees share it.
func UsualHooks(w *tool.World, root string) string {
	return (&surroundings{world: w}).gitDir(root) + "/hooks"
}

// gitAliased is an alias that the settings of git hold, in the words that it stands for, and the words behind it; nil if
// they hold none of that name, or it runs something else than git, or they do not agree.
func gitAliased(r *reader, level *Level, w Word, rest []Word) []Word {
	if r.inv.Name != "git" || len(r.levels) != 1 || r.begun() || !w.IsKnown() || w.Text == "" || r.world.ReadFile == nil || r.world.Exists == nil || r.inv.Remote {
		return nil
	}
	dir := r.workingTree()
	if known, _, _ := level.Subs.find(w.Text); known != nil || dir.Reach != tool.Exact {
		return nil
	}
	var values []string
	for _, file := range append(userSettings(r.world), repoSettings(&r.surroundings, dir.Text)...) {
		eachSetting(r.world, file, 0, func(_, section, part, name, value string) {
			if section == "alias" && part == "" && strings.EqualFold(name, w.Text) && !slices.Contains(values, value) {
				values = append(values, value)
			}
		})
	}
	for _, value := range values {
		if strings.HasPrefix(value, "!") {
			r.gitAlias("config:alias", Known(value, w.Span)) // and what its words add is not known
		}
	}
	if len(values) != 1 || strings.ContainsAny(values[0], "!'\"\\") || strings.HasPrefix(values[0], "-") {
		return nil
	}
	var words []Word
	for text := range strings.FieldsSeq(values[0]) {
		words = append(words, Known(text, w.Span))
	}
	if len(words) == 0 {
		return nil
	}
	r.inv.Aka = append(r.inv.Aka, Alias{1, 2, w.Text})
	return append(words, rest...)
}
