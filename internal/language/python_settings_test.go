package language

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestPythonTellsSettings: however a constant of the project's settings gets into print, it counts if it is named like a secret and
// shows itself, and not if only something about it does.
func TestPythonTellsSettings(t *testing.T) {
	imports := map[string]string{"import settings": "settings.NAME", "from app.conf import settings as s": "s.NAME", "import app.conf": "app.conf.NAME", "from app.conf import NAME": "NAME"}
	shows := map[string]bool{
		"print(VALUE)": true, "print('a', VALUE, 1)": true, "print(f'{VALUE}')": true, "print(VALUE[:4])": true, "if 1:\n    print(str(VALUE))": true, "print(repr(VALUE))": true,
		"print(bool(VALUE))": false, "print(len(VALUE))": false, "print(1 if VALUE else 2)": false, "print(VALUE is None)": false, "print(1)": false,
	}
	names := map[string]bool{"SECRET_KEY": true, "API_TOKEN": true, "DB_PASSWORD": true, "DEBUG": false, "TIME_ZONE": false}
	for load, value := range imports {
		for code, whole := range shows {
			for name, secret := range names {
				text := strings.ReplaceAll(load+"\n"+strings.ReplaceAll(code, "VALUE", value), "NAME", name)
				d := pythonDeeds(text, nil)
				tells := slices.ContainsFunc(d.List, func(x Deed) bool { return x.Kind == tool.Control && x.Target == "secret.print" })
				if d.Problem != "" || tells != (whole && secret) {
					t.Errorf("%s\ntells: %v, problem: %q", text, tells, d.Problem)
				}
			}
		}
	}
}
