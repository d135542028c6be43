#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program with two OpenMP runtimes, libomp for its own regions and libgomp for those of a
# library: each thread's samples are the region's that it is in, whichever runtime has it.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
must_build both gcc -O1 -shared -fPIC -fopenmp
library=$prog
libgomp=$("$gcc" -print-file-name=libgomp.so)
[ -n "$clang" ] || skip_all "no clang"
# libgomp is the first to be searched for symbols: else libomp has all regions.
"$clang" -g -O1 -fopenmp -c -o both.o "$programs/both.c" 2>build.log &&
	"$clang" -o both both.o -Wl,--no-as-needed "$library" "$libgomp" -fopenmp 2>>build.log ||
	skip_all "clang builds no such program: $(tail -n 1 build.log)"
export OMP_WAIT_POLICY=active
plain=$(./both) || skip_all "the program fails alone"

check "same output" equal "$("$ompcount" -q -e cpu-clock -c 250000 -o p.omphwc -- ./both 2>err)" "$plain"
folded p.omphwc --view expert >paths
"$ompcount" report --by region --limit 0 p.omphwc >regions
for row in "40 .* by_gcc:" "20 .* by_clang:" "20 .* nested:"; do
	check "the row of $row" grep -qE " $row" regions
done
region="by_gcc -- OMP parallel region from line"
# How long masters spin for is up to the runtimes, but all of it is waiting.
for way in "main;by_gcc" "main;nested.*;by_gcc"; do
	grep -E "^$way;" paths >mine
	check "$way: masters wait" below 0.1 "$(share mine "$region.*;<OMP-explicit_barrier> ")"
	check "$way: waiting is no overhead" below "$(share mine "$region.*<OMP-overhead> ")" 0.05
	check "$way: workers work" below 0.2 "$(share mine "$region.*;crunch")"
done
finish
