package tool

import "strings"

// Stays says why "longline allow" writes no rule against a finding; "" if it may.
// A question that guards secrets, or on which other rules rest, is asked each time.
func (f *Finding) Stays() string {
	file, _, _ := strings.Cut(f.Source, ":")
	switch {
	case f.Decision == Deny:
		return "it is denied, and only questions are lifted"
	case f.Layer == "managed":
		return "it is a rule of the administrator"
	case f.Layer == "bundle":
		return "it is a rule of the bundle that this machine gets"
	case f.Session:
		return "this session read untrusted text or a secret; \"longline session\" shows it and clears it"
	case f.Final:
		return "it is final: it protects longline, the settings of agents or your terminal"
	case f.Layer == "builtin" && file == "secrets.yaml":
		return "it protects secrets"
	case f.Layer == "project":
		return "it is a rule of the project, in " + f.Source + "; change it there"
	case f.Layer == "user":
		return "it is your own rule, in " + f.Source + "; change it there"
	}
	return ""
}

// OfTool reports whether a finding is of the rules about tools, which speak of nothing else: a rule that names the tool may
// stand against it.
func (f *Finding) OfTool() bool {
	file, _, _ := strings.Cut(f.Source, ":")
	return f.Layer == "builtin" && file == "servers.yaml"
}

// AboveUser reports whether a finding is of a layer that the user does not write:
// the administrator's, or a bundle's.
func (f *Finding) AboveUser() bool { return f.Layer == "managed" || f.Layer == "bundle" }

// Lasting reports whether "longline allow" may write a rule against a question.
func (v *Verdict) Lasting() bool {
	if v.Decision != Ask || v.Rule == "" || !v.Parsed {
		return false
	}
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Decision >= Ask && (f.Stays() != "" || f.Invocation < 0 && !f.OfTool()) {
			return false
		}
	}
	return true
}
