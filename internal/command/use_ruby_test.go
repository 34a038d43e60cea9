package command

import "testing"

func TestRuby(t *testing.T) {
	for _, code := range []string{
		`puts 1`, `puts RUBY_VERSION`, `p [3,1,2].sort.reverse`, `puts "a#{1 + 2}b"`, `puts (1..10).sum`, `puts [1,2].map { |x| x * 2 }.join(",")`,
		`require "json"; puts JSON.parse(STDIN.read)["name"]`, `x = 5; puts x`, `puts 7 % 2 == 0`, `puts ENV["HOME"]`, `puts File.basename("a/b.rb", ".rb")`, `puts "abc".gsub("a", "b")`,
		`puts Time.now.strftime("%Y")`, `puts [1,2].map(&:to_s).inspect`, `puts "a b".split(/ /).length`, `$stdout.puts "x"`, `puts Gem::VERSION`,
	} {
		if d := rubyDeeds(code); d.problem != "" {
			t.Errorf("%s: %s", code, d.problem)
		}
	}
	for _, code := range []string{
		`system("ls")`, "puts `ls`", `puts %x(ls)`, `exec "ls"`, `spawn "ls"`, `eval "1"`, `puts "#{system("ls")}"`, `puts "#{` + "`ls`" + `}"`, `IO.popen("ls")`, `open("|ls")`, `File.write("a", "b")`,
		`File.delete("a")`, `Dir.glob("*")`, `require "open3"`, `require "./x"`, `load "x.rb"`, `send(:system, "ls")`, `[1].each_with_object("x", &"instance_eval".to_sym)`, `Kernel.system("ls")`, `ENV.each { |k, v| puts k }`,
		`puts ENV["AWS_SECRET_ACCESS_KEY"]`, `puts <<A` + "\nA", "=begin\n'\n=end\nsystem 'ls'\n=begin\n'\n=end", `puts ?";system("ls")#"`, `def puts(x); end`, `gets`, `puts % #{system("ls")} `, `x = File; x.write("a", "b")`,
		`JSON.parse(STDIN.read, create_additions: true)`, `method(:system).call("ls")`, `puts File.read("|ls")`, `at_exit { 1 }`, `puts :"a#{1}"`, `puts ObjectSpace`, `[File].first.write("a")`, `BEGIN { system "x" }`, `a&.instance_eval("1")`,
	} {
		if d := rubyDeeds(code); d.problem == "" {
			t.Errorf("%s: taken for harmless", code)
		}
	}
}
