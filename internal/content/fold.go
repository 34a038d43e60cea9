package content

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

// isInvisible says whether a character takes no room of its own: zero-width
// characters, directions, selectors of variants and tags.
func isInvisible(r rune) bool {
	switch {
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe01ef:
		return true
	}
	switch r {
	case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x3164, 0xfeff, 0xffa0, 0x2800:
		return true
	}
	return r >= 0x1d173 && r <= 0x1d17a
}

func isCombining(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x1ab0 && r <= 0x1aff || r >= 0x1dc0 && r <= 0x1dff || r >= 0x20d0 && r <= 0x20ff || r >= 0x64b && r <= 0x65f
}

// isIdeograph says whether a character is a word of its own: no spaces stand
// between words of these scripts.
func isIdeograph(r rune) bool {
	return r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0x20000 && r <= 0x3ffff
}

// foldRune reduces a letter or digit to its plain form. Base is 0 for what is
// neither. Alike is the Latin letter that a letter of another script looks like,
// and styled says that it is a Latin letter in disguise.
func foldRune(r rune) (base, alike rune, styled bool) {
	switch {
	case r < 0x80:
		return unicode.ToLower(r), 0, false
	case r >= 0xff01 && r <= 0xff5e:
		base = fullWidth(r)
		return base, 0, base != 0
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return 'a' + r - 0x1f1e6, 0, false // flags are made of these
	}
	if base = latin(r); base != 0 {
		return base, 0, false
	}
	if base = disguised(r); base != 0 {
		return base, 0, true
	}
	low := foldBase(r)
	if i := indexRune(lookalikes, low); low != 0 && i >= 0 {
		return low, rune(lookalikesAre[i]), false
	}
	return low, 0, false
}

// latin is the letter below the accents of a Latin one, or 0.
func latin(r rune) rune {
	b := byte(' ')
	switch {
	case r >= 0xc0 && r < 0x250:
		b = latinBase[r-0xc0]
	case r >= 0x1e00 && r < 0x1f00:
		b = latinMore[r-0x1e00]
	}
	if b == ' ' {
		return 0
	}
	return rune(b)
}

// fullWidth is the letter or digit of which a character is the wide form, or 0.
func fullWidth(r rune) rune {
	if b := unicode.ToLower(r - 0xff01 + '!'); b >= 'a' && b <= 'z' || b >= '0' && b <= '9' {
		return b
	}
	return 0
}

// disguised is the Latin letter or digit that is drawn in another way, or 0.
func disguised(r rune) rune {
	for _, d := range &drawn {
		if r >= d.from && r <= d.to {
			return d.first + (r-d.from)%d.letters
		}
	}
	if i := indexRune(smallCaps, r); i >= 0 {
		return rune(smallCapsAre[i])
	}
	return 0
}

// isPlainWord says whether a character is a letter or digit of ASCII.
func isPlainWord(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' }

// drawn are the ranges of letters and digits that are drawn in another way: in
// mathematical styles, in circles, brackets and boxes.
var drawn = [...]struct{ from, to, first, letters rune }{
	{0x1d400, 0x1d6a3, 'a', 26},
	{0x1d7ce, 0x1d7ff, '0', 10},
	{0x24b6, 0x24e9, 'a', 26},
	{0x249c, 0x24b5, 'a', 26},
	{0x1f130, 0x1f149, 'a', 26},
	{0x1f150, 0x1f169, 'a', 26},
	{0x1f170, 0x1f189, 'a', 26},
}

// foldBase is a letter or digit without its case and accents, or 0.
func foldBase(r rune) rune {
	if r >= 0xc0 && r < 0x250 {
		if b := latinBase[r-0xc0]; b != ' ' {
			return rune(b)
		}
	}
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
		return 0
	}
	return unicode.ToLower(r)
}

// folds keeps what the letters of the common scripts are folded to.
type folding struct {
	base  [0x700]uint16
	alike [0x700]byte
}

func (f *folding) fold(r rune) (base, alike rune, styled bool) {
	if r >= 0x80 && int(r) < len(f.base) && r != 'ı' {
		return rune(f.base[r]), rune(f.alike[r]), false
	}
	if r >= 0xac00 && r <= 0xd7a3 { // Hangul
		return r, 0, false
	}
	return foldRune(r)
}

func indexRune(list string, r rune) int {
	n := 0
	for _, have := range list {
		if have == r {
			return n
		}
		n++
	}
	return -1
}

// Letters that are drawn as others: small capitals and the like, and letters of
// other scripts.
const (
	smallCaps    = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢⅰⅴⅹⅼⅽⅾⅿɑɡıℓℯℊℴᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
	smallCapsAre = "abcdefghijklmnoprstuvwyzivxlcdmagilegoabcdefghijklmnoprstuvwxyz"

	lookalikes    = "аеорсухіїјѕԁԛԝһкмтвнпгӏєьишщѵѡցոօսհյազքαβεηικνορτυχωγσμζⲟⲣⲥⲓꮯꭺꭼꭰꭱꭲꮃꮇꮋꮐꮪꮲꮤꮩꮮꮶꮓ"
	lookalikesAre = "aeopcyxiijsdqwhkmtbhnrlebuwwvwgnouhjwqpabenikvoptuxwyouzopcicaedriwmhgsptvlkz"
)

// latinBase and latinMore are the letters below the accents, from U+00C0 and from
// U+1E00 on; a space stands for no letter.
const (
	latinBase = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuytyaaaaaaccccccccddddeeeeeeeeeegggggggg" +
		"hhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnneeoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzsbbbbttoc" +
		"cadddteseffgghiikkllmnnooooopp tte ttttuuuvyyzzeeee tt      dddlllnnnaaiioouuuuuuuuuueaaaaaaggggkkoo" +
		"ooeejdddgghwnnaaaaooaaaaeeeeiiiioooorrrruuuussttyyhhndoozzaaeeooooooooyylntjdqaccltszggbuveejjsqrryy"
	latinMore = "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrrssss" +
		"ssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyassssdaaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeee" +
		"iiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyymmmmyy"
)

// fromUTF16 turns UTF-16 with a byte order mark into UTF-8.
func fromUTF16(text []byte) []byte {
	big := text[0] == 0xfe
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		if big {
			units = append(units, uint16(text[i])<<8|uint16(text[i+1]))
		} else {
			units = append(units, uint16(text[i+1])<<8|uint16(text[i]))
		}
	}
	out := make([]byte, 0, len(text))
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// Fold is a phrase of a rule as texts are folded, with one blank between words. A
// mark stays as it is.
func Fold(phrase string) string {
	if c := phrase[0]; c < 0x80 && !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z') || phrase == "URL" || phrase == "SLOT" || phrase == "EMAIL" {
		return phrase
	}
	return strings.Join(foldWords(phrase), " ")
}

func foldWords(phrase string) []string {
	var words []string
	word := []byte{}
	end := func() {
		if len(word) > 0 {
			words, word = append(words, string(word)), nil
		}
	}
	for _, r := range phrase {
		switch {
		case r == '\'' || isInvisible(r) || isCombining(r):
		case r == '*':
			word = append(word, '*')
		case isIdeograph(r):
			end()
			words = append(words, string(r))
		default:
			if base := foldWord(r); base != 0 {
				word = utf8.AppendRune(word, base)
			} else {
				end()
			}
		}
	}
	end()
	return words
}

// foldWord is what a character is folded to, or 0 if it is no part of a word.
func foldWord(r rune) rune {
	if r < 0x80 && !isPlainWord(r) {
		return 0
	}
	base, _, _ := foldRune(r)
	return base
}
