package guard_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestPicturesOfADirectory: a pattern that begins with the name of a directory matches files, whatever they are called; one that may begin with
// the mark of something else asks.
func TestPicturesOfADirectory(t *testing.T) {
	g := builtin(t)
	home := t.TempDir()
	project := filepath.Join(home, "proj")
	for _, name := range []string{"images/a.png", "images/b.png", "data/a.mp4", "msl:x.png", "@x.png", "-write.png"} {
		file := filepath.Join(project, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for script, asks := range map[string]bool{
		"convert images/*.png out.pdf": false, "magick images/*.png out.gif": false, "magick images/*.png -resize 50% out.gif": false, "identify images/*": false, "magick identify images/*.png": false, "convert ./*.png out.pdf": false,
		`for f in images/*.png; do convert "$f" -resize 50% "${f%.png}.jpg"; done`: false, `for f in images/*.png; do convert "$f" "thumbs/${f%.png}.jpg"; done`: false, `for f in data/*.mp4; do ffmpeg -i "$f" "${f%.mp4}.mp3"; done`: false, `magick "images/$1" out.gif`: false,
		"convert *.png out.pdf": true, "convert msl:images/a.png out.png": true, "convert @images/*.png out.png": true, "convert m*:images/a.png out.png": true, "convert {a,msl:b}/*.png out.png": true, "magick */x.png out.gif": true, "magick $X out.gif": true, "convert $X/*.png out.pdf": true,
		"convert images/*.png ~/.bashrc": true, "convert images/*.png @x": true, "convert ~/.ssh/* out.txt": true, `convert a.png "$X"`: true, `convert "$X/a.png" b.png`: true, "ffmpeg -i concat:data/*.mp4 out.mp4": true, "ffmpeg -i c*:data/a.mp4 out.mp4": true,
		"ffmpeg -f lavfi -i movie=data/*.mp4 out.mp4": true, "mogrify -format jpg ~/.*": true, "convert -x/*.png out.gif": true,
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, realDisk(g, home, project))
		if (v.Decision >= tool.Ask) != asks {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
}
