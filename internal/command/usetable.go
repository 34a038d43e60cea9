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
	{Intro: ``, Rows: []UseRow{
		{[]string{`text`, `pattern`, `number`, `ref`}, `harmless text`},
		{[]string{`secret`}, `a password or token, which the audit log masks`},
		{[]string{`stat`}, `a path; only name and metadata are read`},
		{[]string{`read`, `create`, `write`, `delete`}, "a path, with that effect; `create` cannot harm existing content (`mkdir`, `touch`)"},
		{[]string{`read-tree`, `create-tree`, `write-tree`, `delete-tree`}, "a path and everything below it (`unzip -d`)"},
		{[]string{`makes`}, "a directory that the program fills; existing files stay (`cargo init`)"},
		{[]string{`directory`}, "a new directory; if only its beginning is known, below that (`mkdir`)"},
		{[]string{`report`}, "a file with content of the program's own: a binary, a report; `delete` if it replaces a source"},
		{[]string{`generate`}, "a source that a project tool generates; `delete` if it replaces one that is not marked as generated. In programs that run the project's code, flags with `write` or `log` count as `report`; this one does not"},
		{[]string{`empties`}, "a directory that is emptied first (`mkdocs build -d`)"},
		{[]string{`property`, `property:A|B`}, "`NAME=VALUE` for the project's build; the value may be a directory that is written, or deleted by a clean (`gradle clean -PbuildDir=x`); only for these names (`make O=x`)"},
		{[]string{`write-list`}, "paths, comma-separated, that are written, or directories that are written to (`checkov --output-file-path`)"},
		{[]string{`typed-file`}, "`KIND:FILE` or `KIND=FILE`, comma-separated: reports (`--cov-report=xml:FILE`)"},
		{[]string{`settings-file`, `settings-file:DIR`}, "`KEY=VALUE`, separated by semicolons or commas; a value may be a file that is written, relative to the working directory or `DIR`"},
		{[]string{`values:A|B*`}, `text; a gap if one of its words matches no pattern`},
		{[]string{`log`}, "a path that is also written, such as a log or cookie jar; a download never lands there"},
		{[]string{`name-list`}, "a file with names of files to read; `-` is standard input (`rsync --files-from`)"},
		{[]string{`link-target`}, `what a link points to`},
		{[]string{`symbolic`}, "joined by a mode, before `link-target`: the links are symbolic, and targets are seen from the link"},
		{[]string{`modify`}, `a path whose owner, mode or attributes change`},
		{[]string{`into`}, `a destination: a file, or a directory that gets the names of the other operands (cp, mv, ln)`},
		{[]string{`move`}, `a path that is moved, with everything below it`},
		{[]string{`hook`}, "a program or command that is run, judged as a script; a path is `execute config:FLAG` (`--pager`)"},
		{[]string{`chdir`, `chdir-operands`}, "the directory the program works in (`git -C`); only for operands (tar)"},
		{[]string{`run`, `run:LANG`}, "a file that is run: `run:sh` and `run:bash` are read as scripts, others are `execute file:PATH`; `run` alone is any executable"},
		{[]string{`script`, `script:sh`}, `shell text that is run`},
		{[]string{`code:LANG`}, "code in another language; as an operand, `-` is code on standard input. It is what the code provably does, else `execute inline:LANG` as well"},
		{[]string{`command`}, "this and all following words are a command (`env`, `timeout`): write `command...`"},
		{[]string{`command:shell`}, "the same, or `-c TEXT` (`flock`)"},
		{[]string{`joined...`, `joined:LANG...`}, "this and all following words, joined, are shell text (`watch`)"},
		{[]string{`command+`}, "a command that gets more words from standard input (`xargs`)"},
		{[]string{`command-in:CONTROL`}, "a command in a container or the like: reading there is harmless, anything else is `control CONTROL` (`docker exec`); with `container.compose` the project's code in its own containers is `control container.code`"},
		{[]string{`command;`}, "a command up to `;` or `+`, with `{}` for what was found (`find -exec`)"},
		{[]string{`assign`}, "`NAME=VALUE` for the command that follows: `assign... command...`"},
		{[]string{`member`}, "a name or pattern of archive members that are printed (`tar xO`)"},
		{[]string{`includes-like`, `type-glob`}, "as `includes`: a regular expression (`ag -G`); `NAME:GLOB` (`rg --type-add`)"},
		{[]string{`includes`}, "a pattern of names that a search reads; asking for `.env` by name reads it (`grep --include`)"},
		{[]string{`name-filter`, `extension`}, "limits a search to names (`find -name`); to extensions (`fd -e`)"},
		{[]string{`any-of`, `none-of`, `group`, `group-end`, `prints`}, "`-o`, `!`, parentheses and `-print` of `find`"},
		{[]string{`aim:name`, `aim:path`, `aim:regexp`}, "names that a search looks for without being limited to them (`find -iname`, `-path`)"},
		{[]string{`amount`, `amount:512`}, "how much of a stream is read, in blocks of so many bytes (`head -c`, `dd count=`)"},
		{[]string{`block`}, "the size of those blocks (`dd bs=`)"},
		{[]string{`size`}, "the size of a new file (`fallocate -l`)"},
		{[]string{`duration`}, "a time to wait (`sleep`)"},
		{[]string{`process`}, `a process to signal: a number or a job`},
		{[]string{`process-name`}, "a name, or part of one, of processes to signal; one that fits too many is `control process.kill-all`"},
		{[]string{`temp-dir`}, "a directory for the program's temporary files: `create DIR/PROGRAM*`"},
		{[]string{`lock`}, `a lock file, created if missing; a number is an open file`},
		{[]string{`fifo`}, `a named pipe that is made`},
		{[]string{`url`, `send`}, "an address to fetch from; to send to (`file:` is a read)"},
		{[]string{`address`}, "an address or a file that is opened (`xdg-open`)"},
		{[]string{`page`}, "an address, or a file of that name (`lynx`)"},
		{[]string{`asks:A|B`}, "a verb; any other makes the request a send (`grpcurl HOST list`)"},
		{[]string{`host`, `send-host`}, `a host to fetch from; to send to`},
		{[]string{`upload`}, `a file whose content is sent`},
		{[]string{`param`}, "a parameter; `@file` and `file://` read a file"},
		{[]string{`at-file`}, "data to send, or `@file`"},
		{[]string{`remote-path`, `remote-dest`, `remote-delete`}, "`host:path` or a local path, to read; to write; to delete (scp, rsync)"},
		{[]string{`config`}, "a file or directory that decides which code runs: in the project a read, elsewhere `execute config:PATH`"},
		{[]string{`env-file`}, "a file of variables: in the project harmless, elsewhere `execute config:PATH`"},
		{[]string{`rewrite:*.go`}, `a file that a formatter rewrites, or a directory with such files; several patterns are joined by bars`},
		{[]string{`agent-settings`}, `settings for one run of an agent, or the file they are in`},
		{[]string{`variable-name`}, `a variable that is shown: a secret if its name says so or the script put one there`},
		{[]string{`setting-name`}, `a setting that is shown: a secret if its name says so`},
		{[]string{`package`}, "a package whose code is fetched and run: `execute package:WORD`"},
		{[]string{`packed:KIND`}, "a package that is packed: a path, whose code runs (`execute project:KIND`), or a name that is fetched"},
		{[]string{`package-run:LIST`}, "a command from a package (`npx eslint src`); see below"},
		{[]string{`package-script:LIST`}, "one of the project's scripts, or else a package or program of that name (`yarn jest`)"},
		{[]string{`python-module`}, `a module to run; all further words are its arguments`},
		{[]string{`values:-s|-X=*|!-*|*`}, "words, each decided by the first pattern it matches; `!` refuses, and so does no match"},
		{[]string{`named:CONTROL=A|B*`}, "a word with the effect `control CONTROL` if it matches a pattern or is unknown (`mvn deploy`)"},
		{[]string{`control:NAME`, `execute:NAME`}, `this word has that effect`},
		{[]string{`gap`}, `a gap`},
	}},
	{Intro: `For git and its relatives:`, Rows: []UseRow{
		{[]string{`git-rev`}, "a revision, an object `REV:PATH` (which is read), or a path, as git would decide"},
		{[]string{`git-path`, `git-path:delete`}, `a pathspec, with magic and wildcards; read unless another effect is named`},
		{[]string{`git-range`}, "`START,END:FILE`"},
		{[]string{`git-checkout`, `git-reset`, `git-restore`}, `an operand of these commands: a branch to switch or move, or paths whose changes are lost`},
		{[]string{`git-patch`}, `a patch; the files it names are written`},
		{[]string{`git-config`, `git-config-env`}, "`KEY=VALUE` for one run; by its key, the value is harmless, a file or a program"},
		{[]string{`git-config-name`, `git-config-set`, `git-config-file`}, `a key that is shown; a value that is stored; the file for it`},
		{[]string{`git-url`, `git-url:clone`, `git-url:forge`, `git-url:text`, `git-url:pull`}, `a remote, an address or a path to fetch from; a plain word is a path; a repository of the forge; only noted down; its commits are merged`},
		{[]string{`git-rename`}, `a new name for a branch; a branch of that name is lost`},
		{[]string{`git-clone`}, "with `git-url`: makes the directory that the address, or another operand, names"},
		{[]string{`git-push`, `git-refspec`, `git-refspec:fetch`}, `where commits go; which ones, also by force or as a deletion`},
		{[]string{`git-dir`}, `a repository or working tree`},
	}},
	{Intro: `For transfers:`, Rows: []UseRow{
		{[]string{`http-method`}, "a method; all but `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PROPFIND` send"},
		{[]string{`body`, `form`, `data-field`}, "data to send; `name=@file`; `name=text` or `name@file`"},
		{[]string{`header`, `cookie`}, "text that is sent along: data if it is unknown or named like a credential, with `@` a file; `name=value`, or a file"},
		{[]string{`httpie`}, "an operand in `METHOD ADDRESS ITEM...`"},
		{[]string{`output`, `output-dir`}, `the file of a download; the directory it is relative to`},
		{[]string{`url-file`, `url-file:NAME`, `url-tree`}, "an address whose last part names the file, or `NAME` if there is none, or with `*` the server; a tree of files"},
		{[]string{`write-out`, `ftp-command`}, `a format that may name files; a command for a file server`},
		{[]string{`remote-file`}, "`host` (a session) or `host:path` (fetched)"},
		{[]string{`dns-word`}, "a name to look up, `@server`, `+option` or a type"},
		{[]string{`stream-host`}, `a host that standard input goes to`},
		{[]string{`socket`}, `an address in socat's syntax`},
		{[]string{`ssh-host`, `ssh-option`}, "the host of a login; `Name=value` of its configuration"},
		{[]string{`shell-words`, `shell-words:remote`}, `this and all following words, joined, are shell text, here or on the other machine`},
		{[]string{`shell-words:KIND`}, "the same on a device (`android`) with the programs of `list/KIND`: reading there is harmless, anything else is `control remote.shell`"},
		{[]string{`program:NAME`}, "this and all following words are arguments of the program `NAME`"},
		{[]string{`forge-api`, `api-field`, `jq-env`}, "the endpoint of a call to a forge, judged with its method and fields; `key=@file`; a filter that may show the environment"},
	}},
	{Intro: `For clouds, containers and packages:`, Rows: []UseRow{
		{[]string{`s3-path`, `s3-tree`}, "a path in an object store (`s3://bucket/key`) or a local one, the last operand the destination; with everything below it (`aws s3 sync`)"},
		{[]string{`mount`}, "what a container sees: a bind mount is a write of everything below, with `ro` a read; a named volume is nothing"},
		{[]string{`container-path`}, "`container:path` or a local path; the last operand is the destination"},
		{[]string{`manifest`}, `a file, a directory or an address that describes resources`},
		{[]string{`kube-resource`, `kube-resource:table`}, `what a cluster is asked for; secrets are apart, unless only their names are shown`},
		{[]string{`kube-output`, `kube-raw`}, `the format of the answer; a path of the API`},
		{[]string{`http-verb-or-path`}, `a verb, or the path of a request`},
		{[]string{`package-source`}, "where packages come from: an address, file or directory is `control package.source`; a configured name is harmless"},
		{[]string{`requirement`, `requirements`}, `a package to install; a file of them`},
	}},
	{Intro: "For code. Files that the code names are reads and writes, constant commands that it runs are judged as scripts, what it computes at run time is `execute inline:LANG` or an unknown path, and what cannot be read is a gap.", Rows: []UseRow{
		{[]string{`sed`, `awk`, `jq`}, `a program; several such flags are lines of one program`},
		{[]string{`sed-suffixed`}, "the script for BSD sed, which takes the operand before it as the suffix of `-i`"},
		{[]string{`yq`}, `a filter, or a data file`},
		{[]string{`sql`, `sql:DIALECT`}, "statements and client commands of `psql`, `mysql`, `sqlite`, `duckdb`, `mssql`, `clickhouse`: `control database.read`, `.write`, `.drop`, `.admin`; for `sqlite` and `duckdb` the first operand is the file. As standard input: `code:sql-DIALECT`"},
		{[]string{`mongo`}, `a line for the MongoDB shell`},
		{[]string{`database`, `psql-output`}, `the address of a database server; a file, or after a bar a command`},
		{[]string{`code:simh`}, `commands for a simulator; harmless if they stay inside it`},
		{[]string{`code:powershell`, `code:powershell-encoded`, `code:cmd`}, "harmless if it only reads and prints, with constant words"},
		{[]string{`code:applescript`}, `harmless if it is a notification, a sound or speech`},
		{[]string{`code:python`, `code:node`, `code:perl`, `code:php`, `code:ruby`, `code:lua`}, "harmless if every name in it is known or defined in it and only computes and prints. Files and addresses that Python and JavaScript use are effects. Modules that are not the language's own are `execute project:LANG`. `node` is JavaScript and TypeScript"},
		{[]string{`source:python`}, "a file of such code: read from the disk and judged the same way, else `execute file:PATH`, or `written:PATH` if the same script may have changed it"},
		{[]string{`perl-module`, `perl-split`, `ruby-library`}, "values of `-M`, `-F` and `-r`, which become part of the program"},
		{[]string{`pager-command`}, `a file, or after a plus sign a command of the pager: moving is harmless, others may run a shell`},
		{[]string{`magic-file`, `magic-file:write`}, `a file that the program opens, where a name with a bar would be a command; to read; to write`},
		{[]string{`fuzzy-bind`, `fuzzy-bind:preview`}, `key bindings of a fuzzy finder, whose commands are judged as scripts with unknown placeholders; its preview command`},
		{[]string{`task:KIND`}, "a task of the project (`make`, `just`, `task`, `cargo-make`, `npm`, `composer`, `deno`, `poe`, `pdm`, or any other name): `execute project:KIND`, its commands if the definition can be read, `control deploy` if it is named like it. The effect `execute task:KIND:NAME` is the same for a fixed name"},
		{[]string{`task-file`}, `the file that defines the tasks, instead of the usual one`},
	}},
	{Intro: `For programs that put commands together:`, Rows: []UseRow{
		{[]string{`command;:dir`}, "as `command;`, run in the directory of what was found (`find -execdir`)"},
		{[]string{`command;:rest`}, "as `command;`, to the end of the line if there is no `;`; without `{}` the path is added (`fd -x`)"},
		{[]string{`command+:template...`}, "words of a command line that a shell gets (`parallel`)"},
		{[]string{`replace`, `batch`, `delimiter`, `end-mark`, `arg-file`}, "how `command+` uses its input: the mark that a line replaces, how many words at once, what separates them, what ends them, a file instead of standard input"},
		{[]string{`search-root`, `plain-operand`}, `an operand that must not be a flag: a gap if it is unknown or begins with a plus sign`},
		{[]string{`response`}, "joined to another use: with `@` it is a file of further arguments, a gap (`read+response...`)"},
		{[]string{`suffix`, `suffix?`}, "the suffix of a backup; a star stands for the name, and with a slash it is a path (`sed -i'old/*'`). An optional one may be an empty word (`sed -i ''`)"},
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
