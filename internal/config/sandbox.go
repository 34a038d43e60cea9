package config

import (
	"path/filepath"
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/sandbox"
	"longline/internal/tool"
)

// The variables of the seed's sandbox enforcer. What a rules file says stands
// above them: a repository can set variables.
const (
	sandboxDirVariable  = "CONTENT_FILTER_SANDBOX_DIR"
	sandboxModeVariable = "CONTENT_FILTER_ENFORCER_MODE"
)

// sandbox sets where downloads belong.
func (c *Config) sandbox(env Env, s policy.Sandbox) {
	if s.Dir != "" {
		c.World.Sandbox, c.Guard.Block = c.expand(s.Dir), s.Block
		return
	}
	value, _ := env.Get(sandboxDirVariable)
	if value == "" {
		return
	}
	dir := c.expand(value)
	if !c.likeSandbox(dir) {
		c.Ignored = sandboxDirVariable + " is ignored, so that downloads are left alone: a variable can name only a directory below home whose name holds \"sandbox\", outside hidden directories and repositories. Write it into your rules file instead: sandbox: {dir: " + value + "}"
		return
	}
	mode, _ := env.Get(sandboxModeVariable)
	if mode != "" && mode != "rewrite" && mode != "block" {
		c.Notices = append(c.Notices, sandboxModeVariable+" is ignored: unknown mode "+strconv.Quote(mode)+"; expected rewrite or block")
	}
	c.World.Sandbox, c.Guard.Block = dir, mode == "block"
}

// leftAlone says that a variable was ignored, where a download would have been moved
// to the directory that it names.
func (c *Config) leftAlone(call *tool.Call, v tool.Verdict, invs []*command.Invocation) tool.Verdict {
	if c.Ignored == "" || !call.Shell || v.Decision >= tool.Ask {
		return v
	}
	w := *c.World
	w.Sandbox = w.Home + "/sandbox"
	if plan := sandbox.For(call.Script, invs, &w); plan.Needed() {
		v.Left = append(v.Left, "longline: "+c.Ignored)
	}
	return v
}

func (c *Config) expand(dir string) string {
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && c.World.Home != "" {
		dir = filepath.Join(Native(c.World.Home), rest)
	}
	return Judged(filepath.Clean(dir))
}

// likeSandbox says whether a directory that a variable names can be meant as a
// sandbox. Content may be put there unasked, so that a repository which sets the
// variable must not be able to name any directory it likes: not one where
// programs keep their settings, which begin with a dot, and none that a link leads
// to from elsewhere.
func (c *Config) likeSandbox(dir string) bool {
	home, dir := Native(c.World.Home), Native(dir)
	if !filepath.IsAbs(dir) || home == "" || !strings.Contains(strings.ToLower(filepath.Base(dir)), "sandbox") {
		return false
	}
	real := followed(dir)
	if real != dir && !inSight(dir, home) || !inSight(real, followed(home)) {
		return false
	}
	project := Native(c.World.Project)
	return asideOf(project, dir, real) && asideOf(followed(project), dir, real)
}

// asideOf says whether a directory, which really is another, is no part of the project nor holds
// it: what it holds counts as fetched, and the project may have set the variable.
func asideOf(project, dir, real string) bool {
	return project == "" || !Within(dir, project) && !Within(real, project) && !Within(project, dir)
}

// inSight says whether a directory lies below the home directory and not where programs keep
// their settings.
func inSight(dir, home string) bool {
	rest, ok := strings.CutPrefix(filepath.ToSlash(dir), filepath.ToSlash(home)+"/")
	return ok && !strings.HasPrefix(rest, ".") && !strings.Contains(rest, "/.") && !strings.HasPrefix(rest, "Library/")
}
