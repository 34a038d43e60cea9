package language

import "testing"

func TestPHPAndLua(t *testing.T) {
	for _, c := range []struct {
		read       func(string) Deeds
		code, want string
	}{
		{phpDeeds, `echo PHP_VERSION;`, "nothing"},
		{phpDeeds, `echo json_decode(file_get_contents('composer.json'), true)['name'];`, "read composer.json"},
		{phpDeeds, `$c = json_decode(file_get_contents("composer.json")); echo $c->name, PHP_EOL;`, "read composer.json"},
		{phpDeeds, `foreach (get_loaded_extensions() as $e) { echo "$e\n"; }`, "nothing"},
		{phpDeeds, `var_dump(ini_get('memory_limit'));`, "nothing"},
		{phpDeeds, `echo file_get_contents('http://x/');`, "problem"},
		{phpDeeds, `system('id');`, "problem"},
		{phpDeeds, `'system'('id');`, "problem"},
		{phpDeeds, `$f = 'system'; $f('id');`, "problem"},
		{phpDeeds, `['a', 'system'][1]('id');`, "problem"},
		{phpDeeds, `array_map('system', ['id']);`, "problem"},
		{phpDeeds, `echo "{${system('id')}}";`, "problem"},
		{phpDeeds, "echo `id`;", "problem"},
		{phpDeeds, `eval('1');`, "problem"},
		{phpDeeds, `\system('id');`, "problem"},
		{phpDeeds, `new X; X::y();`, "problem"},
		{phpDeeds, `print_r($_SERVER);`, "problem"},
		{phpDeeds, `$$x = 1;`, "problem"},
		{phpDeeds, `// a ?> <?php system('id');`, "problem"},
		{luaDeeds, `print(1 + 1)`, "nothing"},
		{luaDeeds, `local t = {} function t.f(a, b) return a + b end function t.u.v:w(c) return c end print(t)`, "nothing"},
		{luaDeeds, `for i = 1, 3 do print(("x"):rep(i)) end`, "nothing"},
		{luaDeeds, `print(os.date(), os.getenv("HOME"), _VERSION)`, "nothing"},
		{luaDeeds, `os.execute("id")`, "problem"},
		{luaDeeds, `local o = os o.execute("id")`, "problem"},
		{luaDeeds, `os["execute"]("id")`, "problem"},
		{luaDeeds, `io.open("x", "w")`, "problem"},
		{luaDeeds, `load("x")()`, "problem"},
		{luaDeeds, `assert(loadfile("x.lua"))`, "read x.lua"},
		{luaDeeds, `print(loadfile("x.lua")); print(1)`, "read x.lua"},
		{luaDeeds, `assert(loadfile("x.lua"))()`, "problem"},
		{luaDeeds, `loadfile("x.lua")()`, "problem"},
		{luaDeeds, `local f = assert(loadfile("x.lua")); f()`, "problem"},
		{luaDeeds, `function assert(f) f() end; assert(loadfile("x.lua"))`, "problem"},
		{luaDeeds, `print = pcall; print(loadfile("x.lua"))`, "problem"},
		{luaDeeds, `_G.os.execute("id")`, "problem"},
		{luaDeeds, `require("os")`, "problem"},
		{luaDeeds, `x = "a" .. os .. "b"`, "problem"},
		{luaDeeds, "--[[ a ]] os.execute('id')", "problem"},
		{luaDeeds, `print(os.getenv("API_TOKEN"))`, "problem"},
		{luaDeeds, `print(os.getenv("API_" .. "TOKEN"))`, "problem"},
		{luaDeeds, `local function f(lfs) end lfs.rmdir("x")`, "problem"},
	} {
		if got := c.read(c.code).show(); got != c.want {
			t.Errorf("%s\n  does: %s (%s)\n  want: %s", c.code, got, c.read(c.code).Problem, c.want)
		}
	}
}

func FuzzPHPAndLua(f *testing.F) {
	f.Add(`echo "$x"; // a`)
	f.Fuzz(func(t *testing.T, code string) {
		if phpDeeds(code).Problem == "" && phpDeeds(code+"\n;system(1)").Problem == "" {
			t.Errorf("PHP: %q hides a line that follows it", code)
		}
		if luaDeeds(code).Problem == "" && luaDeeds(code+"\nload(1)").Problem == "" {
			t.Errorf("Lua: %q hides a line that follows it", code)
		}
	})
}
