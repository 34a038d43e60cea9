// Package docs carries the documents inside the program, so that "longline docs"
// says what the files say.
package docs

import (
	"embed"
	"path"
	"strings"
)

//go:embed *.md
var files embed.FS

// Topics lists the documents, sorted.
func Topics() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	return names
}

// Text returns a document, and whether there is one.
func Text(topic string) (string, bool) {
	text, err := files.ReadFile(topic + ".md")
	return string(text), err == nil
}

// Title is the first heading of a document.
func Title(topic string) string {
	text, _ := Text(topic)
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(line, "# ")
}
