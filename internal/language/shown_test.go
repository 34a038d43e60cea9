package language

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// shownToken stands in all settings of the project that the programs below run in.
const shownToken = "pw-a1b2c3d4e5"

// holdShown runs programs in a project, in one process that reads them from standard input and prints what each of them printed, and holds
// them against what is read of them: whatever prints the token tells it. Of others those count that may not.
func holdShown(t *testing.T, program, harness string, files map[string]string, read func(string) Deeds, programs []string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, map[string]string{"python3": "-c", "node": "-e"}[program], harness)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(strings.Join(programs, "\x00"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	outputs := strings.Split(string(out), "\x00")
	if len(outputs) != len(programs) {
		t.Fatalf("%d outputs of %d programs", len(outputs), len(programs))
	}
	printed, quiet := 0, 0
	for i, code := range programs {
		d := read(code)
		tells := slices.ContainsFunc(d.List, func(x Deed) bool { return x.Kind == tool.Control && x.Target == "secret.print" })
		switch prints := strings.Contains(outputs[i], shownToken); {
		case strings.Contains(outputs[i], "Error:"):
			t.Errorf("%s\n%s", code, outputs[i])
		case prints && !tells && d.Problem == "":
			t.Errorf("%s\nprints the token and does not tell it", code)
		case !prints && (tells || d.Problem != ""):
			t.Errorf("%s\ntells: %v, problem: %q, prints %.100s", code, tells, d.Problem, outputs[i])
		case prints:
			printed++
		default:
			quiet++
		}
	}
	if printed < 50 || quiet < 50 {
		t.Errorf("%d programs print the token, %d do not", printed, quiet)
	}
}

// crossed puts all expressions into all programs.
func crossed(programs, expressions []string) (list []string) {
	for _, code := range programs {
		for _, x := range expressions {
			list = append(list, strings.ReplaceAll(code, "VALUE", x))
		}
	}
	return list
}

// TestPythonShowsSettings holds expressions of whole settings, of their parts and of single values against Python.
func TestPythonShowsSettings(t *testing.T) {
	const settings = `
class Settings(dict):
    def __getattr__(self, name):
        if name.startswith('__'): raise AttributeError(name)
        return self[name]
    def model_dump(self, **k): return dict(self)
    dict = as_dict = model_dump
    def model_dump_json(self, indent=0): return repr(self)
T = 'pw-a1b2c3d4e5'
def make(): return Settings(DEBUG=True, STATIC_URL='/static/', INSTALLED_APPS=['a'], USE_REDIS=True, DATABASE_ROUTERS=[], DB_HOST='h', SECRET_KEY=T, CELERY_BROKER_URL='amqp://u:' + T + '@h', SQLALCHEMY_DATABASE_URI='postgresql://u:' + T + '@h',
    DATABASES={'default': {'ENGINE': 'e', 'HOST': 'h', 'PASSWORD': T}}, CACHES={'default': {'LOCATION': 'redis://:' + T + '@h', 'TIMEOUT': 3}}, db=Settings(host='h', port=1, password=T), redis={'url': 'redis://:' + T + '@h', 'db': 0})
settings = config = make()
def get_settings(): return settings
def create_app(): return App()
class App: config = settings; name = 'a'
class Model: config = {'hidden_size': 3}
app, model = App(), Model()
`
	values := []string{
		"", ".DEBUG", ".STATIC_URL", ".INSTALLED_APPS", ".USE_REDIS", ".DATABASE_ROUTERS", ".DB_HOST", ".SECRET_KEY", ".CELERY_BROKER_URL", "['SQLALCHEMY_DATABASE_URI']", ".DATABASES", ".DATABASES['default']", ".DATABASES['default']['ENGINE']",
		".DATABASES['default'].get('HOST')", ".CACHES", ".CACHES['default']['LOCATION']", ".CACHES['default']['TIMEOUT']", ".db", ".db.host", ".db.port", ".redis", ".redis['url']", ".redis['db']", "['DEBUG']", ".get('DEBUG')", ".get('SECRET_KEY')",
		".model_dump()", ".dict()", ".as_dict()", ".model_dump_json(indent=2)", ".items()", ".values()", ".keys()", "['DATABASES']['default']",
	}
	var programs []string
	for _, load := range []string{
		"from app.config import settings", "from app.config import settings as s", "from app.config import get_settings", "from app.main import app", "from app.main import create_app", "from app import config as c", "from app.config import settings\nx = settings", "from app.config import get_settings\nx = get_settings()",
		"from app.main import create_app\napp = create_app()",
	} {
		name := map[string]string{"from app.config import settings": "settings", "from app.config import settings as s": "s", "from app.config import get_settings": "get_settings()", "from app.main import app": "app.config", "from app.main import create_app": "create_app().config", "from app import config as c": "c.settings", "from app.main import create_app\napp = create_app()": "app.config"}[load]
		if name == "" {
			name = "x"
		}
		for _, value := range values {
			for _, show := range []string{"print(VALUE)", "print('a', VALUE)", "import json\nprint(json.dumps(VALUE, default=str))", "print(str(VALUE))", "y = VALUE\nprint(y)", "print(f\"{VALUE}\")", "print(len(str(1)), bool(VALUE), type(VALUE))", "print(VALUE is None)", "from pprint import pprint\npprint(VALUE)", "import sys\nsys.stdout.write(repr(VALUE))"} {
				programs = append(programs, load+"\n"+strings.ReplaceAll(show, "VALUE", name+value))
			}
		}
	}
	programs = append(programs, crossed([]string{"from app.main import app, model\nVALUE", "from app.main import app, model\nif 1:\n    VALUE"}, []string{
		"print(model.config)", "print(model.config['hidden_size'])", "print('DEBUG' in app.config)", "print(app.name)", "print(dir(app.config))", "print([k for k in app.config if 'DB' in k])", "print(dict(app.config))", "print({k: v for k, v in app.config.items()})",
		"print(len(app.config))", "print(sorted(app.config.keys()))", "print(hasattr(app, 'config'))", "print(isinstance(app.config, dict))",
	})...)
	programs = append(programs, "from app.config import settings\nfor k, v in settings.items():\n    print(k, v)", "from app.config import settings\nfor k, v in settings.items():\n    print(k)", "from app.config import settings\nfor v in settings.values():\n    print(v)",
		"from app.config import settings\nfor k in settings:\n    print(k)", "from app.config import settings\nfor k in settings:\n    print(k, settings[k])", "from app.config import settings\nd = dict(settings)\nprint(d)", "from app.config import settings\nn = len(settings)\nprint(n)")
	holdShown(t, "python3", `
import sys, io, traceback
programs, real, outs = sys.stdin.read().split("\0"), sys.stdout, []
sys.path.insert(0, ".")
for p in programs:
    sys.stdout = io.StringIO()
    try: exec(compile(p, "p", "exec"), {"__name__": "p"})
    except BaseException as e: print("Error:", repr(e))
    outs.append(sys.stdout.getvalue())
real.write("\0".join(outs))`, map[string]string{"app/__init__.py": "", "app/config.py": settings, "app/main.py": "from app.config import *"}, func(text string) Deeds { return pythonDeeds(text, nil) }, programs)
}

// TestJavaScriptShowsSettings is the same for node.
func TestJavaScriptShowsSettings(t *testing.T) {
	const config = `const T = 'pw-a1b2c3d4e5';
module.exports = {port: 1, debug: true, staticUrl: '/s', apiToken: T, useRedis: true, db: {host: 'h', password: T, pool: {max: 1}}, database: {development: {host: 'h', password: T}}, redis: {url: 'redis://:' + T + '@h', db: 0}, brokerUrl: 'amqp://u:' + T + '@h', logging: {level: 'info'}};
for (const n of ['config', 'default']) Object.defineProperty(module.exports, n, {value: module.exports});
module.exports.get = key => key.split('.').reduce((o, k) => o[k], module.exports);`
	values := []string{"", ".port", ".debug", ".staticUrl", ".apiToken", ".useRedis", ".db", ".db.host", ".db.pool", ".database", ".database.development", ".database.development.host", ".redis", ".redis.url", ".redis.db", ".brokerUrl", ".logging", ".config", ".default", ".config.port", "['port']", "['db']", ".get('db')", ".get('db.host')", ".get('port')"}
	var programs []string
	for load, name := range map[string]string{
		"": "require('./config')", ";": "require('./src/config.js')", "const c = require('./config')": "c", "const {config} = require('./config')": "config", "const {config: c} = require('./src/config')": "c", "const a = require('./app')": "a.config",
	} {
		programs = append(programs, crossed([]string{load + "\nconsole.log(VALUE)", load + "\nconsole.error('a', VALUE)", load + "\nconsole.log(JSON.stringify(VALUE))", load + "\nconst y = VALUE; console.log(y)", load + "\nconsole.log(typeof VALUE)", load + "\nconsole.log(!!VALUE)", load + "\nconst s = JSON.stringify(VALUE, null, 2); console.log(s)", load + "\nconsole.dir(VALUE, {depth: null})"}, func() (list []string) {
			for _, v := range values {
				list = append(list, name+v)
			}
			return list
		}())...)
	}
	programs = append(programs, []string{
		"const {apiToken: t} = require('./config'); console.log(t)", "const {port: t} = require('./config'); console.log(t)", "const {db: {password: p}} = require('./config'); console.log(p)", "const {db: {host: p}} = require('./config'); console.log(p)", "const {db} = require('./config'); console.log(db)",
		"const {db} = require('./config'); console.log(db.host)", "console.log(Object.keys(require('./config')))", "console.log(Object.entries(require('./config')))", "console.log(Object.values(require('./config').db))", "console.log('db' in require('./config'))",
		"console.log(require('./webpack.config.js'))", "console.log(require('./webpack.config').entry)", "console.log(require('./package.json').version)", "console.log(require('./package.json'))", "console.log(require('./config/database').development)", "console.log(require('./config/paths'))",
	}...)
	holdShown(t, "node", `
const programs = require("fs").readFileSync(0, "utf8").split("\0"), outs = [], util = require("util"), vm = require("vm"), at = require("module").createRequire(process.cwd() + "/x.js");
for (const p of programs) {
	let out = "";
	const log = (...a) => { out += util.format(...a) + "\n" };
	try { vm.runInNewContext(p, {require: at, console: {log, error: log, dir: x => log(util.inspect(x, {depth: null}))}}, {timeout: 1000}) } catch (e) { out += "Error: " + e }
	outs.push(out);
}
process.stdout.write(outs.join("\0"))`, map[string]string{
		"config.js": config, "src/config.js": config, "app.js": "exports.config = require('./config')", "webpack.config.js": "module.exports = {entry: 'a'}", "package.json": `{"version": "1"}`,
		"config/database.js": "exports.development = {password: 'pw-a1b2c3d4e5'}", "config/paths.js": "exports.src = 'a'",
	}, nodeDeeds, programs)
}
