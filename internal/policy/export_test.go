package policy

// Decode is Open with all rules read.
func Decode(data []byte) (*File, error) {
	f, err := Open(string(data))
	if err != nil {
		return nil, err
	}
	for i := range f.books {
		for n := range f.books[i].len() {
			r, err := f.books[i].read(n)
			switch {
			case err != nil:
				return nil, err
			case !r.Listed:
				f.Rules = append(f.Rules, *r)
			default:
				f.list(r)
			}
		}
	}
	f.books = nil
	return f, nil
}
