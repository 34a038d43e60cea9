package policy

// Zone is a region of the file system that rules speak of by name.
type Zone uint8

const (
	ZoneProject   Zone = iota // the project the agent works in
	ZoneTemporary             // below the system's directories for temporary files
	ZoneSandbox               // where downloads belong
	ZoneHome                  // the home directory and below
	ZoneSystem                // outside all of the above
	ZoneRoot                  // the directories without which system or home are lost, themselves
	ZoneSecrets               // keys, tokens, passwords, histories
	ZoneAgent                 // what configures agents: settings, hooks, permissions, servers
	ZoneGuard                 // longline's own files
	ZoneGit                   // inside a .git directory
	ZoneStartup               // what runs by itself later: shell start-up, schedules, hooks, workflows
	ZoneDevice                // disks and kernel interfaces
	ZoneBuild                 // what a build makes again
	ZoneStreams               // /dev/null and the standard streams: nothing is kept
	zoneCount
)

var zoneNames = [zoneCount]string{"project", "temporary", "sandbox", "home", "system", "root", "secrets", "agent", "guard", "git", "startup", "device", "build", "streams"}

// ZoneNames lists the names of all zones.
func ZoneNames() []string { return zoneNames[:] }

// ParseZone is the inverse of [Zone.String].
func ParseZone(name string) (Zone, bool) {
	for z, n := range zoneNames {
		if n == name {
			return Zone(z), true
		}
	}
	return 0, false
}

func (z Zone) String() string { return zoneNames[z] }

// ZoneSet is a set of zones.
type ZoneSet uint32

// With returns the set with z in it.
func (s ZoneSet) With(z Zone) ZoneSet { return s | 1<<z }

// Has says whether z is in the set.
func (s ZoneSet) Has(z Zone) bool { return s&(1<<z) != 0 }
