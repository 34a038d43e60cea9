package contentscan

import (
	"path/filepath"

	"longline/internal/content"
)

// SARIF is the form in which code scanning takes results.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name    string      `json:"name"`
			Version string      `json:"version"`
			Rules   []sarifRule `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule      string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			Line int `json:"startLine"`
		} `json:"region"`
	} `json:"physicalLocation"`
}

// SARIF is the scan for code scanning, to be encoded.
func (r *Scan) SARIF(version string) any {
	var run sarifRun
	run.Tool.Driver.Name, run.Tool.Driver.Version = "longline", version
	run.Tool.Driver.Rules, run.Results = []sarifRule{}, []sarifResult{}
	seen := map[string]bool{}
	for _, f := range r.Results {
		for _, found := range f.Report.Findings {
			if !found.Counts {
				continue
			}
			if !seen[found.Rule] {
				seen[found.Rule] = true
				run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{found.Rule, sarifText{found.Reason}})
			}
			level := "warning"
			if f.Report.Verdict == content.Injection {
				level = "error"
			}
			var at sarifLocation
			at.Physical.Artifact.URI = filepath.ToSlash(f.Path)
			at.Physical.Region.Line = found.Line
			run.Results = append(run.Results, sarifResult{found.Rule, level, sarifText{found.Reason}, []sarifLocation{at}})
		}
	}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}
