package sync

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"longline/internal/bundle"
)

// fetched is what a source has.
type fetched struct {
	data, signature []byte
	tag             string // by which the source knows it again; "" if it has none
	unchanged       bool   // it is what the tag stood for
}

// retryAfter is an error that says when to try again.
type retryAfter struct {
	error
	wait time.Duration
}

// permanent is an error that the next attempt would only repeat.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// maxSignature bounds what is fetched as a signature.
const maxSignature = 16 << 10

// fetch asks the source of a channel for what is newer than the tag.
func (s *Settings) fetch(ctx context.Context, channel, tag string) (fetched, error) {
	switch {
	case filepath.IsAbs(s.Source):
		return fromDirectory(s.Source, channel)
	case strings.HasPrefix(s.Source, "oci://"):
		return s.fromRegistry(ctx, channel, tag)
	}
	return s.fromWeb(ctx, channel, tag)
}

// address is where the bundle of a channel is: what the source says, or a file in there.
func address(from, channel string) string {
	switch {
	case strings.Contains(from, "{channel}"):
		return strings.ReplaceAll(from, "{channel}", channel)
	case strings.HasSuffix(from, ".bundle"):
		return from
	}
	return strings.TrimSuffix(from, "/") + "/" + channel + ".bundle"
}

func fromDirectory(dir, channel string) (f fetched, err error) {
	name := address(dir, channel)
	if f.data, err = readBounded(name, bundle.MaxSize); err != nil {
		return f, err
	}
	f.signature, err = readBounded(name+bundle.SignatureSuffix, maxSignature)
	return f, err
}

func readBounded(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, permanent{fmt.Errorf("%s is not a file of at most %d bytes", name, limit)}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bounded(f, limit, name)
}

// bounded reads at most limit bytes; more is an error.
func bounded(from io.Reader, limit int64, what string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = permanent{fmt.Errorf("%s is larger than %d bytes", what, limit)}
	}
	return data, err
}

// client is patient with a slow network and not with a silent one.
var client = &http.Client{
	Transport: &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  20 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConns:           2,
		IdleConnTimeout:        30 * time.Second,
		ForceAttemptHTTP2:      true,
	},
	CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if len(via) >= 5 {
			return permanent{errors.New("more than 5 redirects")}
		}
		if req.URL.Scheme != "https" && !isLoopback(req.URL.Hostname()) {
			return permanent{fmt.Errorf("the redirect to %s is not protected", req.URL.Redacted())}
		}
		return nil
	},
}

func (s *Settings) fromWeb(ctx context.Context, channel, tag string) (f fetched, err error) {
	where := address(s.Source, channel)
	f.data, f.tag, err = s.get(ctx, where, tag, bundle.MaxSize)
	if err != nil || f.data == nil {
		f.unchanged = err == nil
		return f, err
	}
	// Between the two requests a publisher may have put a new bundle in place. Then the
	// signature is wrong, nothing is installed, and the next attempt gets both.
	f.signature, _, err = s.get(ctx, where+bundle.SignatureSuffix, "", maxSignature)
	return f, err
}

// get fetches a file. Without an error no data means that it is still what the tag stands for.
func (s *Settings) get(ctx context.Context, where, tag string, limit int64) (data []byte, newTag string, err error) {
	req, err := s.request(ctx, where, tag)
	if err != nil {
		return nil, "", permanent{err}
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotModified && tag != "" {
		return nil, tag, nil
	}
	if resp.StatusCode != http.StatusOK {
		return nil, "", s.answered(where, resp)
	}
	if resp.ContentLength > limit {
		return nil, "", permanent{fmt.Errorf("%s is %d bytes long; at most %d are fetched", where, resp.ContentLength, limit)}
	}
	data, err = bounded(resp.Body, limit, where)
	if data == nil {
		data = []byte{}
	}
	return data, resp.Header.Get("ETag"), err
}

// request asks for a file, unless it is still what the tag stands for.
func (s *Settings) request(ctx context.Context, where, tag string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, where, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "longline-sync")
	if tag != "" {
		req.Header.Set("If-None-Match", tag)
	}
	if s.Credentials != "" {
		login, err := readBounded(s.Credentials, 16<<10)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", strings.TrimSpace(string(login)))
	}
	return req, nil
}

// answered is the error for an answer without a file.
func (s *Settings) answered(where string, resp *http.Response) error {
	err := fmt.Errorf("%s answers %s", where, resp.Status)
	switch {
	case noLogin(resp.StatusCode):
		return s.refused(where)
	case resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < 500:
		return permanent{err}
	}
	if seconds, wrong := strconv.Atoi(resp.Header.Get("Retry-After")); wrong == nil && seconds > 0 {
		return retryAfter{err, time.Duration(min(seconds, 24*3600)) * time.Second}
	}
	return err
}

// noLogin says whether a status means that the login is missing or wrong.
func noLogin(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// refused is the error for a source that did not accept the login.
func (s *Settings) refused(where string) error {
	if s.Credentials == "" {
		return permanent{fmt.Errorf("%s needs a login; name a file that holds it with credentials in %s", where, s.Path)}
	}
	return permanent{fmt.Errorf("%s refused the login; check the credentials in %s", where, s.Credentials)}
}
