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
	repo, err := s.repository(ref)
	if err != nil {
		return f, permanent{err}
	}
	found, err := repo.Resolve(ctx, ref.Reference)
	if err != nil {
		if noLoginAt(err) {
			return f, s.refused(ref.Registry)
		}
		return f, err
	}
	f.tag = found.Digest.String()
	if f.tag == tag {
		f.unchanged = true
		return f, nil
	}
	layers, err := layersOf(ctx, repo, found)
	if err != nil {
		return f, err
	}
	if f.data, err = fetchLayer(ctx, repo, layers, BundleType, bundle.MaxSize); err != nil {
		return f, err
	}
	f.signature, err = fetchLayer(ctx, repo, layers, SignatureType, maxSignature)
	return f, err
}

// repository is the registry's repository, with the login that the settings name.
func (s *Settings) repository(ref registry.Reference) (*remote.Repository, error) {
	host, _, _ := strings.Cut(ref.Host(), ":")
	login := &auth.Client{Client: client, Cache: auth.NewCache(), Header: http.Header{"User-Agent": {"longline-sync"}}}
	if s.Credentials != "" {
		store, err := credentials.NewFileStore(s.Credentials)
		if err != nil {
			return nil, err
		}
		login.Credential = credentials.Credential(store)
	}
	return &remote.Repository{Reference: ref, MaxMetadataBytes: maxManifest, PlainHTTP: isLoopback(host), Client: login}, nil
}

// noLoginAt reports whether a registry wants another login.
func noLoginAt(err error) bool {
	var answer *errcode.ErrorResponse
	return errors.Is(err, auth.ErrBasicCredentialNotFound) || errors.As(err, &answer) && noLogin(answer.StatusCode)
}

// layersOf reads the manifest of a bundle.
func layersOf(ctx context.Context, repo *remote.Repository, found ocispec.Descriptor) ([]ocispec.Descriptor, error) {
	ref := repo.Reference
	if found.Size > maxManifest {
		return nil, permanent{fmt.Errorf("the manifest of %s is %d bytes long; at most %d are fetched", ref, found.Size, maxManifest)}
	}
	text, err := content.FetchAll(ctx, repo, found) // which checks the digest
	if err != nil {
		return nil, err
	}
	var manifest ocispec.Manifest
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, permanent{fmt.Errorf("the manifest of %s: %w", ref, err)}
	}
	if manifest.ArtifactType != ArtifactType {
		return nil, permanent{fmt.Errorf("%s is not a bundle: its artifact type is %q, not %q", ref, manifest.ArtifactType, ArtifactType)}
	}
	return manifest.Layers, nil
}

// fetchLayer fetches the last layer of a type.
func fetchLayer(ctx context.Context, repo *remote.Repository, layers []ocispec.Descriptor, kind string, limit int64) (data []byte, err error) {
	for _, d := range layers {
		if d.MediaType != kind {
			continue
		}
		if d.Size > limit {
			return nil, permanent{fmt.Errorf("%s is %d bytes long; at most %d are fetched", repo.Reference, d.Size, limit)}
		}
		if data, err = content.FetchAll(ctx, repo.Blobs(), d); err != nil {
			return nil, err
		}
	}
	if data == nil {
		return nil, permanent{fmt.Errorf("%s has no layer of type %s", repo.Reference, kind)}
	}
	return data, nil
}
