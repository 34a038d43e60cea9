package command

// Unpacking is how a program unpacks an archive over what is there.
type Unpacking uint8

const (
	Replaces Unpacking = 1 << iota // what is there is replaced
	Stripped                       // directories in front of names may be left out
	Renamed                        // files may get any names, or others may be deleted
	Asks                           // what is there is replaced if somebody says so
	Whole                          // all is unpacked, whatever the operands say
	Prints                         // it is printed, and goes nowhere else
	Patches                        // it is no archive, but a patch, which changes the files that it names
)

// unpacking is how programs unpack an archive in a mode.
func (m *Mode) unpacking() (how Unpacking) {
	for i := range m.Items {
		for _, u := range m.Items[i].Uses {
			switch {
			case u.Name != "unpacks":
			case u.Arg == "stripped":
				how |= Stripped
			case u.Arg == "renamed":
				how |= Renamed
			case u.Arg == "patch":
				how |= Patches
			case u.Arg == "asks":
				how |= Asks
			case u.Arg == "all":
				how |= Replaces | Whole
			default:
				how |= Replaces
			}
		}
	}
	return how
}
