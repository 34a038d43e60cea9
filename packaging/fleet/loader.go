// The loader receives audit lines as OTLP over HTTP, in its JSON form, and writes them to
// PostgreSQL. The Collector has no exporter for PostgreSQL; this is the whole of what one
// needs. A request is confirmed when its lines are committed.
//
//	longline-loader -listen 127.0.0.1:4318 -database postgres://…
package main

import (
	"cmp"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed schema.sql
var schema string

// maxRequest bounds what is read of a request.
const maxRequest = 64 << 20

func main() {
	listen := flag.String("listen", "127.0.0.1:4318", "address to receive at")
	database := flag.String("database", "", "address of the database")
	flag.Parse()
	ctx := context.Background()
	l, err := newLoader(ctx, *database)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: *listen, Handler: l, ReadTimeout: time.Minute, WriteTimeout: time.Minute}
	log.Fatal(server.ListenAndServe())
}

// loader writes what comes to the database.
type loader struct {
	db *pgxpool.Pool
	// stored is told how many lines of a request were new; it may be nil.
	stored func(host string, n int64)
}

func newLoader(ctx context.Context, database string) (*loader, error) {
	db, err := pgxpool.New(ctx, database)
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec(ctx, schema); err != nil {
		return nil, err
	}
	return &loader{db: db}, nil
}

func (l *loader) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/logs" {
		http.NotFound(w, r)
		return
	}
	lines, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	// Who has sent it may be gone before it is written; it is written all the same.
	if err := l.write(context.WithoutCancel(r.Context()), lines); err != nil {
		// It is tried again: nothing of it is confirmed.
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"partialSuccess":{}}`)
}

// lines are columns: host, person and text of each line.
type lines struct{ hosts, people, texts []string }

type attributes []struct {
	Key   string
	Value struct{ StringValue string }
}

func (a attributes) get(key string) string {
	for _, one := range a {
		if one.Key == key {
			return one.Value.StringValue
		}
	}
	return ""
}

// request is the part of an ExportLogsServiceRequest that is needed.
type request struct {
	ResourceLogs []struct {
		Resource  struct{ Attributes attributes }
		ScopeLogs []struct {
			LogRecords []struct {
				Body       struct{ StringValue string }
				Attributes attributes
			}
		}
	}
}

func read(r *http.Request) (lines, error) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		zip, err := gzip.NewReader(r.Body)
		if err != nil {
			return lines{}, err
		}
		body = zip
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return lines{}, errors.New("only the JSON form of OTLP is received; set encoding: json")
	}
	var in request
	if err := json.NewDecoder(io.LimitReader(body, maxRequest)).Decode(&in); err != nil {
		return lines{}, err
	}
	var l lines
	for _, res := range in.ResourceLogs {
		for _, scope := range res.ScopeLogs {
			for _, rec := range scope.LogRecords {
				if !json.Valid([]byte(rec.Body.StringValue)) || strings.Contains(rec.Body.StringValue, `\u0000`) {
					return l, fmt.Errorf("a record is not a line of an audit log: %.80q", rec.Body.StringValue)
				}
				l.hosts = append(l.hosts, res.Resource.Attributes.get("host.name"))
				l.people = append(l.people, cmp.Or(rec.Attributes.get("user.name"), res.Resource.Attributes.get("user.name")))
				l.texts = append(l.texts, rec.Body.StringValue)
			}
		}
	}
	return l, nil
}

// insert keeps the order of the lines, and of a line that comes again nothing.
const insert = `
INSERT INTO longline_lines (line, host, person, ts, event, decision, rule, agent, session, tool_use_id, outcome, duration_us, bundle, doc)
SELECT coalesce(d ->> 'line', md5(host || d::text)), host, person, (d ->> 'ts')::timestamptz, d ->> 'event', d ->> 'decision', d ->> 'rule', d ->> 'agent',
       d ->> 'session_id', d ->> 'tool_use_id', d ->> 'outcome', (d ->> 'duration_us')::bigint, d ->> 'bundle', d
FROM (SELECT host, person, text::jsonb AS d, n FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS t (host, person, text, n)) AS new
ORDER BY n
ON CONFLICT (line) DO NOTHING`

func (l *loader) write(ctx context.Context, in lines) error {
	if len(in.texts) == 0 {
		return nil
	}
	done, err := l.db.Exec(ctx, insert, in.hosts, in.people, in.texts)
	if err == nil && l.stored != nil {
		l.stored(in.hosts[0], done.RowsAffected())
	}
	return err
}
