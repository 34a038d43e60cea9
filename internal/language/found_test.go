package language

import "testing"

// What is found in programs that are not followed: calls with constants, and
// nothing in texts or comments.
func TestFound(t *testing.T) {
	for _, c := range []struct{ lang, code, want string }{
		{"ruby", `system("rm -rf ~")`, "execute rm -rf ~"},
		{"ruby", `system "rm", "-rf", Dir.home`, "execute [rm -rf ~]"},
		{"ruby", "x = `rm -rf #{Dir.home}`", "execute rm -rf ~"},
		{"ruby", `%x(id)`, "execute id"},
		{"ruby", `require "fileutils"; FileUtils.rm_rf(Dir.home + "/docs")`, "delete-tree ~//docs"},
		{"ruby", `FileUtils.rm_rf("#{ENV['HOME']}/x")`, "delete-tree ~/x"},
		{"ruby", `FileUtils.rm_rf(File.expand_path("~/x"))`, "delete-tree ~/x"},
		{"ruby", `FileUtils.rm_rf(File.join(Dir.home, "a", "b"))`, "delete-tree ~/a/b"},
		{"ruby", `File.delete("x"); File.write("y", 1); File.rename("a", "b")`, "delete x, write y, delete-tree a, write b"},
		{"ruby", `FileUtils.rm_rf(x)`, "nothing"},
		{"ruby", `puts "system('id')" # system("rm -rf ~")`, "nothing"},
		{"ruby", `x.system("id")`, "nothing"},
		{"perl", `system("rm -rf $ENV{HOME}")`, "execute rm -rf ~"},
		{"perl", `system(q(id)); exec 'ls', '-l'; unlink "x"; my $o = qx{id -u};`, "execute id, execute [ls -l], delete x, execute id -u"},
		{"perl", `use File::Path; rmtree("/home/dev"); File::Path::remove_tree($ENV{HOME})`, "delete-tree /home/dev, delete-tree ~/"},
		{"perl", `print "system(1)"; # system("id")`, "nothing"},
		{"perl", `system("rm -rf $x")`, "nothing"},
		{"php", `exec("rm -rf ~", $out); unlink("x"); Shell_Exec('id');`, "execute rm -rf ~, delete x, execute id"},
		{"php", `/* exec("id") */ echo 'exec("id")'; // exec("id")`, "nothing"},
		{"php", `file_put_contents(getenv("HOME") . "/.bashrc", "x");`, "write ~//.bashrc"},
		{"lua", `os.execute("rm -rf ~") os.remove(os.getenv("HOME") .. "/x")`, "execute rm -rf ~, delete ~//x"},
		{"lua", `print("os.execute(1)") -- os.execute("id")`, "nothing"},
	} {
		if got := (Deeds{List: found(c.lang, c.code)}).show(); got != c.want {
			t.Errorf("%s: %s\n  has:  %s\n  want: %s", c.lang, c.code, got, c.want)
		}
	}
}
