package language

import (
	"testing"

	"longline/internal/tool"
)

func TestRuby(t *testing.T) {
	for _, code := range []string{
		`puts 1`, `puts RUBY_VERSION`, `p [3,1,2].sort.reverse`, `puts "a#{1 + 2}b"`, `puts (1..10).sum`, `puts [1,2].map { |x| x * 2 }.join(",")`,
		`require "json"; puts JSON.parse(STDIN.read)["name"]`, `x = 5; puts x`, `puts 7 % 2 == 0`, `puts ENV["HOME"]`, `puts File.basename("a/b.rb", ".rb")`, `puts "abc".gsub("a", "b")`,
		`puts Time.now.strftime("%Y")`, `puts [1,2].map(&:to_s).inspect`, `puts "a b".split(/ /).length`, `$stdout.puts "x"`, `puts Gem::VERSION`,
		`puts 1_000 / 7`, `3.times { |x| puts x }`, `puts 2.5 * 2`, `puts 3 > 2 ? "a" : "b"`, `puts "abc" =~ /b/`, `x = "a"; puts "y" if x =~ /a/`, "require 'json'\nputs JSON.generate([1])", `puts (1 + 2) % 2`,
		"puts 1 # a comment", "# a comment\nputs 1", `require "set"; require "json"; p 1`, `puts "a" if "b" !~ /c/`,
		`p 5 & 3`, `p 5&3`, `p [1].map { _1 }`, `[1].each { |_| p 2 }`, `puts "a#b"`, `puts "a\"b"`, `p [1].empty?, 1.zero?`, `p(/a/&1)`, `require "json"`, `puts "a#"`, `puts 'a#{b}'`, `puts '#$0'`,
	} {
		if d := rubyDeeds(code); d.Problem != "" {
			t.Errorf("%s: %s", code, d.Problem)
		}
	}
	for _, code := range []string{
		// A comment can change the encoding, and with it where strings end.
		"# coding: utf-7\nputs 1", "# -*- encoding: shift_jis -*-\nputs 1", "puts 1 # vim: fileencoding=utf-16",
		// It ends with its line: behind it a slash begins a pattern, and is no division.
		"puts 1 # a\n/x#{system(1)}/", "puts [1] # a\n/#/; system(1)", "puts 1 # a\nsystem(1)",
		"=begin\nputs 1\n=end\nputs 2", "puts 1\n=begin\nputs 1\n=end",
		`system("ls")`, "puts `ls`", `puts %x(ls)`, `exec "ls"`, `spawn "ls"`, `eval "1"`, `puts "#{system("ls")}"`, `[1].map(&k)`, `[1].inject(1, &k)`, `puts "#{fork}"`, `puts "#{x.instance_eval}"`, `["id"].each(&"#{:sy}stem")`, `puts "#$0"`, `puts "#@a"`, `puts "#{}"`, `puts "#{` + "`ls`" + `}"`, `IO.popen("ls")`, `open("|ls")`, `File.write("a", "b")`,
		`File.delete("a")`, `Dir.glob("*")`, `require "open3"`, `require "./x"`, `load "x.rb"`, `send(:system, "ls")`, `[1].each_with_object("x", &"instance_eval".to_sym)`, `Kernel.system("ls")`, `ENV.each { |k, v| puts k }`,
		`puts ENV["AWS_SECRET_ACCESS_KEY"]`, `puts <<A` + "\nA", "=begin\n'\n=end\nsystem 'ls'\n=begin\n'\n=end", `puts ?";system("ls")#"`, `def puts(x); end`, `gets`, `puts % #{system("ls")} `, `x = File; x.write("a", "b")`,
		`JSON.parse(STDIN.read, create_additions: true)`, `method(:system).call("ls")`, `puts File.read("|ls")`, `at_exit { 1 }`, `puts :"a#{1}"`, `puts ObjectSpace`, `[File].first.write("a")`, `BEGIN { system "x" }`, `a&.instance_eval("1")`,
		// After a keyword that is glued to a number, a quoted sign or a symbol the same sign means something else.
		`p 1if%x(id)`, `p 1unless%x(id)`, `p 1or%x(id)`, `p 1if/"/;system( " id " );p 1if/"/`, `p 0x1if%x(id)`, `puts "#{?};system(%q(id))}"`, `puts "#{p ?}+%x(id)}"`, `p ?,/system(%q(id))/1`, `p ?(/system(%q(id))/1`,
		`p :~/system(%q(id))/1`, `p :=~/system(%q(id))/1`, `p :!~/system(%q(id))/1`, `p 1.=~/system(1)/1`, `p x.y=~/system(1)/1`, `p ?~/system(1)/1`, `p ~/"/;system( " id " );p ~/"/`,
		`require "json".sub("json","/tmp/evil")`, `require "json" "/../../../tmp/evil"`, "require \"json\"\n.sub(\"json\",\"/tmp/evil\")", "require \"json\"\n\n&.sub(\"json\",\"/tmp/evil\")", `require "json" + x`, `require "json" && "/tmp/evil"`, `require("json")`,
		`.sub("json", "/tmp/evil")`, `&.sub("json", "/tmp/evil")`, `p nil ? Gem : system("VERSION")`, `{Gem: system("VERSION")}`, `Gem.path`, `Gem::Specification`, `Gem:::VERSION.instance_eval`,
		// Classes and objects that lead to others.
		`STDIN.class.read("x")`, `STDIN.class.popen("id")`, `$stdin.class.readlines("|id")`, `x = STDIN.class; x.read("|id")`, `["|id"].map(&STDIN.class.method(:read))`, `[STDIN.class].map(&:read)`, `STDIN::read`, `STDOUT.reopen("a", "w")`, `$stdout.reopen("a")`,
		`self.class.const_get("File")`, `Object.const_get("Fi" + "le").delete("a")`, `binding.irb`, `fork { 1 }`, `trap("EXIT") { 1 }`, `test("e", "x")`, `syscall 1`, `Process.kill(9, 1)`, `FileUtils.rm_rf("x")`, `rm_rf "x"`, `Pathname("x").delete`,
		`"x".instance_eval { system }`, `p(&:system)`, `["id"].each(&method(:system))`, `["id"].map(&:exec)`, `"id".then(&:system)`, `"id".then { |x| system x }`, `:system.to_proc.call(self, "id")`, `%w(id).each { |x| exec x }`, `p $0`, `p $:`, `$; = 1`, `p __FILE__`, "p 1\n__END__",
		`File.open("a", "w")`, `File.read("a" + "b")`, `File.read("a" "b")`, `File.read("#{1}")`, `File::read("a")`, `File.rename("a", "b")`, "File.\ndelete(\"a\")", `File.read('a\'b')`, `File .unlink("a")`, `File&.delete("a")`, `Dir.rmdir("a")`, `Dir["*"]`, `Dir.entries(".")`,
		`[STDIN.class, "|id"].sort &k`, `[STDIN.class].max &k`, `ENV.to_h`, `p ENV`, `ENV["A"] = "b"`, `ENV.fetch("GITHUB_TOKEN")`, `ENV["GITHUB_" "TOKEN"]`, `puts ENV["#{1}TOKEN"]`, `alias p system`, `class X; end`, `undef p`, `define_method(:a) { 1 }`, `print <<~A` + "\nA", `p <<"A"` + "\nA", "p 1 \\\n%x(id)", `open "|id"`,
		`require_relative "x"`, `autoload :A, "x"`, `Marshal.load(STDIN.read)`, `YAML.unsafe_load(STDIN.read)`, `JSON.load(STDIN)`, `ERB.new("x").result`, `Net::HTTP.get(1)`, `TCPSocket.new("a", 1)`, `URI.open("http://a")`, `IO.sysopen("a")`, `DATA.read`, `ARGF.read`, `abort`, `loop { fork }`,
	} {
		if d := rubyDeeds(code); d.Problem == "" {
			t.Errorf("%s: taken for harmless", code)
		}
	}
}

// TestRubyReads: a file is read only where its name is written out.
func TestRubyReads(t *testing.T) {
	for code, want := range map[string]string{
		`puts File.read("a.txt")`: "a.txt", `puts File.read("a#b")`: "a#b", `puts File.read('a#{b}')`: "a#{b}", `puts File.read("/etc/x").length`: "/etc/x",
	} {
		if d := rubyDeeds(code); d.Problem != "" || len(d.List) != 1 || d.List[0].Kind != tool.Read || d.List[0].Target != want {
			t.Errorf("%s: %+v", code, d)
		}
	}
	for _, code := range []string{`File.read("a\x62")`, `File.read("a\x62#c")`, `File.read("a#{1}")`, `File.read("|id")`, `File.read(x)`, `File.read("a", "b")`} {
		if d := rubyDeeds(code); d.Problem == "" {
			t.Errorf("%s: %+v", code, d)
		}
	}
}
