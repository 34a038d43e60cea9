// Package disk does with files what Windows wants done otherwise: modes do not say there whose a file is, and what is
// open is not renamed.
package disk
