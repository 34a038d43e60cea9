package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

//go:embed page.html
var pageText string

//go:embed page.css
var styleText string

//go:embed page.js
var scriptText string

// Write prints the report as one HTML page that needs nothing else. What the log
// holds is text in it and never markup or code; the page may run no script but its
// own and load nothing.
func (r *Report) Write(out io.Writer, now time.Time) error {
	page, err := template.New("page").Funcs(template.FuncMap{
		"per100": func(t Tally) string { return fmt.Sprintf("%.1f", t.Per100()) },
		"share": func(n, of int) string {
			if of == 0 {
				return "0 %"
			}
			return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
		},
		"waited": waited, "number": number,
		"date": func(t time.Time) string { return t.Local().Format("2 January 2006, 15:04") },
		"table": func(title string, rows []*Row) map[string]any {
			return map[string]any{"Title": title, "Rows": rows[:min(len(rows), 50)]}
		},
	}).Parse(pageText)
	if err != nil {
		return err
	}
	entries, err := json.Marshal(r.Entries) // with <, > and & escaped
	if err != nil {
		return err
	}
	var b bytes.Buffer
	err = page.Execute(&b, map[string]any{
		"Report": r, "Now": now, "Chart": template.HTML(r.chart()), "Style": template.CSS(styleText), "Script": template.JS(scriptText),
		"Entries": template.JS(entries), "Policy": "default-src 'none'; style-src 'sha256-" + digest(styleText) + "'; script-src 'sha256-" + digest(scriptText) + "'",
		"Most": maxEntries,
	})
	if err != nil {
		return err
	}
	_, err = out.Write(b.Bytes())
	return err
}

// number writes a number with its thousands apart.
func number(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func waited(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// The charts are drawn in these units; the page scales them.
const (
	chartWidth, chartHeight = 960, 200
	chartLeft, chartTop     = 52, 12
	chartDays               = 120
)

// chart draws the calls of each day as a bar, denied and asked ones at its foot, and
// below it the questions per 100 calls as a line.
func (r *Report) chart() string {
	days := r.Days[max(0, len(r.Days)-chartDays):]
	if len(days) == 0 {
		return ""
	}
	most, worst := 0.0, 0.0
	for _, d := range days {
		most, worst = max(most, float64(d.Calls)), max(worst, d.Per100())
	}
	step := float64(chartWidth-chartLeft) / float64(len(days))
	width := max(1, step*0.7)
	var bars, points strings.Builder
	top := frame(&bars, "Calls by day", days, most, 1, step)
	for i, d := range days {
		x := chartLeft + step*float64(i) + (step-width)/2
		y := float64(chartTop + chartHeight)
		for _, part := range []struct {
			class, words string
			n            int
		}{{"deny", "denied", d.Denied}, {"ask", "asked", d.Asked}, {"pass", "left to the agent", d.Passed}, {"allow", "allowed", d.Allowed}} {
			h := chartHeight * float64(part.n) / top
			y -= h
			if part.n > 0 {
				fmt.Fprintf(&bars, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>%s: %d of %d %s</title></rect>`, part.class, x, y, width, h, d.Date, part.n, d.Calls, part.words)
			}
		}
	}
	bars.WriteString(`</svg><p class="legend"><span class="allow">allowed: ran without a question</span> <span class="pass">left to the agent: its own rules decided</span> <span class="ask">asked: a person decided</span> <span class="deny">denied: did not run</span></p><h3>Questions per 100 calls</h3>`)
	top = frame(&bars, "Questions per 100 calls by day", days, worst, 0.1, step)
	for i, d := range days {
		x, y := chartLeft+step*(float64(i)+0.5), chartTop+chartHeight-chartHeight*d.Per100()/top
		fmt.Fprintf(&points, "%.1f,%.1f ", x, y)
		fmt.Fprintf(&bars, `<circle class="ask" cx="%.1f" cy="%.1f" r="3.5"><title>%s: %.1f in 100</title></circle>`, x, y, d.Date, d.Per100())
	}
	fmt.Fprintf(&bars, `<polyline class="line" points="%s"/></svg>`, strings.TrimSpace(points.String()))
	return bars.String()
}

// frame begins a chart: its axes, with at most five round ticks, tick apart or more, up to the number that is returned.
func frame(b *strings.Builder, label string, days []Day, most, tick, step float64) (top float64) {
	for i := 0; most > 5*tick; i++ {
		tick *= [...]float64{2, 2.5, 2}[i%3] // 1, 2, 5, 10, ...
	}
	ticks := max(1, int(math.Ceil(most/tick)))
	top = tick * float64(ticks)
	digits := 0
	if tick < 1 {
		digits = 1
	}
	fmt.Fprintf(b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, chartWidth, chartTop+chartHeight+28, label)
	for i := range ticks + 1 {
		y := chartTop + chartHeight - chartHeight*i/ticks
		fmt.Fprintf(b, `<line class="grid" x1="%d" x2="%d" y1="%d" y2="%d"/><text class="axis" x="%d" y="%d">%s</text>`,
			chartLeft, chartWidth, y, y, chartLeft-8, y+4, strconv.FormatFloat(tick*float64(i), 'f', digits, 64))
	}
	for i, d := range days {
		if every := max(1, len(days)/8); i%every == 0 {
			fmt.Fprintf(b, `<text class="day" x="%.1f" y="%d">%s</text>`, chartLeft+step*(float64(i)+0.5), chartTop+chartHeight+20, d.Date[5:])
		}
	}
	return top
}
