package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestSecretsThatOthersName judges commands that print files of secrets which only other files, or names inside of archives, name.
func TestSecretsThatOthersName(t *testing.T) {
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, root, filepath.Join(root, "proj"))
	w.Secret = g.Policy.Secrets(&tool.Call{}, w)
	for name, text := range map[string]string{
		"README.md": "a\n", ".env": "API_KEY=x\n", "k8s/base/.env": "API_KEY=x\n", "k8s/base/d.yaml": "kind: Deployment\n", "k8s/plain/.env.example": "API_KEY=\n", "k8s/plain/d.yaml": "kind: Deployment\n",
		"k8s/base/kustomization.yaml":       "resources:\n- d.yaml\nsecretGenerator:\n- name: x\n  envs: [.env]\n",
		"k8s/map/kustomization.yml":         "configMapGenerator:\n- name: x\n  files:\n  - settings=../base/.env\n",
		"k8s/overlay/Kustomization":         "resources:\n  - ../base\n",
		"k8s/twice/kustomization.yaml":      "components: ['../overlay', '../twice']\n",
		"k8s/plain/kustomization.yaml":      "resources:\n- d.yaml\n# not ../base\nconfigMapGenerator:\n- name: x\n  envs: [.env.example]\n  literals: [A=b]\n",
		"k8s/overplain/kustomization.yaml":  "resources:\n- ../plain\npatches:\n- path: p.yaml\nimages: [{name: a, newTag: 1.2.3}]\n",
		"k8s/overplain/p.yaml":              "kind: Deployment\n",
		"k8s/elsewhere/kustomization.yaml":  "resources:\n- https://example.com/x?ref=v1\nsecretGenerator:\n- {name: x, envs: [.env.missing]}\n",
		"k8s/elsewhere/more/unrelated.yaml": "envs: [../../base/.env]\n",
	} {
		file := filepath.Join(w.Project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		asks    bool
		scripts []string
	}{
		{true, []string{
			"kubectl kustomize k8s/base", "kustomize build k8s/base", "kustomize build k8s/map", "kubectl kustomize k8s/overlay", "kustomize build k8s/twice/", "cd k8s/base && kustomize build", "cd k8s && kubectl kustomize ./overlay", "kubectl kustomize k8s/base | head",
			"unzip -p b.zip .env", "tar xOf a.tar .env", "tar xzOf b.tgz ./.env | grep API", "tar xf a.tar --wildcards -O '*.env'", "7z x -so a.7z .env", "zipgrep API b.zip .env",
			`python3 -c "import zipfile; print(zipfile.ZipFile('b.zip').read('.env'))"`, `python3 -c "import zipfile; z = zipfile.ZipFile('b.zip'); print(z.read('conf/.env').decode())"`,
			"python3 - <<'E'\nimport zipfile\nwith zipfile.ZipFile('b.zip') as z:\n    print(z.open('.env').read())\nE", "python3 - <<'E'\nfrom zipfile import ZipFile\nwith ZipFile('b.zip') as z:\n    print(z.read('.env', None))\nE",
		}},
		{false, []string{
			"kubectl kustomize k8s/plain", "kustomize build k8s/overplain", "kustomize build k8s/elsewhere", "kustomize build k8s/base -o /tmp/x.yaml", "kustomize build k8s/missing", "cd k8s/plain && kustomize build .", "kustomize version",
			"unzip -p b.zip README.md", "tar xOf a.tar README.md", "unzip -l b.zip", "tar tf a.tar .env",
		}},
	} {
		for _, script := range c.scripts {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			if (v.Decision >= tool.Ask) != c.asks {
				t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
			}
		}
	}
}
