package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"longline/internal/serve"
)

func serveCommand() subcommand {
	return subcommand{
		name: "serve", usage: "[--listen HOST:PORT] [--token-file FILE] [--public] [--name HOST] [--config FILE] [--dry-run]", flags: true,
		purpose: forGuardAgent, example: "serve",
		short: "answer Claude Code's HTTP hooks without a process per call",
		help: `Requests go to ` + serve.Path + ` and need a token, which it creates on the first start
in a file that only you can read. It prints the settings for Claude Code. Only this
machine can connect unless you pass --public. Requests must name an address,
localhost, or the host of --name; web pages get no answer.

It answers like "longline hook claude", but finds the project from the working
directory, since an HTTP hook gets no variables. SIGTERM stops it after the answers
in progress.`,
		run: runServe,
	}
}

func runServe(p *process, args []string) int {
	flags := p.flagSet("serve")
	listen := flags.String("listen", "127.0.0.1:8737", "listen at `HOST:PORT`")
	tokenFile := flags.String("token-file", "", "read the token from `FILE`")
	public := flags.Bool("public", false, "let other machines connect")
	name := flags.String("name", "", "also answer requests for `HOST`; for --public")
	path := flags.String("config", "", "use the rules in `FILE` instead of yours")
	dryRun := flags.Bool("dry-run", false, "judge and log, but never ask or deny")
	status, done := p.parseAlone(flags, args)
	if done {
		return status
	}
	host, _, err := net.SplitHostPort(*listen)
	switch {
	case err != nil:
		return p.usageError("serve", "--listen %q is not HOST:PORT", *listen)
	case !*public && !isLoopback(host):
		return p.usageError("serve", "--listen %q would let other machines connect; use 127.0.0.1, or pass --public", *listen)
	}
	file, token, err := p.serveToken(*tokenFile)
	if err != nil {
		p.errorf("serve: %v", err)
		return exitUsage
	}
	// What is wrong with the rules is better said now than with every call.
	if _, err := p.load(place{config: *path}); err != nil {
		return p.configError(err)
	}
	ln, err := net.Listen("tcp", *listen)
	if err != nil {
		return p.failed("serve", err)
	}
	s := &serve.Server{Env: p.env, Token: token, Load: load, Names: []string{host, *name}, Logf: func(format string, args ...any) {
		fmt.Fprintf(p.err, format+"\n", args...)
	}}
	if s.Args, err = serveArgs(*path, *dryRun); err != nil {
		return p.configError(err)
	}
	url := "http://" + ln.Addr().String() + serve.Path
	fmt.Fprintf(p.out, "listening at %s; the token is in %s\n\nFor ~/.claude/settings.json, with LONGLINE_TOKEN set to the token where Claude Code starts:\n%s\n", url, file, serveSettings(url))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := s.Run(ctx, ln); err != nil {
		return p.failed("serve", err)
	}
	fmt.Fprintln(p.out, "stopped")
	return exitOK
}

// isLoopback reports whether a host is this machine under an address that others do not reach.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// serveArgs are the arguments that each call is judged with.
func serveArgs(path string, dryRun bool) (args []string, err error) {
	if path != "" {
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		args = append(args, "--config", full)
	}
	if dryRun {
		args = append(args, "--dry-run")
	}
	return args, nil
}

func serveSettings(url string) string {
	return `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "http", "url": "` + url + `", "timeout": 10,
  "headers": {"Authorization": "Bearer $LONGLINE_TOKEN"}, "allowedEnvVars": ["LONGLINE_TOKEN"], "onFailure": "block"}]}]}}`
}

// serveToken reads the token, or makes one where none was named.
func (p *process) serveToken(file string) (path, token string, err error) {
	named := file != ""
	if !named {
		home, _ := p.env.Get("HOME")
		if !filepath.IsAbs(home) {
			return "", "", errors.New("no home directory for the token; use --token-file")
		}
		file = filepath.Join(home, ".local/state/longline/serve-token")
	}
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return p.newToken(file)
	}
	if err != nil {
		return "", "", err
	}
	if runtime.GOOS != "windows" && info.Mode()&0o077 != 0 {
		return "", "", fmt.Errorf("%s can be read by others; run chmod 600 on it", file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	token = strings.TrimSpace(string(text))
	if len(token) < 16 || strings.ContainsAny(token, " \t\r\n") {
		return "", "", fmt.Errorf("%s must hold one word of at least 16 characters", file)
	}
	return file, token, nil
}

func (p *process) newToken(file string) (path, token string, err error) {
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return "", "", err
	}
	token = hex.EncodeToString(random)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", "", err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", "", err
	}
	_, err = f.WriteString(token + "\n")
	if closed := f.Close(); err == nil {
		err = closed
	}
	return file, token, err
}
