package install

import (
	"strings"

	"longline/internal/strictjson"
)

// seconds is how long an agent waits for longline. Longline answers by itself
// well before, because most agents run the command when the time is up.
const seconds = 10

// field is one member of an element, its value as JSON.
type field struct{ key, value string }

func str(key, value string) field { return field{key, strictjson.Quote(value)} }
func list(items ...string) string { return "[" + strings.Join(items, ",") + "]" }
func obj(fields ...field) string {
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strictjson.Quote(f.key) + ":" + f.value)
	}
	return "{" + b.String() + "}"
}
