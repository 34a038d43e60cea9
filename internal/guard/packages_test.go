package guard_test

import "testing"

// TestUnpackedPackages judges packages and images that are unpacked over files that git does not have.
func TestUnpackedPackages(t *testing.T) {
	d := newWorkPlace(t)
	d.put("kept/a", "a\n")
	d.commit()
	d.put("data/one.csv", "1\n")
	d.put("a.deb", "x")
	for script, want := range map[string]bool{
		"dpkg-deb -x a.deb data":            true,
		"dpkg-deb --raw-extract a.deb data": true,
		"dpkg -x a.deb data":                true,
		"dpkg --extract a.deb data":         true,
		"unsquashfs -f -d data a.sfs":       true,
		"unsquashfs -f -d kept a.sfs":       false,
		"unsquashfs -d new a.sfs":           false,
		"unsquashfs -l a.sfs":               false,
		"dpkg-deb -x a.deb new":             false,
		"dpkg-deb -x a.deb kept":            false,
		"dpkg-deb -c a.deb":                 false,
		"dpkg-deb -I a.deb":                 false,
	} {
		d.asks("over files", script, want)
	}
}

// TestTargetDir judges what removes the output of builds where settings say that it is.
func TestTargetDir(t *testing.T) {
	for dir, want := range map[string]bool{"data": true, "out": false, "target": false, "none": false, "build/x": false} {
		d := newWorkPlace(t)
		d.put(".cargo/config.toml", "[build]\ntarget-dir = \""+dir+"\"\n")
		d.commit()
		d.put("data/one.csv", "1\n")
		d.put("target/debug/a", "1\n")
		d.put("build/x/a", "1\n")
		d.put("out/debug/a", "1\n")
		d.put("out/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n")
		d.asks("target-dir = "+dir, "cargo clean", want)
		d.asks("target-dir = "+dir, "cargo clean --dry-run", false)
	}
}
