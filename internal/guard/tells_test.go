package guard_test

import (
	"testing"

	"longline/internal/guard"
)

// TestTellsPassword tells settings with a password that somebody has thought up from those that are examples or are filled in later.
func TestTellsPassword(t *testing.T) {
	for _, text := range []string{
		"default:\n  adapter: pg\n  password: Hunter7Zq9x\n", "  password: \"Hunter7Zq9x\"\n", `{"ConnectionStrings":{"Default":"Server=db;User Id=sa;Password=Hunter7Zq9;"}}`, `{"db": {"password": "Hunter7Zq9x"}}`,
		"db_password = Hunter7Zq9x\n", "spring.datasource.password=Hunter7Zq9x\n", "Pwd=Hunter7Zq9x;Uid=a", "'password' => 'Hunter7Zq9x',",
	} {
		if !guard.Tells(text) {
			t.Errorf("%q tells a password", text)
		}
	}
	for _, text := range []string{
		"password: postgres\n", "password: <%= ENV['DB_PASSWORD'] %>\n", "password: ${DB_PASSWORD_2}\n", "password: changeme123\n", "password:\n  min_length: 12\n", "password: \"\"\n", "'password' => env('DB_PASSWORD_1', ''),",
		"password: your-password-1\n", "username: Hunter7Zq9x\n", "password_file: /run/Hunter7Zq9x\n", "adapter: postgresql\npool: 5\n", "password: test1234\n", "Server=db;Integrated Security=true;", "password: secret99\n", "a: b: c=d", "password", ":", "password:",
	} {
		if text = "default:\n  adapter: x\n  " + text; guard.Tells(text) {
			t.Errorf("%q tells no password", text)
		}
	}
}
