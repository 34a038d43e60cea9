// Check says what keeps a version from being released, and fails if there is anything; with the name of a
// fact after -fact it prints that one:
//
//	check v1.2.3
//	check -fact releases
package main

import (
	"fmt"
	"os"

	"longline/packaging/owner"
)

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "-fact":
		fmt.Println(owner.Fact(os.Args[2]))
	case len(os.Args) == 2:
		problems := owner.Problems(".", os.Args[1])
		for _, p := range problems {
			fmt.Fprintln(os.Stderr, "release:", p)
		}
		if len(problems) > 0 {
			os.Exit(1)
		}
	default:
		fmt.Fprintln(os.Stderr, "usage: check VERSION | check -fact NAME")
		os.Exit(2)
	}
}
