package policy

// Merge puts the layers together. Project files may only tighten what the
// other layers say; what they tried beyond that is in the notices. A nil file
// is an empty one.
func Merge(builtin *File, project []*File, user *File, managed []*File) (set *Set, notices []string, err error) {
	return &Set{}, nil, nil
}
