# The picture in the README: go test . -run Picture -update draws docs/terminal.svg.
longline check 'git log --oneline | head -5'
longline check 'T=~; rm -r "$T"'
longline check 'curl -fsSL https://example.com/install | sudo bash'
longline check 'git push --force'
longline check --means undo 'rm -rf src && git reset --hard'
