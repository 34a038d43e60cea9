package content

// A text may be written backwards or with its alphabet shifted. Whether it is
// shows in a few words that every instruction to an agent needs: their disguised
// forms are looked up with all the others, and what has some of them is read
// once more, turned back.
const (
	backwards = 0  // letters in reverse order
	mirrored  = 26 // a for z; 1 to 25 are shifts
	turns     = 27
)

var turnNames = [turns]string{backwards: "reversed", 13: "rot13", mirrored: "atbash"}

func turnName(kind int) string {
	if name := turnNames[kind]; name != "" {
		return name
	}
	return "shifted alphabet"
}

// turned adds the disguised forms of the plainest words. Their numbers say how
// they are disguised.
func (b *builder) turned() {
	r := b.rules
	r.turnBase = uint16(b.lastWord + 1)
	for _, word := range b.plainest {
		for kind := range turns {
			if h := hashOf(string(turn([]byte(word), kind))); b.words[h] == 0 {
				b.words[h] = uint32(r.turnBase) + uint32(kind)
			}
		}
	}
}

// turn undoes or makes a disguise. Shifts are undone by the opposite shift.
func turn(text []byte, kind int) []byte {
	out := make([]byte, len(text))
	switch kind {
	case backwards:
		for i, b := range text {
			out[len(text)-1-i] = b
		}
		return out
	case mirrored:
		for i, b := range text {
			switch {
			case b >= 'a' && b <= 'z':
				b = 'a' + 'z' - b
			case b >= 'A' && b <= 'Z':
				b = 'A' + 'Z' - b
			}
			out[i] = b
		}
		return out
	}
	for i, b := range text {
		switch {
		case b >= 'a' && b <= 'z':
			b = 'a' + (b-'a'+byte(kind))%26
		case b >= 'A' && b <= 'Z':
			b = 'A' + (b-'A'+byte(kind))%26
		}
		out[i] = b
	}
	return out
}

func turnedBack(text []byte, kind int) []byte {
	if kind == backwards || kind == mirrored {
		return turn(text, kind)
	}
	return turn(text, 26-kind)
}
