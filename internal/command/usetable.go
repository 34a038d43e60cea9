package command

import "strings"

// UseRow is one line of the vocabulary of models: uses, as models write them, and what a
// word of that use is.
type UseRow struct {
	Names []string
	Says  string
}

// UseGroup is uses of a kind, with a sentence in front.
type UseGroup struct {
	Intro string
	Rows  []UseRow
}

// UseTable is the vocabulary of models: what a word can be used for. What models may
// write, what docs/models.md says and what editors offer is made from it.
var UseTable = []UseGroup{
	{Intro: `A use says what a word is.`, Rows: []UseRow{
		{[]string{`text`, `pattern`, `number`, `ref`}, `harmless text`},
		{[]string{`file-name`}, "a name that becomes part of a path in the project; a gap if it leads out of there. Text operands of commands that write `./**` or `./DIR/**` count too (`rails g model X`)"},
		{[]string{`secret`}, "a password or token; the audit log masks it"},
		{[]string{`stat`}, "a path of which only the metadata is read"},
		{[]string{`read`, `create`, `write`, `delete`}, "a path with that effect; `create` keeps existing content (`mkdir`, `touch`)"},
		{[]string{`read-tree`, `create-tree`, `write-tree`, `delete-tree`}, "the same, with everything below (`unzip -d`)"},
		{[]string{`makes`}, "a directory that is filled; existing files stay (`cargo init`)"},
		{[]string{`directory`}, "a new directory, or below it if only its beginning is known"},
		{[]string{`report`}, "a file that the program makes (binary, report); `delete` if it replaces a source"},
		{[]string{`generate`}, "a generated source; `delete` if it replaces one not marked as generated. Unlike `write`, not a `report` in programs that run project code"},
		{[]string{`empties`}, "a directory that is emptied first (`mkdocs build -d`)"},
		{[]string{`property`, `property:A|B`}, "`NAME=VALUE` for the build; the value may be a directory that is written, or deleted by a clean; only these names (`make O=x`)"},
		{[]string{`write-list`}, "comma-separated files or directories that are written"},
		{[]string{`typed-file`}, "comma-separated `KIND:FILE` or `KIND=FILE`: reports (`--cov-report`)"},
		{[]string{`settings-file`, `settings-file:DIR`}, "`KEY=VALUE`, separated by `;` or `,`; a value may be a file that is written, relative to `DIR`"},
		{[]string{`values:A|B*`}, "text; a gap if a word matches no pattern"},
		{[]string{`log`}, "a path that is also written (log, cookie jar); never a download"},
		{[]string{`name-list`}, "a file with names of files to read, or `-` (`rsync --files-from`)"},
		{[]string{`link-target`}, "what a link points to"},
		{[]string{`symbolic`}, "joined by a mode, before `link-target`: symbolic links, with targets seen from the link"},
		{[]string{`modify`}, "a path whose owner, mode or attributes change"},
		{[]string{`into`}, "a destination: a file, or a directory that gets the operands (cp, mv, ln)"},
		{[]string{`move`}, "a path that is moved, with everything below"},
		{[]string{`hook`}, "a command that is run, judged as a script; a path is `execute config:FLAG` (`--pager`)"},
		{[]string{`chdir`, `chdir-operands`}, "the working directory (`git -C`); only for operands (tar)"},
		{[]string{`run`, `run:LANG`}, "a file that is run: a script for `run:sh` and `run:bash`, else `execute file:PATH`; `run` alone is any executable"},
		{[]string{`script`, `script:sh`}, "shell text that is run"},
		{[]string{`code:LANG`}, "code in another language (`-`: standard input): what it provably does, else `execute inline:LANG` too"},
		{[]string{`command`}, "this and all following words are a command: `command...`"},
		{[]string{`command:shell`}, "the same, or `-c TEXT` (`flock`)"},
		{[]string{`joined...`, `joined:LANG...`}, "the same, joined to shell text (`watch`)"},
		{[]string{`command+`}, "a command that gets words from standard input (`xargs`)"},
		{[]string{`command-in:CONTROL`}, "a command in a container: reading is harmless, else `control CONTROL`; with `container.compose`, project code is `control container.code`"},
		{[]string{`command;`}, "a command up to `;` or `+`, with `{}` for what was found (`find -exec`)"},
		{[]string{`assign`}, "`NAME=VALUE` for the command that follows"},
		{[]string{`member`}, "archive members that are printed (`tar xO`)"},
		{[]string{`includes-like`, `type-glob`}, "as `includes`: a regular expression (`ag -G`); `NAME:GLOB` (`rg --type-add`)"},
		{[]string{`includes`}, "names that a search reads; naming `.env` reads it (`grep --include`)"},
		{[]string{`name-filter`, `extension`}, "limits a search to names (`find -name`); to extensions (`fd -e`)"},
		{[]string{`any-of`, `none-of`, `group`, `group-end`, `prints`}, "`-o`, `!`, parentheses and `-print` of `find`"},
		{[]string{`aim:name`, `aim:path`, `aim:regexp`}, "names that a search looks for without being limited to them (`find -path`)"},
		{[]string{`amount`, `amount:512`}, "how much of a stream is read, in blocks of this size (`head -c`, `dd count=`)"},
		{[]string{`block`}, "the size of those blocks (`dd bs=`)"},
		{[]string{`size`}, "the size of a new file (`fallocate -l`)"},
		{[]string{`duration`}, "a time to wait"},
		{[]string{`process`}, "a process to signal: a number or a job"},
		{[]string{`process-name`}, "processes to signal, by name; too many are `control process.kill-all`"},
		{[]string{`temp-dir`}, "a directory for temporary files: `create DIR/PROGRAM*`"},
		{[]string{`lock`}, "a lock file, created if missing; a number is an open file"},
		{[]string{`fifo`}, "a new named pipe"},
		{[]string{`url`, `send`}, "an address to fetch from; to send to (`file:` is a read)"},
		{[]string{`address`}, "an address or file that is opened (`xdg-open`)"},
		{[]string{`page`, `page:file`}, "an address, or a file of that name (`lynx`); a word without a scheme is a file"},
		{[]string{`asks:A|B`}, "a verb; any other makes the request a send (`grpcurl HOST list`)"},
		{[]string{`host`, `send-host`}, "a host to fetch from; to send to"},
		{[]string{`upload`}, "a file that is sent"},
		{[]string{`param`}, "a parameter; `@file` and `file://` read a file"},
		{[]string{`at-file`}, "data to send, or `@file`"},
		{[]string{`remote-path`, `remote-dest`, `remote-delete`}, "`host:path` or a local path, to read; to write; to delete (scp)"},
		{[]string{`config`}, "what decides which code runs: in the project a read, elsewhere `execute config:PATH`"},
		{[]string{`env-file`}, "a file of variables: in the project harmless, elsewhere `execute config:PATH`"},
		{[]string{`rewrite:*.go`}, "a file that a formatter rewrites, or a directory of them; `|` joins patterns"},
		{[]string{`agent-settings`}, "settings for one run of an agent, or their file"},
		{[]string{`variable-name`}, "a variable that is shown: a secret by name, or if the script put one there"},
		{[]string{`setting-name`}, "a setting that is shown: a secret by name"},
		{[]string{`package`}, "a package that is fetched and run: `execute package:WORD`"},
		{[]string{`packed:KIND`}, "a package to pack: a path, whose code runs (`execute project:KIND`), or a name to fetch"},
		{[]string{`package-run:LIST`}, "a command from a package (`npx eslint`); see below"},
		{[]string{`package-script:LIST`}, "a script of the project, or else a package or program (`yarn jest`)"},
		{[]string{`python-module`}, "a module to run; further words are its arguments"},
		{[]string{`values:-s|-X=*|!-*|*`}, "words, each decided by the first pattern that matches; `!` and no match refuse"},
		{[]string{`named:CONTROL=A|B*`}, "a word with the effect `control CONTROL` if it matches a pattern or is unknown (`mvn deploy`)"},
		{[]string{`control:NAME`, `execute:NAME`}, "a word with that effect"},
		{[]string{`gap`}, `a gap`},
	}},
	{Intro: `For git and its relatives:`, Rows: []UseRow{
		{[]string{`git-rev`}, "a revision, an object `REV:PATH` (read), or a path, as git would decide"},
		{[]string{`git-path`, `git-path:delete`}, "a pathspec; read unless another effect is named"},
		{[]string{`git-range`}, "`START,END:FILE`"},
		{[]string{`git-checkout`, `git-reset`, `git-restore`}, "a branch to switch or move, or paths whose changes are lost"},
		{[]string{`git-patch`}, "a patch; the files it names are written"},
		{[]string{`git-config`, `git-config-env`}, "`KEY=VALUE` for one run; by its key harmless, a file or a program"},
		{[]string{`git-config-name`, `git-config-set`, `git-config-file`}, "a key that is shown; a value that is stored; the file for it"},
		{[]string{`git-url`, `git-url:clone`, `git-url:forge`, `git-url:text`, `git-url:pull`}, "a remote, address or path to fetch from; a plain word is a path; a forge's repository; only noted; its commits are merged"},
		{[]string{`git-rename`}, "a new branch name; a branch of that name is lost"},
		{[]string{`git-clone`}, "with `git-url`: makes the directory that the address or an operand names"},
		{[]string{`git-push`, `git-refspec`, `git-refspec:fetch`}, "where commits go; which ones, also by force or as a deletion"},
		{[]string{`git-dir`}, `a repository or working tree`},
	}},
	{Intro: `For transfers:`, Rows: []UseRow{
		{[]string{`http-method`}, "all but `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PROPFIND` send"},
		{[]string{`body`, `form`, `data-field`}, "data to send; `name=@file`; `name=text` or `name@file`"},
		{[]string{`header`, `cookie`}, "text that is sent: data if unknown or named like a credential, `@file`; `name=value`, or a file"},
		{[]string{`httpie`}, "an operand in `METHOD ADDRESS ITEM...`"},
		{[]string{`output`, `output-dir`}, "the file of a download; the directory it is relative to"},
		{[]string{`url-file`, `url-file:NAME`, `url-tree`}, "an address whose last part names the file, or else `NAME`; a tree of files"},
		{[]string{`write-out`, `ftp-command`}, "a format that may name files; a command for a file server"},
		{[]string{`remote-file`}, "`host` (a session) or `host:path` (fetched)"},
		{[]string{`dns-word`}, "a name to look up, `@server`, `+option` or a type"},
		{[]string{`stream-host`}, "a host that standard input goes to"},
		{[]string{`socket`}, `an address in socat's syntax`},
		{[]string{`ssh-host`, `ssh-option`}, "the host of a login; `Name=value` of its configuration"},
		{[]string{`shell-words`, `shell-words:remote`}, "this and all following words are shell text, here or remote"},
		{[]string{`shell-words:KIND`}, "the same on a device with the programs of `list/KIND`: reading is harmless, else `control remote.shell`"},
		{[]string{`program:NAME`}, "this and all following words are arguments of `NAME`"},
		{[]string{`forge-api`, `api-field`, `jq-env`}, "an endpoint, judged with method and fields; `key=@file`; a filter that may show the environment"},
	}},
	{Intro: `For clouds, containers and packages:`, Rows: []UseRow{
		{[]string{`s3-path`, `s3-tree`}, "`s3://bucket/key` or a local path, the last operand the destination; with everything below"},
		{[]string{`mount`}, "a bind mount is a write of the tree, with `ro` a read; a volume is nothing"},
		{[]string{`container-path`}, "`container:path` or a local path; the last operand is the destination"},
		{[]string{`manifest`}, "a file, directory or address that describes resources"},
		{[]string{`kube-resource`, `kube-resource:table`}, "what a cluster is asked for; secrets count, unless only names are shown"},
		{[]string{`kube-output`, `kube-raw`}, "the format of the answer; a path of the API"},
		{[]string{`http-verb-or-path`}, "a verb, or the path of a request"},
		{[]string{`package-source`}, "where packages come from: an address, file or directory is `control package.source`"},
		{[]string{`requirement`, `requirements`}, "a package to install; a file of them"},
	}},
	{Intro: "For code. Files that it names are read or written, constant commands that it runs are judged as scripts, what it computes at run time is `execute inline:LANG` or an unknown path, and what cannot be read is a gap.", Rows: []UseRow{
		{[]string{`sed`, `awk`, `jq`}, "a program; several such flags are lines of one"},
		{[]string{`sed-suffixed`}, "the script for BSD sed, where the operand before it is the suffix of `-i`"},
		{[]string{`yq`}, `a filter, or a data file`},
		{[]string{`sql`, `sql:DIALECT`}, "SQL and client commands of `psql`, `mysql`, `sqlite`, `duckdb`, `mssql`, `clickhouse`: `control database.read`, `.write`, `.drop`, `.admin`; for `sqlite` and `duckdb` the first operand is the file"},
		{[]string{`mongo`}, `a line for the MongoDB shell`},
		{[]string{`database`, `psql-output`}, "the address of a database server; a file, or after `|` a command"},
		{[]string{`code:simh`}, "simulator commands; harmless if they stay inside"},
		{[]string{`code:powershell`, `code:powershell-encoded`, `code:cmd`}, "harmless if it only reads and prints, with constant words"},
		{[]string{`code:applescript`}, "harmless if it is a notification, a sound or speech"},
		{[]string{`code:python`, `code:node`, `code:perl`, `code:php`, `code:ruby`, `code:lua`}, "harmless if every name in it is known and only computes and prints. Files and addresses in Python and JavaScript (`node`) are effects, foreign modules `execute project:LANG`"},
		{[]string{`source:python`}, "a file of such code, judged the same way, else `execute file:PATH`, or `written:PATH` if the same script may have changed it"},
		{[]string{`perl-module`, `perl-split`, `ruby-library`}, "`-M`, `-F` and `-r`, which become part of the program"},
		{[]string{`pager-command`}, "a file, or after `+` a pager command: all but moving may run a shell"},
		{[]string{`magic-file`, `magic-file:write`}, "a file to read; to write; a name with a bar would be a command"},
		{[]string{`fuzzy-bind`, `fuzzy-bind:preview`}, "key bindings of a fuzzy finder, judged as scripts; its preview command"},
		{[]string{`task:KIND`}, "a task of the project (`make`, `just`, `npm` and so on): `execute project:KIND`, its commands if they can be read, `control deploy` if named like it. With a fixed name: the effect `execute task:KIND:NAME`"},
		{[]string{`task-file`}, "the file that defines the tasks"},
	}},
	{Intro: `For programs that put commands together:`, Rows: []UseRow{
		{[]string{`command;:dir`}, "as `command;`, run in the directory of what was found (`find -execdir`)"},
		{[]string{`command;:rest`}, "as `command;`, to the end of the line without `;`; without `{}` the path is added (`fd -x`)"},
		{[]string{`command+:template...`}, "words of a command line that a shell gets (`parallel`)"},
		{[]string{`replace`, `batch`, `delimiter`, `end-mark`, `arg-file`}, "how `command+` uses its input: the mark a line replaces, words at once, the separator, the end, a file"},
		{[]string{`search-root`, `plain-operand`}, "an operand that must not be a flag: a gap if unknown or with a leading `+`"},
		{[]string{`response`}, "joined to another use: `@file` holds further arguments, a gap (`read+response...`)"},
		{[]string{`suffix`, `suffix?`}, "the suffix of a backup; `*` stands for the name, and with a slash it is a path. An optional one may be empty (`sed -i ''`)"},
		{[]string{`digits?`}, "an optional number inside a bundle (`perl -l0ne`)"},
		{[]string{`ends-flags`}, "joined to another use: all further words are operands (`python -c`)"},
	}},
}

// AllUses lists the whole vocabulary; a use that ends in a colon takes an argument.
func AllUses() []string {
	var list []string
	for _, g := range UseTable {
		for _, row := range g.Rows {
			for _, name := range row.Names {
				list = append(list, useForm(name))
			}
		}
	}
	return list
}

// useForm is a use as the table writes it, without what stands in the place of an
// argument and without the signs for "any number" and "may be missing".
func useForm(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "..."), "?")
	if base, _, argued := strings.Cut(name, ":"); argued {
		return base + ":"
	}
	return name
}

// KnownUse reports whether the vocabulary has a use.
func KnownUse(u Use) bool {
	want := u.Name
	if u.Arg != "" {
		want += ":"
	}
	for _, g := range UseTable {
		for _, row := range g.Rows {
			for _, name := range row.Names {
				if useForm(name) == want {
					return true
				}
			}
		}
	}
	return false
}
