#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Samples lie in the phases that the program named: of the process, nested, of one thread; --phase,
# merged files, and reports of a recursion of phases.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
headers=$top_srcdir/ompt_tool/tool

# run_marks SECONDS: the program's eight parts, two in `solve' and in `inner' each.
run_marks() { rm -f p.omphwc; "$ompcount" -q -e cpu-clock -c 250000 -o p.omphwc -- "$prog" "$1" >out 2>err; }

# phase NAME KEY [PROFILE]: of that row; KEY `samples', and its `share' of the work: a thread that
# waits for another one spins.
phase() {
	"$ompcount" report --format json "${3-p.omphwc}" 2>err | python3 -c "import json, sys
r = json.load(sys.stdin)
all = sum(p['self'][0]['samples'] for p in r['phases'])
assert all == sum(l['self'][0]['samples'] for l in r['lines'])
p = [p for p in r['phases'] if p['phase'] == '$1']
p = p[0] if p else { 'entries': None, 'self': [{ 'samples': 0, 'work': 0 }], 'of_thread': None, 'elapsed_ns': None }
p['samples'], p['share'] = p['self'][0]['samples'], p['self'][0]['work'] / sum(p['self'][0]['work'] for p in r['phases'])
print({ None: 'null', True: 'true', False: 'false' }.get(p['$2'], p['$2']) if not isinstance(p['$2'], (int, float)) or isinstance(p['$2'], bool) else p['$2'])"
}

# Two threads compute for a part in each of: nothing, set up, solve, inner, solve, inner; one
# does in `of a thread'. So there are 13 halves.
phases() {
	local n
	enough 2500 0.8 run_marks || { fail "$1: $(tail -n 1 err)"; return; }
	n=$(phase "set up" samples)
	n=$((n * 13 / 2))
	check "$1: set up" agrees "$(phase "set up" share)" "$(awk 'BEGIN { print 2 / 13 }')" $n 1
	check "$1: solve" agrees "$(phase solve share)" "$(awk 'BEGIN { print 4 / 13 }')" $n 1
	check "$1: inner" agrees "$(phase "solve / inner" share)" "$(awk 'BEGIN { print 4 / 13 }')" $n 1
	check "$1: of a thread" agrees "$(phase "of a thread" share)" "$(awk 'BEGIN { print 1 / 13 }')" $n 1
	check "$1: entries" equal "$(phase "set up" entries) $(phase solve entries) $(phase "solve / inner" entries) $(phase "of a thread" entries) $(phase "(no phase)" entries)" "1 2 2 1 null"
	check "$1: whose they are" equal "$(phase solve of_thread) $(phase "of a thread" of_thread)" "false true"
	check "$1: a phase is as long as what is in it" awk -v a="$(phase solve elapsed_ns)" -v b="$(phase "solve / inner" elapsed_ns)" \
		'BEGIN { print a, b; exit !(a > 1.5 * b && b > 0) }'
	check "$1: one that was never begun" equal "$(phase "never begun" samples)" 0
}

for n in gomp 14 19; do
	compiler=clang
	[ $n != gomp ] || compiler=gcc
	with_runtime $n && build marks $compiler -O2 -I "$headers" ||
		{ skip "$(runtime_name $n): $why"; continue; }
	[ $n = gomp ] || export LD_LIBRARY_PATH=$runtime
	phases "$(runtime_name $n)"
	unset LD_LIBRARY_PATH
done

kept() {
	"$ompcount" report --format csv --by phase --phase "$1" p.omphwc 2>err | cut -d , -f 1 | tail -n +2 | sort | tr '\n' ','
}
check "--phase, and what is within" equal "$(kept solve)" "solve,solve / inner,"
check "--phase of an inner one" equal "$(kept inner)" "solve / inner,"
check "--phase of its path" equal "$(kept "solve / inner")" "solve / inner,"
check "--phase of none" equal "$(kept "(no phase)")" "(no phase),"
"$ompcount" report --phase solv3 p.omphwc >out 2>err
check "--phase of no name" equal "$? $(cat out err)" \
	"1 ompcount: --phase solv3: no sample is in such a phase: did you mean solve?"

mv p.omphwc q.omphwc
run_marks 0.3
check "merged" "$ompcount" merge -o all.omphwc p.omphwc q.omphwc
check "merged: the same phases" equal \
	"$(phase "solve / inner" samples all.omphwc) $(phase "of a thread" entries all.omphwc)" \
	"$(($(phase "solve / inner" samples) + $(phase "solve / inner" samples q.omphwc))) 2"

# Recursion, more names than are distinguished, phases that do not end, and a child without any.
cat >odd.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "omphwc.h"
#include "work.h"
static void recur(int n)
{
	omphwc_begin("deep");
	if (n > 0)
		recur(n - 1);
	else
		crunch_for(100000000);
	omphwc_end("deep");
}
int main(void)
{
	char name[32];
	recur(40);
	crunch_for(20000000);
	omphwc_begin("open");
	omphwc_end("open");
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "step %d", i);
		omphwc_begin(name);
		omphwc_end(name);
	}
	omphwc_begin("open");
	if (fork() == 0) {
		crunch_for(100000000);
		return 0;
	}
	wait(NULL);
	crunch_for(100000000);
	return 0;
}
END
"$gcc" -O1 -I "$headers" -I "$programs" odd.c -o odd && rm -f ./*.omphwc
check "odd uses" "$ompcount" -q -e cpu-clock -o odd.omphwc -- ./odd
deep=deep
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do deep+=" / deep"; done
check "a recursion is in its deepest level" awk -v s="$(phase "$deep" samples odd.omphwc)" 'BEGIN { print s; exit s < 50 }'
check "and over when it has ended" awk -v s="$(phase "(no phase)" samples odd.omphwc)" 'BEGIN { print s; exit s < 5 }'
check "one that does not end" awk -v s="$(phase open samples odd.omphwc)" 'BEGIN { print s; exit s < 50 }'
check "names beyond those that are distinguished" equal "$(phase "(more phases)" entries odd.omphwc)" $((1000 - 253))
check "a child is in none" awk -v s="$(phase "(no phase)" samples odd-*.omphwc)" 'BEGIN { print s; exit s < 50 }'
finish
