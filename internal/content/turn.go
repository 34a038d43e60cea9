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

// turned fills the table of the disguised forms of the plainest words. Their numbers say
// how they are disguised, counted from 1.
func (b *builder) turned() {
	r := b.rules
	forms := map[uint64]uint32{}
	for _, word := range b.plainest {
		for kind := range turns {
			if h := hashOf(turn([]byte(word), kind)); b.words[h] == 0 && forms[h] == 0 {
				forms[h] = uint32(kind) + 1
				setBit(r.turnedBits, uint32(h))
			}
		}
	}
	r.turned = newTable(forms)
}

// disguise is how a word is disguised that is not known as it stands, or -1.
func (r *Rules) disguise(h uint64) int {
	if !hasBit(r.turnedBits, uint32(h)) {
		return -1
	}
	return int(r.turned.find(h)) - 1
}

// turn undoes or makes a disguise. Shifts are undone by the opposite shift.
func turn(text []byte, kind int) []byte {
	out := make([]byte, len(text))
	if kind == backwards {
		for i, b := range text {
			out[len(text)-1-i] = b
		}
		return out
	}
	for i, b := range text {
		out[i] = turnLetter(b, kind)
	}
	return out
}

// turnLetter is the letter that stands for another with its alphabet shifted or mirrored.
func turnLetter(b byte, kind int) byte {
	first := byte('a')
	switch {
	case b >= 'a' && b <= 'z':
	case b >= 'A' && b <= 'Z':
		first = 'A'
	default:
		return b
	}
	if kind == mirrored {
		return first + 25 - (b - first)
	}
	return first + (b-first+byte(kind))%26
}

func turnedBack(text []byte, kind int) []byte {
	if kind == backwards || kind == mirrored {
		return turn(text, kind)
	}
	return turn(text, 26-kind)
}
