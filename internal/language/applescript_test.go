package language

import "testing"

func TestNotifies(t *testing.T) {
	for line, want := range map[string]bool{
		`display notification "done"`: true,
		`display notification "a \" b" with title "t" subtitle "s" sound name "Glass"`: true,
		`beep`:        true,
		`beep 3`:      true,
		`delay 0.5`:   true,
		`say "hello"`: true,
		`display notification (do shell script "id")`:                false,
		`display notification "a" & (do shell script "id")`:          false,
		`display notification "a" with title (do shell script "id")`: false,
		"display notification \"a\"\rdo shell script \"id\"":         false,
		`display notification "a`:                                    false,
		`display notification "a\"`:                                  false,
		`say "a" saving to "/etc/x"`:                                 false,
		`say "a" & "b"`:                                              false,
		`beep (do shell script "id")`:                                false,
		`delay x`:                                                    false,
		`tell application "Finder" to quit`:                          false,
		`display dialog "a"`:                                         false,
		``:                                                           false,
	} {
		if got := notifies(line); got != want {
			t.Errorf("notifies(%q) is %v", line, got)
		}
	}
}
