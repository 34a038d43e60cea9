package contentscan

import (
	"longline/internal/content"
)

type scanJSON struct {
	Schema   string         `json:"schema"`
	Verdict  string         `json:"verdict"`
	Files    int            `json:"files"`
	Whole    bool           `json:"whole"`
	Switches []string       `json:"switches"`
	Results  []scanFileJSON `json:"results"`
}

type scanFileJSON struct {
	Path       string        `json:"path"`
	Verdict    string        `json:"verdict,omitempty"`
	Score      float64       `json:"score,omitempty"`
	Confidence float64       `json:"confidence,omitempty"`
	Partial    bool          `json:"partial,omitempty"`
	Unread     string        `json:"unread,omitempty"`
	Error      string        `json:"error,omitempty"`
	Findings   []FindingJSON `json:"findings,omitempty"`
}

// FindingJSON is one finding.
type FindingJSON struct {
	Rule     string   `json:"rule"`
	Category string   `json:"category"`
	Severity string   `json:"severity"`
	Reason   string   `json:"reason"`
	Line     int      `json:"line"`
	Start    int      `json:"start"`
	End      int      `json:"end"`
	Points   float64  `json:"points"`
	Via      []string `json:"via,omitempty"`
	Decides  bool     `json:"decides"`
}

// FindingsJSON are the findings of a report.
func FindingsJSON(r *content.Report) []FindingJSON {
	var list []FindingJSON
	for _, f := range r.Findings {
		list = append(list, FindingJSON{f.Rule, f.Category, f.Severity(), f.Reason, f.Line, f.Start, f.End, Rounded(f.Points), f.Via, f.Counts})
	}
	return list
}

// Rounded has two digits after the point.
func Rounded(f float64) float64 { return float64(int(f*100+0.5)) / 100 }

// JSON is the scan for programs, to be encoded.
func (r *Scan) JSON(all bool) any {
	worst := content.Clean
	j := scanJSON{Schema: "longline.scan/v1", Files: len(r.Results), Whole: r.Whole, Switches: append([]string{}, r.Switches...), Results: []scanFileJSON{}}
	for _, f := range r.Results {
		worst = max(worst, f.Report.Verdict)
		if !all && f.Err == nil && f.Report.Verdict == content.Clean {
			continue
		}
		o := scanFileJSON{Path: f.Path, Unread: f.Unread}
		switch {
		case f.Err != nil:
			o.Error = f.Err.Error()
		case f.Unread == "":
			o.Verdict, o.Score, o.Confidence, o.Partial = f.Report.Verdict.String(), Rounded(f.Report.Score), Rounded(f.Report.Confidence), f.Report.Partial
			o.Findings = FindingsJSON(&f.Report)
		}
		j.Results = append(j.Results, o)
	}
	j.Verdict = worst.String()
	return j
}
