//go:build linux && (amd64 || arm64)

package wall

import (
	"reflect"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What is copied out of the memory of a program has the layout of the kernel, and no
// pointers that the garbage collector of this process would follow.
func TestRemoteHeaders(t *testing.T) {
	var ours remoteHeader
	var kernel unix.Msghdr
	for _, f := range []struct {
		name         string
		ours, kernel uintptr
	}{
		{"name", unsafe.Offsetof(ours.name), unsafe.Offsetof(kernel.Name)},
		{"nameSize", unsafe.Offsetof(ours.nameSize), unsafe.Offsetof(kernel.Namelen)},
		{"parts", unsafe.Offsetof(ours.parts), unsafe.Offsetof(kernel.Iov)},
		{"partCount", unsafe.Offsetof(ours.partCount), unsafe.Offsetof(kernel.Iovlen)},
		{"control", unsafe.Offsetof(ours.control), unsafe.Offsetof(kernel.Control)},
		{"controlSize", unsafe.Offsetof(ours.controlSize), unsafe.Offsetof(kernel.Controllen)},
		{"flags", unsafe.Offsetof(ours.flags), unsafe.Offsetof(kernel.Flags)},
		{"the whole", unsafe.Sizeof(ours), unsafe.Sizeof(kernel)},
		{"a part", unsafe.Sizeof(remotePart{}), unsafe.Sizeof(unix.Iovec{})},
	} {
		if f.ours != f.kernel {
			t.Errorf("%s: %d, and the kernel has %d", f.name, f.ours, f.kernel)
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[remoteHeader](), reflect.TypeFor[remotePart]()} {
		for i := range of.NumField() {
			if kind := of.Field(i).Type.Kind(); kind != reflect.Uint64 && kind != reflect.Uint32 {
				t.Errorf("%s.%s is a %s", of, of.Field(i).Name, kind)
			}
		}
	}
}
