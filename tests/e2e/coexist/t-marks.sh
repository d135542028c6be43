#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# omphwc.h and omphwc.f90: names for times of a program, with every way to link it, with and
# without the library; omp_control_tool() does the same.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
headers=$top_srcdir/ompt_tool/tool

# names: the marks of profile p, as `KIND NAME', with whose thread it was, in their order.
names() {
	"$ompcount" report --format json p.omphwc 2>err | python3 -c "import json, sys
p = json.load(sys.stdin)['processes'][0]
m, ns = p['marks'], [x['ns'] for x in p['marks']]
assert ns == sorted(ns) and all(n <= p['elapsed_ns'] for n in ns), ns
print(', '.join(x['kind'] + (' ' if x['tid'] == p['pid'] else ' elsewhere ') + x['name'] for x in m))"
}

all="begin set up, end set up, begin solve, begin inner, end inner, end solve, begin solve, \
begin inner, end inner, end solve, end never begun, \
mark a line and a name that is longer than the sixty-three bytes whi, mark , \
begin elsewhere of a thread, mark elsewhere on a thread, end elsewhere of a thread"

# marked WHAT NAMES: runs $prog with the library and without.
marked() {
	check "$1: alone" equal "$("$prog" 0.01 2>&1)" over
	rm -f p.omphwc
	check "$1: profiled" equal "$("$ompcount" -q -o p.omphwc -- "$prog" 0.01 2>&1)" over
	check "$1: what is listed" equal "$(names)" "$2"
}

for linked in "-fPIE -pie" "-fno-pie -no-pie" "-fno-pie -no-pie -fuse-ld=gold" "-fno-pie -no-pie -fuse-ld=lld"; do
	for compiler in gcc clang; do
		# shellcheck disable=SC2086
		build marks $compiler -O2 -I "$headers" $linked || { skip "$compiler $linked: $why"; continue; }
		marked "$compiler $linked" "$all"
	done
done
build marks gcc -O0 -I "$headers" -fno-pie -no-pie && marked "gcc -O0" "$all"
build marks gcc -O2 -x c++ -I "$headers" && marked "C++" "$all"
build marks gcc -O2 -static -I "$headers" && check "static" equal "$("$prog" 0.01 2>&1)" over

if build marks_fortran gfortran -O2 -I "$headers"; then
	marked "Fortran" "begin solve, mark converged, end solve"
else
	skip "Fortran: $why"
fi

controlled="begin by control, end , mark 77, $(printf 'mark 78, %.0s' 1 2 3 4 5 6 7 8)mark named, mark 64"
for n in 14 19; do
	with_runtime $n && build marks clang -O2 -DCONTROL -I "$headers" ||
		{ skip "omp_control_tool, libomp $n: $why"; continue; }
	export LD_LIBRARY_PATH=$runtime
	marked "omp_control_tool, libomp $n" "$controlled"
	rm -f p.omphwc
	OMP_TOOL_LIBRARIES=$tool OMPHWC_OUTPUT=p.omphwc "$prog" 0.01 >out 2>err
	check "by OMP_TOOL_LIBRARIES, libomp $n" equal "$(cat out err; names)" "over
$controlled"
	unset LD_LIBRARY_PATH
done

cat >many.c <<'END'
#include <errno.h>
#include "omphwc.h"
int main(void)
{
	errno = 7;
	for (int i = 0; i < 100000; i++)
		omphwc_mark("again");
	return errno != 7;
}
END
"$gcc" -O2 -I "$headers" many.c -o many && rm -f p.omphwc
check "many marks" "$ompcount" -q -o p.omphwc -- ./many
check "many marks: the first are listed" equal "$(names | tr ',' '\n' | wc -l)" 4096
check "many marks: the report says so" grep -q 'more than 4,096 marks' <("$ompcount" report p.omphwc 2>err)
check "many marks: the file is small" equal $(($(stat -c %s p.omphwc) < 1000000)) 1
for c in aarch64 riscv64; do
	cc=$c-linux-gnu-gcc
	command -v $cc >/dev/null || { skip "$c: no $cc"; continue; }
	check "$c: the header" $cc -O2 -Wall -Werror -I "$headers" many.c -c -o many.o
done
check "a strict compiler takes the header" "$gcc" -std=c90 -pedantic -Wall -Wextra -Werror -x c \
	-fsyntax-only "$headers/omphwc.h"
finish
