// Package install puts longline into the agents on a machine and takes it out
// again. It edits the users' own files, so it changes the bytes it must and no
// others.
package install
