package undo

import "time"

type Sum [32]byte
type Entry struct {
	Name string
	Kind Kind
	Mode uint16
	Size int64
	Sum  Sum
}
type Kind byte
type index struct{}
type Store struct{ o Options }
func Open(o Options) (*Store, error) { o.fill(); return &Store{o}, nil }
func (s *Store) Snapshot(m Meta, budget time.Duration) (*Snapshot, error) { return nil, ErrNone }
func (n *Snapshot) Covers(path string) (bool, string) { return false, "" }
func (s *Store) Last() (*Snapshot, error) { return nil, ErrNone }
func (s *Store) List() ([]Call, error) { return nil, nil }
func (s *Store) Changes(before, after *Snapshot) ([]Change, error) { return nil, nil }
