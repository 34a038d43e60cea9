package language

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

func TestPerl(t *testing.T) {
	for _, code := range []string{
		`s/foo/bar/g`, `print`, `print $F[0]`, `print "$1\n" if /(\d+)/`, `$n++; END { print $n }`, `BEGIN { $n = 0 } $s += $_; END { print $s / $n }`,
		`s{a/b}{c}g`, `tr/a-z/A-Z/`, `print join(",", sort { $a <=> $b } split /;/)`, `print "hello\n"`, `print if $. > 5 && $. < 10`, `s/(\d+)/$1 + 1/e`,
		`my %h; while (<STDIN>) { $h{$_}++ } print "$_: $h{$_}" for keys %h`, `print length`, `$x = $h{key}; print uc $x`, `print "a@b.com"`, `y/a/b/; print`,
		`printf("%.2f\n", 1 / 3)`, `print $_ x 3, "\n"`, `next unless /^a/; print`, `print $ENV{HOME}`, `print sum(1, 2)`, `s/\s+$//; print "$_\n"`, `print if m|^/usr|`, `chomp; print "$_,"`,
		`print "$h{a}{b} $a[0][-1] $h{$k} $a[$i] $a[$#a] $a[$i+1] ${x} $+{name}"`, `$h{a}{b} = $h{eval}`, `print $x / 2`, `/^$x|$/`, `/a$|b$/`, `s/(a$)/b/`, `s/x$|y/z/; print`, `undef $/; $_ = <STDIN>; s/a/b/gs; print`, `@a = (1, 2); print "@a[0]"`, ``, `# system("id")` + "\nprint 1", `my $x =uc $_; print $x`, `$x =length; print`,
	} {
		if d := perlDeeds(code); d.Problem != "" {
			t.Errorf("%s\n  problem: %s", code, d.Problem)
		}
	}
	for _, code := range []string{
		`system("id")`, "print `id`", `exec "id"`, `open(F, ">x")`, `unlink "x"`, `print "@{[system(1)]}"`, `print "${\ system(1)}"`, `eval "1"`, `s/a/system(1)/e`, `s/a/b/ee`,
		`/(?{system(1)})/`, `qx(id)`, `print qx'id'`, `do "x"`, `require "x"`, `use lib "x"`, `&{"system"}("id")`, `$x->(1)`, `"IO::File"->new("x", "w")`, `@ARGV = ("id|"); print <>`,
		`$ARGV[0] = "id|"; print <>`, `push @ARGV, "id|"; print <>`, `@{"ARGV"} = ("id|")`, `$x = "ARGV"; @$x = 1`, `print <*.c>`, `print <$fh>`, `<<X` + "\nX\n", `%ENV`, `$ENV{API_KEY}`,
		`print {$fh} 1`, `kill 9, 1`, `$h{system("id")}`, `print "$h{system('id')}"`, `*x = 1`, `-e "x"`, `sub f { 1 }`, `package X`, `1 ? 2 : system(1)`, `time / 2; system("id") / 1`,
		"x\n=pod\n", `print 1 }`, `print "a`, `s/a/b`, `s a b c `, `print s` + "\n/a/b/", `main::x()`, `$main::x`, `local $SIG{ALRM} = 1`, `$h{x} /"/; system("id") #"`, `print $$`, `"a" =~ "b" ~~ 1`, `chmod 0, "x"`, `print $<`, "print q\x80a\x80", `print sort system 1`, `y y`,
		// Delimiters that are more than that, variables with quotes for names, documentation, code in patterns.
		"print q#a#", "print q=a=", "print q,a,", "print q;a;", "print q)a)", "print $'; system(1); print $'", "print $`; system(1); print $`", "print $(; system(1)", "print $%; print", "print 1\n=lc '\n\n=cut\nsystem 1;#'",
		`s/(?{system(1)})//`, `s/a(??{system(1)})/b/`, `s{(?{system(1)})}{}`, `m/(??{system(1)})/`, `qr/(?{system(1)})/`,
		// Elements of variables in texts: what stands between the brackets is code.
		`print "$h{a}{system(1)}"`, `print "$a[0][system(1)]"`, `print "${x}[system(1)]"`, `print "@{x}[system(1)]"`, `print "$1[system(1)]"`, `print "$&[system(1)]"`, `print "$#{[system(1)]}"`, `print "$a[eval]"`, `print "$a[unlink]"`,
		`print "$a[-system]"`, `print "$+[eval]"`, `print "$h{x}->{system(1)}"`, `print "$main'ENV{API_KEY}"`, `/$x[eval]/`, `s/a/$x[eval]/`, `print "$^W[eval]"`, `print "@-[eval]"`,
		// Braces that are a block, not a subscript.
		`for ("x") {eval}`, `for (qw(a b)) {unlink}`, `map {unlink} qw(a b)`, `if (1) {exec}`, `if (1) {1} {unlink}`, `@a = map {rmdir} 1`, `&&print`, `if (1) {1} &&print`, `print "a" if {unlink}`, "unlink\n=> 1",
		// A variable behind print can be a file handle, and a value follows it.
		`$x = STDERR; print $x /'/; system("id"); #'`, "$x = STDERR; print $x <<\"A\";\n'\nA\nsystem(1); #'",
	} {
		if d := perlDeeds(code); d.Problem == "" {
			t.Errorf("%s\n  looks harmless", code)
		}
	}
}

func FuzzPerl(f *testing.F) {
	f.Add("s/a/b/; print \"$h{x}\" / 2")
	f.Fuzz(func(t *testing.T, code string) {
		if perlDeeds(code).Problem == "" && perlDeeds(code+"\n;system").Problem == "" {
			t.Errorf("%q hides a line that follows it", code)
		}
	})
}

// TestPerlSafe holds the reader against the real thing: perl compiles programs,
// without running them, in a compartment that traps operations which reach out.
// What perl traps must never look harmless.
func TestPerlSafe(t *testing.T) {
	perl, err := exec.LookPath("perl")
	if err != nil {
		t.Skip("perl is not installed; .ci/tools installs it")
	}
	pieces := []string{
		`system("id")`, `print `, `"a"`, ` / `, `/`, "`id`", `s/a/b/`, `s{a}{b}`, `e`, ` x `, `$x`, `$h{a}`, `$a[0]`, `{`, `}`, `(`, `)`, `;`, "\n", `if `, `"$x`, `"`, `'`, `#`, `<STDIN>`, `<`, `>`, `qx(id)`, `q(`, `m/`, `y/a/b/`,
		`tr/a/b/`, `split /,/`, `=`, `=~ `, `1`, ` - `, `-e "x"`, `%h`, ` % `, `& `, `&&`, `@a`, `time `, `shift `, `length `, `unlink("x")`, `exec("id")`, `open(F,"x")`, `?`, `:`, `.`, `,`, `print(`, `s`, `\`, `++`, `eval "1"`, `<<`, `*`, `=>`, `keys %h`, `END `, `"@{[system(1)]}"`, `e;`,
		`{unlink}`, `{eval}`, `for (1) `, `map `, `"$x[`, `"$h{a}{`, `"${x}[`, `"$1[`, `"$&{`, `]"`, `}"`, `unlink`, `eval`, `rmdir`, `print $x `, `/'/`, `'`, `"$#{`, `if (1) `, `@h`, `$h`,
	}
	rng := rand.New(rand.NewPCG(3, 4))
	n := 20_000
	if testing.Short() {
		n = 5_000
	}
	var harmless []string
	for range n {
		var b strings.Builder
		for range 1 + rng.IntN(8) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		if code := b.String(); perlDeeds(code).Problem == "" {
			harmless = append(harmless, code)
		}
	}
	const compile = `use Safe; my $c = Safe->new; $c->permit(qw(:base_core :base_mem :base_loop :base_orig :base_math sort time sleep print say localtime gmtime pack unpack sprintf readline rcatline eof));
		$/ = "\0"; while (my $p = <STDIN>) { chomp $p; $c->reval("sub {\n$p\n}"); print "$p\0" if $@ =~ /trapped/ }`
	cmd := exec.Command(perl, "-e", compile)
	cmd.Stdin = strings.NewReader(strings.Join(harmless, "\x00") + "\x00")
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("perl: %v", err)
	}
	t.Logf("%d programs look harmless", len(harmless))
	for code := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if code != "" {
			t.Errorf("%q looks harmless, but perl traps it", code)
		}
	}
}
