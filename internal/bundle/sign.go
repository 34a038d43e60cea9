package bundle

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"aead.dev/minisign"
)

// SignatureSuffix is what the name of a signature ends with, beside the bundle's.
const SignatureSuffix = ".minisig"

// maxSignature bounds the text of a signature.
const maxSignature = 4 << 10

// Key is a public key that signatures are checked with.
type Key struct{ key minisign.PublicKey }

// ParseKey reads a public key as minisign prints it: the line that begins with RW, or
// the file with the comment above it.
func ParseKey(text string) (Key, error) {
	line := strings.TrimSpace(text)
	if i := strings.LastIndexByte(line, '\n'); i >= 0 {
		line = strings.TrimSpace(line[i+1:])
	}
	var k minisign.PublicKey
	if err := k.UnmarshalText([]byte(line)); err != nil {
		return Key{}, fmt.Errorf("%q is not a minisign public key, which begins with RW", shorten(line))
	}
	return Key{k}, nil
}

func shorten(text string) string {
	if len(text) > 60 {
		return text[:57] + "..."
	}
	return text
}

// ID is the key's number, as minisign prints it.
func (k Key) ID() string { return fmt.Sprintf("%016X", k.key.ID()) }

// Text is the key as it is pinned.
func (k Key) Text() string { return k.key.String() }

// Signed is what a valid signature says.
type Signed struct {
	Key     string // the number of the key
	Comment string // the trusted comment, which is signed too
}

// Verify reports whether one of the keys has signed the data.
func Verify(data, signature []byte, keys []Key) (Signed, error) {
	if len(keys) == 0 {
		return Signed{}, errors.New("no key is pinned to check its signature with")
	}
	if len(signature) > maxSignature {
		return Signed{}, errors.New("its signature is too long")
	}
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		return Signed{}, fmt.Errorf("its signature cannot be read: %v", err)
	}
	known := false
	for _, k := range keys {
		if k.key.ID() != s.KeyID {
			continue
		}
		known = true
		if minisign.Verify(k.key, data, signature) {
			return Signed{k.ID(), s.TrustedComment}, nil
		}
	}
	if !known {
		return Signed{}, fmt.Errorf("it is signed with key %016X, which is not pinned", s.KeyID)
	}
	return Signed{}, fmt.Errorf("its signature with key %016X is wrong: it was altered, or the signature belongs to something else", s.KeyID)
}

// Secret is a key to sign with.
type Secret struct{ key minisign.PrivateKey }

// NewSecret makes a key.
func NewSecret() (Secret, error) {
	_, key, err := minisign.GenerateKey(rand.Reader)
	return Secret{key}, err
}

// ParseSecret reads a minisign secret key. It asks for the password if the key has one.
func ParseSecret(text []byte, password func() (string, error)) (Secret, error) {
	if !minisign.IsEncrypted(text) {
		var k minisign.PrivateKey
		if err := k.UnmarshalText(text); err != nil {
			return Secret{}, errors.New("not a minisign secret key")
		}
		return Secret{k}, nil
	}
	word, err := password()
	if err != nil {
		return Secret{}, err
	}
	k, err := minisign.DecryptKey(word, text)
	if err != nil {
		return Secret{}, errors.New("the password is wrong, or the key is damaged")
	}
	return Secret{k}, nil
}

// Public is the key that others check signatures with.
func (s Secret) Public() Key { return Key{s.key.Public().(minisign.PublicKey)} }

// Text is the secret key as minisign keeps it, under a password if there is one.
func (s Secret) Text(password string) ([]byte, error) {
	if password == "" {
		return s.key.MarshalText()
	}
	return minisign.EncryptKey(password, s.key)
}

// Sign signs a bundle. The same bundle and key give the same signature.
func (s Secret) Sign(b *Bundle, data []byte) []byte {
	comment := "longline bundle " + b.Name + " " + b.Version + ", " + stamp(b.Time)
	return minisign.SignWithComments(s.key, data, comment, "signature of a longline bundle; minisign -Vm FILE checks it")
}
