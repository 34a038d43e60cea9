package command

import (
	"cmp"
	"slices"
	"strings"

	"longline/internal/tool"
)

// useRow is one form of a use: how models write it, what docs/models.md says of it, what
// carries it out, and what else is true of it.
type useRow struct {
	name   string
	form   string // with its argument, or a sign that there may be many or none; "" if it is the name
	says   string // "" continues the line of the row above
	act    action // nil for a further form of a use that has a row above
	traits traits
}

type useGroup struct {
	intro string
	rows  []useRow
}

// action carries out a use of a word; operand says that the word is no flag's value.
type action interface {
	do(r *reader, u Use, w Word, operand bool)
}

// Actions, by what they need to know besides the word.
type (
	word      func(*reader, Word)
	placed    func(*reader, Word, bool)      // whether it is an operand
	argued    func(*reader, string, Word)    // the argument of the use
	whole     func(*reader, Use, Word, bool) // all of it
	rest      func(*reader, Use, []Word)     // the words behind it, which belong to it
	touches   tool.Kind                      // nothing: an effect on the path it names
	covers    tool.Kind                      // nothing: the same with all that is below
	fetches   tool.Kind                      // nothing: an effect on the address it is
	asksHost  tool.Kind                      // nothing: an effect on the host it is
	hasHost   tool.Kind                      // nothing: an effect on a path here, or on a host
	elsewhere string                         // nothing: the method of this name looks it up
)

func (f word) do(r *reader, _ Use, w Word, _ bool)         { f(r, w) }
func (f placed) do(r *reader, _ Use, w Word, operand bool) { f(r, w, operand) }
func (f argued) do(r *reader, u Use, w Word, _ bool)       { f(r, u.Arg, w) }
func (f whole) do(r *reader, u Use, w Word, operand bool)  { f(r, u, w, operand) }
func (f rest) do(r *reader, u Use, w Word, _ bool)         { f(r, u, []Word{w}) }
func (kind touches) do(r *reader, _ Use, w Word, operand bool) {
	r.pathUse(tool.Kind(kind), w, operand)
}
func (kind covers) do(r *reader, _ Use, w Word, _ bool)   { r.treeUse(tool.Kind(kind), w) }
func (kind fetches) do(r *reader, _ Use, w Word, _ bool)  { r.url(tool.Kind(kind), w) }
func (kind asksHost) do(r *reader, _ Use, w Word, _ bool) { r.host(tool.Kind(kind), w) }
func (kind hasHost) do(r *reader, _ Use, w Word, operand bool) {
	r.remotePath(w, tool.Kind(kind), operand)
}
func (elsewhere) do(*reader, Use, Word, bool) {}

// traits are facts about a use that hold whatever the word is.
type traits uint8

const (
	first   traits = 1 << iota // it changes how other words are read, and is applied before them
	exposed                    // the word comes to light: listed, or in the complaint that it is not a number, no such file, no such choice
	mere                       // a flag with it does no more than say something
	login                      // what a login needs, secrets among it, stands in such words
	looks                      // a flag with it does no more than read
)

const same = ""

// useTable is the vocabulary of models: what a word can be used for. What models may
// write, what the reader does, what docs/models.md says and what editors offer is in it.
var useTable = [...]useGroup{
	{"A use says what a word is. `longline schema models` also describes those for git, transfers, clouds, containers, code and command lines.", []useRow{
		{`text`, ``, `harmless text`, placed((*reader).mereWord), mere},
		{`pattern`, ``, same, word((*reader).searches), mere},
		{`number`, ``, same, placed((*reader).mereWord), exposed | mere},
		{`ref`, ``, same, placed((*reader).mereWord), mere},
		{`recorded`, ``, "text that others may see later (`GIT_AUTHOR_NAME`)", placed((*reader).mereWord), exposed | mere},
		{`file-name`, ``, "part of a project path; a gap if it is outside (`rails g model X`)", word((*reader).fileName), 0},
		{`secret`, ``, "a password or token, masked in the log", word((*reader).secret), mere | login},
		{`stat`, ``, "a path whose metadata is read", word((*reader).looked), exposed | mere},
		{`read`, ``, "a path with that effect; `create` keeps content (`mkdir`)", touches(tool.Read), exposed | looks},
		{`create`, ``, same, touches(tool.Create), exposed},
		{`create-file`, ``, "a file, not a directory (`touch`)", placed(createFile), exposed},
		{`write`, ``, same, touches(tool.Write), exposed},
		{`delete`, ``, same, touches(tool.Delete), exposed},
		{`clear`, ``, "a path that is emptied (`truncate -s 0`)", placed(clears), exposed},
		{`read-tree`, ``, "the whole tree (`unzip -d`)", covers(tool.Read), exposed | looks},
		{`create-tree`, ``, same, covers(tool.Create), exposed},
		{`write-tree`, ``, same, covers(tool.Write), exposed},
		{`delete-tree`, ``, same, covers(tool.Delete), exposed},
		{`makes`, ``, "a directory that is filled; existing files stay (`cargo init`)", word((*reader).makesIn), 0},
		{`report`, ``, "a result, such as a binary; `delete` if it replaces a source", word((*reader).report), exposed},
		{`generate`, ``, "a generated source; `delete` if it replaces another source", placed((*reader).generate), 0},
		{`empties`, ``, "a directory that is emptied first (`mkdocs build -d`)", argued(func(r *reader, mark string, w Word) { emptiesOthers(&r.deeds, mark, w) }), 0},
		{`empties`, `empties:MARK`, "the same, except directories with a link NAMEMARK next to them (`pytest --basetemp`)", nil, 0},
		{`replaces`, ``, "modifier: other content (an archive); `delete` if it replaces a source", word(replaces), 0},
		{`keyed`, ``, "modifier: a private key is written, a secret from then on", word(keyed), 0},
		{`unlinks`, ``, "modifier: a link replaces the file (`ln -f`)", word(unlinks), 0},
		{`property`, ``, "`NAME=VALUE` for a build; the value may be a directory that is written or cleaned (`make O=x`)", argued((*reader).property), 0},
		{`property`, `property:A|B`, same, nil, 0},
		{`write-list`, ``, "comma-separated paths that are written", word((*reader).writeList), 0},
		{`typed-file`, ``, "comma-separated `KIND:FILE` or `KIND=FILE` (`--cov-report`)", word(typedFile), 0},
		{`settings-file`, ``, "`KEY=VALUE;...`; a value may be a file that is written, relative to `DIR`", argued((*reader).settingsFile), 0},
		{`settings-file`, `settings-file:DIR`, same, nil, 0},
		{`values`, `values:A|B*`, "text; otherwise a gap. A leading `DIR/` is an existing directory", argued((*reader).oneOf), exposed | mere},
		{`at-least`, `at-least:N`, "a number of at least N, or `unlimited`; otherwise a gap", argued(atLeast), exposed | mere},
		{`log`, ``, "a path that is written, never a download", word(logFile), exposed},
		{`name-list`, ``, "a file of names to read, or `-` (`rsync --files-from`)", word((*reader).nameList), looks},
		{`link-target`, ``, "what a link points to", placed((*reader).linkTarget), 0},
		{`keeps-path`, ``, "in a mode: copies keep their path (`cp --parents`)", elsewhere("finish"), 0},
		{`spares`, ``, "in a mode: existing files stay or are renamed (`cp -n`)", elsewhere("spares"), mere},
		{`spares`, `spares:asks`, "unless standard input says yes (`cp -i`)", nil, 0},
		{`follows`, ``, "in a mode: links are followed (`find -L`, `tar -x`)", elsewhere("finish"), mere},
		{`unpacks`, ``, "in a mode: archive members replace files (`tar -x`)", elsewhere("unpacking"), mere},
		{`unpacks`, `unpacks:all`, "all members (`python -m tarfile -e`)", nil, 0},
		{`unpacks`, `unpacks:asks`, "if standard input says yes (`unzip`)", nil, 0},
		{`unpacks`, `unpacks:patch`, "a patch changes the files it names (`git apply`)", nil, 0},
		{`unpacks`, `unpacks:stripped`, "leading directories may be left out (`unzip -j`)", nil, 0},
		{`unpacks`, `unpacks:renamed`, "names may change (`tar --transform`)", nil, 0},
		{`enters`, ``, "in a mode: a link given as operand is followed (`grep -r`)", elsewhere("finish"), mere},
		{`repeats`, ``, "in a mode: the command runs more than once (`watch`)", elsewhere("finish"), mere},
		{`symbolic`, ``, "in a mode, before `link-target`: a relative symbolic link", word((*reader).symbolic), 0},
		{`modify`, ``, "a path whose owner, mode or attributes change", placed((*reader).modify), exposed},
		{`shut`, ``, "a path that its new mode may make unusable", placed(shut), exposed},
		{`into`, ``, "the destination: a file or a directory (`cp`, `mv`, `ln`)", placed((*reader).into), exposed},
		{`move`, ``, "a tree that is moved", placed((*reader).move), exposed},
		{`hook`, ``, "a command, judged as a script; a path is `execute config:FLAG` (`--pager`)", word(hookFlag), 0},
		{`chdir`, ``, "the working directory (`git -C`); only for operands (`tar`)", word((*reader).chdir), first},
		{`chdir-operands`, ``, same, word((*reader).chdirOperands), 0},
		{`project-dir`, ``, "the directory it works on; `config` where it runs what is defined there", word(projectDir), first},
		{`run`, ``, "a file that is run: a script for `sh` and `bash`, else `execute file:PATH`", whole((*reader).runUse), 0},
		{`run`, `run:LANG`, same, nil, 0},
		{`filter-program`, ``, "a program that reads this one's output; its argument", word(filterProgram), 0},
		{`filter-word`, ``, same, elsewhere("filterProgram"), 0},
		{`text-of`, `text-of:KIND`, "a file whose text may include others (`#include`); one that the script writes is code", argued(textOf), 0},
		{`loads-from`, `loads-from:A|B`, "a directory with code or settings of these names (`docker build`)", argued(loadsFrom), 0},
		{`script`, ``, "shell text that is run", whole((*reader).scriptText), 0},
		{`script`, `script:sh`, same, nil, 0},
		{`script-before`, ``, "shell text; the operands are appended (`git difftool -x`)", argued((*reader).scriptBefore), 0},
		{`script-before`, `script-before:operands`, same, nil, 0},
		{`script-before`, `script-before:words`, "the same, split by the program (`env -S`)", nil, 0},
		{`code`, `code:LANG`, "code (`-`: standard input): what it provably does, or `execute inline:LANG`", whole((*reader).codeUse), 0},
		{`command`, ``, "this and all following words: `command...`", rest((*reader).command), 0},
		{`command`, `command:shell`, "the same, or `-c TEXT` (`flock`)", nil, 0},
		{`joined`, `joined...`, "the same, joined to shell text (`watch`)", rest((*reader).joined), 0},
		{`joined`, `joined:LANG...`, same, nil, 0},
		{`command+`, ``, "a command that gets words from standard input (`xargs`)", rest((*reader).commandWith), 0},
		{`command-in`, `command-in:CONTROL`, "a command in a container: harmless if it reads, else `control CONTROL`", rest((*reader).commandIn), 0},
		{`command;`, ``, "a command up to `;` or `+`, with `{}` (`find -exec`)", elsewhere("takesCommand"), 0},
		{`assign`, ``, "`NAME=VALUE` for the command that follows", word((*reader).assignment), 0},
		{`member`, ``, "archive members that are printed (`tar xO`)", word((*reader).member), 0},
		{`includes-like`, ``, "`includes`, as a regular expression (`ag -G`) or `NAME:GLOB` (`rg --type-add`)", word((*reader).includesLike), 0},
		{`type-glob`, ``, same, word((*reader).typeGlob), 0},
		{`excludes`, ``, "names to leave out (`grep --exclude`)", word(func(*reader, Word) {}), mere},
		{`includes`, ``, "names to search; naming `.env` reads it (`grep --include`)", word((*reader).includes), looks},
		{`name-filter`, ``, "only these names (`find -name`) or extensions (`fd -e`)", elsewhere("take"), mere},
		{`extension`, ``, same, elsewhere("take"), mere},
		{`any-of`, ``, "`-o`, `!`, parentheses and `-print` of `find`", elsewhere("take"), 0},
		{`none-of`, ``, same, elsewhere("take"), 0},
		{`group`, ``, same, elsewhere("take"), 0},
		{`group-end`, ``, same, elsewhere("take"), 0},
		{`prints`, ``, same, elsewhere("limits"), 0},
		{`aim`, `aim:name`, "names mentioned in a search that is not limited to them (`find -path`)", argued((*reader).aim), first | mere},
		{`aim`, `aim:path`, same, nil, 0},
		{`aim`, `aim:regexp`, same, nil, 0},
		{`amount`, ``, "how much is read, in blocks (`head -c`, `dd count=`)", argued((*reader).amount), exposed | looks},
		{`amount`, `amount:512`, same, nil, 0},
		{`block`, ``, "the block size (`dd bs=`)", word((*reader).block), exposed},
		{`size`, ``, "the size of a new file (`fallocate -l`)", word((*reader).size), exposed},
		{`duration`, ``, "a time to wait", word((*reader).duration), exposed},
		{`process`, ``, "a process to signal", word((*reader).process), 0},
		{`process-name`, ``, "processes by name; too many are `control process.kill-all`", word((*reader).processName), 0},
		{`temp-dir`, ``, "a directory: `create DIR/PROGRAM*`", word((*reader).tempDir), exposed},
		{`lock`, ``, "a lock file; a number is an open file", word((*reader).lock), exposed},
		{`fifo`, ``, "a new named pipe", placed((*reader).fifo), exposed},
		{`url`, ``, "an address to fetch from; to send to", fetches(tool.Fetch), 0},
		{`send`, ``, same, fetches(tool.Send), 0},
		{`address`, ``, "an address or file that is opened (`xdg-open`)", word((*reader).address), 0},
		{`page`, ``, "an address or a file (`lynx`); without a scheme a file", argued((*reader).page), 0},
		{`page`, `page:file`, same, nil, 0},
		{`asks`, `asks:A|B`, "a reading verb; others send (`grpcurl HOST list`)", argued((*reader).asks), 0},
		{`host`, ``, "a host to fetch from; to send to", asksHost(tool.Fetch), 0},
		{`send-host`, ``, same, asksHost(tool.Send), 0},
		{`upload`, ``, "a file that is sent", placed((*reader).upload), 0},
		{`param`, ``, "a parameter; `@file` and `file://` read a file", word((*reader).param), 0},
		{`at-file`, ``, "data to send, or `@file`", word((*reader).atFile), 0},
		{`remote-path`, ``, "`host:path` or a local path, to read; write; delete (`scp`)", hasHost(tool.Read), 0},
		{`remote-dest`, ``, same, hasHost(tool.Write), 0},
		{`remote-delete`, ``, same, hasHost(tool.Delete), 0},
		{`config`, ``, "decides which code runs: outside the project `execute config:PATH`", placed((*reader).config), 0},
		{`env-file`, ``, "variables: outside the project `execute config:PATH`", word(envFile), 0},
		{`rewrite`, `rewrite:*.go`, "a file or tree that a formatter rewrites; `|` separates patterns", argued((*reader).rewrite), 0},
		{`agent-settings`, ``, "settings for one run of an agent, or their file", word((*reader).agentSettings), 0},
		{`variable-name`, ``, "a variable that is shown: a secret by name or value", word((*reader).variableName), 0},
		{`shown-format`, ``, "a format; `#{NAME}` may show a variable (`tmux display -p`)", word(shownFormat), mere},
		{`handed-variable`, ``, "`NAME=VALUE`, or a variable to pass on (`docker build --build-arg`)", word((*reader).handedVariable), 0},
		{`option`, ``, "in `env`: the variable means this flag, or the one in its name (`TOX_*`)", elsewhere("flagNamed"), mere},
		{`option`, `option:--FLAG`, same, nil, 0},
		{`setting-name`, ``, "a setting that is shown: a secret by name", word((*reader).settingName), login},
		{`package`, ``, "a package that is run: `execute package:WORD`", word((*reader).packageUse), 0},
		{`packed`, `packed:KIND`, "a package to pack: `execute project:KIND`, or a name to fetch", argued(packed), 0},
		{`package-run`, `package-run:LIST`, "a command from a package (`npx eslint`); see below", rest((*reader).fromPackage), 0},
		{`package-script`, `package-script:LIST`, "a project script, else a package (`yarn jest`)", rest((*reader).projectScript), 0},
		{`environment-script`, `environment-script:LIST`, "the same in named environments (`+py=3.12`, `dev:test`)", rest(environmentScript), 0},
		{`python-module`, ``, "a module to run, with its arguments", elsewhere("namesModule"), 0},
		{`values`, `values:-s|-X=*|!-*|*`, "the first matching pattern decides; `!` and no match are gaps", nil, 0},
		{`named`, `named:CONTROL=A|B*`, "`control CONTROL` for these or unknown words (`mvn deploy`)", argued((*reader).namedControl), 0},
		{`control`, `control:NAME`, "a word with that effect", argued((*reader).controls), 0},
		{`execute`, `execute:NAME`, same, argued((*reader).executes), 0},
		{`other-machine`, `other-machine:A|B*`, "where containers run; others than these are `control container.control` (`docker --context`)", argued(otherMachine), 0},
		{`gap`, ``, `a gap`, word((*reader).unread), 0},
	}},
	{`For git and its relatives:`, []useRow{
		{`git-rev`, ``, "a revision, `REV:PATH` (read), or a path, in git's order", word((*reader).gitRevision), exposed},
		{`pathspec`, ``, "modifier: names are git pathspecs", elsewhere("isSpec"), mere},
		{`git-path`, ``, "a pathspec; `read` unless said otherwise", argued(gitPathUse), exposed},
		{`git-path`, `git-path:delete`, same, nil, 0},
		{`git-range`, ``, "`START,END:FILE`", word((*reader).gitRange), exposed},
		{`git-checkout`, ``, "a branch to switch or move, or paths whose changes are lost", word((*reader).gitCheckout), exposed},
		{`git-reset`, ``, same, word((*reader).gitReset), exposed},
		{`git-restore`, ``, same, word((*reader).gitRestore), exposed},
		{`git-patch`, ``, "a patch; its files are written", word((*reader).gitPatch), 0},
		{`git-config`, ``, "`KEY=VALUE` for one run, judged by its key", word((*reader).gitConfig), 0},
		{`git-config-env`, ``, same, word((*reader).gitConfigEnv), 0},
		{`git-config-name`, ``, "a key that is shown; a value that is stored; its file", word(gitConfigName), 0},
		{`git-config-set`, ``, same, word((*reader).gitConfigSet), 0},
		{`git-config-file`, ``, same, word((*reader).gitConfigFile), 0},
		{`git-url`, ``, "a remote, address or path; a path; a forge's repository; only noted; merged", argued((*reader).gitURL), 0},
		{`git-url`, `git-url:clone`, same, nil, 0},
		{`git-url`, `git-url:forge`, same, nil, 0},
		{`git-url`, `git-url:text`, same, nil, 0},
		{`git-url`, `git-url:pull`, same, nil, 0},
		{`git-trace`, ``, "in `env`, with `values`: prints addresses", word(gitTrace), 0},
		{`git-rename`, ``, "a new branch name; that branch is lost", word((*reader).gitRename), 0},
		{`git-clone`, ``, "with `git-url`: creates the directory", word((*reader).gitClone), 0},
		{`git-push`, ``, "where commits go; which ones, also by force or as a deletion", word((*reader).gitPush), 0},
		{`git-refspec`, ``, same, argued(gitRefspec), 0},
		{`git-refspec`, `git-refspec:fetch`, same, nil, 0},
		{`git-dir`, ``, "a repository or working tree; a repository for the current directory", argued((*reader).gitDirUse), first},
		{`git-dir`, `git-dir:store`, same, nil, 0},
	}},
	{`For transfers:`, []useRow{
		{`http-method`, ``, "all but `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PROPFIND` send", word((*reader).httpMethod), 0},
		{`body`, ``, "data to send; `name=@file`; `name=text` or `name@file`", word((*reader).body), 0},
		{`form`, ``, same, word((*reader).form), 0},
		{`data-field`, ``, same, word((*reader).dataField), 0},
		{`header`, ``, "data if unknown or named like a credential, `@file`; `name=value`, or a file", word((*reader).header), login},
		{`cookie`, ``, same, word((*reader).cookie), login},
		{`httpie`, ``, "an operand in `METHOD ADDRESS ITEM...`", word((*reader).httpie), 0},
		{`output`, ``, "the file of a download; its directory", word((*reader).output1), 0},
		{`output-dir`, ``, same, word((*reader).outputDir), first},
		{`url-file`, ``, "an address whose last part, or `NAME`, is the file; a tree", argued((*reader).urlFile), 0},
		{`url-file`, `url-file:NAME`, same, nil, 0},
		{`url-tree`, ``, same, word((*reader).urlTree), 0},
		{`write-out`, ``, "a format that may name files; a file server's command", word((*reader).writeOut), 0},
		{`ftp-command`, ``, same, word((*reader).ftpCommand), 0},
		{`remote-file`, ``, "`host` (a session) or `host:path` (fetched)", word((*reader).remoteFile), 0},
		{`dns-word`, ``, "a name to look up, `@server`, `+option` or a type", word((*reader).dnsWord), 0},
		{`stream-host`, ``, "a host that standard input goes to", word((*reader).streamHost), 0},
		{`told`, ``, "with a host: gets standard input; a gap if more than a check", word(isTold), 0},
		{`socket`, ``, `an address in socat's syntax`, word((*reader).socket), 0},
		{`ssh-host`, ``, "the host of a login; `Name=value` of its configuration", word((*reader).sshHost), 0},
		{`ssh-option`, ``, same, word((*reader).sshOption), login},
		{`shell-words`, `shell-words:modules`, "the rest is shell text, in each submodule or remote", argued((*reader).shellWords), 0},
		{`shell-words`, `shell-words:remote`, same, nil, 0},
		{`shell-words`, `shell-words:KIND`, "the same on a device: harmless if it reads, else `control remote.shell`", nil, 0},
		{`program`, `program:NAME`, "the rest are arguments of `NAME`", rest((*reader).argumentsOf), 0},
		{`forge-api`, ``, "an endpoint; these names show secrets; `key=@file`; may show the environment", argued((*reader).forgeAPI), 0},
		{`forge-api`, `forge-api:A|B`, same, nil, 0},
		{`api-field`, ``, same, word((*reader).apiField), 0},
		{`jq-env`, ``, same, word((*reader).jqEnv), 0},
	}},
	{`For clouds, containers and packages:`, []useRow{
		{`query`, `query:CONTROL=A|B`, "a JMESPath expression: `control CONTROL` unless it shows only harmless fields, or these (`aws --query`)", argued(queried), 0},
		{`projection`, `projection:CONTROL=A|B`, "formats such as `value(status.url)` (`gcloud --format`)", argued(projected), 0},
		{`template`, `template:CONTROL=A|B`, "a Go template: `control CONTROL` for everything, or these fields (`docker inspect -f`)", argued((*reader).shownFields), 0},
		{`object`, ``, "an object that is shown: `control cloud.secret` if named like a secret", word((*reader).object), 0},
		{`keyed-file`, ``, "`KEY=FILE` or `FILE`, part of the result", word((*reader).keyedFile), 0},
		{`s3-path`, ``, "`s3://bucket/key` or a local path, the last is the destination; trees", word((*reader).objectPath), 0},
		{`s3-tree`, ``, same, word((*reader).objectTree), 0},
		{`mount`, ``, "a bind mount writes the tree, `ro` reads it", word((*reader).mount), 0},
		{`container-path`, ``, "`container:path` or a local path; the last is the destination", word((*reader).containerPath), 0},
		{`manifest`, ``, "a file, directory or address that describes resources", word((*reader).manifest), 0},
		{`kube-resource`, ``, "a cluster's resource; secrets count, unless only names are shown", argued((*reader).resource), 0},
		{`kube-resource`, `kube-resource:table`, same, nil, 0},
		{`kube-template`, ``, "a template that may pick variables", word(kubeTemplate), 0},
		{`kube-output`, ``, "the answer's format; an API path", word((*reader).kubeOutput), 0},
		{`kube-raw`, ``, same, word((*reader).kubeRaw), 0},
		{`http-verb-or-path`, ``, "a verb, or the path of a request", word((*reader).httpVerb), 0},
		{`package-source`, ``, "an address, file or directory is `control package.source`", word((*reader).packageSource), 0},
		{`requirement`, ``, "a package to install; a file of them", word((*reader).requirement), 0},
		{`requirements`, ``, same, word((*reader).requirements), 0},
	}},
	{"For code. Files that it names are read or written, constant commands that it runs are judged as scripts, what it computes at run time is `execute inline:LANG` or an unknown path, and what cannot be read is a gap.", []useRow{
		{`sed`, ``, "a program; several such flags are lines of one", whole((*reader).filterUse), 0},
		{`awk`, ``, same, whole((*reader).filterUse), 0},
		{`jq`, ``, same, whole((*reader).filterUse), 0},
		{`sed-suffixed`, ``, "BSD sed's script, after the suffix of `-i`", word((*reader).sedSuffixed), 0},
		{`yq`, ``, `a filter, or a data file`, word((*reader).yqOperand), 0},
		{`sql`, ``, "`control database.read`, `.write`, `.drop`, `.admin`; for `sqlite` and `duckdb` the first operand is the file", argued((*reader).sql), 0},
		{`sql`, `sql:DIALECT`, same, nil, 0},
		{`mongo`, ``, `a line for the MongoDB shell`, whole((*reader).filterUse), 0},
		{`database`, ``, "a server's address; a file, or a command after `|`", word((*reader).database), 0},
		{`psql-output`, ``, same, word((*reader).psqlOutput), 0},
		{`code`, `code:powershell`, "read as a script", nil, 0},
		{`code`, `code:powershell-encoded`, same, nil, 0},
		{`code`, `code:cmd`, same, nil, 0},
		{`code`, `code:python`, "harmless if it only computes and prints; files, addresses and programs are effects, foreign modules `execute project:LANG`", nil, 0},
		{`code`, `code:node`, same, nil, 0},
		{`code`, `code:perl`, "not read: `execute inline:LANG`", nil, 0},
		{`code`, `code:php`, same, nil, 0},
		{`code`, `code:ruby`, same, nil, 0},
		{`code`, `code:lua`, same, nil, 0},
		{`code`, `code:simh`, same, nil, 0},
		{`code`, `code:applescript`, same, nil, 0},
		{`source`, `source:python`, "a file of such code, else `execute file:PATH`, or `written:PATH` if the script may have changed it", argued((*reader).source), 0},
		{`perl-module`, ``, "`-M`, `-F` and `-r`, part of the program", word((*reader).perlModule), 0},
		{`perl-split`, ``, same, word((*reader).perlSplit), 0},
		{`ruby-library`, ``, same, word((*reader).rubyLibrary), 0},
		{`pager-command`, ``, "a file, or a pager command after `+`", placed((*reader).pagerCommand), 0},
		{`magic-file`, ``, "a file to read; to write; with a bar a command", argued((*reader).magicFile), 0},
		{`magic-file`, `magic-file:write`, same, nil, 0},
		{`task`, `task:KIND`, "a task (make, npm): its commands if readable, else `execute project:KIND`; `control deploy` if named like it. As effects: `execute task:KIND:NAME`, `execute steps:NAME+NAME`", argued((*reader).taskUse), 0},
		{`handed`, `handed...`, "arguments for a task that is not read: outside paths may be written (`tox -- --basetemp=x`)", rest(handedOn), 0},
		{`task-file`, ``, "the file that defines the tasks", elsewhere("definition"), 0},
	}},
	{`For programs that put commands together:`, []useRow{
		{`command;`, `command;:dir`, "as `command;`, in the directory of what was found (`find -execdir`)", nil, 0},
		{`command;`, `command;:rest`, "to the end of the line; the path is appended (`fd -x`)", nil, 0},
		{`command;`, `command;:batch`, "with all paths at once (`fd -X`)", nil, 0},
		{`command+`, `command+:template...`, "words of a command line that a shell gets (`parallel`)", nil, 0},
		{`replace`, ``, "mark to replace, words at once, separator, end, file", elsewhere("mark"), 0},
		{`batch`, ``, same, elsewhere("batchSize"), exposed},
		{`batch-lines`, ``, same, elsewhere("lineByLine"), exposed},
		{`delimiter`, ``, same, elsewhere("separator"), 0},
		{`end-mark`, ``, same, elsewhere("inputWords"), 0},
		{`arg-file`, ``, same, elsewhere("spread"), 0},
		{`search-root`, ``, "an operand: a gap if unknown or with a leading `+`", word((*reader).searchRoot), exposed},
		{`plain-operand`, ``, same, word((*reader).plainOperand), exposed},
		{`response`, ``, "modifier: `@file` holds more arguments, a gap (`read+response...`)", word((*reader).responseFile), 0},
		{`suffix`, ``, "a backup's suffix; `*` is the name, with a slash a path. `?`: may be empty (`sed -i ''`)", elsewhere("backups"), mere},
		{`suffix`, `suffix?`, same, nil, 0},
		{`prefix`, ``, "the beginning of new files' names (`split`)", word(prefix), exposed},
		{`ending`, ``, "with `write`: adds or removes an extension (`gzip`); adds; keeps; named inside", argued(ending), 0},
		{`ending`, `ending:added`, same, nil, 0},
		{`ending`, `ending:kept`, same, nil, 0},
		{`ending`, `ending:kept-added`, same, nil, 0},
		{`ending`, `ending:named`, same, nil, 0},
		{`affix`, ``, "part of new files' names (`csplit -b`, `gzip -S`); a gap with a slash", word((*reader).affix), 0},
		{`digits`, `digits?`, "an optional number inside a bundle (`perl -l0ne`)", elsewhere("endsWithDigits"), exposed | mere},
		{`ends-flags`, ``, "modifier: all further words are operands (`python -c`)", elsewhere("flagsEnded"), 0},
	}},
}

// vocabulary gives the table. Actions read commands inside commands, for which they need it:
// without the detour, Go sees a variable that depends on itself. A program that reads no
// commands holds neither the table nor what is in it.
type vocabulary struct{}

func (vocabulary) groups() []useGroup { return useTable[:] }

var uses interface{ groups() []useGroup } = vocabulary{}

// useOf finds a use in the table. The frequent ones stand first.
func useOf(name string) *useRow {
	groups := uses.groups()
	for g := range groups {
		rows := groups[g].rows
		for i := range rows {
			if row := &rows[i]; len(row.name) == len(name) && row.name == name && row.act != nil {
				return row
			}
		}
	}
	return nil
}

// written is a use as models write it.
func (row *useRow) written() string { return cmp.Or(row.form, row.name) }

// use finds a use in the table, once for each name.
func (l *Library) use(name string) *useRow {
	row, ok := l.uses[name]
	if ok {
		return row
	}
	if row = useOf(name); row != nil {
		if l.uses == nil {
			l.uses = map[string]*useRow{}
		}
		l.uses[name] = row
	}
	return row
}

// has says whether a use has a trait.
func (l *Library) has(u Use, t traits) bool {
	row := l.use(u.Name)
	return row != nil && row.traits&t != 0
}

// rest is what carries out an item that takes all further operands, or nil.
func (l *Library) rest(it *Item) rest {
	if len(it.Uses) == 0 {
		return nil
	}
	row := l.use(it.Uses[0].Name)
	if row == nil {
		return nil
	}
	f, _ := row.act.(rest)
	return f
}

// TakesRest reports whether a use is of a word and all that follow it.
func (u Use) TakesRest() bool {
	row := useOf(u.Name)
	if row == nil {
		return false
	}
	_, ok := row.act.(rest)
	return ok
}

// use applies one use to one word.
func (r *reader) use(u Use, w Word, operand bool) {
	row := r.lib.use(u.Name)
	if row == nil {
		r.gap("unknown use "+quote(u.Name), w.Span)
		return
	}
	if w.Taint&FromKeys != 0 && row.traits&login == 0 {
		// The content of a file of secrets, or the whole environment: of a kind that a
		// request brings along.
		r.scope.keys = w.Span
	}
	if w.Taint&FromSecret != 0 && row.traits&exposed != 0 {
		r.control("env.secret", w.Span)
	}
	row.act.do(r, u, w, operand)
}

// AllUses lists the whole vocabulary; a use that ends in a colon takes an argument.
func AllUses() []string {
	var list []string
	for _, g := range uses.groups() {
		for _, row := range g.rows {
			list = append(list, useForm(row.written()))
		}
	}
	return list
}

// DescribeUses says what each use means, one line for those that have a description together.
func DescribeUses() string {
	var b strings.Builder
	for _, g := range uses.groups() {
		for _, row := range g.rows {
			if row.says != same && b.Len() > 0 {
				b.WriteString("\n")
			}
			if row.says != same {
				b.WriteString(strings.ReplaceAll(row.says, "`", "") + ":")
			}
			b.WriteString(" " + row.written())
		}
	}
	return b.String()
}

// useForm is a use as the table writes it, without what stands in the place of an
// argument and without the signs for "any number" and "may be missing".
func useForm(form string) string {
	form = strings.TrimSuffix(strings.TrimSuffix(form, "..."), "?")
	if base, _, argued := strings.Cut(form, ":"); argued {
		return base + ":"
	}
	return form
}

// KnownUse reports whether the vocabulary has a use.
func KnownUse(u Use) bool {
	want := u.Name
	if u.Arg != "" {
		want += ":"
	}
	return slices.Contains(AllUses(), want)
}
