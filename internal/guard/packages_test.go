package guard_test

import "testing"

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
