package language

import "testing"

func TestAwk(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{`{print $1}`, "nothing"},
		{`/a|b/ {print}`, "nothing"},
		{`$3 > 10 && $1 != "x"`, "nothing"},
		{`{print ($1 > 2 ? "a" : "b")}`, "nothing"},
		{`{s += $1 / 2} END {print s / NR}`, "nothing"},
		{`BEGIN {FS=":"; OFS="\t"} {$1=$1; print}`, "nothing"},
		{`{gsub(/"/, ""); print}`, "nothing"},
		{`BEGIN {print "system(\"id\")"} # system("id")`, "nothing"},
		{`{getline x; print x}`, "nothing"},
		{`/a/ || /b/`, "nothing"},
		{`{a[$1]++} END {for (k in a) print k, a[k] | "sort -rn"}`, "execute sort -rn"},
		{`{print > "out.txt"}`, "write out.txt"},
		{`{print $1, $2 >> "log"}`, "write log"},
		{`{printf "%s", $1 > $2}`, "write ?"},
		{`{print > "a\x41"}`, "write ?"},
		{`{x = length / 2 / 1}`, "problem"},
		{`{print "x" > "a" ".txt"}`, "write ?"},
		{`{print > "/dev/stderr"}`, "write /dev/stderr"},
		{`{print (1)(2) > "f"}`, "write f"},
		{"{print 1\nx > 2}", "nothing"},
		{"{print 1,\nx > \"f\"}", "write f"},
		{`BEGIN {system("rm -rf x")}`, "execute rm -rf x"},
		{`BEGIN {system(cmd)}`, "execute ?"},
		{`BEGIN {"date" | getline d; print d}`, "execute date"},
		{`{c = "sort"; print | c}`, "execute ?"},
		{`{"echo " $1 | getline x}`, "execute ?"},
		{`BEGIN {while ((getline l < "a.txt") > 0) n++}`, "read a.txt"},
		{`{getline x < $1}`, "read ?"},
		{`{getline a[i] < "f"}`, "read f"},
		{`BEGIN {print |& "/inet/tcp/0/h/80"}`, "send ?"},
		{`{if (x) /"/; system("id") #"` + "\n}", "execute id"},
		{`BEGIN {f = "system"; @f("id")}`, "execute ?"},
		{`@load "x"`, "execute ?"},
		{`BEGIN {print 1system("id")}`, "problem"},
		{`$1system("id")`, "problem"},
		{`BEGIN {print 1.5e3, 0x1F, .5}`, "nothing"},
		{`BEGIN {print ENVIRON["HOME"]}`, "nothing"},
		{`BEGIN {print ENVIRON["API_KEY"]}`, "control env.dump"},
		{`BEGIN {for (k in ENVIRON) print k, ENVIRON[k]}`, "control env.dump, control env.dump"},
		{`BEGIN {ARGV[1] = "/etc/shadow"; ARGC = 2} {print}`, "read ?"},
		{`BEGIN {print ARGV[1]}`, "nothing"},
		{`BEGIN {ENVIRON["PATH"] = "/x"; system("ls")}`, "execute ls, problem"},
		{`BEGIN {sub(/a/, "b", ENVIRON["PATH"]); print | "sort"}`, "execute sort, problem"},
		{`{gsub(/x/, ENVIRON["HOME"]); print}`, "nothing"},
		{`BEGIN {print ENVIRON["HOME"]; system("ls")}`, "execute ls"},
		{`BEGIN {extension("./x.so", "f")}`, "execute ?"},
		{`{print "a`, "problem"},
		{`/[/]/`, "problem"},
		{`{print)}`, "problem"},
	} {
		if got := awkDeeds(c.program, "").show(); got != c.want {
			t.Errorf("%s\n  does: %s\n  want: %s", c.program, got, c.want)
		}
	}
}

func FuzzAwk(f *testing.F) {
	f.Add(`{print > "x"} /a/ {"b" | getline}`)
	f.Fuzz(func(t *testing.T, program string) {
		d := awkDeeds(program, "")
		if d.Problem != "" {
			return
		}
		// A rule on a line of its own is seen whatever stands before it.
		if after := awkDeeds(program+"\nBEGIN {system(x)}", ""); after.Problem == "" && len(after.List) <= len(d.List) && !endsInBackslash(program) {
			t.Errorf("%q hides a rule that follows it", program)
		}
	})
}

func endsInBackslash(s string) bool { return s != "" && (s[len(s)-1] == '\\' || s[len(s)-1] == '\r') }
