// Package packed lists what is in archives: tar, also in gzip, and zip. It only reads, and is bounded
// throughout; what is beyond the bounds, or in another form, is not found.
package packed

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"
	"strings"

	"longline/internal/gitstore"
)

// Link is a symbolic link in an archive. Where its text is "" it is not known.
type Link struct{ Name, Text string }

// Member is a file, a directory or something else in an archive.
type Member struct {
	Link
	IsLink   bool
	archive  ReadAt // nil if it is not a file
	at, size int64
	sum      uint32 // of its content, where at is 0
}

// ReadAt reads into room from an offset, and returns how much there was.
type ReadAt func(offset int64, room []byte) (int, error)

// maxMembers bounds the members of an archive that are looked at, maxText what names one of them.
const maxMembers, maxText = 10_000, 64 << 10

// maxUnpacked bounds what is unpacked of an archive to look for links, maxNamed to look for names.
const maxUnpacked, maxNamed = 2 << 20, 8 << 20

// Links lists the links in an archive.
func Links(read ReadAt) (list []Link) {
	look(read, maxUnpacked, func(m *Member) {
		if m.IsLink {
			list = append(list, m.Link)
		}
	})
	return list
}

// Members lists what is in an archive, and says whether that is all, with the names that it is unpacked by.
func Members(read ReadAt) (list []Member, whole bool) {
	whole = look(read, maxNamed, func(m *Member) { list = append(list, *m) })
	return list, whole
}

// look goes through the members of an archive, and says whether these are all.
func look(read ReadAt, limit int, meets func(*Member)) (whole bool) {
	head, ok := read.at(0, 512)
	switch {
	case ok && string(head[257:262]) == "ustar":
		return inTar(read.inPages(), meets)
	case len(head) > 4 && string(head[:4]) == "PK\x03\x04":
		return inZip(read, meets)
	case len(head) > 18 && string(head[:3]) == "\x1f\x8b\x08":
		text := gunzip(read, head, limit)
		return inTar(func(offset int64, room []byte) (int, error) { return bytes.NewReader(text).ReadAt(room, offset) }, meets)
	}
	return false
}

// at reads so much from an offset, and says whether that was there.
func (read ReadAt) at(offset int64, n int) ([]byte, bool) {
	room := make([]byte, n)
	have := 0
	for have < n {
		got, err := read(offset+int64(have), room[have:])
		if have += max(got, 0); got <= 0 || err != nil {
			break
		}
	}
	return room[:have], have == n
}

// inPages reads a page at a time, as what is asked for mostly lies near what was asked for before.
func (read ReadAt) inPages() ReadAt {
	var page []byte
	var from int64
	return func(offset int64, room []byte) (int, error) {
		if offset < from || offset+int64(len(room)) > from+int64(len(page)) {
			from = offset
			page, _ = read.at(offset, max(len(room), 16<<10))
		}
		n := copy(room, page[min(int64(len(page)), offset-from):])
		if n < len(room) {
			return n, io.EOF
		}
		return n, nil
	}
}

// reader reads one part after the other.
type reader struct {
	read ReadAt
	at   int64
}

func (r *reader) Read(room []byte) (int, error) {
	n, err := r.read(r.at, room)
	if r.at += int64(max(n, 0)); n <= 0 && err == nil {
		err = io.EOF
	}
	return max(n, 0), err
}

// gunzip unpacks the first part of a gzip file that begins with head.
func gunzip(read ReadAt, head []byte, limit int) []byte {
	at, flags := 10, head[3]
	if flags&4 != 0 { // more fields
		at += 2 + int(binary.LittleEndian.Uint16(head[10:]))
	}
	for _, text := range [...]byte{8, 16} { // a name, a comment
		if flags&text == 0 || at >= len(head) {
			continue
		}
		end := bytes.IndexByte(head[at:], 0)
		if end < 0 {
			return nil
		}
		at += end + 1
	}
	if flags&2 != 0 { // a checksum
		at += 2
	}
	return gitstore.Inflate(&reader{read, int64(at)}, limit)
}

// inTar goes through a tar archive, which ends with an empty block.
func inTar(read ReadAt, meets func(*Member)) (whole bool) {
	var next Link // what longer names than fit said of the next member
	whole = true
	for at, n := int64(0), 0; n < maxMembers; n++ {
		head, ok := read.at(at, 512)
		if !ok {
			return false
		}
		if head[0] == 0 {
			return whole && len(bytes.Trim(head, "\x00")) == 0
		}
		size, ok := number(head[124:136])
		if !ok {
			return false
		}
		at += 512
		switch kind := head[156]; kind {
		case 'L', 'K', 'x', 'g':
			text, all := read.at(at, int(min(size, maxText)))
			whole = whole && all && size <= maxText && next.named(kind, string(text))
		default:
			m := Member{Link: next.of(head), IsLink: kind == '2', at: at, size: size}
			if kind == '0' || kind == 0 {
				m.archive = read
			}
			whole = whole && kind != 'S' // of which the map may go on in further blocks
			meets(&m)
			next = Link{}
		}
		at += (size + 511) &^ 511
	}
	return false
}

// number is a number in the head of a member, in octal or in binary.
func number(text []byte) (int64, bool) {
	if text[0]&0x80 != 0 {
		return int64(binary.BigEndian.Uint64(text[4:]) & (1<<62 - 1)), text[0] == 0x80
	}
	n, err := strconv.ParseInt(strings.Trim(string(text), " \x00"), 8, 62)
	return n, err == nil
}

// named takes over what a member says of the next one, and says whether that is all that there is to it. One of kind g
// speaks of all that follow.
func (l *Link) named(kind byte, text string) (all bool) {
	switch kind {
	case 'L':
		l.Name = untilZero(text)
	case 'K':
		l.Text = untilZero(text)
	default: // LENGTH KEY=VALUE
		for line := range strings.SplitSeq(text, "\n") {
			length, field, _ := strings.Cut(line, " ")
			switch key, value, _ := strings.Cut(field, "="); {
			case line == "":
			case length != strconv.Itoa(len(line)+1), key == "size" || strings.HasPrefix(key, "GNU.sparse.") || kind == 'g' && strings.HasSuffix(key, "path"):
				return false
			case key == "path":
				l.Name = value
			case key == "linkpath":
				l.Text = value
			}
		}
	}
	return true
}

// of is a link with what its head says, and what was said of it before.
func (l Link) of(head []byte) Link {
	if l.Name == "" {
		l.Name = untilZero(string(head[:100]))
		if prefix := untilZero(string(head[345:500])); prefix != "" && string(head[257:263]) == "ustar\x00" {
			l.Name = prefix + "/" + l.Name
		}
	}
	if l.Text == "" {
		l.Text = untilZero(string(head[157:257]))
	}
	return l
}

func untilZero(text string) string {
	text, _, _ = strings.Cut(text, "\x00")
	return text
}

// inZip goes through a zip archive, by the directory at its end.
func inZip(read ReadAt, meets func(*Member)) (whole bool) {
	entries, count := directory(read)
	whole = true
	for n := 0; n < maxMembers && len(entries) >= 46 && string(entries[:4]) == "PK\x01\x02"; n++ {
		long, extra := int(binary.LittleEndian.Uint16(entries[28:])), int(binary.LittleEndian.Uint16(entries[30:]))
		next := 46 + long + extra + int(binary.LittleEndian.Uint16(entries[32:]))
		if next > len(entries) {
			break
		}
		m := Member{Link: Link{Name: string(entries[46 : 46+long])}, sum: binary.LittleEndian.Uint32(entries[16:]), size: int64(binary.LittleEndian.Uint32(entries[24:]))}
		if mode := binary.LittleEndian.Uint32(entries[38:]) >> 16; mode&0o170000 == 0o120000 {
			m.IsLink, m.Text = true, content(read, entries)
		} else {
			m.archive = read
		}
		whole = whole && isPlainName(m.Name) && !bytes.Contains(entries[46+long:46+long+extra], []byte("up"))
		meets(&m)
		entries, count = entries[next:], count-1
	}
	return whole && count == 0
}

// isPlainName says whether a name in a zip archive is what the file is called: it may be in some other encoding or, from another
// system, have other marks between the names of directories. A field "up" may hold another name.
func isPlainName(name string) bool {
	return strings.IndexFunc(name, func(c rune) bool { return c >= 0x80 || c < ' ' || c == '\\' }) < 0
}

// content is what a member of a zip archive holds, of which head is the entry in the directory.
func content(read ReadAt, head []byte) string {
	at := int64(binary.LittleEndian.Uint32(head[42:]))
	size := int(min(binary.LittleEndian.Uint32(head[20:]), maxText))
	local, ok := read.at(at, 30)
	if !ok {
		return ""
	}
	at += 30 + int64(binary.LittleEndian.Uint16(local[26:])) + int64(binary.LittleEndian.Uint16(local[28:]))
	text, _ := read.at(at, size)
	if binary.LittleEndian.Uint16(head[10:]) == 8 {
		text = gitstore.Inflate(bytes.NewReader(text), maxText)
	}
	return string(text)
}

// maxDirectory bounds what is read of the directory of a zip archive.
const maxDirectory = 2 << 20

// directory is the directory of a zip archive, and how many members it says there are.
func directory(read ReadAt) (entries []byte, count int) {
	size := length(read)
	from := max(0, size-maxText-22)
	tail, _ := read.at(from, int(size-from))
	end := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if end < 0 || len(tail)-end < 22 {
		return nil, -1
	}
	long := min(binary.LittleEndian.Uint32(tail[end+12:]), maxDirectory)
	entries, _ = read.at(int64(binary.LittleEndian.Uint32(tail[end+16:])), int(long))
	return entries, int(binary.LittleEndian.Uint16(tail[end+10:]))
}

// length is how long a file is.
func length(read ReadAt) int64 {
	room := make([]byte, 1)
	there := func(at int64) bool { n, _ := read(at, room); return n > 0 }
	size := int64(1)
	for size < 1<<40 && there(size) {
		size *= 2
	}
	low := size / 2
	for low < size {
		if mid := (low + size) / 2; there(mid) {
			low = mid + 1
		} else {
			size = mid
		}
	}
	return low
}

// Holds says whether a member is a file with the very content of another one. At most so much is compared.
func (m *Member) Holds(file ReadAt, limit int) bool {
	if m.archive == nil || m.size > int64(limit) {
		return false
	}
	there, whole := file.at(0, int(m.size)+1)
	if whole || int64(len(there)) != m.size {
		return false // it is longer, or shorter
	}
	if m.at == 0 {
		return checksum(there) == m.sum
	}
	own, whole := m.archive.at(m.at, int(m.size))
	return whole && bytes.Equal(own, there)
}

// Size is how long a member is.
func (m *Member) Size() int { return int(min(m.size, 1<<30)) }

// checksum is the one that zip archives hold.
func checksum(text []byte) uint32 {
	var table [256]uint32
	for i := range table {
		c := uint32(i)
		for range 8 {
			c = c>>1 ^ -(c&1)&0xedb88320
		}
		table[i] = c
	}
	c := ^uint32(0)
	for _, b := range text {
		c = table[byte(c)^b] ^ c>>8
	}
	return ^c
}
