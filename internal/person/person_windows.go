package person

import (
	"errors"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

func init() { look = fromWindows }

// fromWindows asks the list of processes, and a process for its command line where that may be asked.
func fromWindows(pid int) (running, error) {
	list, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return running{}, err
	}
	defer windows.CloseHandle(list) //nolint:errcheck // nothing was written
	e := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(list, &e); err == nil; err = windows.Process32Next(list, &e) {
		if e.ProcessID == uint32(pid) {
			words := []string{windows.UTF16ToString(e.ExeFile[:])}
			line := commandLine(e.ProcessID)
			if interprets(strings.TrimSuffix(strings.ToLower(words[0]), ".exe")) && line == "" {
				return running{}, errors.New("the system does not tell what " + words[0] + " runs")
			}
			if args, err := windows.DecomposeCommandLine(line); err == nil && len(args) > 1 {
				words = append(words, args[1:]...)
			}
			for i, w := range words {
				words[i] = strings.ToLower(strings.ReplaceAll(w, `\`, "/"))
			}
			words[0] = strings.TrimSuffix(words[0], ".exe")
			return running{parent: int(e.ParentProcessID), names: programs(words)}, nil
		}
	}
	if errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		return running{}, nil // it has ended, and what comes before it is not told
	}
	return running{}, err
}

// commandLine is the one of a process, or "".
func commandLine(pid uint32) string {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(process) //nolint:errcheck // nothing was written
	var room [9 << 10]uint64           // a command line has at most 32767 letters of two bytes
	if windows.NtQueryInformationProcess(process, windows.ProcessCommandLineInformation, unsafe.Pointer(&room), uint32(unsafe.Sizeof(room)), nil) != nil {
		return ""
	}
	return (*windows.NTUnicodeString)(unsafe.Pointer(&room)).String()
}
