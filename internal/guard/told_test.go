package guard_test

import (
	"fmt"
	"testing"

	"longline/internal/tool"
)

// TestServicesAreTold has all ways to send words to a service on this machine send all kinds of them: a look whether it is there and a
// request that reads are everyday, and all else may be anything.
func TestServicesAreTold(t *testing.T) {
	says := map[string]bool{
		`echo flushall`: true, `printf 'FLUSHALL\r\n'`: true, `printf 'DELETE /x HTTP/1.0\r\n\r\n'`: true, `printf 'GET / HTTP/1.1\r\n\r\nPOST /x HTTP/1.1\r\n'`: true, `cat cmds.txt`: true, `echo "$X"`: true,
		`printf 'PING\nFLUSHALL\n'`: true, `echo GET session`: true, `git log`: true, `echo "set k 0 0 1"`: true,
		`echo`: false, `true`: false, `echo PING`: false, `echo stats`: false, `echo test`: false, `printf 'info\r\nquit\r\n'`: false, `printf 'GET / HTTP/1.0\r\n\r\n'`: false,
		`printf 'HEAD /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'`: false,
	}
	ways := []string{
		"%s | nc localhost 6379", "%s | nc -q1 -w 2 127.0.0.1 6379", "%s | ncat localhost 6379", "%s | socat - TCP:localhost:6379", "%s | telnet localhost 6379", "%s > /dev/tcp/localhost/6379", "{ %s; } >/dev/tcp/127.0.0.1/6379",
		"exec 3<>/dev/tcp/localhost/6379; %s >&3", "exec 4>/dev/tcp/localhost/6379\n{ %s; } >&4", "nc localhost 6379 < <(%s)", "%s | busybox nc localhost 6379", "%s | socat - UNIX-CONNECT:/run/x.sock", "f() { %s; }; f | nc localhost 6379",
	}
	for _, way := range ways {
		for say, want := range says {
			asked(t, fmt.Sprintf(way, say), want)
		}
	}
	for _, script := range []string{
		`nc -z localhost 5432`,
		`nc -zv localhost 5432`,
		`while ! nc -z localhost 5432; do sleep 1; done`,
		`until nc -z localhost 5432 </dev/null; do sleep 1; done`,
		`nc localhost 6379`,
		`nc -vz example.com 443`,
		`echo > /dev/tcp/localhost/5432`,
		`(echo > /dev/tcp/localhost/5432) 2>/dev/null && echo up`,
		`timeout 1 bash -c '</dev/tcp/localhost/5432'`,
		`timeout 1 bash -c 'cat < /dev/null > /dev/tcp/localhost/5432'`,
		`timeout 1 bash -c 'exec 3<>/dev/tcp/localhost/5432' && echo open`,
		`: > /dev/tcp/localhost/5432`,
		`timeout 2 telnet localhost 5432 </dev/null`,
		`socat - TCP:localhost:5432 </dev/null`,
	} {
		asked(t, script, false)
	}
}

func asked(t *testing.T, script string, want bool) {
	t.Helper()
	v, _ := builtin(t).Judge(tool.Call{Tool: "Bash", Dir: "/home/dev/proj", Script: script, Shell: true, Edits: true, Attended: true}, world())
	if v.Decision >= tool.Ask != want {
		t.Errorf("%s: %s %s", script, v.Decision, v.Reason)
	}
}
