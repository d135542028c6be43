#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A body that ends in a call of the C library is work at its own line, also if the compiler
# generates a tail call.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
source=$programs/lastcall.c
line() { grep -n -F "/* $1 */" "$source" | cut -d: -f1; }

# busy PROFILE: the number of its samples that are no waits; writes the share of work in
# them to the file `share'.
busy() {
	"$ompcount" report --format csv --by state "$1" >states.csv
	csv _samples _ _work _overhead <states.csv | awk -F'\t' '
		{ n += $1; all += $2; work += $3; busy += $3 + $4 }
		END {
			printf "%.4f\n", busy ? work / busy : 0 >"share"
			printf "%.0f\n", all ? n * busy / all : 0
		}'
}

# run WHAT EVENT [OPTION...] SECONDS
run() {
	LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e "${@:2:$# - 2}" -o p.omphwc -- \
		"$prog" "${@: -1}" "$1" >out 2>err
}

# kernel CC N WHAT EVENT [OPTION...]: samples that are no waits are work, except for the
# runtime's own.
kernel() {
	local name="$1, libomp $2, $3, $4" n
	count_by=busy enough 1200 0.3 run "${@:3}" || { fail "$name: $(tail -n 1 err)"; return; }
	n=$(busy p.omphwc)
	check "$name: is work" reaches "$(cat share)" 0.95 "$n"
	check "$name: in its function" below 0.9 "$(folded p.omphwc | grep -v '<OMP' |
		sed 's/ \([0-9]*\)$/; \1/' >paths; share paths "^main;(run;)?$3;")"
	[ "$1" = gcc ] || return
	folded --view expert p.omphwc | grep -v '<OMP' >expert
	check "$name: the body is named" below 0.9 "$(share expert "OMP.*\\[$3\\._omp_fn")"
}

for cc in gcc clang; do
	for opt in -O2 -O3; do
		build lastcall $cc $opt || { skip "$cc $opt: $why"; continue; }
		with_runtime 14 || with_runtime 19 || { skip "$cc: $why"; continue; }
		for what in copy fill whole tasks; do
			[ $opt = -O3 ] || [ $what = copy ] || [ -n "$long" -a $what = whole ] || continue
			kernel $cc ${runtime##*/} $what cpu-clock -c 250000
		done
	done
	build lastcall $cc -O3 || continue
	if with_runtime 19; then
		in_turn copy tasks
		for what in $some; do
			kernel $cc 19 $what cpu-clock -c 250000
		done
	else
		skip "$cc: $why"
	fi
	# First accesses to memory, by address.
	with_runtime 14 || continue
	kernel $cc 14 fill page-faults -c 1
	"$ompcount" report --format csv --by address p.omphwc >addresses.csv
	csv name _ _work <addresses.csv >addresses
	check "$cc, by address: work" awk -F'\t' '
		{ all += $2 }
		$1 == "a" { events = $2; work = $3 }
		END { exit !(work >= 0.95 * events && events > 0.5 * all) }' addresses
done

# ---- a barrier at a region's end, whose kind the runtime's state does not report

source=$programs/lastbarrier.c
if ! build lastbarrier clang -O2; then
	skip "barrier: $why"
elif ! with_runtime 14; then
	skip "barrier: $why"
else
	OMP_WAIT_POLICY=active LD_LIBRARY_PATH=$runtime "$ompcount" -q -e cpu-clock -o p.omphwc -- \
		"$prog" 0.5 >out 2>err
	"$ompcount" report --format csv --by construct p.omphwc >constructs.csv
	check "a barrier called last: explicit, at its line" \
		grep -qx "barrier	uneven	$(line barrier)" <(csv kind function line <constructs.csv)
fi

# ---- a taskloop at a region's end, whose tasks runtimes split off tasks of their own

programs=.
cat >lasttasks.c <<'END'
#include <stdio.h>

static volatile double sum[64];

int main(void)
{
	for (int round = 0; round < 20; round++) {
#pragma omp parallel
#pragma omp taskloop num_tasks(64)
		for (int i = 0; i < 64; i++)
			for (int k = 0; k < 20000; k++)
				sum[i] += k;
	}
	return sum[1] < 0;
}
END
for n in 14 16 19; do
	build lasttasks clang -O2 || { skip "taskloop: $why"; break; }
	with_runtime $n || { skip "taskloop: $why"; continue; }
	OMP_NUM_THREADS=2 LD_LIBRARY_PATH=$runtime "$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" >out 2>err
	"$ompcount" report --format json p.omphwc >p.json
	check "libomp $n, taskloop: the context of all its tasks" python3 -c '
import json, sys
d = json.load(open("p.json"))
tasks = {(t["kind"], t["function"], t["line"], t["creator"] and t["creator"]["kind"]) for t in d["tasks"]}
work = {r["kind"]: r["self"][0]["work"] for r in d["regions"] if r["self"][0]["work"]}
created = sum(t["created"] for t in d["tasks"])
print(tasks, work, created)
# What main does outside of regions takes a sample now and then.
serial = work.pop("serial", 0)
sys.exit(created < 2560 or tasks != {("taskloop", "main", 9, "parallel")} or set(work) != {"region"} or
    serial > 0.02 * work["region"])'
done

finish
