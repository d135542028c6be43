#!/bin/bash
# Misses, of a machine that has such an event: an emulated RISC-V one, whose PMU counts
# misses of the TLB.  They are the function's that walks from page to page.
. "$(dirname "$0")/lib.sh"
need_tool
here=$top_srcdir/tests/pmu-guest
guest=$top_builddir/tests/guest/riscv64
"$here/riscv64" "$guest" >make.log 2>&1
case $? in
0) pass "it builds for riscv64, without a warning" ;;
77) skip_all "$(tail -n 1 make.log)" ;;
*)
	fail "for riscv64: $(tail -n 5 make.log | tr '\n' ' ')"
	finish
	;;
esac
mkdir root
ln -s "$guest/sysroot/lib" "$guest/sysroot/usr" "$guest/tree/opt" "$guest/tree/work" root/
cp "$here/misses.sh" "$guest/tree/work/"
out=$work/out sysroot=$work/root
. "$here/judge.sh"

export SMP=2 T=240
check "the guest runs" "$here/boot" "$guest" "$guest/tree" -- "$out" "sh misses.sh"
ran misses signal counted nested tasks
walked=$((20 * 8192 * 2))
for name in misses signal; do
	json $name && paths $name
	check "$name: one for each page that is walked to" within \
		"$(grep ';walk_pages' $name.user | total /dev/stdin)" $walked 40
	check "$name: beneath its region, on either thread" only $name.user walk_pages \
		'^main;solve;walk_pages '
	check "$name: none where there are none" equal "$(grep -cE 'stay_put|compute' $name.user)" 0
	check "$name: the rest is little" below 0.95 "$(share $name.user ';walk_pages ')"
	known $name
done
report --view machine --format folded "$out/misses.omphwc" >machine
check "each thread has half of them" near "$(awk '/walk_pages/ { all += $NF; if (/;main;/) own += $NF }
	END { print own / all }' machine)" 0.5 3
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
