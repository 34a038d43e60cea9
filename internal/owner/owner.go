// Package owner says whose a file is on Windows, where modes do not tell.
package owner
