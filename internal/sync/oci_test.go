package sync

import (
	"context"
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/registry/remote"

	"longline/internal/bundle"
)

// pushed puts an artifact into a registry as "oras push" does.
func pushed(t *testing.T, host, tag, kind string, layers map[string][]byte) {
	t.Helper()
	ctx := context.Background()
	repo, err := remote.NewRepository(host + "/team/policy")
	if err != nil {
		t.Fatal(err)
	}
	repo.PlainHTTP = true
	var list []ocispec.Descriptor
	for media, data := range layers {
		d, err := oras.PushBytes(ctx, repo, media, data)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	d, err := oras.PackManifest(ctx, repo, oras.PackManifestVersion1_1, kind, oras.PackManifestOptions{Layers: list})
	if err != nil {
		t.Fatal(err)
	}
	if err := repo.Tag(ctx, d, tag); err != nil {
		t.Fatal(err)
	}
}

func TestRegistry(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	key := newKey(t)
	m := newMachine(t, "oci://"+host+"/team/policy", key)
	push := func(p published) {
		t.Helper()
		pushed(t, host, Stable, ArtifactType, map[string][]byte{BundleType: p.data, SignatureType: p.signature})
	}
	if r := m.sync(); r.Err == nil || m.has() != "" {
		t.Errorf("there is none yet: %v", r.Err)
	}
	push(publish(t, key, "1"))
	if r := m.sync(); r.Err != nil || !r.Changed || m.has() != "1" || !strings.HasPrefix(r.State.Tag, "sha256:") {
		t.Fatalf("the first: %+v", r)
	}
	if r := m.sync(); r.Err != nil || r.Changed {
		t.Errorf("the same again: %+v", r)
	}
	push(publish(t, key, "2"))
	if r := m.sync(); r.Err != nil || m.has() != "2" {
		t.Errorf("the second: %v", r.Err)
	}
	push(publish(t, newKey(t), "3"))
	if r := m.sync(); r.Err == nil || m.has() != "2" {
		t.Errorf("of a stranger: %v", r.Err)
	}
	p := publish(t, key, "4")
	for want, layers := range map[string]map[string][]byte{
		"no layer":   {BundleType: p.data},
		"at most":    {BundleType: make([]byte, bundle.MaxSize+1), SignatureType: p.signature},
		"is refused": {BundleType: publish(t, key, "5").data, SignatureType: p.signature},
	} {
		pushed(t, host, Stable, ArtifactType, layers)
		if r := m.sync(); r.Err == nil || !strings.Contains(r.Err.Error(), want) || m.has() != "2" {
			t.Errorf("got %v, want %q", r.Err, want)
		}
	}
	pushed(t, host, Stable, "application/vnd.example.other", map[string][]byte{BundleType: p.data, SignatureType: p.signature})
	if r := m.sync(); r.Err == nil || !strings.Contains(r.Err.Error(), "artifact type") || m.has() != "2" {
		t.Errorf("of another type: %v", r.Err)
	}
	push(p)
	if r := m.sync(); r.Err != nil || m.has() != "4" {
		t.Errorf("at last: %v", r.Err)
	}
}
