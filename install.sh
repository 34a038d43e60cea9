#!/bin/sh
# install.sh puts a release of longline into a directory, after checking its checksum.
#
#   install.sh [--dir DIR] [--version VERSION] --from URL_OR_DIRECTORY
#
# The archive and checksums.txt are taken from --from (a web address or a directory).
# Nothing else is changed: no shell start-up file, no agent. Run "longline init" then.
set -eu

dir=$HOME/.local/bin
from=${LONGLINE_RELEASES:-}
version=

fail() {
	echo "install.sh: $1" >&2
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--dir | --from | --version)
		[ $# -ge 2 ] || fail "$1 needs a value"
		case $1 in
		--dir) dir=$2 ;;
		--from) from=$2 ;;
		--version) version=$2 ;;
		esac
		shift 2
		;;
	-h | --help)
		sed -n '2,7s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	*) fail "unknown argument \"$1\"; try --help" ;;
	esac
done
[ -n "$from" ] || fail "say where the release is: --from URL_OR_DIRECTORY"

os=$(uname -s | tr '[:upper:]' '[:lower:]')
case $os in
linux | darwin | freebsd | openbsd | netbsd) ;;
*) fail "there is no release for $os; on Windows use WSL" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no release for $(uname -m)" ;;
esac

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# get NAME fetches a file of the release into the temporary directory.
get() {
	case $from in
	http://* | https://*)
		if command -v curl >/dev/null; then
			curl -fsSL --proto '=https,http' -o "$tmp/$1" "$from/$1" || fail "cannot fetch $from/$1"
		else
			wget -qO "$tmp/$1" "$from/$1" || fail "cannot fetch $from/$1"
		fi
		;;
	*) cp "$from/$1" "$tmp/$1" || fail "cannot read $from/$1" ;;
	esac
}

get checksums.txt
if [ -n "$version" ]; then
	archive=longline_${version}_${os}_${arch}.tar.gz
else
	archive=$(sed -n "s/^[0-9a-f]\{64\}  \(longline_.*_${os}_${arch}\.tar\.gz\)\$/\1/p" "$tmp/checksums.txt")
	[ "$(printf '%s\n' "$archive" | grep -c .)" = 1 ] || fail "checksums.txt names no single archive for $os on $arch"
fi
want=$(awk -v name="$archive" '$2 == name { print $1 }' "$tmp/checksums.txt")
[ -n "$want" ] || fail "checksums.txt does not name $archive"
get "$archive"
if command -v sha256sum >/dev/null; then
	got=$(sha256sum "$tmp/$archive" | cut -d' ' -f1)
else
	got=$(shasum -a 256 "$tmp/$archive" | cut -d' ' -f1)
fi
[ "$got" = "$want" ] || fail "$archive is not what checksums.txt says: $got instead of $want"

programs="longline longline-hook"
[ "$os" != linux ] || programs="$programs longline-wall"
# shellcheck disable=SC2086 # they are words
tar -xzf "$tmp/$archive" -C "$tmp" $programs
mkdir -p "$dir"
for program in $programs; do
	# A running hook keeps the old file; the new one takes its name at once.
	cp "$tmp/$program" "$dir/.$program.new"
	chmod 755 "$dir/.$program.new"
	mv -f "$dir/.$program.new" "$dir/$program"
done
"$dir/longline" version
echo "next: $dir/longline init"
