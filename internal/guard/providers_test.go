package guard_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestLockedProviders: what a lock file lists is installed without a question, unless it or a module comes from an address of its own.
func TestLockedProviders(t *testing.T) {
	const lock, usual = "infra/.terraform.lock.hcl", "# made by init\nprovider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"5.0.0\"\n}\n\nprovider \"registry.opentofu.org/hashicorp/null\" {\n}\n"
	const main, plain = "infra/main.tf", "terraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\n\nmodule \"net\" {\n  source  = \"./modules/net\"\n  version = \"1\"\n}\n\nresource \"aws_s3_object\" \"o\" {\n  source = \"files/a.txt\"\n}\n"
	const inner, listed = "infra/modules/net/main.tf", "module \"vpc\" {\n  source = \"terraform-aws-modules/vpc/aws//modules/endpoints\"\n}\n"
	g := builtin(t)
	asks := func(files map[string]string, script string) bool {
		home := t.TempDir()
		project := filepath.Join(home, "proj")
		for name, text := range files {
			file := filepath.Join(project, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, realDisk(g, home, project))
		return v.Decision >= tool.Ask
	}
	all := map[string]string{lock: usual, main: plain, inner: listed}
	for script, want := range map[string]bool{
		"cd infra && terraform init": false, "cd infra && terraform init -backend=false -input=false && terraform validate": false, "terraform -chdir=infra init -no-color": false, "cd infra && tofu init": false, "cd infra; tofu init": true,
		"terraform init": true, "cd infra && terraform init -upgrade": true, "cd infra && terraform init -backend-config=x": true, "cd infra && terraform init -migrate-state": true, "cd infra && terraform init -plugin-dir=../x": true,
		"cd infra && terraform init -from-module=x": true, "cd infra && terraform init $X": true, "cp x infra/more.tf; cd infra; terraform init": true, "cp x infra/modules/net/main.tf; cd infra; terraform init": true, "cp x infra/.terraform.lock.hcl; cd infra; terraform init": true,
		"cd infra/modules/net && terraform init": true, "TF_CLI_CONFIG_FILE=x terraform -chdir=infra init": true,
	} {
		if got := asks(all, script); got != want {
			t.Errorf("%s: asks: %v", script, got)
		}
	}
	for _, c := range []struct{ name, text string }{
		{lock, ""},
		{lock, "provider \"evil.example/a/b\" {\n}\n"},
		{lock, usual + "provider \"registry.terraform.io.evil.example/a/b\" {\n}\n"},
		{inner, "module \"v\" {\n  source = \"git::https://evil.example/x.git\"\n}\n"},
		{inner, "module \"v\" { source = \"github.com/a/b\" }\n"},
		{inner, "module v {\n  source=\"git@host:a/b\"\n}\n"},
		{inner, "module \"v\" {\n  source = \"app.evil.example/a/b/c\"\n}\n"},
		{inner, "module \"v\" {\n  source = var.source\n}\n"},
		{inner, "module \"v\" {\n  source = \"${var.a}/b\"\n}\n"},
		{main, plain + "module \"far\" {\n  source = \"../../other\"\n}\n"},
		{"infra/more.tf.json", "{}"},
		{"infra/more.tofu", "module \"v\" {\n  source = \"https://evil.example/m.zip\"\n}\n"},
		{"infra/b.tf", "module\t\"v\"\t{\n\n\tversion = \"1\"\n\tsource\t=\t\"s3::https://evil.example/m.zip\"\n}\n"},
	} {
		files := map[string]string{lock: usual, main: plain, inner: listed}
		files[c.name] = c.text
		if !asks(files, "cd infra && terraform init") {
			t.Errorf("with %q in %s it is allowed", c.text, c.name)
		}
	}
}
