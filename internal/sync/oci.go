package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"longline/internal/bundle"
)

// The types of a bundle in an OCI registry: of the artifact, and of its two layers.
const (
	ArtifactType  = "application/vnd.longline.bundle.v1"
	BundleType    = "application/vnd.longline.bundle.v1.tar"
	SignatureType = "application/vnd.longline.bundle.signature.v1"
)

const maxManifest = 64 << 10

// fromRegistry fetches an artifact. Its digest is the tag by which it is known again.
func (s *Settings) fromRegistry(ctx context.Context, channel, tag string) (f fetched, err error) {
	ref, err := registry.ParseReference(strings.ReplaceAll(strings.TrimPrefix(s.Source, "oci://"), "{channel}", channel))
	if err != nil {
		return f, permanent{err}
	}
	if ref.Reference == "" {
		ref.Reference = channel
	}
	repo := &remote.Repository{Reference: ref, MaxMetadataBytes: maxManifest}
	host, _, _ := strings.Cut(ref.Host(), ":")
	repo.PlainHTTP = isLoopback(host)
	login := &auth.Client{Client: client, Cache: auth.NewCache(), Header: http.Header{"User-Agent": {"longline-sync"}}}
	if s.Credentials != "" {
		store, err := credentials.NewFileStore(s.Credentials)
		if err != nil {
			return f, permanent{err}
		}
		login.Credential = credentials.Credential(store)
	}
	repo.Client = login
	found, err := repo.Resolve(ctx, ref.Reference)
	if err != nil {
		var answer *errcode.ErrorResponse
		if errors.Is(err, auth.ErrBasicCredentialNotFound) || errors.As(err, &answer) && noLogin(answer.StatusCode) {
			return f, s.refused(ref.Registry)
		}
		return f, err
	}
	f.tag = found.Digest.String()
	if f.tag == tag {
		f.unchanged = true
		return f, nil
	}
	if found.Size > maxManifest {
		return f, permanent{fmt.Errorf("the manifest of %s is %d bytes long; at most %d are fetched", ref, found.Size, maxManifest)}
	}
	text, err := content.FetchAll(ctx, repo, found) // which checks the digest
	if err != nil {
		return f, err
	}
	var manifest ocispec.Manifest
	if err := json.Unmarshal(text, &manifest); err != nil {
		return f, permanent{fmt.Errorf("the manifest of %s: %w", ref, err)}
	}
	if manifest.ArtifactType != ArtifactType {
		return f, permanent{fmt.Errorf("%s is not a bundle: its artifact type is %q, not %q", ref, manifest.ArtifactType, ArtifactType)}
	}
	for _, layer := range []struct {
		kind  string
		limit int64
		to    *[]byte
	}{{BundleType, bundle.MaxSize, &f.data}, {SignatureType, maxSignature, &f.signature}} {
		for _, d := range manifest.Layers {
			if d.MediaType != layer.kind {
				continue
			}
			if d.Size > layer.limit {
				return f, permanent{fmt.Errorf("%s is %d bytes long; at most %d are fetched", ref, d.Size, layer.limit)}
			}
			if *layer.to, err = content.FetchAll(ctx, repo.Blobs(), d); err != nil {
				return f, err
			}
		}
		if *layer.to == nil {
			return f, permanent{fmt.Errorf("%s has no layer of type %s", ref, layer.kind)}
		}
	}
	return f, nil
}
