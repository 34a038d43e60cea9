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
	{`A use says what a word is.`, []useRow{
		{`text`, ``, `harmless text`, placed((*reader).mereWord), mere},
		{`pattern`, ``, same, word((*reader).searches), mere},
		{`number`, ``, same, placed((*reader).mereWord), exposed | mere},
		{`ref`, ``, same, placed((*reader).mereWord), mere},
		{`recorded`, ``, "text that others may see later (`GIT_AUTHOR_NAME`)", placed((*reader).mereWord), exposed | mere},
		{`file-name`, ``, "part of a path in the project (also text operands where a command writes `./**`); a gap if it leads out (`rails g model X`)", word((*reader).fileName), 0},
		{`secret`, ``, "a password or token; the audit log masks it", word((*reader).secret), mere | login},
		{`stat`, ``, "a path whose metadata is read", word((*reader).looked), exposed | mere},
		{`read`, ``, "a path with that effect; `create` keeps existing content (`mkdir`)", touches(tool.Read), exposed | looks},
		{`create`, ``, same, touches(tool.Create), exposed},
		{`create-file`, ``, "the same, of a file and no directory (`touch`)", placed(createFile), exposed},
		{`write`, ``, same, touches(tool.Write), exposed},
		{`delete`, ``, same, touches(tool.Delete), exposed},
		{`clear`, ``, "a path that is emptied, also through a link (`truncate -s 0`)", placed(clears), exposed},
		{`read-tree`, ``, "the same, with everything below (`unzip -d`)", covers(tool.Read), exposed | looks},
		{`create-tree`, ``, same, covers(tool.Create), exposed},
		{`write-tree`, ``, same, covers(tool.Write), exposed},
		{`delete-tree`, ``, same, covers(tool.Delete), exposed},
		{`makes`, ``, "a directory that is filled; existing files stay (`cargo init`)", word((*reader).makesIn), 0},
		{`report`, ``, "a result of the program, such as a binary; `delete` if it replaces a source", word((*reader).report), exposed},
		{`generate`, ``, "a generated source; `delete` if it replaces one not marked as generated", placed((*reader).generate), 0},
		{`empties`, ``, "a directory that is emptied first (`mkdocs build -d`)", argued(func(r *reader, mark string, w Word) { emptiesOthers(&r.deeds, mark, w) }), 0},
		{`empties`, `empties:MARK`, "the same, except directories of the program's own, which have a link NAMEMARK beside them (`pytest --basetemp`)", nil, 0},
		{`replaces`, ``, "with another use: the file gets another kind of content (an archive); `delete` if it replaces a source", word(replaces), 0},
		{`keyed`, ``, "with another use: a private key is written, a secret for the rest of the call", word(keyed), 0},
		{`unlinks`, ``, "with another use: a link replaces the existing file (`ln -f`)", word(unlinks), 0},
		{`property`, ``, "`NAME=VALUE` for a build, only these names; the value may be a directory that is written or cleaned (`make O=x`)", argued((*reader).property), 0},
		{`property`, `property:A|B`, same, nil, 0},
		{`write-list`, ``, "comma-separated files or directories that are written", word((*reader).writeList), 0},
		{`typed-file`, ``, "comma-separated `KIND:FILE` or `KIND=FILE`: reports (`--cov-report`)", word(typedFile), 0},
		{`settings-file`, ``, "`KEY=VALUE` separated by `;` or `,`; a value may be a file that is written, relative to `DIR`", argued((*reader).settingsFile), 0},
		{`settings-file`, `settings-file:DIR`, same, nil, 0},
		{`values`, `values:A|B*`, "text; a gap if a word matches no pattern. A leading `DIR/` means the name of an existing directory", argued((*reader).oneOf), exposed | mere},
		{`at-least`, `at-least:N`, "a number of at least N, or a word such as `unlimited`; otherwise a gap", argued(atLeast), exposed | mere},
		{`log`, ``, "a path that is also written (log, cookie jar), never a download", word(logFile), exposed},
		{`name-list`, ``, "a file with names of files to read, or `-` (`rsync --files-from`)", word((*reader).nameList), looks},
		{`link-target`, ``, "what a link points to", placed((*reader).linkTarget), 0},
		{`keeps-path`, ``, "in a mode: copies keep their whole path below the destination (`cp --parents`)", elsewhere("finish"), 0},
		{`spares`, ``, "in a mode: existing files stay, or are kept under another name (`cp -n`)", elsewhere("spares"), mere},
		{`spares`, `spares:asks`, "the same, unless standard input agrees to replacing (`cp -i`)", nil, 0},
		{`follows`, ``, "in a mode: the program follows links below its operands, or where it unpacks (`find -L`, `tar -x`)", elsewhere("finish"), mere},
		{`unpacks`, ``, "in a mode: members of an archive, chosen by the other operands, replace files (`tar -x`)", elsewhere("unpacking"), mere},
		{`unpacks`, `unpacks:all`, "the same for all members (`python -m tarfile -e`)", nil, 0},
		{`unpacks`, `unpacks:asks`, "the same, if what is piped in says so (`unzip`)", nil, 0},
		{`unpacks`, `unpacks:patch`, "a patch, which changes or deletes the files it names (`git apply`)", nil, 0},
		{`unpacks`, `unpacks:stripped`, "with it: leading directories may be left out (`unzip -j`)", nil, 0},
		{`unpacks`, `unpacks:renamed`, "with it: names may change, or other files be deleted (`tar --transform`)", nil, 0},
		{`enters`, ``, "in a mode: the program follows a link given as operand (`rg`, `grep -r`)", elsewhere("finish"), mere},
		{`repeats`, ``, "in a mode: the command runs more than once (`watch`)", elsewhere("finish"), mere},
		{`symbolic`, ``, "in a mode, before `link-target`: a symbolic link, whose target is relative to it", word((*reader).symbolic), 0},
		{`modify`, ``, "a path whose owner, mode or attributes change", placed((*reader).modify), exposed},
		{`shut`, ``, "a path that may become unusable by its new mode, with all below it", placed(shut), exposed},
		{`into`, ``, "the destination: a file, or a directory for the operands (cp, mv, ln)", placed((*reader).into), exposed},
		{`move`, ``, "a path that is moved, with everything below", placed((*reader).move), exposed},
		{`hook`, ``, "a command that is run, judged as a script; a path is `execute config:FLAG` (`--pager`)", word(hookFlag), 0},
		{`chdir`, ``, "the working directory (`git -C`); only for operands (tar)", word((*reader).chdir), first},
		{`chdir-operands`, ``, same, word((*reader).chdirOperands), 0},
		{`project-dir`, ``, "the directory the program works on; `config` where it runs what is defined there (`docker compose --project-directory`)", word(projectDir), first},
		{`run`, ``, "a file that is run: a script for `run:sh` and `run:bash`, else `execute file:PATH`", whole((*reader).runUse), 0},
		{`run`, `run:LANG`, same, nil, 0},
		{`filter-program`, ``, "a program that reads this one's output; an argument of it", word(filterProgram), 0},
		{`filter-word`, ``, same, elsewhere("filterProgram"), 0},
		{`text-of`, `text-of:KIND`, "a file whose text may include others (`#include`); one that the script writes must not, or only without these signs (`text-of:without=import`)", argued(textOf), 0},
		{`loads-from`, `loads-from:A|B`, "a directory in which the program looks for code or settings by these names (`docker build`)", argued(loadsFrom), 0},
		{`script`, ``, "shell text that is run", whole((*reader).scriptText), 0},
		{`script`, `script:sh`, same, nil, 0},
		{`script-before`, ``, "shell text that gets the operands, or unnamed files, appended (`git difftool -x`)", argued((*reader).scriptBefore), 0},
		{`script-before`, `script-before:operands`, same, nil, 0},
		{`script-before`, `script-before:words`, "the same for words that the program itself splits (`env -S`)", nil, 0},
		{`code`, `code:LANG`, "code in another language (`-`: standard input): what it provably does, otherwise `execute inline:LANG` too", whole((*reader).codeUse), 0},
		{`command`, ``, "this and all following words are a command: `command...`", rest((*reader).command), 0},
		{`command`, `command:shell`, "the same, or `-c TEXT` (`flock`)", nil, 0},
		{`joined`, `joined...`, "the same, joined to shell text (`watch`)", rest((*reader).joined), 0},
		{`joined`, `joined:LANG...`, same, nil, 0},
		{`command+`, ``, "a command that gets words from standard input (`xargs`)", rest((*reader).commandWith), 0},
		{`command-in`, `command-in:CONTROL`, "a command in a container: harmless if it reads, otherwise `control CONTROL`; `container.compose`: project code is `control container.code`", rest((*reader).commandIn), 0},
		{`command;`, ``, "a command up to `;` or `+`, with `{}` for what was found (`find -exec`)", elsewhere("takesCommand"), 0},
		{`assign`, ``, "`NAME=VALUE` for the command that follows", word((*reader).assignment), 0},
		{`member`, ``, "archive members that are printed (`tar xO`)", word((*reader).member), 0},
		{`includes-like`, ``, "as `includes`, by a regular expression (`ag -G`); `NAME:GLOB` (`rg --type-add`)", word((*reader).includesLike), 0},
		{`type-glob`, ``, same, word((*reader).typeGlob), 0},
		{`excludes`, ``, "names that a search or an archive leaves out (`grep --exclude`)", elsewhere("picks"), mere},
		{`file-type`, ``, "a type of files to search, named like their extension (`rg -t yaml`)", elsewhere("picks"), mere},
		{`includes`, ``, "names to search; naming `.env` reads it (`grep --include`)", word((*reader).includes), looks},
		{`name-filter`, ``, "limits a search to names (`find -name`); to extensions (`fd -e`)", elsewhere("take"), mere},
		{`extension`, ``, same, elsewhere("take"), mere},
		{`any-of`, ``, "`-o`, `!`, parentheses and `-print` of `find`", elsewhere("take"), 0},
		{`none-of`, ``, same, elsewhere("take"), 0},
		{`group`, ``, same, elsewhere("take"), 0},
		{`group-end`, ``, same, elsewhere("take"), 0},
		{`prints`, ``, same, elsewhere("limits"), 0},
		{`aim`, `aim:name`, "names that a search mentions without being limited to them (`find -path`)", argued((*reader).aim), first | mere},
		{`aim`, `aim:path`, same, nil, 0},
		{`aim`, `aim:regexp`, same, nil, 0},
		{`amount`, ``, "how much is read, in blocks of this size (`head -c`, `dd count=`)", argued((*reader).amount), exposed | looks},
		{`amount`, `amount:512`, same, nil, 0},
		{`block`, ``, "the size of those blocks (`dd bs=`)", word((*reader).block), exposed},
		{`size`, ``, "the size of a new file (`fallocate -l`)", word((*reader).size), exposed},
		{`duration`, ``, "a time to wait", word((*reader).duration), exposed},
		{`process`, ``, "a process to signal: a number or a job", word((*reader).process), 0},
		{`process-name`, ``, "processes to signal, by name; too many are `control process.kill-all`", word((*reader).processName), 0},
		{`temp-dir`, ``, "a directory for temporary files: `create DIR/PROGRAM*`", word((*reader).tempDir), exposed},
		{`lock`, ``, "a lock file, created if missing; a number is an open file", word((*reader).lock), exposed},
		{`fifo`, ``, "a new named pipe", placed((*reader).fifo), exposed},
		{`url`, ``, "an address to fetch from; to send to (`file:` is a read)", fetches(tool.Fetch), 0},
		{`send`, ``, same, fetches(tool.Send), 0},
		{`address`, ``, "an address or file that is opened (`xdg-open`)", word((*reader).address), 0},
		{`page`, ``, "an address, or a file (`lynx`); a word without a scheme is a file", argued((*reader).page), 0},
		{`page`, `page:file`, same, nil, 0},
		{`asks`, `asks:A|B`, "a reading verb; any other makes the request a send (`grpcurl HOST list`)", argued((*reader).asks), 0},
		{`host`, ``, "a host to fetch from; to send to", asksHost(tool.Fetch), 0},
		{`send-host`, ``, same, asksHost(tool.Send), 0},
		{`upload`, ``, "a file that is sent", placed((*reader).upload), 0},
		{`param`, ``, "a parameter; `@file` and `file://` read a file", word((*reader).param), 0},
		{`at-file`, ``, "data to send, or `@file`", word((*reader).atFile), 0},
		{`remote-path`, ``, "`host:path` or a local path, to read; to write; to delete (scp)", hasHost(tool.Read), 0},
		{`remote-dest`, ``, same, hasHost(tool.Write), 0},
		{`remote-delete`, ``, same, hasHost(tool.Delete), 0},
		{`config`, ``, "decides which code runs: in the project a read, elsewhere `execute config:PATH`", placed((*reader).config), 0},
		{`env-file`, ``, "a file of variables: harmless in the project, elsewhere `execute config:PATH`", word(envFile), 0},
		{`rewrite`, `rewrite:*.go`, "a file that a formatter rewrites, or a directory of them; `|` separates patterns", argued((*reader).rewrite), 0},
		{`agent-settings`, ``, "settings for one run of an agent, or their file", word((*reader).agentSettings), 0},
		{`variable-name`, ``, "a variable that is shown: a secret by its name or its value in the script", word((*reader).variableName), 0},
		{`shown-format`, ``, "a format; `#{NAME}` may show a variable (`tmux display -p`)", word(shownFormat), mere},
		{`handed-variable`, ``, "`NAME=VALUE`, or a variable to pass on (`docker build --build-arg`)", word((*reader).handedVariable), 0},
		{`option`, ``, "in `env`: the variable means this flag, or the one that the rest of its name says (`TOX_*`); with `=` the rest of the name begins the value. `PROGRAM_OPTION` is implied", elsewhere("flagNamed"), mere},
		{`option`, `option:--FLAG`, same, nil, 0},
		{`setting-name`, ``, "a setting that is shown: a secret by name", word((*reader).settingName), login},
		{`package`, ``, "a package that is fetched and run: `execute package:WORD`", word((*reader).packageUse), 0},
		{`packed`, `packed:KIND`, "a package to pack: a path (`execute project:KIND`), or a name to fetch", argued(packed), 0},
		{`package-run`, `package-run:LIST`, "a command from a package (`npx eslint`); see below", rest((*reader).fromPackage), 0},
		{`package-script`, `package-script:LIST`, "a script of the project, otherwise a package or program (`yarn jest`)", rest((*reader).projectScript), 0},
		{`environment-script`, `environment-script:LIST`, "the same in environments chosen by words before it (`+py=3.12`) or its prefix (`dev:test`)", rest(environmentScript), 0},
		{`python-module`, ``, "a module to run; further words are its arguments", elsewhere("namesModule"), 0},
		{`values`, `values:-s|-X=*|!-*|*`, "words; the first matching pattern decides, `!` and no match are gaps", nil, 0},
		{`named`, `named:CONTROL=A|B*`, "`control CONTROL` if the word matches a pattern or is unknown (`mvn deploy`)", argued((*reader).namedControl), 0},
		{`control`, `control:NAME`, "a word with that effect", argued((*reader).controls), 0},
		{`execute`, `execute:NAME`, same, argued((*reader).executes), 0},
		{`other-machine`, `other-machine:A|B*`, "where containers run; matches are this machine. Reading is harmless, otherwise `control container.control` (`docker --context`)", argued(otherMachine), 0},
		{`gap`, ``, `a gap`, word((*reader).unread), 0},
	}},
	{`For git and its relatives:`, []useRow{
		{`git-rev`, ``, "a revision, an object `REV:PATH` (read), or a path, in git's order", word((*reader).gitRevision), exposed},
		{`pathspec`, ``, "with another use: names are git pathspecs", elsewhere("isSpec"), mere},
		{`git-path`, ``, "a pathspec; read unless another effect is named", argued(gitPathUse), exposed},
		{`git-path`, `git-path:delete`, same, nil, 0},
		{`git-range`, ``, "`START,END:FILE`", word((*reader).gitRange), exposed},
		{`git-checkout`, ``, "a branch to switch or move, or paths whose changes are lost", word((*reader).gitCheckout), exposed},
		{`git-reset`, ``, same, word((*reader).gitReset), exposed},
		{`git-restore`, ``, same, word((*reader).gitRestore), exposed},
		{`git-patch`, ``, "a patch; the files it names are written", word((*reader).gitPatch), 0},
		{`git-config`, ``, "`KEY=VALUE` for one run: harmless, a file or a program, by its key", word((*reader).gitConfig), 0},
		{`git-config-env`, ``, same, word((*reader).gitConfigEnv), 0},
		{`git-config-name`, ``, "a key that is shown; a value that is stored; the file for it", word(gitConfigName), 0},
		{`git-config-set`, ``, same, word((*reader).gitConfigSet), 0},
		{`git-config-file`, ``, same, word((*reader).gitConfigFile), 0},
		{`git-url`, ``, "a remote, address or path to fetch from; a plain word is a path; a forge's repository; only noted; its commits are merged", argued((*reader).gitURL), 0},
		{`git-url`, `git-url:clone`, same, nil, 0},
		{`git-url`, `git-url:forge`, same, nil, 0},
		{`git-url`, `git-url:text`, same, nil, 0},
		{`git-url`, `git-url:pull`, same, nil, 0},
		{`git-trace`, ``, "in `env`, with `values`: the program prints addresses, as `read @git-settings:remotes`", word(gitTrace), 0},
		{`git-rename`, ``, "a new branch name; a branch of that name is lost", word((*reader).gitRename), 0},
		{`git-clone`, ``, "with `git-url`: creates the directory that the address or an operand names", word((*reader).gitClone), 0},
		{`git-push`, ``, "where commits go; which ones, also by force or as a deletion", word((*reader).gitPush), 0},
		{`git-refspec`, ``, same, argued(gitRefspec), 0},
		{`git-refspec`, `git-refspec:fetch`, same, nil, 0},
		{`git-dir`, ``, "a repository or working tree; a repository whose working tree is the current directory", argued((*reader).gitDirUse), first},
		{`git-dir`, `git-dir:store`, same, nil, 0},
	}},
	{`For transfers:`, []useRow{
		{`http-method`, ``, "all but `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PROPFIND` send", word((*reader).httpMethod), 0},
		{`body`, ``, "data to send; `name=@file`; `name=text` or `name@file`", word((*reader).body), 0},
		{`form`, ``, same, word((*reader).form), 0},
		{`data-field`, ``, same, word((*reader).dataField), 0},
		{`header`, ``, "text that is sent: data if unknown or named like a credential, `@file`; `name=value`, or a file", word((*reader).header), login},
		{`cookie`, ``, same, word((*reader).cookie), login},
		{`httpie`, ``, "an operand in `METHOD ADDRESS ITEM...`", word((*reader).httpie), 0},
		{`output`, ``, "the file of a download; the directory it is relative to", word((*reader).output1), 0},
		{`output-dir`, ``, same, word((*reader).outputDir), first},
		{`url-file`, ``, "an address whose last part, or `NAME`, is the file; a tree of files", argued((*reader).urlFile), 0},
		{`url-file`, `url-file:NAME`, same, nil, 0},
		{`url-tree`, ``, same, word((*reader).urlTree), 0},
		{`write-out`, ``, "a format that may name files; a command for a file server", word((*reader).writeOut), 0},
		{`ftp-command`, ``, same, word((*reader).ftpCommand), 0},
		{`remote-file`, ``, "`host` (a session) or `host:path` (fetched)", word((*reader).remoteFile), 0},
		{`dns-word`, ``, "a name to look up, `@server`, `+option` or a type", word((*reader).dnsWord), 0},
		{`stream-host`, ``, "a host that standard input goes to", word((*reader).streamHost), 0},
		{`told`, ``, "with a host: a service that gets standard input; a gap if that is more than a check whether it is there", word(isTold), 0},
		{`socket`, ``, `an address in socat's syntax`, word((*reader).socket), 0},
		{`ssh-host`, ``, "the host of a login; `Name=value` of its configuration", word((*reader).sshHost), 0},
		{`ssh-option`, ``, same, word((*reader).sshOption), login},
		{`shell-words`, `shell-words:modules`, "the remaining words are shell text, in each submodule or remote", argued((*reader).shellWords), 0},
		{`shell-words`, `shell-words:remote`, same, nil, 0},
		{`shell-words`, `shell-words:KIND`, "the same on a device with the programs of `list/KIND`: harmless if it reads, otherwise `control remote.shell`", nil, 0},
		{`program`, `program:NAME`, "this and all following words are arguments of `NAME`", rest((*reader).argumentsOf), 0},
		{`forge-api`, ``, "an endpoint, judged with method and fields; these names in it show secrets; `key=@file`; a filter that may show the environment", argued((*reader).forgeAPI), 0},
		{`forge-api`, `forge-api:A|B`, same, nil, 0},
		{`api-field`, ``, same, word((*reader).apiField), 0},
		{`jq-env`, ``, same, word((*reader).jqEnv), 0},
	}},
	{`For clouds, containers and packages:`, []useRow{
		{`query`, `query:CONTROL=A|B`, "a JMESPath expression: `control CONTROL` unless it shows only fields with harmless names, or these (`aws --query`)", argued(queried), 0},
		{`projection`, `projection:CONTROL=A|B`, "the same for formats such as `value(status.url)` (`gcloud --format`)", argued(projected), 0},
		{`template`, `template:CONTROL=A|B`, "a Go template: `control CONTROL` if it shows everything, or one of these fields (`docker inspect -f`)", argued((*reader).shownFields), 0},
		{`object`, ``, "an object of a store that is shown: `control cloud.secret` if named like a secrets file", word((*reader).object), 0},
		{`keyed-file`, ``, "`KEY=FILE` or `FILE`: a file or directory that becomes part of the result", word((*reader).keyedFile), 0},
		{`s3-path`, ``, "`s3://bucket/key` or a local path, the last operand is the destination; with everything below", word((*reader).objectPath), 0},
		{`s3-tree`, ``, same, word((*reader).objectTree), 0},
		{`mount`, ``, "a bind mount writes the tree, with `ro` it reads it; a volume has no effect", word((*reader).mount), 0},
		{`container-path`, ``, "`container:path` or a local path; the last operand is the destination", word((*reader).containerPath), 0},
		{`manifest`, ``, "a file, directory or address that describes resources", word((*reader).manifest), 0},
		{`kube-resource`, ``, "a resource of a cluster; secrets count, unless only names are shown", argued((*reader).resource), 0},
		{`kube-resource`, `kube-resource:table`, same, nil, 0},
		{`kube-template`, ``, "a template of the answer, by which variables may be picked", word(kubeTemplate), 0},
		{`kube-output`, ``, "the format of the answer; a path of the API", word((*reader).kubeOutput), 0},
		{`kube-raw`, ``, same, word((*reader).kubeRaw), 0},
		{`http-verb-or-path`, ``, "a verb, or the path of a request", word((*reader).httpVerb), 0},
		{`package-source`, ``, "where packages come from: an address, file or directory is `control package.source`", word((*reader).packageSource), 0},
		{`requirement`, ``, "a package to install; a file of them", word((*reader).requirement), 0},
		{`requirements`, ``, same, word((*reader).requirements), 0},
	}},
	{"For code. Files that it names are read or written, constant commands that it runs are judged as scripts, what it computes at run time is `execute inline:LANG` or an unknown path, and what cannot be read is a gap.", []useRow{
		{`sed`, ``, "a program; several such flags are lines of one", whole((*reader).filterUse), 0},
		{`awk`, ``, same, whole((*reader).filterUse), 0},
		{`jq`, ``, same, whole((*reader).filterUse), 0},
		{`sed-suffixed`, ``, "the script for BSD sed, if the operand before it is the suffix of `-i`", word((*reader).sedSuffixed), 0},
		{`yq`, ``, `a filter, or a data file`, word((*reader).yqOperand), 0},
		{`sql`, ``, "SQL and client commands: `control database.read`, `.write`, `.drop`, `.admin`; for `sqlite` and `duckdb` the first operand is the file", argued((*reader).sql), 0},
		{`sql`, `sql:DIALECT`, same, nil, 0},
		{`mongo`, ``, `a line for the MongoDB shell`, whole((*reader).filterUse), 0},
		{`database`, ``, "a database server's address; a file, or a command after `|`", word((*reader).database), 0},
		{`psql-output`, ``, same, word((*reader).psqlOutput), 0},
		{`code`, `code:powershell`, "read as a script, by its commands", nil, 0},
		{`code`, `code:powershell-encoded`, same, nil, 0},
		{`code`, `code:cmd`, same, nil, 0},
		{`code`, `code:python`, "harmless if every name in it is known and only computes and prints; files, addresses and programs are effects, foreign modules `execute project:LANG`", nil, 0},
		{`code`, `code:node`, same, nil, 0},
		{`code`, `code:perl`, "not read: `execute inline:LANG`", nil, 0},
		{`code`, `code:php`, same, nil, 0},
		{`code`, `code:ruby`, same, nil, 0},
		{`code`, `code:lua`, same, nil, 0},
		{`code`, `code:simh`, same, nil, 0},
		{`code`, `code:applescript`, same, nil, 0},
		{`source`, `source:python`, "a file of such code, judged alike, otherwise `execute file:PATH`, or `written:PATH` if the script may have changed it", argued((*reader).source), 0},
		{`perl-module`, ``, "`-M`, `-F` and `-r`, which become part of the program", word((*reader).perlModule), 0},
		{`perl-split`, ``, same, word((*reader).perlSplit), 0},
		{`ruby-library`, ``, same, word((*reader).rubyLibrary), 0},
		{`pager-command`, ``, "a file, or a pager command after `+`: only moving is harmless", placed((*reader).pagerCommand), 0},
		{`magic-file`, ``, "a file to read; to write; with a bar it is a command", argued((*reader).magicFile), 0},
		{`magic-file`, `magic-file:write`, same, nil, 0},
		{`task`, `task:KIND`, "a task of the project (make, npm, ...): `execute project:KIND`, its commands if readable, `control deploy` if named like it. `packages/KIND`: that script in all packages. As effects: `execute task:KIND:NAME` (a fixed name), `execute steps:NAME+NAME` (scripts that npm runs by itself)", argued((*reader).taskUse), 0},
		{`handed`, `handed...`, "arguments for a task that is not read: paths outside the project may be written, and output directories emptied (`tox -- --basetemp=x`)", rest(handedOn), 0},
		{`task-file`, ``, "the file that defines the tasks", elsewhere("definition"), 0},
	}},
	{`For programs that put commands together:`, []useRow{
		{`command;`, `command;:dir`, "as `command;`, run in the directory of what was found (`find -execdir`)", nil, 0},
		{`command;`, `command;:rest`, "as `command;`, to the end of the line; without `{}` the path is appended (`fd -x`)", nil, 0},
		{`command;`, `command;:batch`, "the same, run with all paths at once (`fd -X`)", nil, 0},
		{`command+`, `command+:template...`, "words of a command line that a shell gets (`parallel`)", nil, 0},
		{`replace`, ``, "how `command+` uses its input: mark to replace, words at once, separator, end, file", elsewhere("mark"), 0},
		{`batch`, ``, same, elsewhere("batchSize"), exposed},
		{`batch-lines`, ``, same, elsewhere("lineByLine"), exposed},
		{`delimiter`, ``, same, elsewhere("separator"), 0},
		{`end-mark`, ``, same, elsewhere("inputWords"), 0},
		{`arg-file`, ``, same, elsewhere("spread"), 0},
		{`search-root`, ``, "an operand, not a flag: a gap if unknown or with a leading `+`", word((*reader).searchRoot), exposed},
		{`plain-operand`, ``, same, word((*reader).plainOperand), exposed},
		{`response`, ``, "with another use: `@file` holds more arguments, a gap (`read+response...`)", word((*reader).responseFile), 0},
		{`suffix`, ``, "a backup's suffix; `*` is the name, with a slash it is a path. With `?` it may be empty (`sed -i ''`)", elsewhere("backups"), mere},
		{`suffix`, `suffix?`, same, nil, 0},
		{`prefix`, ``, "the beginning of the names of new files (`split`)", word(prefix), exposed},
		{`ending`, ``, "with `write`: a file made from another by adding or removing an extension (`gzip`); adding; keeping that one; named inside it", argued(ending), 0},
		{`ending`, `ending:added`, same, nil, 0},
		{`ending`, `ending:kept`, same, nil, 0},
		{`ending`, `ending:kept-added`, same, nil, 0},
		{`ending`, `ending:named`, same, nil, 0},
		{`affix`, ``, "part of the names of new files (`csplit -b`, `gzip -S`); a gap with a slash", word((*reader).affix), 0},
		{`digits`, `digits?`, "an optional number inside a bundle (`perl -l0ne`)", elsewhere("endsWithDigits"), exposed | mere},
		{`ends-flags`, ``, "with another use: all further words are operands (`python -c`)", elsewhere("flagsEnded"), 0},
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
