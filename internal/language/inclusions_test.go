package language

import "testing"

// TestNamesNoFiles: a text names no further files if all that it takes in are headers beside it
// or of the system, however it is written.
func TestNamesNoFiles(t *testing.T) {
	for _, test := range []struct {
		kind string
		text string
		want bool
	}{
		{"c", "", true},
		{"c", "int main(void) { return 0; }", true},
		{"c", "#include <stdio.h>", true},
		{"c", "#include <stdio.h>\n#ifdef X\n#else\n#endif\n#define A 1\n#", true},
		{"c", "  #  include\t<sys/types.h>", true},
		{"c", `#include "a.h"`, true},
		{"c", `#import "a.h"`, true},
		{"c", "/* a */ #include <stdio.h>", true},
		{"c", "/* a */ int x; /* b */ #define A", true},
		{"c", "int a; # include </etc/passwd>", true}, // a directive begins its line
		{"c", "#pragma once\n#pragma omp parallel\n#pragma pack(1)\n#pragma GCC diagnostic push", true},
		{"c", "include\nimp", true},
		{"c", `#include "/etc/passwd"`, false},
		{"c", `#include "../../x"`, false},
		{"c", "#include </etc/passwd>", false},
		{"c", `#include NAME`, false},
		{"c", `#include`, false},
		{"c", `#include "a`, false},
		{"c", `/* a */ #include "/etc/passwd"`, false},
		{"c", `/* # */ #include "/etc/passwd"`, false},
		{"c", "*/ #include \"/etc/passwd\"", false},
		{"c", "#inc\\\nlude \"/etc/passwd\"", false},
		{"c", "#inc\\ \nlude \"/etc/passwd\"", false},
		{"c", "??=include \"/etc/passwd\"", false},
		{"c", "%:include \"/etc/passwd\"", false},
		{"c", "#define A(x) x##y", false},
		{"c", `#embed "/etc/passwd"`, false},
		{"c", `#line 1 "/etc/passwd"`, false},
		{"c", `# 1 "/etc/passwd"`, false},
		{"c", `#pragma comment(lib, "x")`, false},
		{"c", "      include '/etc/passwd'", false},
		{"c", "INCLUDE '/etc/passwd'", false},
		{"c", "import x;", false},
		{"c", `asm(".ascii")`, false},
		{"c", `__asm__("x")`, false},
		{"c", `.incbin "/etc/passwd"`, false},
		{"c", ".macro x", false},
		{"without=a|b", "c", true},
		{"without=a|b", "xbx", false},
		{"without=a|b", "a", false},
		{"other", "", false},
	} {
		if got := NamesNoFiles(test.kind, test.text); got != test.want {
			t.Errorf("%s: %q: %v", test.kind, test.text, got)
		}
	}
}
