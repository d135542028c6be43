#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The benchmarks run; their numbers need a quiet machine (`make bench').
. "$(dirname "$0")/../../support/lib.sh"
need_tool
on_gomp=
[ -z "$gcc" ] || on_gomp="regions tasks chunks"
# built WHAT: it is up to date.
built() { (cd "$top_builddir" && ${MAKE:-make} -s "bench/$1") >build.log 2>&1; }
for b in bench_handler bench_unwind contexts constructs faults sleepers steps ranks; do
	check "bench/$b can be built" built "$b"
done
for b in blocks regions tasks criticals compute nulltool.so ${on_gomp:+regions-gomp tasks-gomp chunks-gomp}; do
	built "$b" || skip_all "bench/$b cannot be built: $(tail -n 1 build.log)"
done
bash "$top_srcdir/bench/run.sh" "$top_builddir" short >out 2>err
check "the benches run" equal "$?" 0
check "without a complaint" equal "$(cat err)" ""
for what in regions tasks 'a critical' slowed 'malloc and free' '2 threads' 'a report' 'a text report' 'a json report'; do
	check "$what is measured" grep -q "^$what.*[0-9]" out
done
check "a sample is measured" grep -q "same stack again.*[0-9]" out
for what in $on_gomp; do
	check "$what on libgomp are measured" grep -q "^$what on libgomp.*[0-9]" out
done
bash "$top_srcdir/bench/symbols.sh" "$top_builddir" short >out 2>err
check "reports on much DWARF run" equal "$?" 0
check "reports on much DWARF are measured" equal "$(grep -c '[0-9] s' out)" "$(command -v perf >/dev/null && echo 4 || echo 3)"
finish
