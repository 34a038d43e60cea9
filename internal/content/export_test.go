package content

// Read reads rules, and leaves none of them out.
func Read(texts ...string) (*Rules, error) { return ReadWithout(nil, texts...) }
