package mask

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// some is a text of n bytes that looks random, hexed one of hexadecimal digits, digits one
// of digits.
func some(n int) string   { return strings.Repeat("aB3dE5gH7jK9mN", n/14+1)[:n] }
func hexed(n int) string  { return strings.Repeat("0a1b2c3d4e5f", n/12+1)[:n] }
func digits(n int) string { return strings.Repeat("1234567890", n/10+1)[:n] }

// TestNearMisses: a secret is known by all its parts, and what lacks one of them is none.
func TestNearMisses(t *testing.T) {
	two := func(is func(a, b string) bool) func(string) bool {
		return func(text string) bool {
			a, b, _ := strings.Cut(text, ":")
			return is(a, b)
		}
	}
	for name, test := range map[string]struct {
		is        func(string) bool
		good, bad []string
	}{
		"mailchimp": {isMailchimp, []string{hexed(32) + "-us1", hexed(32) + "-us21"}, []string{hexed(31) + "-us1", hexed(33) + "-us1", some(32) + "-us1", hexed(32) + "-us211", hexed(32) + "-eu1", hexed(32)}},
		"airtable": {func(text string) bool { a, b, _ := strings.Cut(text, "."); return isAirtable(a, b) }, []string{"pat" + some(14) + "." + hexed(64)}, []string{
			"pat" + some(13) + "." + hexed(64), "pat" + some(15) + "." + hexed(64), "pat" + some(14) + "." + hexed(63), "pat" + some(14) + "." + some(64), "xat" + some(14) + "." + hexed(64),
		}},
		"discord": {isDotted, []string{"M" + some(22) + ".aB3dE5." + some(27), "O" + some(27) + ".aB3dE57." + some(45)}, []string{
			"M" + some(21) + ".aB3dE5." + some(27), "M" + some(28) + ".aB3dE5." + some(27), "P" + some(22) + ".aB3dE5." + some(27), "M" + some(22) + ".aB3dE." + some(27), "M" + some(22) + ".aB3dE5g8." + some(27),
			"M" + some(22) + ".aB3dE5." + some(26), "M" + some(22) + ".aB3dE5." + some(46), strings.ToUpper("M" + some(22) + ".aB3dE5." + some(27)),
		}},
		"azure devops": {isDotted, []string{some(40) + "AZDO" + some(36), some(40) + "AZDO" + some(44)}, []string{some(40) + "AZDO" + some(35), some(40) + "AZDO" + some(45), some(84)}},
		"telegram": {two(isTelegram), []string{digits(8) + ":" + some(33), digits(10) + ":" + some(40)}, []string{
			digits(7) + ":" + some(33), digits(11) + ":" + some(33), "a" + digits(8) + ":" + some(33), digits(8) + ":" + some(32), digits(8) + ":" + some(41), digits(8) + ":" + hexed(33), digits(8) + ":" + some(32) + "/",
		}},
		"ably":    {two(isAbly), []string{"aB3dE5.gH7jK9:" + some(40)}, []string{"aB3dE5.gH7jK:" + some(40), "aB3dE5xgH7jK9:" + some(40), "aB3dE5.gH7jK9:" + some(39), "aB3dE5.gH7jK9:" + hexed(40)}},
		"rancher": {two(isRancher), []string{"token-abcde:" + some(50), "token-abcdef:" + some(50)}, []string{"tokem-abcde:" + some(50), "token-abcdefg:" + some(50), "token-abcde:" + some(49), "token-abcde:" + strings.Repeat("a", 50)}},
		"asana": {two(isAsana), []string{"0/" + digits(8) + ":" + hexed(32), "2/" + digits(16) + ":" + hexed(32)}, []string{
			"0/" + digits(7) + ":" + hexed(32), "3/" + digits(8) + ":" + hexed(32), "0x" + digits(8) + ":" + hexed(32), "0/" + some(8) + ":" + hexed(32), "0/" + digits(8) + ":" + hexed(31), "0/" + digits(8) + ":" + some(32), "0:" + hexed(32),
		}},
		"bitwarden": {two(isBitwarden), []string{"0.a-b-c-d-" + some(31) + ":" + some(20)}, []string{
			"0.a-b-c-d-" + some(30) + ":" + some(20), "1.a-b-c-d-" + some(31) + ":" + some(20), "0.a-b-c-d" + some(32) + ":" + some(20), "0.a-b-c-d-" + some(31) + ":" + some(19),
		}},
		"a line of passwords": {func(text string) bool { return isPassLine(strings.Split(text, ":")) }, []string{"db.example:5432:shop:ann:hunter22", "localhost:*:shop:ann:hunter22", "*:54:shop:ann:hunter22"}, []string{
			"db:5432:shop:ann:hunter22", "a.b/c:5432:shop:ann:hunter22", "db.example:5:shop:ann:hunter22", "db.example:x1:shop:ann:hunter22", "db.example:5432:shop:ann:hunter2", "db.example:5432:shop:ann:hunterxx", "db.example:5432:12:ann:hunter22", "db.example:5432:shop:12:hunter22",
		}},
		"a key": {isKey, []string{some(42) + "==", some(43) + "=", some(40), some(20) + "/" + some(19), some(63) + "="}, []string{
			some(41) + "===", some(42) + "=", some(39), some(41), some(39) + "=", "/" + some(39), hexed(40), some(20) + "-" + some(19), strings.Repeat("aB3dE/", 6) + "aB3d", "aBcdefghijklmnopqrst1234ABCDEFGHIJKLMN56"[:40],
		}},
		"a slashed one": {isSlashed, []string{"1//0" + some(27), "BBDC-" + some(35), "fm2_" + some(36), "K00" + some(28), some(40) + "AzFu" + some(10) + "=="}, []string{
			"1//0" + some(26), "1//1" + some(27), "BBDC-" + some(34), "XBDC-" + some(35), "fm2_" + hexed(36), "K00" + some(27), "K00" + some(29), "K01" + some(28), "K00" + strings.ToUpper(some(28)), some(39) + "AzFu" + some(10) + "==", some(40) + "AzFv" + some(10) + "==", some(40) + "AzFu" + some(12),
		}},
	} {
		for _, text := range test.good {
			if !test.is(text) {
				t.Errorf("%s: %q is one", name, text)
			}
		}
		for _, text := range test.bad {
			if test.is(text) {
				t.Errorf("%s: %q is none", name, text)
			}
		}
	}
}

// TestPartOf: where in a run of characters the secret is.
func TestPartOf(t *testing.T) {
	azure := "aB3" + "8Q~" + some(31)
	salesforce := "00D" + some(12) + "!" + some(40)
	telegram := digits(8) + ":" + some(33)
	for run, want := range map[string]string{
		azure: azure, "xx" + azure: azure, "NAME=" + azure: azure, "aB3xQ~" + some(31): "", "aB38Q~" + some(30): "", "38Q~" + some(31): "",
		salesforce: salesforce, "01D" + some(12) + "!" + some(40): "", "00D" + some(12) + "!" + some(39): "",
		telegram: telegram, "BOT=" + telegram: telegram, "x:" + telegram: "", "BOT==" + telegram: "", "a:b=" + telegram: "",
		"0/" + digits(8) + ":" + hexed(32): hexed(32), "token-abcde:" + some(50): some(50), "db.example:5432:shop:ann:hunter22": "hunter22", "db.example:5432:shop:ann": "", "a:b:c:d:e": "",
		"0.a-b-c-d-" + some(31) + ":" + some(20): "a-b-c-d-" + some(31) + ":" + some(20), hexed(32) + "-us1": hexed(32) + "-us1", "": "", "a.b": "",
	} {
		if at, n := partOf(run); run[at:at+n] != want && (n > 0 || want != "") {
			t.Errorf("%q: %q, want %q", run, run[at:at+n], want)
		}
	}
}

// TestLooksRandom: long, with digits, and back and forth between kinds of characters.
func TestLooksRandom(t *testing.T) {
	for text, want := range map[string]bool{
		some(16): true, some(15): false, "aBcDeFgHiJkLmNoP": false, "abcdefgh12345678": false, "abcd1234efgh5678": false, "abcd1234EFGH5678x": true, "ab-12-cd-34-ef-56": true, "2024-01-02T03:04:05": false, "AZaz09AZaz09AZaz": true,
	} {
		if got := looksRandom(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for c, want := range map[byte]byte{'0': '0', '9': '0', 'a': 'a', 'z': 'a', 'A': 'A', 'Z': 'A', '/': 0, ':': 0, '@': 0, '[': 0, '`': 0, '{': 0} {
		if got := kindOf(c); got != want {
			t.Errorf("%q: %q", c, got)
		}
	}
	for text, want := range map[string]int{"a1b2": 2, "12": 1, "1a12": 2, "": 0, "x": 0, "1a2b3c4d5": 5, "09a/:": 1} {
		if got := digitRuns(text); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// TestElements: what an element or an attribute that is named like a secret holds.
func TestElements(t *testing.T) {
	for text, want := range map[string]string{
		"<password>hunter22</password>":                  "<password>" + Mark + "</password>",
		"<a><apiKey>hunter22</apiKey>":                   "<a><apiKey>" + Mark + "</apiKey>",
		"<password></password>":                          "<password></password>",
		"<password>$x</password>":                        "<password>$x</password>",
		"<password>hunter22":                             "<password>hunter22",
		"<name>hunter22</name>":                          "<name>hunter22</name>",
		"<>hunter22</password>x<b>":                      "<>hunter22</password>x<b>",
		"<password/>hunter22<b>":                         "<password/>hunter22<b>",
		"<password a=b>hunter22<b>":                      "<password a=b>hunter22<b>",
		`<add key="password" value="hunter22"/>`:         `<add key="password" value="` + Mark + `"/>`,
		`<add key=\"password\" value=\"hunter22\"/>`:     `<add key=\"password\" value=\"` + Mark + `\"/>`,
		`<add key="name" value="hunter22"/>`:             `<add key="name" value="hunter22"/>`,
		`<add key="password" value=""/>`:                 `<add key="password" value=""/>`,
		`<add value="hunter22"/>`:                        `<add value="hunter22"/>`,
		"a < b":                                          "a < b",
		"<x>1</x><secret>hunter22</secret><token>a1</y>": "<x>1</x><secret>" + Mark + "</secret><token>" + Mark + "</y>",
	} {
		if got := elements(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestAddressSecrets: the passwords of addresses, as far as they can be looked for.
func TestAddressSecrets(t *testing.T) {
	for text, want := range map[string][]string{
		"x https://ann:hunter22@host/ y": {"hunter22"}, "a://b:abcd@h c://d:efgh@i": {"abcd", "efgh"}, "https://ann:abc@host": nil, "https://ann:abcd@host": {"abcd"}, "https://ann@host": nil, "https://host:8080/x": nil,
		"https://ann:$PASS@host": nil, "https://ann:@host": nil, "https://ann:hun@ter@host": {"hun@ter"}, "https://h/?a:hunter22@b": nil, "ann:hunter22@host": nil, "https://": nil,
		"http://localhost:4873/@scope/some-thing1": nil, "https://ann:hun/ter22@host/x": {"hun/ter22"}, "https://ann:hunter22@host/a@b": {"hunter22"}, "https://host/a:b@c": nil, "https://deployer@host": nil,
		"https://a1b2c3d4e5f6@host": {"a1b2c3d4e5f6"}, "https://a1b2c3d4e5f6:x-oauth-basic@host": {"a1b2c3d4e5f6"}, "https://a1b2c3d4e5f6:@host": {"a1b2c3d4e5f6"},
		"https://hooks.slack.com/services/T0/B0/abcDEF1234/": {"T0/B0/abcDEF1234"}, "https://h/api/webhooks/stripe/events/listing": nil, "https://h/api/webhooks/1": nil,
	} {
		if got := addressSecrets(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestPartsOfFlags: what of a flag's value is masked, wherever it begins.
func TestPartsOfFlags(t *testing.T) {
	for _, test := range []struct {
		of   func(*masker, command.Word, int)
		text string
		n    int
		want string
	}{
		{(*masker).part, "c.pem:hunter22", 0, "c.pem:" + Mark},
		{(*masker).part, "ann,hunter22", 0, "ann," + Mark},
		{(*masker).part, "--cert=c.pem:hunter22", 7, "--cert=c.pem:" + Mark},
		{(*masker).part, ":hunter22", 0, ":" + Mark},
		{(*masker).part, "a:b=c:hunter22", 4, "a:b=c:" + Mark},
		{(*masker).part, "c.pem:/a/b", 0, "c.pem:/a/b"},
		{(*masker).part, "c.pem", 0, "c.pem"},
		{(*masker).pair, "name=hunter22", 0, "name=" + Mark},
		{(*masker).pair, "=hunter22", 0, "=" + Mark},
		{(*masker).pair, "--x=name=hunter22", 4, "--x=name=" + Mark},
		{(*masker).pair, "name=@file", 0, "name=@file"},
		{(*masker).pair, "name", 0, "name"},
	} {
		m := masker{text: test.text}
		test.of(&m, command.Word{Text: test.text, Reach: tool.Exact, At: 1, Span: tool.Span{End: len(test.text)}}, test.n)
		if got := m.apply(); got != test.want {
			t.Errorf("%s from %d: %s, want %s", test.text, test.n, got, test.want)
		}
	}
}

// TestWithout: a text that is nothing but the secret is masked too.
func TestWithout(t *testing.T) {
	for text, want := range map[string]string{"hunter22": Mark, "a hunter22 b": "a " + Mark + " b", "hunter2": "hunter2"} {
		if got := without([]string{"hunter22"}, text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestRough: a script that cannot be read is taken apart at blanks and separators, as far
// as its bound.
func TestRough(t *testing.T) {
	for script, want := range map[string]string{
		"a b|c;d&e\nf(g){h}": "a b, c, d, e, f, g, h", "a 'b c\" `d": "a b c d", "  ": "", ";;": "", "a": "a", "a ;": "a", "\ta\rb": "a b",
	} {
		var list []string
		for _, inv := range rough(script) {
			var words []string
			for _, w := range inv.Words {
				words = append(words, w.Text)
				if script[w.Span.Start:w.Span.End] != w.Text {
					t.Errorf("%q: %q stands elsewhere", script, w.Text)
				}
			}
			list = append(list, strings.Join(words, " "))
		}
		if got := strings.Join(list, ", "); got != want {
			t.Errorf("%q: %q, want %q", script, got, want)
		}
	}
	if n := len(rough(strings.Repeat("a;", 5000))); n != 4096 {
		t.Errorf("%d commands", n)
	}
}

// TestBesideNames: which name stands before a sign, and which value behind it.
func TestBesideNames(t *testing.T) {
	for text, want := range map[string]nameBeside{
		"password=":      {name: "password", before: 8, first: true},
		"=password=":     {name: "password", before: 9},
		"x\npassword=":   {name: "password", before: 10, first: true},
		`"password"=`:    {name: "password", before: 10, first: true, keyed: true},
		`{"password":`:   {name: "password", before: 11, first: true, keyed: true},
		`'password"=`:    {name: "password", before: 10, first: true},
		`password"=`:     {name: "password", before: 9, first: true},
		`e["password"]=`: {name: "password", before: 13, first: true, keyed: true},
		`{\"password\":`: {name: "password", before: 13, keyed: true},
		`{\"a-b.c_d\":`:  {name: "a-b.c_d", before: 12, keyed: true},
		`x\"password\":`: {name: "password", before: 13, keyed: true},
		`\npassword=`:    {name: "password", before: 10},
		" =":             {name: "", before: 1},
		"a b=":           {name: "b", before: 3},
		"a,b=":           {name: "b", before: 3, first: true},
	} {
		if got := nameBefore(text, len(text)-1); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string]besideName{
		"=hunter22 x":       {start: 1, from: 1, end: 9},
		"=  hunter22;":      {start: 3, from: 3, end: 11},
		`="hunter22" x`:     {start: 1, from: 2, end: 10, quoted: true},
		`='hun"ter' x`:      {start: 1, from: 2, end: 9, quoted: true},
		`:\"hunter22\"}`:    {start: 2, from: 3, end: 11, quoted: true, escaped: true},
		`:\\\"hunter22\\\"`: {start: 4, from: 5, end: 13, quoted: true, escaped: true},
		`="hunter22\" x`:    {start: 1, from: 2, end: 11, quoted: true},
		`=hunter22\ x`:      {start: 1, from: 1, end: 10},
		"=" + some(16):      {start: 1, from: 1, end: 17, random: true},
		"=":                 {start: 1, from: 1, end: 1},
		`=\`:                {start: 1, from: 1, end: 2},
		`=\x`:               {start: 1, from: 1, end: 3},
	} {
		if got := valueAt(text, 1); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// TestParameters: names that say something only where they stand.
func TestParameters(t *testing.T) {
	for text, want := range map[string]bool{"?key": true, "&Sig": true, "key": false, ";key": false, "?x": false, "&x-amz-signature": true} {
		start := strings.IndexAny(text, "kSx")
		if got := isParameter(text, start, text[start:]); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	for text, want := range map[string]bool{";Pwd": true, "Pwd": false, "&Pwd": false, "_auth": true, ";_auth": true, ";x": false} {
		start := strings.IndexAny(text, "P_x")
		if got := isShortName(text, start, text[start:]); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestCredentials: what follows a word that introduces credentials.
func TestCredentials(t *testing.T) {
	for text, want := range map[string]string{
		"Bearer abcde1":                          "Bearer " + Mark,
		"Bearer abcd1":                           "Bearer abcd1",
		"Bearer abcdef":                          "Bearer abcdef",
		"authorization: BASIC aB3dE5":            "authorization: BASIC " + Mark,
		"login ann password hunter22":            "login ann password " + Mark,
		"ann password hunter22":                  "ann password hunter22",
		"SSWS " + some(16):                       "SSWS " + Mark,
		"SSWS hunter22":                          "SSWS hunter22",
		"Cookie: sid=hunter22":                   "Cookie: sid=" + Mark,
		"Cookie: hunter22":                       "Cookie: hunter22",
		"curl -u ann:" + some(16):                "curl -u ann:" + Mark,
		"curl -u ann:hunter22":                   "curl -u ann:hunter22",
		"bearer abcde1 and bearer abcde2":        "bearer " + Mark + " and bearer " + Mark,
		"Authorization: token token=" + some(16): "Authorization: token token=" + Mark,
	} {
		if got := bearers(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
