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
		{[]string{`secret`}, `a password or token: harmless text that the audit log masks`},
		{[]string{`stat`}, `a path of which only name and metadata are looked at`},
		{[]string{`read`, `create`, `write`, `delete`}, "a path, with that effect. `create` is for what cannot harm existing content (mkdir, touch)"},
		{[]string{`read-tree`, `create-tree`, `write-tree`, `delete-tree`}, "a path, with that effect on everything below it (`unzip -d`, `git worktree add`)"},
		{[]string{`makes`}, "a directory that the program fills with files of its own (`cargo init`): as `create-tree`, but what is there stays as it is"},
		{[]string{`directory`}, "a directory that is made; as `create`, and where only the beginning is known, below that (`mkdir`)"},
		{[]string{`report`}, "a file that the program makes of its own content: a binary, a report, a profile. Where it takes the place of a source that is there, the source is lost: `delete`"},
		{[]string{`generate`}, "a source that a tool of the project generates. Where it takes the place of a source that does not say of itself that it is generated, that is lost. A flag whose use is `write` or `log` counts as a `report` where the program runs the project's code; this one does not"},
		{[]string{`empties`}, "a directory that the program empties before it writes there (`mkdocs build -d`): `delete` of what is there"},
		{[]string{`property`}, "`NAME=VALUE` for the project's own build, which may take the value for a directory: written below, and deleted in a run that cleans (`gradle clean -PbuildDir=x`)"},
		{[]string{`typed-file`}, "`KIND:FILE` or `KIND=FILE`, or several with commas between them: a report of that kind in the file (`--cov-report=xml:FILE`)"},
		{[]string{`settings-file`, `settings-file:DIR`}, "`KEY=VALUE`, or several with semicolons or commas between them; a value may be a file that is written, seen from the working directory or from `DIR`"},
		{[]string{`values:A|B*`}, `text that is harmless if each of its words matches one of the patterns, and else a gap`},
		{[]string{`log`}, "a path that is written besides: a log, a trace, a cookie jar; unlike `write` never the place where what is fetched lands"},
		{[]string{`name-list`}, "a file that holds names of files to read; `-` is standard input (`rsync --files-from`)"},
		{[]string{`link-target`}, `what a link points at, seen from where the link lies if it is a symbolic one`},
		{[]string{`modify`}, `a path whose owner, permissions or attributes change`},
		{[]string{`into`}, `a destination: written itself, or if it is a directory, below it under the last names of the other operands (cp, mv, ln)`},
		{[]string{`move`}, `a path that goes elsewhere with everything below it`},
		{[]string{`hook`}, "the name of a program, or a command, that is run: judged as a script; a path of its own is `execute config:FLAG` (`--pager`, `--editor`)"},
		{[]string{`chdir`, `chdir-operands`}, "the directory the program works in (`git -C`, `make -C`); `chdir-operands` if only operands are seen from there (tar)"},
		{[]string{`run`, `run:LANG`}, "a file that is executed: `run:sh` `run:bash` are read as scripts, `run:python` and others are `execute file:PATH`; `run` alone is any executable"},
		{[]string{`script`, `script:sh`}, `shell text that is run`},
		{[]string{`code:LANG`}, "code in another language (python, node, perl, ruby, awk, ...), or as an operand `-` for code on standard input: what it provably does, else `execute inline:LANG` beside what it certainly does"},
		{[]string{`command`}, "this word and all that follow are a command to run (`env`, `timeout`): write `command...`"},
		{[]string{`command:shell`}, "the same, where `-c TEXT` instead of it is shell text (`flock`)"},
		{[]string{`joined...`, `joined:LANG...`}, "this word and all that follow, with blanks between them, are shell text (`watch`)"},
		{[]string{`command+`}, "the same, with more words added from standard input (`xargs`)"},
		{[]string{`command-in:CONTROL`}, "the same, run elsewhere, as in a container, of whose files nothing is known: looking around there is harmless, what changes something or runs code is `control CONTROL` (`docker exec`)"},
		{[]string{`command;`}, "a flag's command up to `;` or `+`, with `{}` for what was found (`find -exec`)"},
		{[]string{`assign`}, "`NAME=VALUE` for the command that follows: `assign... command...`"},
		{[]string{`member`}, "the name, or a pattern of names, of what an archive holds and is printed (`tar xO`): whoever asks for `.env` by name reads it"},
		{[]string{`includes-like`, `type-glob`}, "as `includes`, by a regular expression (`ag -G`); as `NAME:GLOB`, which defines a kind of file (`rg --type-add`)"},
		{[]string{`includes`}, "a pattern of the names that a search reads: whoever asks for `.env` by name reads it (`grep --include`, `rg -g`)"},
		{[]string{`name-filter`, `extension`}, "a search's limit to names (`find -name`); to what they end with (`fd -e`; several are alternatives)"},
		{[]string{`any-of`, `none-of`, `group`, `group-end`, `prints`}, "what makes of such limits alternatives, opposites and groups (`find`'s `-o`, `!` and parentheses), and where names are printed"},
		{[]string{`aim:name`, `aim:path`, `aim:regexp`}, "names that a search is after without being limited to them for certain (`find -iname`, `-path`, the pattern of `fd`): reading what it finds is reading those"},
		{[]string{`amount`, `amount:512`}, "how much is read of a stream before it ends, in blocks of so many bytes (`head -c`, `dd count=`)"},
		{[]string{`block`}, "the size of those blocks (`dd bs=`)"},
		{[]string{`size`}, "the size of a file that is made at once (`fallocate -l`)"},
		{[]string{`duration`}, "a time that is waited (`sleep`)"},
		{[]string{`process`}, `a process that is signalled: a number, or a job`},
		{[]string{`process-name`}, "a name, or a part of one, that processes are found by to be signalled: one that fits too many is `control process.kill-all`"},
		{[]string{`temp-dir`}, "a directory in which the program puts temporary files of its own: `create DIR/PROGRAM*`"},
		{[]string{`lock`}, `a file that is created where there is none, to hold a lock on it; a number is an open file`},
		{[]string{`fifo`}, `a pipe that is made in the file system`},
		{[]string{`url`, `send`}, "an address that is fetched from; sent to (`file:` addresses are reads)"},
		{[]string{`address`}, "an address that is opened, or a file of this machine (`xdg-open`)"},
		{[]string{`page`}, "an address, or a file of that name (`lynx`)"},
		{[]string{`asks:A|B`}, "a verb: with any other than these the request is a send (`grpcurl HOST list`)"},
		{[]string{`host`, `send-host`}, `a host that is asked; sent to`},
		{[]string{`upload`}, `a file whose content is sent`},
		{[]string{`param`}, "a parameter of a remote interface; `@file` and `file://` read a file"},
		{[]string{`at-file`}, "data to send, or `@file`"},
		{[]string{`remote-path`, `remote-dest`, `remote-delete`}, "`host:path` or a local path, to read; to write; to delete (scp, rsync). A host that is this machine makes it a local path"},
		{[]string{`config`}, "a file or directory that decides which code the program runs: inside the project a read, as it is the project's own, elsewhere `execute config:PATH`"},
		{[]string{`env-file`}, "a file of variables for a command: in the project its own, elsewhere `execute config:PATH`"},
		{[]string{`rewrite:*.go`}, `a file that a formatter rewrites, or a directory below which it rewrites files of that name; several names are joined by bars`},
		{[]string{`agent-settings`}, `settings for one run of an agent, or the file they are in`},
		{[]string{`variable-name`}, `the name of an environment variable that is shown: a secret, if the name says so or the script put one there`},
		{[]string{`setting-name`}, `the name of a setting that is shown: a secret, if the name says so`},
		{[]string{`package`}, "a package whose code is fetched and run: `execute package:WORD`"},
		{[]string{`packed:KIND`}, "a package that an archive is made of: a path, whose own code runs (`execute project:KIND`), or a name that is fetched"},
		{[]string{`package-run:LIST`}, "this word and all that follow are a command from a package (`npx eslint src`); see below"},
		{[]string{`package-script:LIST`}, "the same for one of the project's scripts, where the program falls back to packages and programs of that name (`yarn jest`)"},
		{[]string{`python-module`}, `a flag's value that names a module to run; all further words are its arguments`},
		{[]string{`values:-s|-X=*|!-*|*`}, "blank-separated words, each allowed by the first pattern it matches; `!` refuses, what matches nothing is refused"},
		{[]string{`control:NAME`, `execute:NAME`}, `the presence of this word is that effect`},
		{[]string{`gap`}, `something longline does not follow`},
	}},
	{Intro: `Uses of the words that git and its kin take:`, Rows: []UseRow{
		{[]string{`git-rev`}, "a revision, an object `REV:PATH` (which is read), or a path; the disk decides where git asks it"},
		{[]string{`git-path`, `git-path:delete`}, `a pathspec, with magic and wildcards; read unless another kind of effect is named`},
		{[]string{`git-range`}, "`START,END:FILE`"},
		{[]string{`git-checkout`, `git-reset`, `git-restore`}, `an operand of these commands: a branch is switched or moved, or changes to paths are lost`},
		{[]string{`git-patch`}, `a patch that is applied; the files it names are written`},
		{[]string{`git-config`, `git-config-env`}, "`KEY=VALUE` for one run; the key says whether the value is harmless, a file, or a program"},
		{[]string{`git-config-name`, `git-config-set`, `git-config-file`}, `a key that is shown; a value that is stored; the file that flags choose for it`},
		{[]string{`git-url`, `git-url:clone`, `git-url:forge`, `git-url:text`, `git-url:pull`}, `a remote, an address or a path to fetch from; where a plain word is a path, or a repository of the forge; one that is only noted down; one whose commits are merged`},
		{[]string{`git-rename`}, `a new name for a branch: one that another branch has is lost`},
		{[]string{`git-clone`}, "besides `git-url`: makes the directory that the address names, unless another operand names it"},
		{[]string{`git-push`, `git-refspec`, `git-refspec:fetch`}, `where commits go; which ones, and whether by force or as a deletion`},
		{[]string{`git-dir`}, `a repository or working tree that a flag names`},
	}},
	{Intro: `Uses of transfer programs:`, Rows: []UseRow{
		{[]string{`http-method`}, "a method; all but `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PROPFIND` send"},
		{[]string{`body`, `form`, `data-field`}, "data to send; `name=@file`; `name=text` or `name@file`"},
		{[]string{`header`, `cookie`}, "text that travels along: data if it is not known or its name says credential, with `@` a file; `name=value`, which is data, or a file"},
		{[]string{`httpie`}, "an operand in `METHOD ADDRESS ITEM...`"},
		{[]string{`output`, `output-dir`}, `the file of a download, seen from the directory that the other names`},
		{[]string{`url-file`, `url-file:NAME`, `url-tree`}, "an address whose last part names the file, or `NAME` if there is none, or with `*` the server; a whole tree of files"},
		{[]string{`write-out`, `ftp-command`}, `a format that may name files; a command to a file server`},
		{[]string{`remote-file`}, "`host`, where a session begins, or `host:path`, which is fetched"},
		{[]string{`dns-word`}, "a name to look up, `@server`, `+option` or a type"},
		{[]string{`stream-host`}, `a host that standard input goes to, if there is any`},
		{[]string{`socket`}, `an address as socat takes it`},
		{[]string{`ssh-host`, `ssh-option`}, "the host of a login; `Name=value` of its configuration"},
		{[]string{`shell-words`, `shell-words:remote`}, `this word and those after it, joined, are shell text, here or on the other machine`},
		{[]string{`shell-words:KIND`}, "the same on a device (`android`), where the programs of `list/KIND` come before those of this machine: reads there are harmless, and whatever changes something or runs code is `control remote.shell`"},
		{[]string{`program:NAME`}, "this word and those after it are arguments of the program `NAME`"},
		{[]string{`forge-api`, `api-field`, `jq-env`}, "the endpoint of a call to a forge, judged with its method, fields and graphql; `key=@file`; a filter that may show the environment"},
	}},
	{Intro: `Uses of programs for clouds, containers and packages:`, Rows: []UseRow{
		{[]string{`s3-path`, `s3-tree`}, "a path of an object store (`s3://bucket/key`) or a local one; the last operand is the destination; with everything below it (`aws s3 sync`)"},
		{[]string{`mount`}, "what of this machine a container sees: a bind mount is a write of everything below it, with `ro` a read; a named volume is nothing"},
		{[]string{`container-path`}, "`container:path`, or a path of this machine; the last operand is the destination"},
		{[]string{`manifest`}, `a file, a directory or an address that describes resources`},
		{[]string{`kube-resource`, `kube-resource:table`}, `the kind of things a cluster is asked for; secrets are apart, unless a table shows only their names`},
		{[]string{`kube-output`, `kube-raw`}, `the format in which a cluster answers; a path of its interface`},
		{[]string{`http-verb-or-path`}, `a verb, or the path of a request`},
		{[]string{`package-source`}, "where packages are taken from: an address, a file or a directory is `control package.source`; a name that the program's settings give to one is harmless"},
		{[]string{`requirement`, `requirements`}, `a package that is to be installed; a file of them`},
	}},
	{Intro: "Uses of small languages. Their programs are read construct by construct: files that they name are reads and writes, constant commands that they run are judged as scripts, what is computed at run time is `execute inline:LANG` or a path that is not known, and what cannot be read is a gap.", Rows: []UseRow{
		{[]string{`sed`, `awk`, `jq`}, `a program; the values of several flags of this use are one program, line by line`},
		{[]string{`sed-suffixed`}, "the operand behind a script that the seds of BSD take for the suffix of `-i`; to them this one is the script"},
		{[]string{`yq`}, `a filter, or if it can only be a data file's name, a file to read`},
		{[]string{`sql`, `sql:DIALECT`}, "statements and the client's own commands, for `psql`, `mysql`, `sqlite`, `duckdb`, `mssql`, `clickhouse`: `control database.read`, `.write`, `.drop`, `.admin`; for `sqlite` and `duckdb` the first operand is the database file. As standard input: `code:sql-DIALECT`"},
		{[]string{`mongo`}, `a line for the MongoDB shell`},
		{[]string{`database`, `psql-output`}, `the address of a database server; a file, or behind a bar a command`},
		{[]string{`code:simh`}, `commands to a simulator of old machines; harmless if each line looks at the simulated machine, changes it or lets it run`},
		{[]string{`code:powershell`, `code:powershell-encoded`, `code:cmd`}, "harmless if it is a pipeline of cmdlets, or a command, that only looks and prints, with constant words: files that it reads are reads, the drive `env:` the environment"},
		{[]string{`code:applescript`}, `harmless if each line is a notification, a sound or speech with constant text`},
		{[]string{`code:python`, `code:node`, `code:perl`, `code:php`, `code:ruby`, `code:lua`}, "harmless if every name in it is known, or is defined in it, and does no more than compute and print; files that Python and JavaScript read, write or delete, and addresses that they fetch from, are effects. A command that it runs is judged as a script. Modules that are not the language's own, and files that are loaded in place of the language's own, are `execute project:LANG`, and what they certainly do counts as well. `node` stands for JavaScript and TypeScript"},
		{[]string{`source:python`}, "a file of such code, given to its interpreter: read from the disk and judged the same way, else `execute file:PATH`. What this very script may have changed is `written:PATH`"},
		{[]string{`perl-module`, `perl-split`, `ruby-library`}, "what `-M`, `-F` and `-r` take, which becomes part of the program"},
		{[]string{`pager-command`}, `a file to look at, or behind a plus sign what a pager does first: going to a line or to what matches is harmless, other commands may run a shell`},
		{[]string{`magic-file`, `magic-file:write`}, `a file that a program opens by itself, where a name with a bar would be a command; to read, to write`},
		{[]string{`fuzzy-bind`, `fuzzy-bind:preview`}, `key bindings of a fuzzy finder; actions that run commands are judged as scripts, in which a placeholder is a word that is not known; its preview command`},
		{[]string{`task:KIND`}, "a task of the project (`make`, `just`, `task`, `cargo-make`, `npm`, `composer`, `deno`, `poe`, `pdm`, or any other name): `execute project:KIND`, its commands where the definition can be read, `control deploy` where its name sounds like it. The effect `execute task:KIND:NAME` is the same for a fixed name"},
		{[]string{`task-file`}, `the file that defines the tasks, instead of the usual one`},
	}},
	{Intro: `Uses of programs that run commands they put together:`, Rows: []UseRow{
		{[]string{`command;:dir`}, "as `command;`, run in the directory of what was found (`find -execdir`)"},
		{[]string{`command;:rest`}, "as `command;`, to the end of the line if there is no `;`; the first operand is what is searched for, and a command without `{}` gets the path as its last word (`fd -x`)"},
		{[]string{`command+:template...`}, "words of a command line that is filled in and handed to a shell (`parallel`)"},
		{[]string{`replace`, `batch`, `delimiter`, `end-mark`, `arg-file`}, "what decides how `command+` deals out its input: the mark that a line replaces, how many words at once, what separates them, what ends them, a file instead of standard input"},
		{[]string{`search-root`, `plain-operand`}, `an operand that must not be a flag: a gap if it is not known, or if it begins with a plus sign`},
		{[]string{`response`}, "a word that, if it begins with `@`, stands for further arguments in a file: a gap; joined to what the word is otherwise (`read+response...`)"},
		{[]string{`suffix`, `suffix?`}, "what is added to the names of the files that are written, for a copy of what was there; a star in it stands for the name, and with a slash it is a path (`sed -i'old/*'`). Some versions take an optional one as a word of its own, if that is empty (`sed -i ''`)"},
		{[]string{`digits?`}, "an optional number inside a bundle: more letters follow it (`perl -l0ne`)"},
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

// KnownUse says whether the vocabulary has a use.
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
