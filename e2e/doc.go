// Package e2e holds no code of longline's, only tests that run real agents
// offline. A scripted model on the loopback interface asks the client to run a
// command, the client asks longline, and the test looks at what became of the
// command and at what the model was told.
//
// A command that is allowed really runs. Every run is therefore confined to
// namespaces of its own: no network but loopback, no other processes, and a file
// system that is read-only except for a throw-away directory.
//
// install.sh fetches the clients; a test whose client is missing is skipped.
// Claude Code is tried whenever it is there, the others with LONGLINE_E2E=all.
package e2e
