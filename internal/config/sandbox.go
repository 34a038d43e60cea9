package config

import (
	"path/filepath"
	"strconv"
	"strings"

	"longline/internal/policy"
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
		c.Notices = append(c.Notices, sandboxDirVariable+" is ignored: from a variable only a directory below home, outside the project and not in a hidden directory, whose name holds \"sandbox\" is taken; write sandbox.dir into the rules file instead")
		return
	}
	mode, _ := env.Get(sandboxModeVariable)
	if mode != "" && mode != "rewrite" && mode != "block" {
		c.Notices = append(c.Notices, sandboxModeVariable+" is ignored: unknown mode "+strconv.Quote(mode)+"; known are rewrite and block")
	}
	c.World.Sandbox, c.Guard.Block = dir, mode == "block"
}

func (c *Config) expand(dir string) string {
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && c.World.Home != "" {
		dir = filepath.Join(c.World.Home, rest)
	}
	return filepath.Clean(dir)
}

// likeSandbox says whether a directory that a variable names can be meant as a
// sandbox. Content may be put there unasked, so that a repository which sets the
// variable must not be able to name any directory it likes: not one where
// programs keep their settings, which begin with a dot, and none that a link leads
// to from elsewhere.
func (c *Config) likeSandbox(dir string) bool {
	home := c.World.Home
	if !filepath.IsAbs(dir) || home == "" || !strings.Contains(strings.ToLower(filepath.Base(dir)), "sandbox") {
		return false
	}
	for at, from := range map[string]string{dir: home, followed(dir): followed(home)} {
		rest, ok := strings.CutPrefix(at, from+"/")
		if !ok || strings.HasPrefix(rest, ".") || strings.Contains(rest, "/.") || strings.HasPrefix(rest, "Library/") {
			return false
		}
	}
	for _, project := range []string{c.World.Project, followed(c.World.Project)} {
		if project != "" && (within(dir, project) || within(followed(dir), project) || within(project, dir)) {
			return false
		}
	}
	return true
}
