package guard

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// withHooks is the world where what a call changes of the hooks of git is among what runs by itself, wherever settings say that they
// are. The settings are looked at only if something is changed that may be a hook by its path.
func withHooks(call *tool.Call, invs []*command.Invocation, w *tool.World) *tool.World {
	if w == nil || w.Project == "" || w.Exists == nil {
		return w
	}
	var dirs, hooks []string
	looked, known := false, w
	look := func(effects []tool.Effect) {
		for _, e := range effects {
			if !mayBeHook(e) || !paths.Within(paths.Fixed(e.Target), w.Project) {
				continue
			}
			if !looked {
				root := w.Project
				known = w.Remembering()
				for root != "/" && !w.Exists(root+"/.git") {
					root = path.Dir(root)
				}
				dirs, looked = command.HookDirs(known, root), true
			}
			if file := strings.TrimSuffix(paths.Fixed(e.Target), "/"); isHook(e, file, dirs) || isHook(e, command.Follow(file, known), dirs) {
				hooks = append(hooks, file)
			}
		}
	}
	look(call.Effects)
	for _, inv := range invs {
		if !inv.Remote {
			look(inv.Effects)
		}
	}
	if len(hooks) == 0 {
		return w
	}
	with := *w
	with.Hooks = append(w.Hooks[:len(w.Hooks):len(w.Hooks)], hooks...)
	return &with
}

// mayBeHook says whether an effect may change a hook, by the names in its path.
func mayBeHook(e tool.Effect) bool {
	return (e.Kind == tool.Create || e.Kind == tool.Write || e.Kind == tool.Delete) && e.Reach != tool.Anywhere &&
		(isHookName(path.Base(e.Target)) || strings.Contains(e.Target, "hook") || e.Pattern || e.Put)
}

// isHook says whether an effect on a file is on one in the directories of hooks. Where these hold other things as well, only what is called
// like a hook counts.
func isHook(e tool.Effect, file string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return file == dir && (e.Tree || e.Put || e.Pattern) || file != dir && paths.Within(file, dir) &&
			(strings.Contains(path.Base(dir), "hook") || path.Dir(file) == dir && isHookName(path.Base(file)))
	})
}

// isHookName says whether git calls a hook so, or may do so.
func isHookName(name string) bool {
	switch name {
	case "update", "reference-transaction", "push-to-checkout", "sendemail-validate", "fsmonitor-watchman":
		return true
	}
	return !strings.Contains(name, ".") && (strings.HasPrefix(name, "pre-") || strings.HasPrefix(name, "post-") || strings.HasPrefix(name, "p4-") || strings.HasSuffix(name, "-msg"))
}

// withKeys is the world where the files that a call puts private keys in are known.
func withKeys(invs []*command.Invocation, w *tool.World) *tool.World {
	var keys []string
	for _, inv := range invs {
		for _, e := range inv.Effects {
			if e.Manner == tool.Keyed && e.Reach == tool.Exact && !inv.Remote {
				keys = append(keys, e.Target)
			}
		}
	}
	if len(keys) == 0 || w == nil {
		return w
	}
	with := *w
	with.Keys = keys
	return &with
}
