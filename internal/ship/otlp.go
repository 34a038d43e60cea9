package ship

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// line is a line of the log and what a receiver sorts it by.
type line struct {
	text []byte // without its end
	at   time.Time
	head header
}

type header struct {
	Time     time.Time `json:"ts"`
	ID       string    `json:"line"`
	Event    string    `json:"event"`
	Decision string    `json:"decision"`
	Rule     string    `json:"rule"`
	Agent    string    `json:"agent"`
	Session  string    `json:"session_id"`
	Bundle   string    `json:"bundle"`
}

func parse(text []byte) (line, bool) {
	text = []byte(strings.TrimRight(string(text), "\r\n"))
	l := line{text: text}
	if json.Unmarshal(text, &l.head) != nil || l.head.Time.IsZero() {
		return l, false
	}
	l.at = l.head.Time
	return l, true
}

// The JSON form of OTLP's ExportLogsServiceRequest, as far as it is used. Numbers of 64
// bits are texts in it.
type (
	exportRequest struct {
		ResourceLogs []resourceLogs `json:"resourceLogs"`
	}
	resourceLogs struct {
		Resource  resource    `json:"resource"`
		ScopeLogs []scopeLogs `json:"scopeLogs"`
	}
	resource struct {
		Attributes []attribute `json:"attributes"`
	}
	scopeLogs struct {
		Scope      scope       `json:"scope"`
		LogRecords []logRecord `json:"logRecords"`
	}
	scope struct {
		Name string `json:"name"`
	}
	logRecord struct {
		Time       string      `json:"timeUnixNano"`
		Observed   string      `json:"observedTimeUnixNano"`
		Number     int         `json:"severityNumber"`
		Severity   string      `json:"severityText"`
		Body       value       `json:"body"`
		Attributes []attribute `json:"attributes"`
	}
	attribute struct {
		Key   string `json:"key"`
		Value value  `json:"value"`
	}
	value struct {
		Text string `json:"stringValue"`
	}
)

// severities are the numbers of OTLP for what was decided.
var severities = map[string]struct {
	number int
	name   string
}{"ask": {13, "WARN"}, "deny": {17, "ERROR"}}

func request(about map[string]string, lines []line) exportRequest {
	r := resourceLogs{ScopeLogs: []scopeLogs{{Scope: scope{"longline"}}}}
	for name, text := range about {
		r.Resource.Attributes = append(r.Resource.Attributes, attribute{name, value{text}})
	}
	slices.SortFunc(r.Resource.Attributes, func(a, b attribute) int { return strings.Compare(a.Key, b.Key) })
	now := nanoseconds(time.Now())
	for _, l := range lines {
		rec := logRecord{Time: nanoseconds(l.at), Observed: now, Number: 9, Severity: "INFO", Body: value{string(l.text)}}
		if s, ok := severities[l.head.Decision]; ok {
			rec.Number, rec.Severity = s.number, s.name
		}
		for _, a := range []attribute{
			{"log.record.uid", value{l.head.ID}},
			{"longline.event", value{l.head.Event}},
			{"longline.decision", value{l.head.Decision}},
			{"longline.rule", value{l.head.Rule}},
			{"longline.agent", value{l.head.Agent}},
			{"longline.session", value{l.head.Session}},
			{"longline.bundle", value{l.head.Bundle}},
		} {
			if a.Value.Text != "" {
				rec.Attributes = append(rec.Attributes, a)
			}
		}
		r.ScopeLogs[0].LogRecords = append(r.ScopeLogs[0].LogRecords, rec)
	}
	return exportRequest{[]resourceLogs{r}}
}

func nanoseconds(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }
