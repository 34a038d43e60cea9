package disk

import (
	"errors"
	"os"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// writes are the rights with which a file, its owner or its list of rights is changed.
const writes = windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA | windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER | windows.GENERIC_WRITE | windows.GENERIC_ALL

// trusted are those who may write what counts as the user's: the user, and who could do anything to the user.
var trusted = sync.OnceValue(func() (list []*windows.SID) {
	if user, err := windows.GetCurrentProcessToken().GetTokenUser(); err == nil {
		list = append(list, user.User.Sid)
	}
	for _, kind := range [...]windows.WELL_KNOWN_SID_TYPE{windows.WinBuiltinAdministratorsSid, windows.WinLocalSystemSid} {
		if sid, err := windows.CreateWellKnownSid(kind); err == nil {
			list = append(list, sid)
		}
	}
	return list
})

func isTrusted(sid *windows.SID) bool {
	for _, t := range trusted() {
		if sid.Equals(t) {
			return true
		}
	}
	return false
}

// Only says whether a file is the user's or an administrator's, and nobody else may write it.
func Only(f *os.File) bool {
	sd, err := windows.GetSecurityInfo(windows.Handle(f.Fd()), windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	if who, _, err := sd.Owner(); err != nil || who == nil || !isTrusted(who) {
		return false
	}
	list, _, err := sd.DACL()
	if err != nil || list == nil { // without a list everybody may
		return false
	}
	for i := uint32(0); ; i++ {
		var e *windows.ACCESS_ALLOWED_ACE
		if windows.GetAce(list, i, &e) != nil {
			return true
		}
		switch {
		case e.Header.AceType == windows.ACCESS_DENIED_ACE_TYPE, e.Header.AceFlags&windows.INHERIT_ONLY_ACE != 0:
		case e.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE:
			return false
		case uint32(e.Mask)&writes != 0 && !isTrusted((*windows.SID)(unsafe.Pointer(&e.SidStart))):
			return false
		}
	}
}

// Lock waits until nobody else holds a file that is written to by this, and holds it until it is closed. It is on a byte that the file never has.
func Lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
}

// renameWithin is how long whoever has a file open is waited for.
const renameWithin = 300 * time.Millisecond

// Rename puts a file in the place of another, at once. It waits for those who are reading that.
func Rename(from, to string) (err error) {
	for end := time.Now().Add(renameWithin); ; time.Sleep(2 * time.Millisecond) {
		err = os.Rename(from, to)
		if !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) || time.Now().After(end) {
			return err
		}
	}
}
