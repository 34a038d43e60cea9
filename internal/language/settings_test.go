package language

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// settingNames are names of settings, and whether they are those of secrets.
var settingNames = map[string]bool{
	"SECRET_KEY": true, "API_TOKEN": true, "DB_PASSWORD": true, "secret_key": true, "api_key": true, "apiToken": true, "password": true, "clientSecret": true,
	"DEBUG": false, "TIME_ZONE": false, "port": false, "debug": false, "ACCESS_TOKEN_EXPIRE_MINUTES": false, "tokenFile": false,
}

// tellsAll holds all ways to print a setting against what they show: it counts if it is named like a secret and shows itself, and not if
// only something about it does.
func tellsAll(t *testing.T, read func(string) Deeds, loads map[string]string, shows map[string]bool) {
	t.Helper()
	for load, value := range loads {
		for code, whole := range shows {
			for name, secret := range settingNames {
				text := strings.ReplaceAll(load+"\n"+strings.ReplaceAll(code, "VALUE", value), "NAME", name)
				d := read(text)
				tells := slices.ContainsFunc(d.List, func(x Deed) bool { return x.Kind == tool.Control && x.Target == "secret.print" })
				if d.Problem != "" || tells != (whole && secret) {
					t.Errorf("%s\ntells: %v, problem: %q", text, tells, d.Problem)
				}
			}
		}
	}
}

// TestPythonTellsSettings: however something of the project's settings gets into print.
func TestPythonTellsSettings(t *testing.T) {
	tellsAll(t, func(text string) Deeds { return pythonDeeds(text, nil) }, map[string]string{
		"import settings": "settings.NAME", "from app.conf import settings as s": "s.NAME", "import app.conf": "app.conf.NAME", "from app.conf import NAME": "NAME",
		"from config import cfg": "cfg['db']['NAME']", "from config import cfg as c": "c['NAME']", "from app import app": "app.config['NAME']", "from app.main import app": "app.config.get('NAME')",
		"from app.main import get_settings\nx = get_settings()": "x.NAME", "from app.main import load\nconfig = load()": "config['db']['NAME']",
		"from config import settings as s\nx = s.NAME": "x", "from app.config import Settings": "Settings().NAME",
	}, map[string]bool{
		"print(VALUE)": true, "print('a', VALUE, 1)": true, "print(f\"{VALUE}\")": true, "print(VALUE[:4])": true, "if 1:\n    print(str(VALUE))": true, "print(repr(VALUE))": true,
		"print(bool(VALUE))": false, "print(1 if VALUE else 2)": false, "print(VALUE is None)": false, "print(1)": false,
	})
}

// TestJavaScriptTellsSettings is the same for node.
func TestJavaScriptTellsSettings(t *testing.T) {
	tellsAll(t, nodeDeeds, map[string]string{
		"": "require('./config').NAME", ";": "require('../app/settings').db.NAME", "const c = require('./config')": "c.NAME", "const {NAME} = require('./config')": "NAME",
		"import c from './config.js'": "c.db.NAME", "import {NAME} from './settings.js'": "NAME", "import * as s from './src/env.mjs'": "s['NAME']", "const x = require('./config').NAME": "x",
		"const app = require('./app')": "app.config.NAME", "const config = require('config')": "config.get('db.NAME')",
	}, map[string]bool{
		"console.log(VALUE)": true, "console.error('a', VALUE)": true, "console.log(`a ${VALUE}`)": true, "console.log(JSON.stringify({a: VALUE}))": true, "process.stdout.write(VALUE)": true, "console.log(String(VALUE))": true,
		"console.log(VALUE.slice(0, 4))": true, "VALUE": true,
		"console.log(!!VALUE)": false, "console.log(typeof VALUE)": false, "console.log(VALUE ? 1 : 2)": false, "console.log(VALUE === undefined)": false, "console.log(1)": false, "console.log(VALUE.length)": false,
	})
}

// TestOthersAreNoSettings: what is called like a secret elsewhere is none of a project's.
func TestOthersAreNoSettings(t *testing.T) {
	for _, code := range []string{
		"from tok import t\nprint(t.eos_token)", "from app import user\ntoken = 1\nprint(token)", "import json\nprint(json.load(open('config.json'))['password'])", "from app.config import x\ntoken = 'a'\nprint(token)",
	} {
		if d := pythonDeeds(code, nil); d.Problem != "" || slices.ContainsFunc(d.List, func(x Deed) bool { return x.Kind == tool.Control }) {
			t.Errorf("%s\n%s %v", code, d.Problem, d.List)
		}
	}
	for _, code := range []string{
		"const t = require('./lexer'); console.log(t.tokens)", "console.log(require('./config.json').password)", "const c = require('./config'); const token = 1; console.log(token)",
	} {
		if d := nodeDeeds(code); d.Problem != "" || slices.ContainsFunc(d.List, func(x Deed) bool { return x.Kind == tool.Control }) {
			t.Errorf("%s\n%s %v", code, d.Problem, d.List)
		}
	}
}
