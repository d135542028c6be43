#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Findings give no remedy that would hurt, or that is in force already.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the CSV report here"
[ "$(nproc)" -ge 2 ] || skip_all "one CPU: two threads never run at a time"

# advised WORDS...: whether a finding of the last run says one of these helps.
advised() { "$ompcount" report --by finding --format csv p.omphwc | python3 -c '
import csv, re, sys
for row in csv.DictReader(sys.stdin):
	if re.search(sys.argv[1], row["helps"]):
		print(row["rule"], row["helps"])
		sys.exit(0)
sys.exit(1)' "$1"; }
# hurts KIND REMEDY [SETTING...]: it is not given.
hurts() {
	local name="$compiler, $(runtime_name "$n"): $1${3:+, ${*:3}}"
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" "${@:3}" "$ompcount" -q -o p.omphwc -- "$prog" "$1" >out 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	check "$name: no advice of ${2//[\\]/}" equal "$(advised "$2")" ""
}
# one RULE KIND [SETTING...]: it is found, or it is not.
one() {
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" "${@:3}" "$ompcount" -q -o p.omphwc -- "$prog" "$2" >out 2>err
	"$ompcount" report --by finding --format csv p.omphwc | grep -c "$1"
}
# alone NAME FOUND: once, where the last run had the CPUs to itself.
alone() {
	[ "$2" = 1 ] || ! "$ompcount" report --by finding --format csv p.omphwc | grep -q '^no_cpu' ||
		{ skip "$compiler: $1: other programs had the CPUs"; return; }
	check "$compiler: $1" equal "$2" 1
}
cat >cancels.c <<'END'
#include <math.h>
#include <stdio.h>
int main(void)
{
	int found = -1;
#pragma omp parallel num_threads(2)
#pragma omp for schedule(dynamic, 100)
	for (int i = 0; i < 10000; i++) {
		double s = 0;
		for (int k = 0; k < 600; k++)
			s += sin(i + k);
#ifdef CANCELS
		if (i == 4000 || s > 1e9) {
#pragma omp atomic write
			found = i;
#pragma omp cancel for
		}
#else
		if (s > 1e9)
			found = i;
#endif
	}
	printf("%d\n", found);
	return 0;
}
END

for compiler in gcc clang; do
	n=gomp
	[ $compiler = gcc ] || n=16
	build hurts $compiler -O1 && with_runtime $n || { skip "$compiler: $why"; continue; }
	path=$runtime
	[ $compiler = clang ] || path=$runtime/gomp
	hurts loops 'schedule\(dynamic|collapse'
	hurts loops 'OMP_PROC_BIND' OMP_PROC_BIND=true
	hurts regions 'schedule\(dynamic|OMP_PROC_BIND' OMP_PROC_BIND=true
	hurts planes 'schedule\(dynamic|guided'
	hurts tasks 'more and smaller|more tasks'
	hurts crowd 'OMP_WAIT_POLICY=passive' OMP_WAIT_POLICY=passive
	hurts crowd 'OMP_NUM_THREADS' OMP_NUM_THREADS=2
	hurts reduction 'schedule\(dynamic'
	hurts in_order 'larger chunks'
	hurts rewrites 'a buffer for each thread'
	# The uneven work is proved by CPU time, though no thread is seen to wait.
	for policy in passive active; do
		alone "uneven work, waiting threads that are $policy" \
			"$(one 'imbalance of for' uneven OMP_WAIT_POLICY=$policy)"
	done
	alone "a spin lock of the C library's is a lock" \
		"$(one 'waiting for lock' spin OMP_NUM_THREADS=2)"
	check "$compiler: OMP_NUM_THREADS=1 is why all regions have one thread" equal \
		"$(one one_thread.*OMP_NUM_THREADS=1 plain OMP_NUM_THREADS=1)" 1
	hurts=$prog
	for define in -DCANCELS -UCANCELS; do
		prog=$work/cancels.$compiler$define
		"${!compiler}" -O1 -fopenmp $define -o "$prog" cancels.c -lm 2>err ||
			{ fail "$compiler: $(tail -n 1 err)"; continue; }
		check "$compiler $define: cancel directives do nothing by default" equal \
			"$(one ^cancel x)" "$([ $define = -DCANCELS ] && echo 1 || echo 0)"
		check "$compiler $define: with OMP_CANCELLATION=true they may" equal \
			"$(one ^cancel x OMP_CANCELLATION=true)" 0
	done
	prog=$hurts
	check "$compiler: two threads are not one" equal "$(one one_thread plain OMP_NUM_THREADS=2)" 0
done
finish
