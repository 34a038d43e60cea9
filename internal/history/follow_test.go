package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"longline/internal/audit"
)

// world is a log and those who write to it. What happens at the moments when a
// reader may be overtaken is fixed beforehand.
type world struct {
	t       *testing.T
	log     audit.Log
	now     time.Time
	written []string
	late    []*os.File // opened, and not written to yet
	seen    []string
	plan    []func(*world)
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, log: audit.Log{Path: filepath.Join(t.TempDir(), "log.jsonl")}, now: time.Now()}
	w.add(w.now)
	return w
}

func (w *world) act() audit.Act {
	name := fmt.Sprint("line-", len(w.written))
	w.written = append(w.written, name)
	return audit.Act{Time: w.now, What: "pause", Subject: name}
}

func (w *world) add(when time.Time) {
	if err := w.log.Append(when, w.act()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) seeing(r *Record, _ []byte) error {
	w.seen = append(w.seen, r.Subject)
	return nil
}

// moment is a moment at which others may do something.
func (w *world) moment() {
	if len(w.plan) > 0 {
		w.plan[0](w)
		w.plan = w.plan[1:]
	}
}

// put lists the files as a reader does, and others get in before it.
func (w *world) put() []string {
	w.moment()
	return w.log.Put()
}

// What others do.
var (
	nothing = func(*world) {}
	adds    = func(w *world) { w.add(w.now) }
	// rotates puts the file away and begins the next one.
	rotates = func(w *world) { w.add(w.now.AddDate(0, 0, 1)) }
	// vanishes puts the file away; the next one is not begun yet.
	vanishes = func(w *world) {
		base := strings.TrimSuffix(w.log.Path, ".jsonl") + "-" + w.now.UTC().Format(time.DateOnly)
		away := base + ".jsonl"
		for n := 1; slices.Contains(w.log.Put(), away); n++ {
			away = fmt.Sprintf("%s.%03d.jsonl", base, n)
		}
		if err := os.Rename(w.log.Path, away); err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.t.Fatal(err)
		}
	}
	// opens opens the file as a process does that writes its line later.
	opens = func(w *world) {
		f, err := os.OpenFile(w.log.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			w.t.Fatal(err)
		}
		w.late = append(w.late, f)
	}
	// writes has them write it.
	writes = func(w *world) {
		for _, f := range w.late {
			if _, err := f.Write(w.act().Line()); err != nil {
				w.t.Fatal(err)
			}
			f.Close()
		}
		w.late = nil
	}
	twice = func(w *world) { rotates(w); rotates(w) }
)

// follow follows the log to the end of the plan and holds what was seen against
// what was written.
func (w *world) follow(said string) {
	w.moment()
	files, err := Open(w.log.Path, w.put)
	if err != nil {
		w.t.Fatal(err)
	}
	defer files.Close()
	var count Count
	news := files.Follow(w.now, &count)
	defer news.Close()
	w.moment()
	err = count.ReadFiles(files, w.seeing)
	for end := 0; err == nil && end < 2; {
		if len(w.plan) == 0 {
			writes(w)
			end++
		}
		w.moment()
		err = news.News(w.now, w.seeing)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	slices.Sort(w.seen)
	slices.Sort(w.written)
	if !slices.Equal(w.seen, w.written) || count.Corrupt > 0 {
		w.t.Errorf("%s: seen %s, written %s; %d corrupt", said, strings.Join(w.seen, " "), strings.Join(w.written, " "), count.Corrupt)
	}
}

// TestFollowInEveryOrder lets others do everything they can do at every moment at
// which a follower may be overtaken, the moments between opening the log and
// listing its files included: each line is seen once.
func TestFollowInEveryOrder(t *testing.T) {
	moments := 4
	if os.Getenv("LONGLINE_SWEEPS") == "all" {
		moments = 5
	}
	others := []struct {
		name string
		do   func(*world)
	}{
		{"rotates", func(w *world) { opens(w); rotates(w) }},
		{"twice", func(w *world) { twice(w); opens(w) }},
		{"writes", writes},
		{"vanishes", vanishes},
	}
	total := 1
	for range moments {
		total *= len(others)
	}
	for n := range total {
		w := newWorld(t)
		opens(w) // who began before anybody looked
		var said []string
		for i, rest := 0, n; i < moments; i, rest = i+1, rest/len(others) {
			other := others[rest%len(others)]
			said, w.plan = append(said, other.name), append(w.plan, other.do)
		}
		if w.follow(strings.Join(said, ", ")); t.Failed() {
			return
		}
	}
}

// The moments in which a line was once lost, by name.
func TestFollowMisses(t *testing.T) {
	for name, plan := range map[string][]func(*world){
		"put away before the log was opened, written to after it was read": {rotates, nothing, nothing, writes},
		"put away before, and many times since":                            {rotates, nothing, nothing, twice, twice, twice, writes},
		"begun and put away while the log was opened":                      {nothing, twice, nothing, nothing, writes},
		"begun and put away between two looks":                             {nothing, nothing, nothing, twice},
		"put away while the files are listed":                              {nothing, nothing, nothing, rotates, twice, adds},
		"not there when the log was opened":                                {vanishes, nothing, nothing, writes, adds},
	} {
		w := newWorld(t)
		opens(w)
		w.plan = plan
		w.follow(name)
	}
}

// A line is seen while it is written: its beginning is left to the follower.
func TestFollowHalfALine(t *testing.T) {
	w := newWorld(t)
	f, err := os.OpenFile(w.log.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	line := w.act().Line()
	half := len(line) / 2
	w.plan = []func(*world){
		func(*world) { f.Write(line[:half]) },
		nothing, nothing, nothing,
		func(*world) { f.Write(line[half:]) },
	}
	w.follow("half a line")
}

// A file that was put away is read for as long as a writer may reasonably take,
// and the last ones for as long as they are held.
func TestFollowLetsGo(t *testing.T) {
	w := newWorld(t)
	opens(w)
	files, err := Open(w.log.Path, w.log.Put)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	var count Count
	news := files.Follow(w.now, &count)
	defer news.Close()
	for range 2 * held {
		rotates(w)
		if err := news.News(w.now, w.seeing); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(news.files); got != 2*held+1 {
		t.Errorf("%d files are followed, want all %d", got, 2*held+1)
	}
	writes(w) // into the first
	if err := news.News(w.now.Add(lingers+time.Second), w.seeing); err != nil {
		t.Fatal(err)
	}
	if last := w.written[len(w.written)-1]; !slices.Contains(w.seen, last) {
		t.Errorf("%s is not seen", last)
	}
	if got := len(news.files); got != held+1 {
		t.Errorf("%d files are followed, want the last %d and the current one", got, held)
	}
	for _, f := range news.files {
		if _, err := f.Stat(); err != nil {
			t.Errorf("a file that is followed is closed: %v", err)
		}
	}
}

// TestWholeLines: what was seen of a line that has no end yet is not counted, however
// little else the file holds.
func TestWholeLines(t *testing.T) {
	long := strings.Repeat("x", chunk-1)
	for _, test := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"abc", 0},
		{"abc\n", 4},
		{"abc\nde", 4},
		{"\n\nde", 2},
		{"a\n" + long, 2},              // the end of the line is the first byte that is looked at
		{"a\nx" + long, 3 + len(long)}, // no line of ours
	} {
		name := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(name, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := wholeLines(f, int64(len(test.text))); got != int64(test.want) {
			t.Errorf("%.20q: %d, want %d", test.text, got, test.want)
		}
		f.Close()
	}
}
