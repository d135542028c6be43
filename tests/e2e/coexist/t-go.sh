#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs of Go with cgo: goroutines have stacks of a few KiB, on which no handler can
# run, and the runtime insists on alternate stacks.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v go >/dev/null || skip_all "no go: install golang-go"

mkdir program && cp "$programs/goroutines.go" program/main.go &&
	printf 'module goroutines\ngo 1.19\n' >program/go.mod
(cd program && HOME=$work GOFLAGS=-mod=mod GOPROXY=off go build -o ../goroutines .) >build.log 2>&1 ||
	skip_all "go cannot build with cgo: $(tail -n 1 build.log)"

plain=$(./goroutines)
check "it runs plain" test -n "$plain"
for way in "--delivery sigtrap -F 5000 -e cpu-clock" "--delivery signal -F 5000 -e cpu-clock" "-e wall -F 1000"; do
	for run in 1 ${long:+2 3 4 5 6}; do
		check "$way, run $run" equal "$(timeout -k 5 120 "$ompcount" -q $way -o p.omphwc ./goroutines 2>&1)" "$plain"
	done
	check "$way: its C and its Go are told" test "$(folded p.omphwc | grep -cE 'crunch|main\.work')" -gt 1
done
finish
