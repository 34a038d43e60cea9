#!/bin/sh
# install.sh [CLIENT...]   pinned agent clients for the end-to-end tests
#
# Each client gets a folder of its own under e2e/clients, so that one client's
# dependencies never decide another's. Without arguments all are installed.
# The versions are those that the table in internal/agent speaks of.
set -eu
cd "$(dirname "$0")"
status=0

get() { # get FOLDER PACKAGE...
	folder=clients/$1
	shift
	mkdir -p "$folder"
	[ -f "$folder/package.json" ] || echo '{"private":true}' >"$folder/package.json"
	if ! npm install --no-save --no-audit --no-fund --loglevel=error --prefix "$folder" "$@"; then
		echo "install.sh: $* could not be installed" >&2
		status=1
	fi
}

[ $# -gt 0 ] || set -- claude codex gemini opencode copilot qwen droid cline amp
for client; do
	case $client in
	claude) get claude @anthropic-ai/claude-code@2.1.328 ;;
	codex) get codex @openai/codex@0.169.0 ;;
	gemini) get gemini @google/gemini-cli@0.61.0 ;;
	# The plugin library is saved in its package.json, as opencode itself would do it.
	opencode) get opencode opencode-ai@1.18.33 && get opencode-plugin --save @opencode-ai/plugin@1.18.33 ;;
	copilot) get copilot @github/copilot@1.0.102 ;;
	# These two want Node 22 or newer; the node package brings one of its own.
	qwen) get qwen node@24 @qwen-code/qwen-code@0.24.4 ;;
	cline) get cline node@24 cline@3.0.65 ;;
	droid) get droid @factory/cli-linux-x64-baseline@0.225.2 ;;
	amp) get amp @ampcode/cli-linux-x64@0.0.1790142911-g7618fb ;;
	*)
		echo "install.sh: unknown client \"$client\" (want claude, codex, gemini, opencode, copilot, qwen, droid, cline or amp)" >&2
		exit 2
		;;
	esac
done
exit $status
