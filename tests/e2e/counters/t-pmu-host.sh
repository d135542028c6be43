#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# This machine's hardware counters, if it has any, with the assertions of t-pmu-guest.sh.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
here=$top_srcdir/tests/guests

"$ompcount" check >check 2>&1
grep -qE '^ *ok *PMU ' check || skip_all "$(sed -n 's/^ *note *PMU *\(.*\)/no PMU that counts: \1/p' check)"
# Observed on one machine: with two events a tenth of the samples is missing, at times
# nearly all of one event.
! grep -qw hypervisor /proc/cpuinfo ||
	skip_all "the counters are a virtual machine's, which lends them and takes them back: nothing known is to be had of them"
with_runtime 14 || skip_all "$why"
mkdir programs
for name in pmu_exact pmu_team pmu_sides; do
	must_build $name clang -O2
	ln -s "$prog" programs/$name
done

# Starting the program takes cycles that belong to no part, and its instructions differ by
# some 170,000 between runs; waiting threads spin.
rough=5
sysroot=
out=$PWD/out
. "$here/judge.sh"
PATH=$(dirname "$ompcount"):$PATH LD_LIBRARY_PATH=$runtime EVENT=instructions SECOND=cycles \
	sh "$here/exact.sh"
judge_exact instructions
judge_rate instructions
judge_events instructions cycles
judge_team team
# Cycles differ from instructions: only sums can be checked for both.
PATH=$(dirname "$ompcount"):$PATH LD_LIBRARY_PATH=$runtime EVENT=instructions SECOND=cycles \
	sh "$here/count.sh"
judge_counted 0
judge_added 0 1
if [ -s out/sides.err ]; then
	skip "the kernel's side: $(head -n 1 out/sides.err)"
else
	judge_sides
fi
finish
