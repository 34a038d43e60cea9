package hook

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

func plainly(w io.Writer) io.Writer { return w }

// isNull says whether what is written is thrown away: a device for characters that is no console.
func isNull(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	kind, err := windows.GetFileType(windows.Handle(f.Fd()))
	var mode uint32
	return err == nil && kind == windows.FILE_TYPE_CHAR && windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) != nil
}
