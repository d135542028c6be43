#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The demonstration's program computes the same with any number of threads, profiled or
# not, and its profile shows where.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
heat=$top_builddir/bench/demo/heat
[ -e "$heat" ] || (cd "$top_builddir" && ${MAKE:-make} -s bench/demo/heat) >build.log 2>&1 ||
	skip_all "bench/demo/heat cannot be built: $(tail -n 1 build.log)"

OMP_NUM_THREADS=1 "$heat" 10 >one
"$heat" 10 >two
"$ompcount" -o p.omphwc -- "$heat" 10 >profiled 2>err
check "it ends well under ompcount" equal $? 0
check "two threads compute what one does" equal "$(sed 1,3d two)" "$(sed 1,3d one)"
check "and profiled the same" equal "$(sed 1,3d profiled)" "$(sed 1,3d two)"
check "its residual is small" below "$(awk '/residual/ { print $2 }' profiled)" 1e-8
folded p.omphwc >user
for f in find_conductivity smooth hottest_of_tile examine; do
	check "$f is in the report" below 0 "$(share user "^main;.*$f[; ]")"
done
check "its efficiency is reported" grep -q "^parallel efficiency [0-9.]* %" \
	<("$ompcount" report "$(ls ./*.omphwc | head -n 1)")
finish
