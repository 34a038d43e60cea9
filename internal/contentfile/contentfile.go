// Package contentfile reads the files in which content rules are written and
// compiles them to the form that package content reads.
package contentfile

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"longline/internal/content"
	"longline/internal/source"
)

// File is a content pack: classes of words, rules made of them, and tests.
type File struct {
	Name  string
	Words map[string][]string
	Rules []Rule
	Pairs []Pair
	Tests []Test
}

// Pair says how much more two categories weigh near each other.
type Pair struct {
	Of     []string
	Points float64
}

// Rule is one rule as it is written.
type Rule struct {
	ID, Category, Reason, Source string
	Points                       float64
	Hidden, Firm                 bool
	Match, Unless, UnlessAfter   []string
}

// Test is a text and what must be found in it.
type Test struct {
	Source  string
	Name    string // of the file that the text stands for
	Text    string
	Rule    string // that must find something
	Not     string // a rule that must not
	Verdict string // "" if it does not matter
}

// Parse reads a content pack. The error is [source.Errors].
func Parse(name string, text []byte) (*File, error) {
	src, docs := source.Parse(name, text)
	f := &File{Name: name, Words: map[string][]string{}}
	for _, doc := range docs {
		f.document(doc)
	}
	if err := src.Err(); err != nil {
		return nil, err
	}
	return f, nil
}

// New is an empty pack that is part of another file.
func New(n source.Node) *File {
	return &File{Name: n.Pos(), Words: map[string][]string{}}
}

func (f *File) document(doc source.Node) {
	fields := f.Fields()
	fields["version"] = func(n source.Node) {
		if n.Text() != "1" {
			n.Errorf("unknown version %q (want 1)", n.Text())
		}
	}
	doc.Fields(fields)
}

// Fields are the keys of a pack and what reads each of them.
func (f *File) Fields() map[string]func(source.Node) {
	return map[string]func(source.Node){
		"words": f.words,
		"rules": func(n source.Node) {
			for _, r := range n.List() {
				f.rule(r)
			}
		},
		"pairs": func(n source.Node) {
			for _, p := range n.List() {
				f.pair(p)
			}
		},
		"tests": func(n source.Node) {
			for _, t := range n.List() {
				f.test(t)
			}
		},
	}
}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

func (f *File) words(n source.Node) {
	for _, p := range n.Pairs() {
		if !identifier.MatchString(p.Name()) {
			p.Key.Errorf("%q is not a valid name for a class of words (want small letters, digits and dashes)", p.Name())
			continue
		}
		for _, w := range p.Value.Texts() {
			// Several phrases can stand in one text, between commas.
			for part := range strings.SplitSeq(w, ",") {
				if part = strings.TrimSpace(part); part != "" {
					f.Words[p.Name()] = append(f.Words[p.Name()], part)
				}
			}
		}
	}
}

func (f *File) rule(n source.Node) {
	r := Rule{Source: n.Pos()}
	n.Fields(map[string]func(source.Node){
		"id":       func(n source.Node) { r.ID = n.Text() },
		"category": func(n source.Node) { r.Category = n.Text() },
		"reason":   func(n source.Node) { r.Reason = n.Text() },
		"points":   func(n source.Node) { r.Points = points(n) },
		"hidden":   func(n source.Node) { r.Hidden = n.Bool() },
		"firm":     func(n source.Node) { r.Firm = n.Bool() },
		"match": func(n source.Node) {
			r.Match = n.Texts()
			for _, pattern := range r.Match {
				if problem := checkPattern(pattern); problem != "" {
					n.Errorf("%q is not a valid pattern: %s", pattern, problem)
				}
			}
		},
		"unless":       func(n source.Node) { r.Unless = n.Texts() },
		"unless_after": func(n source.Node) { r.UnlessAfter = n.Texts() },
	})
	switch {
	case !identifier.MatchString(r.ID):
		n.Errorf("a content rule needs an id of small letters, digits and dashes, not %q", r.ID)
	case !identifier.MatchString(r.Category):
		n.Errorf("rule %s: a content rule needs a category", r.ID)
	case len(r.Match) == 0:
		n.Errorf("rule %s: a content rule needs a match", r.ID)
	case r.Reason == "":
		n.Errorf("rule %s: a content rule needs a reason", r.ID)
	}
	f.Rules = append(f.Rules, r)
}

func (f *File) pair(n source.Node) {
	var p Pair
	n.Fields(map[string]func(source.Node){
		"of":     func(n source.Node) { p.Of = n.Texts() },
		"points": func(n source.Node) { p.Points = points(n) },
	})
	if len(p.Of) != 2 {
		n.Errorf("a pair is of two categories")
	}
	f.Pairs = append(f.Pairs, p)
}

func points(n source.Node) float64 {
	v, err := strconv.ParseFloat(n.Text(), 64)
	if err != nil || v < 0 || v > 20 {
		n.Errorf("points are a number from 0 to 20, not %q", n.Text())
	}
	return v
}

func (f *File) test(n source.Node) {
	t := Test{Source: n.Pos(), Name: "README.md"}
	n.Fields(map[string]func(source.Node){
		"text": func(n source.Node) { t.Text = n.Text() },
		"name": func(n source.Node) { t.Name = n.Text() },
		"rule": func(n source.Node) { t.Rule = n.Text() },
		"not":  func(n source.Node) { t.Not = n.Text() },
		"verdict": func(n source.Node) {
			if t.Verdict = n.Text(); t.Verdict != "" {
				if _, ok := content.ParseVerdict(t.Verdict); !ok {
					n.Unknown("verdict", t.Verdict, []string{"clean", "suspicious", "injection"})
				}
			}
		},
	})
	f.Tests = append(f.Tests, t)
}

// checkPattern says what is wrong with a pattern, or "".
func checkPattern(pattern string) string {
	words, gap := 0, false
	for i, step := range strings.Fields(pattern) {
		if isGap(step) {
			if problem := checkGap(step, i == 0 || gap); problem != "" {
				return problem
			}
			gap = true
			continue
		}
		gap = false
		if anyWord(step) {
			continue
		}
		if problem := checkStep(step, i == 0); problem != "" {
			return problem
		}
		words++
	}
	switch {
	case words == 0:
		return "it has no words"
	case gap:
		return "it ends with a gap"
	}
	return ""
}

// isGap says whether a step stands for words between two others.
func isGap(step string) bool { return step[0] == '~' || step[0] == '-' }

// checkGap says what is wrong with a gap that stands alone or does not, or "".
func checkGap(step string, alone bool) string {
	if v, err := strconv.Atoi(step[1:]); err != nil || v < 0 || v > 12 {
		return "a gap is ~0 to ~12, or -0 to -12"
	}
	if alone {
		return "a gap stands between two words"
	}
	return ""
}

// checkStep says what is wrong with a step that is some words, or "".
func checkStep(step string, first bool) string {
	core := strings.TrimSuffix(strings.TrimLeft(step, "^:,"), "?")
	list := alternatives(core)
	switch {
	case first && strings.HasSuffix(step, "?"):
		return "the first word cannot be optional"
	case len(list) == 0:
		return fmt.Sprintf("%q is empty", step)
	case slices.ContainsFunc(list, anyWord):
		return fmt.Sprintf("* is any word and stands alone, not in %q", step)
	}
	return ""
}

// anyWord says whether a step is any word.
func anyWord(step string) bool {
	return strings.TrimSuffix(strings.TrimLeft(step, "^:,"), "?") == "*"
}

// alternatives cuts a step into its choices. A blank is written as an underscore.
func alternatives(step string) (list []string) {
	for a := range strings.SplitSeq(step, "|") {
		if a = strings.ReplaceAll(a, "_", " "); a != "" {
			list = append(list, a)
		}
	}
	return list
}

// ParseAll reads files by their names, in the order of these.
func ParseAll(texts map[string][]byte) ([]*File, error) {
	var files []*File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := Parse(name, texts[name])
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Compile compiles packs into one. A class that several define has the words of all.
// Classes that only known defines are those of the built-in rules.
func Compile(files ...*File) (string, error) { return compile(nil, files) }

// CompileWith compiles a pack that can use the classes of rules that are compiled
// already, and adds words to them.
func CompileWith(base string, f *File) (string, error) {
	known := map[string]bool{}
	for line := range strings.Lines(base) {
		if rest, ok := strings.CutPrefix(line, "w "); ok {
			name, _, _ := strings.Cut(rest, " ")
			known[name] = true
		}
	}
	return compile(known, []*File{f})
}

func compile(known map[string]bool, files []*File) (string, error) {
	c := compiler{words: map[string][]string{}, used: map[string]bool{}, literals: map[string]string{}, known: known}
	var rules []Rule
	for _, f := range files {
		for name, list := range f.Words {
			c.words[name] = append(c.words[name], list...)
		}
		rules = append(rules, f.Rules...)
	}
	// Words of a class count even if only rules that are compiled already use it.
	for name := range c.words {
		if c.known[name] || name == "about" || name == "meta" || name == "core" {
			c.use(name)
		}
	}
	if err := c.compileRules(rules); err != nil {
		return "", err
	}
	for _, f := range files {
		for _, p := range f.Pairs {
			fmt.Fprintf(&c.rules, "c %s %s %s\n", p.Of[0], p.Of[1], strconv.FormatFloat(p.Points, 'g', -1, 64))
		}
	}
	return c.text()
}

// compileRules compiles rules, each of which has its own id.
func (c *compiler) compileRules(rules []Rule) error {
	ids := map[string]bool{}
	for i := range rules {
		r := &rules[i]
		if ids[r.ID] {
			return fmt.Errorf("%s: the id %s is taken", r.Source, r.ID)
		}
		ids[r.ID] = true
		if err := c.rule(r); err != nil {
			return fmt.Errorf("%s: rule %s: %w", r.Source, r.ID, err)
		}
	}
	return nil
}

// text writes the words and the rules.
func (c *compiler) text() (string, error) {
	var out strings.Builder
	out.WriteString(content.Form + "\n")
	for _, name := range slices.Sorted(maps.Keys(c.used)) {
		phrases, err := c.phrases(name)
		if err != nil {
			return "", err
		}
		for _, p := range phrases {
			out.WriteString("w " + name + " " + p + "\n")
		}
	}
	// Which step of a pattern is rare shows when all words are known.
	for line := range strings.Lines(c.rules.String()) {
		if rest, ok := strings.CutPrefix(line, "p "); ok {
			_, steps, _ := strings.Cut(rest, " ")
			line = fmt.Sprintf("p %d %s", c.rarest(steps), steps)
		}
		out.WriteString(line)
	}
	return out.String(), nil
}

// rule compiles one rule.
func (c *compiler) rule(r *Rule) error {
	flags := "-"
	if r.Hidden {
		flags += "h"
	}
	if r.Firm {
		flags += "f"
	}
	fmt.Fprintf(&c.rules, "r %s %s %s %s %s %s\n", r.ID, r.Category, strconv.FormatFloat(r.Points, 'g', -1, 64), flags, strings.ReplaceAll(r.Source, " ", "_"), strings.Join(strings.Fields(r.Reason), " "))
	for _, pattern := range r.Match {
		line, err := c.pattern(pattern)
		if err != nil {
			return err
		}
		c.rules.WriteString("p 0 " + line + "\n")
	}
	for i, list := range [][]string{r.Unless, r.UnlessAfter} {
		var names []string
		for _, u := range list {
			name, err := c.step(u)
			if err != nil {
				return err
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			c.rules.WriteString("ua"[i:i+1] + " " + strings.Join(names, " ") + "\n")
		}
	}
	return nil
}

// phrases lists the phrases of a class in order, folded.
func (c *compiler) phrases(name string) ([]string, error) {
	var list []string
	for _, w := range c.words[name] {
		if _, class := className(w); !class {
			all, err := c.product(w)
			if err != nil {
				return nil, err
			}
			list = append(list, all...)
		}
	}
	for i, p := range list {
		if list[i] = content.Fold(p); list[i] == "" {
			return nil, fmt.Errorf("%q of {%s} has no letters", p, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// rarest is the number of the step that the fewest sentences have, roughly.
func (c *compiler) rarest(steps string) int {
	number, best, least := 0, 0, -1
	for _, step := range strings.Fields(steps) {
		if isGap(step) {
			continue
		}
		core := strings.TrimLeft(step, "^:,")
		if core != "*" && !strings.HasSuffix(core, "?") {
			if n := c.commonness(core); least < 0 || n < least {
				best, least = number, n
			}
		}
		number++
	}
	return best
}

// commonness is how usual the words of classes with a + between them are, roughly.
func (c *compiler) commonness(classes string) (n int) {
	for name := range strings.SplitSeq(classes, "+") {
		if c.known[name] {
			n += 200 // not known here
		}
		for _, w := range c.words[name] {
			n += commonness(content.Fold(w))
		}
	}
	return n
}

// commonWords are words that nearly every text has, the most usual first.
const commonWords = " the to of and a in is that for it as with on be this are by or not from an at if you can all will your has have which when use used was but file code one set new data we do more only other any no into out its their they also may should must run after before get add so then than make like these what see read user write using value first text system need print list show change name time line open create call there how just some return work test error two way function input output command version want who up about been would them where does each most such own example following please without know note "

// commonness is how usual a phrase is in ordinary text, roughly.
func commonness(phrase string) int {
	if strings.Contains(phrase, " ") {
		return 1
	}
	at := strings.Index(commonWords, " "+phrase+" ")
	if at < 0 {
		return 2
	}
	return 20 + (len(commonWords)-at)/4
}

type compiler struct {
	words    map[string][]string
	used     map[string]bool
	literals map[string]string // the choices of a step to the class made of them
	known    map[string]bool   // classes that are compiled already
	rules    strings.Builder
}

func (c *compiler) use(name string) string {
	c.used[name] = true
	return name
}

func (c *compiler) pattern(pattern string) (string, error) {
	var steps []string
	for _, step := range strings.Fields(pattern) {
		if step[0] == '~' || step[0] == '-' || anyWord(step) {
			steps = append(steps, step)
			continue
		}
		core := strings.TrimLeft(step, "^:,")
		before := step[:len(step)-len(core)]
		after := ""
		if s, ok := strings.CutSuffix(core, "?"); ok {
			after, core = "?", s
		}
		name, err := c.step(core)
		if err != nil {
			return "", err
		}
		steps = append(steps, before+name+after)
	}
	return strings.Join(steps, " "), nil
}

// step is what a step of a pattern stands for: classes, joined by plus signs. Words
// that are written out make a class of their own.
func (c *compiler) step(core string) (string, error) {
	var classes, literals []string
	for _, a := range alternatives(core) {
		name, ok := className(a)
		if !ok {
			literals = append(literals, a)
			continue
		}
		inside, err := c.inside(name, 0)
		if err != nil {
			return "", err
		}
		classes = append(classes, inside...)
	}
	if len(literals) > 0 {
		slices.Sort(literals)
		key := strings.Join(literals, "|")
		name := c.literals[key]
		if name == "" {
			name = "=" + strconv.Itoa(len(c.literals)+1)
			if c.known != nil {
				name = "=own" + name[1:]
			}
			c.literals[key], c.words[name] = name, literals
		}
		classes = append(classes, c.use(name))
	}
	slices.Sort(classes)
	return strings.Join(slices.Compact(classes), "+"), nil
}

// product writes out a phrase in which classes stand: one phrase for each choice.
func (c *compiler) product(phrase string) ([]string, error) {
	open, end := strings.IndexByte(phrase, '{'), strings.IndexByte(phrase, '}')
	if end < open || !hasClass(phrase, open) {
		return []string{phrase}, nil
	}
	var list []string
	choices := c.words[phrase[open+1:end]]
	if choices == nil {
		return nil, fmt.Errorf("there is no class of words {%s}", phrase[open+1:end])
	}
	for _, choice := range choices {
		more, err := c.product(phrase[:open] + choice + phrase[end+1:])
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// hasClass says whether the brace at an offset, if there is one, begins a class as a word of a
// phrase, and is not all of it.
func hasClass(phrase string, open int) bool {
	switch {
	case open < 0 || strings.Contains(phrase, "{{"):
		return false
	case open == 0:
		return strings.Contains(phrase, "} ")
	}
	return phrase[open-1] == ' '
}

func className(text string) (string, bool) {
	name, ok := strings.CutPrefix(text, "{")
	name, closed := strings.CutSuffix(name, "}")
	return strings.ReplaceAll(name, " ", "-"), ok && closed && !strings.ContainsAny(name, "{}")
}

var errDeep = errors.New("classes of words refer to each other in a circle")

// inside lists the classes that a class is made of: itself, and those it takes over.
func (c *compiler) inside(name string, depth int) ([]string, error) {
	if depth > 8 {
		return nil, errDeep
	}
	if c.words[name] == nil && !c.known[name] {
		return nil, fmt.Errorf("there is no class of words {%s}", name)
	}
	list := []string{c.use(name)}
	for _, w := range c.words[name] {
		if inner, ok := className(w); ok {
			more, err := c.inside(inner, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
	}
	return list, nil
}
