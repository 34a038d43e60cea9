package mask

import (
	"slices"
	"strings"

	"longline/internal/command"
)

// place says where a program's command line holds a secret that neither a name
// nor a model gives away. Programs are between blanks; each line of words is one
// place:
//
//	word,other  the next operand must be one of these, as a subcommand is; a
//	            star at its end stands for any ending
//	*           any operand
//	KEY         an operand that is named like a secret: npm's _authToken
//	HOST        an operand with a dot in it
//	SECRET      the operand is one; SECRET... all that are left are
//	=SECRET     of the operands that are left, what follows an equals sign
//	:SECRET     of this operand, what follows a colon
//	-x          the value of the flag; -x? if it is glued on; -x= what follows an
//	            equals sign in it; -x:2 that many values
//	-x~         of its value, what follows the first colon or comma
//	-x+         the flag must be there
//	KEYS...     of the operands that are left, each that follows one named like a secret
//	LAST        the last operand
//	<           standard input
type place struct {
	programs string
	lines    string
}

var places = [...]place{
	{" vault bao ", `
		login SECRET
		unwrap SECRET
		operator unseal SECRET
		token revoke,lookup,renew SECRET
		write,patch * =SECRET
		kv put,patch * =SECRET`},
	{" gh ", "secret set -b --body <"},
	{" glab ", `
		auth login -t
		variable set,new,create,update * SECRET -v --value <`},
	{" docker podman nerdctl ", "login -p --password\nsecret create <"},
	{" buildah skopeo crane helm oras regctl ", "login -p --password"},
	{" mysqlimport mysqlcheck mysqlshow mysqlpump mysqlslap mariadb-import ", "-p?"},
	{" mycli ", "-p"},
	{" sqlcmd bcp osql tsql ", "-P"},
	{" sqlplus ", "SECRET"},
	{" redis-cli valkey-cli keydb-cli ", `
		auth SECRET...
		config set requirepass,masterauth SECRET
		acl setuser * SECRET...`},
	{" npm pnpm yarn ", "config set KEY SECRET\nset KEY SECRET"},
	{" git ", "config KEY SECRET\nconfig set KEY SECRET"},
	{" poetry ", "config KEY SECRET\nconfig http-basic* * SECRET"},
	{" composer ", "config KEY SECRET\nconfig http-basic* * SECRET\nconfig github-oauth*,gitlab-oauth*,bearer* SECRET"},
	{" bundle ", "config HOST :SECRET\nconfig set HOST :SECRET"},
	{" uv ", "publish -t -p"},
	{" hatch ", "publish -a --auth"},
	{" twine ", "upload -p"},
	{" dotnet ", `
		nuget push -k --api-key
		nuget add,update source -p
		user-secrets set * SECRET`},
	{" nuget ", "setapikey SECRET\npush * SECRET"},
	{" jarsigner ", "-storepass -keypass"},
	{" htpasswd ", "-b+ LAST"},
	{" mkpasswd ", "SECRET"},
	{" caddy ", "hash-password -p --plaintext"},
	{" gpg gpg2 ", "--passphrase-fd+ <"},
	{" qpdf ", "--encrypt:2"},
	{" rar ", "-hp?"},
	{" cryptsetup ", "<"},
	{" chpasswd passwd kinit ", "<"},
	{" usermod useradd ", "-p --password"},
	{" aws ", "configure set KEY SECRET\nssm put-parameter --value"},
	{" gcloud ", "secrets create,versions <"},
	{" az ", "keyvault secret set --value"},
	{" doctl ", "auth init -t"},
	{" heroku ", "config:set,config:add =SECRET"},
	{" fly flyctl ", "secrets set =SECRET\nsecrets import <"},
	{" vercel vc ", "-t\nenv add,update <"},
	{" netlify ntl ", "--auth\nenv:set * SECRET"},
	{" railway ", "variables,variable --set="},
	{" wrangler ", "secret put <\nversions secret put <"},
	{" supabase ", "secrets set =SECRET"},
	{" eas ", "secret:create,env:create,env:update --value"},
	{" kubectl oc ", "create secret --from-literal=\npatch secret,secrets -p --patch"},
	{" pulumi ", "config set --secret+ * SECRET"},
	{" ansible-vault ", "encrypt_string SECRET <"},
	{" curl ", "--oauth2-bearer --proxy-pass --pass --key-passwd --cert~ -E~ --proxy-cert~"},
	{" lftp ncftp ", "-u~ --user~"},
	{" read ", "-s+ <\nKEY <"},
	{" http https xh xhs ", "-a --auth"},
	{" rclone ", "obscure SECRET\nconfig create,update,password KEYS..."},
	{" mc mcli ", "alias set * * * SECRET"},
	{" ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ", "-w"},
	{" ldappasswd ", "-w -s -a"},
	{" nmcli ", "dev,device wifi connect * password SECRET\ncon,connection modify,add * *-sec.psk SECRET"},
	{" wpa_passphrase ", "* SECRET"},
	{" rabbitmqctl ", "add_user,change_password,authenticate_user * SECRET"},
	{" ngrok ", "authtoken SECRET\nconfig add-authtoken SECRET"},
	{" tailscale ", "--authkey"},
	{" wandb snyk ", "login,auth SECRET"},
	{" codecov ", "-t"},
	{" bw ", "unlock SECRET\nlogin * SECRET\n--session"},
	{" op ", "signin <\n--session"},
	{" pass gopass ", "insert <"},
	{" security ", `
		add-generic-password,add-internet-password -w
		unlock-keychain,create-keychain,set-keychain-password -p -o
		set-key-partition-list -k
		import -P`},
	{" salt ", "* shadow.set_password * SECRET"},
}

// places masks what the table above says of a command.
func (m *masker) places(inv *command.Invocation) {
	if len(inv.Words) < 1 || inv.Name == "" {
		return
	}
	if slices.Contains(m.plain, inv.Name) {
		return
	}
	name, found := " "+inv.Name+" ", false
	for i := range places {
		if strings.Contains(places[i].programs, name) {
			found = true
			for line := range strings.SplitSeq(places[i].lines, "\n") {
				m.place(inv, strings.Fields(line))
			}
		}
	}
	if !found && len(m.plain) < 16 {
		m.plain = append(m.plain, inv.Name)
	}
}

func (m *masker) place(inv *command.Invocation, line []string) {
	words := inv.Words[1:]
	var operands []command.Word
	for _, w := range words {
		if !strings.HasPrefix(w.Text, "-") || w.Text == "-" {
			operands = append(operands, w)
		}
	}
	for _, token := range line {
		if token[0] == '-' {
			if flag, ok := strings.CutSuffix(token, "+"); ok && !given(words, flag) {
				return
			} else if !ok {
				m.flag(words, token)
			}
			continue
		}
		if token == "<" {
			m.anywhere(strings.TrimSpace(inv.Stdin.Text))
			continue
		}
		if len(operands) == 0 {
			return
		}
		w := operands[0]
		switch token {
		case "*":
		case "KEY":
			if !command.SecretName(w.Text) {
				return
			}
		case "HOST":
			if !strings.Contains(w.Text, ".") {
				return
			}
		case "SECRET":
			m.value(w)
		case "LAST":
			m.value(operands[len(operands)-1])
		case ":SECRET":
			if i := strings.IndexByte(w.Text, ':'); i > 0 && !strings.Contains(w.Text, "://") {
				m.after(w, i+1)
			}
		case "SECRET...":
			for _, w := range operands {
				m.value(w)
			}
		case "KEYS...":
			for i := 1; i < len(operands); i++ {
				if command.SecretName(operands[i-1].Text) {
					m.value(operands[i])
				}
			}
			return
		case "=SECRET":
			for _, w := range operands {
				m.pair(w, 0)
			}
		default:
			if !oneOf(token, w.Text) {
				return
			}
		}
		operands = operands[1:]
	}
}

// oneOf says whether a word is one of those between commas.
func oneOf(list, word string) bool {
	for one := range strings.SplitSeq(list, ",") {
		before, after, star := strings.Cut(one, "*")
		if star && strings.HasPrefix(word, before) && strings.HasSuffix(word, after) || strings.EqualFold(one, word) {
			return true
		}
	}
	return false
}

// given says whether a flag is there, alone or among other letters.
func given(words []command.Word, flag string) bool {
	for _, w := range words {
		name, _, _ := strings.Cut(w.Text, "=")
		if name == flag || len(flag) == 2 && cluster(w.Text) && strings.IndexByte(w.Text, flag[1]) > 0 {
			return true
		}
	}
	return false
}

// cluster says whether a word is a dash and letters, as flags are put together.
func cluster(word string) bool {
	return len(word) > 1 && len(word) < 7 && word[0] == '-' && strings.Trim(word[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// flag masks the values of a flag: the words after it, or what is glued to it.
func (m *masker) flag(words []command.Word, token string) {
	values := 1
	flag, pair := strings.CutSuffix(token, "=")
	flag, glued := strings.CutSuffix(flag, "?")
	flag, part := strings.CutSuffix(flag, "~")
	if name, ok := strings.CutSuffix(flag, ":2"); ok {
		flag, values = name, 2
	}
	short := len(flag) == 2
	for i, w := range words {
		rest, ok := strings.CutPrefix(w.Text, flag)
		switch {
		case ok && rest == "" && !glued, !ok && short && !glued && cluster(w.Text) && w.Text[len(w.Text)-1] == flag[1]:
			for _, value := range words[i+1 : min(i+1+values, len(words))] {
				switch {
				case pair:
					m.pair(value, 0)
				case part:
					m.part(value, 0)
				default:
					m.value(value)
				}
			}
		case ok && rest != "" && (rest[0] == '=' || short || glued):
			skip := len(flag)
			if rest[0] == '=' {
				skip++
			}
			if pair {
				m.pair(w, skip)
			} else if part {
				m.part(w, skip)
			} else if !isReference(w.Text[skip:]) {
				m.after(w, skip)
			}
		}
	}
}

// part masks what follows the first colon or comma, from n bytes into a word.
func (m *masker) part(w command.Word, n int) {
	if i := strings.IndexAny(w.Text[n:], ":,"); i >= 0 && !isReference(w.Text[n+i+1:]) {
		m.after(w, n+i+1)
	}
}

// pair masks the value of name=value, which begins n bytes into a word.
func (m *masker) pair(w command.Word, n int) {
	if i := strings.IndexByte(w.Text[n:], '='); i >= 0 && !isReference(w.Text[n+i+1:]) {
		m.after(w, n+i+1)
	}
}
