package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/screen"
	"longline/internal/ship"
)

func shipCommand() subcommand {
	return subcommand{
		name: "ship", usage: "--to URL [FLAGS]", flags: true,
		purpose: forSeeWhatHappened, example: "ship --to https://otel.example.com:4318",
		short: "send the audit log to an OpenTelemetry collector",
		help: `It sends new lines as OTLP over HTTP and saves its position when the receiver has
confirmed them. No line is lost, but one may arrive twice: deduplicate by the field
"line". With -f it keeps running and sends new lines.

  longline ship --to https://otel.example.com:4318
  longline ship --to https://otel.example.com:4318 -f --header-file headers`,
		run: runShip,
	}
}

func runShip(p *process, args []string) int {
	flags := p.flagSet("ship")
	var (
		to         = flags.String("to", "", "send to `URL`; /v1/logs is added if it has no path")
		follow     = flags.Bool("f", false, "keep running and send new lines")
		every      = flags.Duration("every", 10*time.Second, "with -f: look for new lines every `TIME`")
		file       = flags.String("file", "", "send `FILE` and its rotated files instead of the active log")
		mark       = flags.String("checkpoint", "", "save the position in `FILE`")
		headerFile = flags.String("header-file", "", "add the headers in `FILE`, one NAME: VALUE per line")
	)
	status, done := p.parseAlone(flags, args)
	if done {
		return status
	}
	where, err := receiver(*to)
	if err != nil {
		return p.usageError("ship", "%v", err)
	}
	header, err := headers(*headerFile)
	if err != nil {
		return p.usageError("ship", "%v", err)
	}
	cfg, err := p.load(place{})
	if err != nil {
		return p.configError(err)
	}
	log := audit.Log{Path: cfg.Log}
	if *file != "" {
		log.Path = *file
	}
	if *mark == "" {
		if cfg.State == "" {
			return p.usageError("ship", "no home directory for the position; name a file with --checkpoint")
		}
		*mark = filepath.Join(cfg.State, "ship", checkpointName(where))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := ship.Options{
		To: where, Files: func() []string { return append(log.Put(), log.Path) }, Checkpoint: *mark, Header: header, Resource: machineResource(),
		Client: &http.Client{Timeout: time.Minute}, Attempts: 5, Wait: sleep,
	}
	if *follow {
		o.Attempts = 1 << 30 // until it is ended
	}
	return p.ship(ctx, o, *follow, *every)
}

// ship sends what is new, once or again and again until it is ended.
func (p *process) ship(ctx context.Context, o ship.Options, follow bool, every time.Duration) int {
	for {
		sent, err := ship.Run(ctx, o)
		if ctx.Err() != nil {
			return exitOK
		}
		if err != nil {
			p.errorf("ship: %v", err)
			p.hintf("%s sent before; the next run continues there", screen.Count(sent.Lines, "line"))
			return exitFailed
		}
		if sent.Lines > 0 || sent.Skipped > 0 || !follow {
			fmt.Fprintln(p.out, sentText(sent))
		}
		if !follow || sleep(ctx, every) != nil {
			return exitOK
		}
	}
}

func sentText(sent ship.Sent) string {
	text := screen.Count(sent.Lines, "line") + " sent"
	if sent.Skipped > 0 {
		text += fmt.Sprintf(", %d not readable", sent.Skipped)
	}
	if sent.Rejected > 0 {
		text += fmt.Sprintf(", of which the receiver rejected %d", sent.Rejected)
	}
	return text
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// receiver checks the address that a log is sent to: it holds what people did.
func receiver(text string) (string, error) {
	u, err := url.Parse(text)
	if text == "" || err != nil || u.Host == "" {
		return "", fmt.Errorf("name the receiver with --to, such as https://otel.example.com:4318")
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return "", fmt.Errorf("%q is not encrypted; use https", text)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/logs"
	}
	return u.String(), nil
}

// checkpointName keeps what was sent to different receivers apart.
func checkpointName(where string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, strings.ToLower(where)) + ".json"
}

func headers(name string) (http.Header, error) {
	h := http.Header{}
	if name == "" {
		return h, nil
	}
	text, err := readBounded(name, 64<<10)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case strings.TrimSpace(line) == "":
		case !ok:
			return nil, fmt.Errorf("%s: a line is not NAME: VALUE", name)
		default:
			h.Add(strings.TrimSpace(key), strings.TrimSpace(value))
		}
	}
	return h, nil
}

// machineResource says whose log it is.
func machineResource() map[string]string {
	about := map[string]string{"service.name": "longline", "user.name": config.UserName()}
	if name, err := os.Hostname(); err == nil {
		about["host.name"] = name
	}
	return about
}
