# The commands you need most. .ci/run runs everything that must pass.

.PHONY: build install check test sweeps windows bare fuzz differ growth law undo-many toolchains e2e bench friction load fleet release release-snapshot reproducible upgrade npm-packages formula sbom vuln format man

# Static, without symbols, and the same bytes wherever it is built.
export CGO_ENABLED = 0
RELEASE = -trimpath -ldflags "-s -w -buildid="
# For tests only: the home directory is what HOME says.
TRIAL = -trimpath -ldflags "-s -w -buildid= -X longline/internal/config.KnownHome=HOME"

build:
	go build $(RELEASE) -o . ./cmd/...

# longline, longline-hook and longline-wall belong in one directory.
install:
	go install $(RELEASE) ./cmd/...

check:
	.ci/run

test:
	go test ./...

# All scripts of the sweeps through real shells and programs, of which go test takes a sample; an hour or two.
SWEPT = config differ guard history hook language reader session syntax wall
sweeps:
	LONGLINE_SWEEPS=all LONGLINE_RANDOM=1000 .ci/in-memory go test -count=1 -timeout 120m $(SWEPT:%=./internal/%)

# The programs for Windows, on Windows or under wine.
windows:
	GOOS=windows go vet ./...
	go test -count=1 -v -run OnWindows ./cmd/longline

# The two commands of the README on a machine with nothing but Go.
bare:
	.ci/bare

# Every fuzz target for a minute; make fuzz TIME=10m TARGET='reader FuzzRead' is one.
TIME ?= 60s
TARGET ?= .
fuzz:
	.ci/fuzz $(TIME) '$(TARGET)'

# Random scripts against real bash and zsh, and others with and without a link;
# make differ N=100000 WORLDS=0 SEED=7.
N ?= 20000
WORLDS ?= $(N)
SEED ?= 1
differ:
	LONGLINE_DIFFER=$(N) LONGLINE_DIFFER_WORLDS=$(WORLDS) LONGLINE_DIFFER_SEED=$(SEED) LONGLINE_DIFFER_TIME=1h go test -count=1 -timeout 90m -v -run TestDiffer$$ ./internal/differ

# How cost grows with the size of a script, and every place a command can be planted.
growth:
	LONGLINE_GROWTH=all LONGLINE_PLANT=all go test -count=1 -timeout 60m -v -run 'Growth|SmallScripts|Chains|Planted' ./internal/guard

# What longline lets run without a question is executed, and the world compared; make law CALLS=1000 LAWSEED=7.
CALLS ?= 20000
LAWSEED ?=
law:
	LONGLINE_LAW=$(CALLS) LONGLINE_LAW_SEED=$(LAWSEED) .ci/in-memory go test -count=1 -timeout 120m -v -run TestLaw ./internal/law

# Compilers, test runners, builds and the like behind walls, each held against itself without one; some have to be fetched first. What is not here is skipped.
toolchains:
	LONGLINE_TOOLCHAINS=all go test -count=1 -timeout 20m -v -run TestToolchains ./internal/wall

e2e:
	e2e/install.sh
	LONGLINE_E2E=all go test -count=1 -timeout 60m ./e2e/...

# A project of 100,000 files: snapshots of it, and what a call destroyed there brought back.
FILES ?= 100000
undo-many:
	LONGLINE_MANY=$(FILES) go test -count=1 -timeout 20m -v -run TestManyFiles ./internal/undo
	go test -run xxx -bench . -benchtime 20x -timeout 20m ./internal/undo

# What longline costs, as one table: processes, judging, growth, batch.
bench:
	LONGLINE_BENCH=400 go test -count=1 -timeout 30m -v ./internal/bench

# The manual page, as packages have it.
man:
	@mkdir -p dist
	go run ./cmd/longline help --man >dist/longline.1

# How many questions the commands of agents make, by level, mode and means: make friction FILE=commands.jsonl
friction:
	LONGLINE_FRICTION="$(abspath $(FILE))" go test -count=1 -timeout 30m -v ./internal/bench

# 10,000 hooks in bursts of 256, some of them killed, while the log is rotated, and at
# last with a log on a full disk; every answer and every line of the log is checked.
HOOKS ?= 10000
load:
	LONGLINE_LOAD=$(HOOKS) go test -count=1 -timeout 30m -v ./internal/bench

# The audit of ten machines through a real Collector into a real PostgreSQL, while the
# Collectors are killed; make fleet LINES=50000 is quick. The Collector is built once,
# from the module proxy, which takes some minutes.
LINES ?= 1000000
COLLECTOR ?= $(CURDIR)/dist-fleet/otelcol/otelcol-longline
fleet:
	go build $(TRIAL) -o dist-fleet/ ./cmd/...
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { echo 'PostgreSQL is not installed'; exit 1; }
	[ -x "$(COLLECTOR)" ] || { mkdir -p dist-fleet && cd dist-fleet && GOFLAGS=-p=1 nice go run go.opentelemetry.io/collector/cmd/builder@v0.149.0 --config ../packaging/fleet/builder.yaml; }
	cd packaging/fleet && go vet . && FLEET_LINES=$(LINES) FLEET_COLLECTOR="$(COLLECTOR)" FLEET_HOOK="$(CURDIR)/dist-fleet/longline-hook" FLEET_LONGLINE="$(CURDIR)/dist-fleet/longline" nice go test -count=1 -timeout 60m -v .

# Everything a release has, in dist, without publishing it; then it is installed and tried.
# One build at a time: archives hold the executables in the order in which they are built.
GORELEASER = go run github.com/goreleaser/goreleaser/v2@v2.16.0
SNAPSHOT = $(GORELEASER) release --parallelism 1 --snapshot --clean --skip=publish,sign
release-snapshot:
	$(SNAPSHOT)
	$(MAKE) npm-packages formula
	LONGLINE_DIST=$(CURDIR)/dist go test -count=1 -v ./packaging/...

# Nothing is released with a placeholder in packaging/owner/owner.txt.
release:
	go run ./packaging/owner/check "$$(git describe --tags --exact-match)"
	$(GORELEASER) release --parallelism 1 --clean
	$(MAKE) npm-packages formula

# Builds the release twice, from two clones, and compares archives, packages and SBOMs.
reproducible:
	@tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	for d in one some/other; do \
		git clone --quiet . "$$tmp/$$d" && (cd "$$tmp/$$d" && $(SNAPSHOT) >"$$tmp/log" 2>&1) || { cat "$$tmp/log"; exit 1; }; \
	done; \
	cmp "$$tmp/one/dist/checksums.txt" "$$tmp/some/other/dist/checksums.txt" && wc -l <"$$tmp/one/dist/checksums.txt" | sed 's/$$/ files, all the same/'

# What the release is called, as GoReleaser has recorded it.
VERSION = $$(sed -n 's/.*"version":"\([^"]*\)".*/\1/p' dist/metadata.json)

# The Homebrew formula for what is in dist. ADDRESS is where releases can be fetched.
ADDRESS ?= $$(go run ./packaging/owner/check -fact releases)
formula:
	mkdir -p dist/homebrew
	go run ./packaging/formula "$(VERSION)" dist/checksums.txt "$(ADDRESS)" >dist/homebrew/longline.rb

# The npm packages of what is in dist, one directory each.
npm-packages:
	go run ./packaging/npmpack "$(VERSION)" dist dist/npm

# What the executables are made of, as the linker recorded it.
sbom: build
	go version -m longline longline-hook longline-wall

# Fails if a known vulnerability is reached; says so where that cannot be found out.
vuln:
	@bin=$$(mktemp -d); trap 'rm -rf "$$bin"' EXIT; status=1; \
	if GOBIN=$$bin go install golang.org/x/vuln/cmd/govulncheck@v1.8.0; then "$$bin/govulncheck" ./...; status=$$?; fi; \
	case $$status in 0) ;; 3) exit 1 ;; *) echo 'NOT CHECKED for known vulnerabilities: govulncheck or its database cannot be reached' ;; esac

format:
	go tool gofumpt -w .

# Lets a build of an older commit and this one take turns in one home directory, in
# both orders; make upgrade OLD=v0.1.0.
OLD ?= HEAD~1
upgrade:
	@tmp=$$(mktemp -d); trap 'git worktree remove --force "$$tmp/tree" 2>/dev/null; rm -rf "$$tmp"' EXIT; \
	git worktree add --quiet --detach "$$tmp/tree" "$(OLD)" && mkdir "$$tmp/old" "$$tmp/new" && \
	(cd "$$tmp/tree" && go build $(TRIAL) -o "$$tmp/old" ./cmd/...) && go build $(TRIAL) -o "$$tmp/new" ./cmd/... && \
	LONGLINE_OLD="$$tmp/old" LONGLINE_NEW="$$tmp/new" go test -count=1 -v -run Upgrade ./packaging
