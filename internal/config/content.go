package config

import (
	"path/filepath"
	"strings"

	"longline/internal/paths"

	"longline/internal/content"
	"longline/internal/policy"
)

// Places are the directories whose files are looked at before an agent reads them:
// those that the rules name, and otherwise, where there is a sandbox, that one and
// what was downloaded elsewhere.
func (c *Config) Places() (dirs []string, downloads bool) {
	scan := c.Guard.Policy.Content.Scan
	if !c.Guard.Policy.Content.Given {
		if c.World.Sandbox == "" {
			return nil, false
		}
		scan = []string{policy.ScanSandbox, policy.ScanDownloads}
	}
	for _, place := range scan {
		switch place {
		case policy.ScanSandbox:
			if c.World.Sandbox != "" {
				dirs = append(dirs, c.World.Sandbox)
			}
		case policy.ScanDownloads:
			downloads = true
			if c.World.Home != "" {
				dirs = append(dirs, c.World.Home+"/Downloads")
			}
		default:
			dirs = append(dirs, c.expand(place))
		}
	}
	return dirs, downloads
}

// ContentRules are the rules that content is scanned by.
func (c *Config) ContentRules() (*content.Rules, error) {
	p := c.Guard.Policy.Content
	if p.Rules == "" && len(p.Off) == 0 {
		return content.Builtin(), nil
	}
	texts := []string{content.BuiltinText()}
	if p.Rules != "" {
		texts = append(texts, p.Rules)
	}
	return content.ReadWithout(p.Off, texts...)
}

// Within reports whether a path is a directory or is below it.
func Within(path, dir string) bool {
	path, dir = filepath.ToSlash(filepath.Clean(path)), filepath.ToSlash(filepath.Clean(dir))
	if onWindows { // where case does not count
		path, dir = strings.ToLower(path), strings.ToLower(dir)
	}
	return paths.Within(path, dir)
}
