package guard_test

import "testing"

// TestKeysByContent judges reading files whose names say nothing, but that begin as private keys and reports with secrets do.
func TestKeysByContent(t *testing.T) {
	d := newWorkPlace(t)
	begin := "-----BEGIN " // in two parts, so that nobody takes this for one
	report := "[\n {\n  \"RuleID\": \"generic-api-key\",\n  \"Description\": \"x\",\n  \"Match\": \"key = %\",\n  \"Secret\": \"%\"\n }\n]\n"
	for name, text := range map[string]string{
		"deploy": begin + "OPENSSH PRIVATE KEY-----\nb3Blbn\n", "ci": begin + "PRIVATE KEY-----\nMC4\n", "old": "\n" + begin + "RSA PRIVATE KEY-----\n",
		"key.txt": "# created: 2024-01-01T00:00:00Z\n# public key: age1xyz\nAGE-SECRET-KEY-" + "1ABC\n", "report.json": report,
	} {
		d.put(name, text)
		d.asks("a secret", "cat "+name, true)
		d.asks("a secret", "head -20 < "+name, true)
		d.asks("a secret", "cat ./"+name+" | base64", true)
		d.put("testdata/"+name, text)
		d.asks("an example", "cat testdata/"+name, false)
		d.asks("no content", "ls -l "+name+" && wc -c "+name, false)
	}
	for name, text := range map[string]string{
		"deploy.pub": "ssh-ed25519 AAAA x\n", "cert": begin + "CERTIFICATE-----\nMC4\n", "pub": begin + "PUBLIC KEY-----\nMC4\n", "Makefile": "all:\n", "a.json": "{}\n", "notes.txt": "see AGE-SECRET-KEY-1\n",
		"redacted.json": "[{\"RuleID\": \"x\", \"Secret\": \"REDACTED\"}]", "README": "a key begins with " + begin + "PRIVATE KEY-----\n", "empty": "", "doc.md": begin + "PRIVATE KEY-----\n",
	} {
		d.put(name, text)
		d.asks("no secret", "cat "+name, false)
	}
}
