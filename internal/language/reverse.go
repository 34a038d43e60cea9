package language

import "strings"

// ConnectsShell reports whether code that is not followed opens a connection, names a
// shell and has a way to run it. Each alone is ordinary; all three in a line or two are a
// shell for somebody else. It only ever makes a question a refusal.
func ConnectsShell(code string) bool {
	const (
		connections = `af_inet create_connection createconnection fsockopen net pf_inet pfsockopen sockaddr_in socket socket_create stream_socket_client tcpclient tcpsocket tcpserver`
		shells      = `ash bash cmd dash ksh powershell pwsh sh zsh`
		runners     = `call check_call child_process dup dup2 exec execl execlp execv execve execvp fork ioredirect open3 passthru popen popen2e popen3 proc_open process pty run
			shell_exec spawn spawnsync subprocess system`
	)
	connects, names, runs := false, false, false
	for word := range strings.FieldsFuncSeq(strings.ToLower(code), betweenWords) {
		connects = connects || HasWord(connections, word)
		names = names || HasWord(shells, word)
		runs = runs || HasWord(runners, word)
	}
	return connects && names && runs
}

// betweenWords says whether a character belongs to no word of ASCII letters and digits.
func betweenWords(c rune) bool { return c >= 0x80 || !isWordByte(byte(c)) }
