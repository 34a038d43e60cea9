package command

import "testing"

func TestLastName(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"https://github.com/owner/repo.git", "repo"},
		{"https://github.com/owner/repo", "repo"},
		{"git@github.com:owner/repo.git", "repo"},
		{"https://gitlab.com/group/subgroup/repo.git", "repo"},
		{"https://github.com/owner/repo/", "repo"},
		{"https://github.com/owner/repo.git/", "repo"},
		{"https://example.com/download", "download"},
		{"https://example.com/a/f.tgz?token=1#x", "f.tgz"},
		{"https://example.com", ""},
		{"https://example.com/", ""},
		{"https://example.com/..", ""},
		{"host:dir/file", "file"},
		{"owner/repo", "repo"},
		{"", ""},
	} {
		if got := LastName(c.address); got != c.want {
			t.Errorf("LastName(%q) = %q, want %q", c.address, got, c.want)
		}
	}
}
