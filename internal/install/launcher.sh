#!/bin/sh
# Starts longline for a plugin, which brings no program of its own. It is looked
# for where programs are installed and never on the PATH, which a project can set.
for dir in /usr/local/bin /usr/bin /opt/homebrew/bin "$HOME/.local/bin" "$HOME/go/bin"; do
	if [ -x "$dir/longline-hook" ] && [ -x "$dir/longline" ]; then exec "$dir/longline-hook" "$@"; fi
	if [ -x "$dir/longline" ]; then exec "$dir/longline" hook "$@"; fi
done
echo "longline is not installed in /usr/local/bin, /usr/bin, /opt/homebrew/bin, ~/.local/bin or ~/go/bin; install it, or remove this plugin" >&2
exit 2
