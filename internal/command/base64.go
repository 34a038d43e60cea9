package command

import "errors"

var errBase64 = errors.New("no base64")

// decodeBase64 reads padded standard base64. The package of that name builds
// tables at start, which every call would pay for.
func decodeBase64(text string) ([]byte, error) {
	if len(text)%4 != 0 {
		return nil, errBase64
	}
	var out []byte
	for ; text != ""; text = text[4:] {
		var bits uint32
		pad := 0
		for i := range 4 {
			digit, ok := base64Digit(text[i])
			switch {
			case ok && pad == 0:
			case text[i] == '=' && i >= 2 && len(text) == 4:
				pad++
			default:
				return nil, errBase64
			}
			bits = bits<<6 | uint32(digit)
		}
		out = append(out, []byte{byte(bits >> 16), byte(bits >> 8), byte(bits)}[:3-pad]...)
	}
	return out, nil
}

func base64Digit(c byte) (digit byte, ok bool) {
	switch {
	case 'A' <= c && c <= 'Z':
		return c - 'A', true
	case 'a' <= c && c <= 'z':
		return c - 'a' + 26, true
	case '0' <= c && c <= '9':
		return c - '0' + 52, true
	case c == '+':
		return 62, true
	case c == '/':
		return 63, true
	}
	return 0, false
}
