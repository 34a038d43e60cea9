package sync

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
)

// authority is a CA of a company, and a server certificate that it signed.
func authority(t *testing.T, from, until time.Time, host string) (ca string, server tls.Certificate) {
	t.Helper()
	newPair := func() *ecdsa.PrivateKey {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	caKey, key := newPair(), newPair()
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "company CA"}, NotBefore: start.AddDate(-1, 0, 0), NotAfter: start.AddDate(50, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "policy"}, NotBefore: from, NotAfter: until,
		IPAddresses: []net.IP{net.ParseIP(host)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, &caKey.PublicKey, caKey)
	if err != nil {
		t.Fatal(err)
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, root, &key.PublicKey, caKey)
	if err != nil {
		t.Fatal(err)
	}
	ca = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER}), 0o644); err != nil {
		t.Fatal(err)
	}
	return ca, tls.Certificate{Certificate: [][]byte{leafDER}, PrivateKey: key}
}

// TestTLS fetches over real TLS. The certificates that count are the system's, which a
// process reads once, so each fetch is a process of its own.
func TestTLS(t *testing.T) {
	if where := os.Getenv("SYNC_TEST_FETCH"); where != "" {
		s := &Settings{Source: where}
		f, err := s.fetch(t.Context(), Stable, "")
		fmt.Printf("fetched %q, error: %v\n", f.data, err)
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("SSL_CERT_FILE stands for the system's certificates on Linux only")
	}
	now := time.Now()
	const good, bad = `fetched "the bundle"`, `fetched ""`
	ours, _ := authority(t, now, now, "127.0.0.1")
	for _, test := range []struct {
		name        string
		from, until time.Time
		host        string
		trusted     bool
		old         bool // the server speaks TLS 1.1 at most
		want, why   string
	}{
		{"company's CA", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.1", true, false, good, "error: <nil>"},
		{"unknown CA", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.1", false, false, bad, "unknown authority"},
		{"expired", now.Add(-2 * time.Hour), now.Add(-time.Hour), "127.0.0.1", true, false, bad, "expired"},
		{"another host", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.2", true, false, bad, "not 127.0.0.1"},
		{"old protocol", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.1", true, true, bad, "protocol version"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ca, certificate := authority(t, test.from, test.until, test.host)
			if !test.trusted {
				ca = ours
			}
			requests := 0
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests++
				fmt.Fprint(w, "the bundle")
			}))
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
			if test.old {
				server.TLS.MinVersion, server.TLS.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
			}
			server.StartTLS()
			defer server.Close()
			cmd := exec.Command(os.Args[0], "-test.run=^TestTLS$", "-test.timeout=60s")
			cmd.Env = append(os.Environ(), "SYNC_TEST_FETCH="+server.URL, "SSL_CERT_FILE="+ca, "SSL_CERT_DIR="+t.TempDir(), "NO_PROXY=127.0.0.1")
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), test.want) || !strings.Contains(string(out), test.why) {
				t.Errorf("%v, want %q and %q: %s", err, test.want, test.why, out)
			}
			if test.want == bad && requests > 0 {
				t.Error("a request, which may hold a login, reached the server")
			}
		})
	}
}

// TestPrivateRegistry pulls from registries that want a login: by name and password, and by
// a token that another server gives for them.
func TestPrivateRegistry(t *testing.T) {
	const login = "robot:open sesame"
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(login))
	images := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	for _, kind := range []string{"basic", "bearer"} {
		t.Run(kind, func(t *testing.T) {
			tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != basic || r.URL.Query().Get("scope") != "repository:team/policy:pull" {
					http.Error(w, `{"errors":[{"code":"DENIED"}]}`, http.StatusUnauthorized)
					return
				}
				fmt.Fprint(w, `{"token":"abc"}`)
			}))
			defer tokens.Close()
			open := true // while it is filled
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				want, challenge := basic, `Basic realm="registry"`
				if kind == "bearer" {
					want, challenge = "Bearer abc", `Bearer realm="`+tokens.URL+`",service="registry",scope="repository:team/policy:pull"`
				}
				if !open && r.Header.Get("Authorization") != want {
					w.Header().Set("WWW-Authenticate", challenge)
					http.Error(w, `{"errors":[{"code":"UNAUTHORIZED"}]}`, http.StatusUnauthorized)
					return
				}
				images.ServeHTTP(w, r)
			}))
			defer server.Close()
			host := strings.TrimPrefix(server.URL, "http://")
			key := newKey(t)
			p := publish(t, key, "1")
			pushed(t, host, Stable, ArtifactType, map[string][]byte{BundleType: p.data, SignatureType: p.signature})
			open = false

			m := newMachine(t, "oci://"+host+"/team/policy", key)
			file := filepath.Join(t.TempDir(), "config.json")
			for _, c := range []struct {
				name, config, want string
			}{
				{"no login", "", "credentials"},
				{"login for another registry", `{"auths":{"registry.example.com":{"auth":"` + strings.TrimPrefix(basic, "Basic ") + `"}}}`, "credentials"},
				{"wrong password", `{"auths":{"` + host + `":{"auth":"` + base64.StdEncoding.EncodeToString([]byte("robot:wrong")) + `"}}}`, "credentials"},
				{"not a configuration", "robot", file},
				{"login", `{"auths":{"` + host + `":{"auth":"` + strings.TrimPrefix(basic, "Basic ") + `"}}}`, ""},
			} {
				m.o.Settings.Credentials = ""
				if c.config != "" {
					m.o.Settings.Credentials = file
					if err := os.WriteFile(file, []byte(c.config), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				r := m.sync()
				switch {
				case c.want == "" && (r.Err != nil || m.has() != "1"):
					t.Errorf("%s: %v, has %q", c.name, r.Err, m.has())
				case c.want != "" && (r.Err == nil || !strings.Contains(r.Err.Error(), c.want) || m.has() != ""):
					t.Errorf("%s: %v, has %q", c.name, r.Err, m.has())
				case r.Err != nil && strings.Contains(r.Err.Error(), "sesame"):
					t.Errorf("%s: the message holds the password: %v", c.name, r.Err)
				}
			}
		})
	}
}
