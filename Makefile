# What one types most. .ci/run is the whole truth; these are parts of it.

.PHONY: build check test fuzz e2e bench format

build:
	go build -trimpath -o . ./cmd/...

check:
	.ci/run

test:
	go test ./...

# make fuzz PACKAGE=./internal/shell TARGET=FuzzResolve
PACKAGE ?= ./internal/audit
TARGET ?= FuzzLine
fuzz:
	go test -run '^$$' -fuzz '^$(TARGET)$$' -fuzztime 60s $(PACKAGE)

e2e:
	e2e/install.sh
	LONGLINE_E2E=all go test -count=1 -timeout 40m ./e2e/...

bench:
	go test -run '^$$' -bench . -benchmem ./internal/...

format:
	go tool gofumpt -w .
