#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Cache misses: an emulated RISC-V machine counts TLB misses.  They belong to the function
# that walks from page to page.
. "$(dirname "$0")/../../support/lib.sh"
[ -n "$long" ] || skip_all "make check-long builds and runs for riscv64"
need_tool
here=$top_srcdir/tests/guests
. "$here/make.sh"
make_riscv64
cp "$here/misses.sh" "$tree/work/"
out=$work/out
. "$here/judge.sh"

export SMP=2 T=240
check "the guest runs" "$here/boot" "$guest" "$tree" -- "$out" "sh misses.sh"
ran misses signal counted nested tasks cycles
walked=$((20 * 8192 * 2))
# By SIGTRAP the counter counts while the handler runs, too, which touches less than 64 pages; by
# another signal it stands still.
handlers=$((walked / 1000 * 64))
for name in misses signal; do
	json $name && paths $name
	check "$name: one for each page that is walked to" below $((walked - walked / 100)) \
		"$(grep ';walk_pages' $name.user | total /dev/stdin)"
	check "$name: and for the handler's, no more" below \
		"$(grep ';walk_pages' $name.user | total /dev/stdin)" $((walked + walked / 50 + handlers))
	handlers=0
	check "$name: beneath its region, on either thread" only $name.user ';walk_pages' \
		'^main;solve;walk_pages[; ]'
	check "$name: none where there are none" equal "$(grep -cE 'stay_put|compute' $name.user)" 0
	check "$name: the rest is little" below 0.95 "$(share $name.user ';walk_pages[; ]')"
	known $name
done
report --view machine --format folded "$out/misses.omphwc" >machine
check "each thread has half of them" within \
	"$(grep walk_pages machine | grep ';main;' | total -)" $((walked / 2)) 60
# The serial part resolves symbols, and has the tool's initialization.  LLVM 19's unwind
# rules are wrong after a frame's end that some paths skip, so some of libomp's own samples
# are unknown.
report --view machine --format folded "$out/cycles.omphwc" >cycles
check "cycles: what the loader and the tool did is known" equal \
	"$(grep '<unknown>' cycles | grep -E 'ld-linux|tool_start|ompt_start_tool|counters_read')" ""
json counted
check "counted: a region's, read by user code" within "$(region counted 0 1)" $walked 20
check "counted: no system call" equal "$(grep -c 'system call' counted.json)" 0
paths nested
check "nested: every kernel lies beneath its caller" only nested.user ';kernel[; ]' \
	'^main;outer;(left|right);inner;kernel[; ]'
paths tasks
check "tasks: each lies beneath where it was created" equal "$(grep -E ';(first|second)_work[; ]' \
	tasks.user | grep -cvE '^main;create;make_(first;first|second;second)_work[; ]')" 0
check "a report made there is the one made here" equal "$(cat "$out/report.out")" "$(cat misses.user)"
check "ompcount list: dTLB-load-misses" grep -q '^  dTLB-load-misses' "$out/list.out"
finish
