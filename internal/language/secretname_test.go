package language

import (
	"strings"
	"testing"
)

func TestSecretName(t *testing.T) {
	for name := range strings.FieldsSeq("TOKEN GITHUB_TOKEN API_KEY apiKey OPENAI_KEY aws_secret_access_key AWS_SECRET_ACCESS_KEY DB_PASSWORD PGPASSWORD MYSQL_PWD client-secret PASS SMTP_PASS private-key _authToken DATABASE_URL SENTRY_DSN GH_PAT NPM_AUTH CELERY_BROKER_URL MONGODB_URI SQLALCHEMY_DATABASE_URI broker_url DB_URL STRIPE_SK MNEMONIC WALLET_MNEMONIC SEED_PHRASE CREDS AWS_CREDS PGPASS") {
		if !SecretName(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for name := range strings.FieldsSeq("PASS_ _PAT __DB__PASS__ api__key- _token_") {
		if !SecretName(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for name := range strings.FieldsSeq("HOME PATH PWD OLDPWD KEYBOARD AUTHOR PASS_COUNT PATTERN TOKEN_FILE SECRET_NAME KEY PUBLIC_KEY CACHE_KEY AUTH_URL MONKEY key COOKIE_NAME USER TOKEN_COUNT PASSIVE api_url REDIRECT_URI redirectUris TOKEN_URI token_url STATIC_URL STRIPE_PK LANG_SK SK SEED PHRASE PARAPHRASE LOCALE_SK opcode_mnemonic") {
		if SecretName(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}
