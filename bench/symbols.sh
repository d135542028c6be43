#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# symbols.sh BUILD [short] - measures reports on a program with 400 MB of DWARF in 160 compile
# units, all of which were sampled, against the targets in doc/design.md.
#
# `short' only proves that everything runs.  Exit status 1 if something did not run; a missed
# target is reported, and is no failure.
set -u
build=$(cd "$1" && pwd)
short=${2:-}
export LC_ALL=C OMP_NUM_THREADS=2
work=$(mktemp -d "${TMPDIR:-/tmp}/omphwc-symbols.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
units=160 functions=1200 rounds=6000
[ -z "$short" ] || { units=4 functions=20; }
broken=0

# unit FUNCTIONS: a C source with so many functions and types of 40 members.
unit() {
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++) {
			printf "typedef struct record_%d { struct record_%d *next;", i, i
			for (m = 0; m < 40; m++) {
				type = m % 3 == 0 ? "struct { int left, right; }" : m % 2 ? "double" : "unsigned char"
				printf " %s member_%d_of_%d[%d];", type, m, i, (i + m) % 9 + 1
			}
			printf " int (*call_%d)(struct record_%d *self, long flags, const char *name); } record_%d;\n", i, i, i
			printf "enum state_of_%d { STATE_A_%d, STATE_B_%d };\n", i, i, i
			printf "__attribute__((noinline)) static double step_%d(record_%d *record, int count, double scale)\n", i, i
			printf "{\n\tdouble sum = 0;\n\tenum state_of_%d state = STATE_A_%d;\n", i, i
			printf "\tfor (int i = 0; i < count; i++) {\n\t\tdouble value = record->member_1_of_%d[0] * scale;\n", i
			printf "\t\tstate += i & 1;\n\t\tsum += value;\n\t}\n\treturn sum + state;\n}\n"
		}
		print "double part(int rounds)\n{\n\tdouble sum = 0;"
		for (i = 0; i < n; i++)
			printf "\t{ record_%d r = { 0 }; sum += step_%d(&r, rounds, sum); }\n", i, i
		print "\treturn sum;\n}"
	}'
}

# program: builds ./big. The unit is compiled once; its one global name is then changed.
program() {
	local i
	unit $functions >part.c && gcc -g -O1 -c part.c || return
	for ((i = 0; i < units; i++)); do
		objcopy --redefine-sym part=part_$i part.o unit_$i.o || return
		echo "double part_$i(int);"
	done >main.c
	{
		echo 'int main(void) { double sum = 0;'
		echo '_Pragma("omp parallel reduction(+ : sum)") {'
		for ((i = 0; i < units; i++)); do echo "sum += part_$i($rounds);"; done
		echo '} return sum == 1; }'
	} >>main.c
	gcc -g -O1 -fopenmp -o big main.c unit_*.o && rm unit_*.o
}

# least COMMAND…: the least of three times, in seconds.
least() {
	local n from
	for n in 1 2 3; do
		from=${EPOCHREALTIME/./}
		"$@" >out 2>err || { echo "bench: $*: $(tail -n 1 err)" >&2; echo failed >failed; }
		echo $((${EPOCHREALTIME/./} - from))
	done | sort -n | awk 'NR == 1 { printf "%.2f\n", $1 / 1e6 }'
}
# judged WHAT SECONDS TARGET
judged() {
	awk -v what="$1" -v s="$2" -v t="$3" -v short="$short" 'BEGIN {
		printf "%s: %.2f s   (at most %g s: %s)\n", what, s, t,
			short != "" ? "not tried" : s <= t ? "met" : "MISSED" }'
}

program 2>err || { echo "bench: the program cannot be built: $(tail -n 1 err)" >&2; exit 1; }
size -A big | awk -v n=$units '/debug/ { all += $2 } END {
	printf "a program with %.0f MB of DWARF in %d compile units\n", all / 1e6, n }'
profile() { "$build/ompcount" -q -e cpu-clock "$@" -- ./big; }
profile --no-names -o bare.omphwc && profile -o named.omphwc || broken=1
judged "the first report on it" "$(least "$build/ompcount" report bare.omphwc)" 2
judged "one with the names that the run stored" "$(least "$build/ompcount" report named.omphwc)" 0.3
echo "a run: $(least ./big) s; profiled: $(least profile --no-names -o p.omphwc) s; with its names stored: $(least profile -o p.omphwc) s"
if command -v perf >/dev/null && perf record -q -g -e cpu-clock:u -o perf.data ./big 2>err; then
	echo "perf report --stdio, of function names alone: $(least perf report --stdio -i perf.data) s"
fi
[ $broken = 0 ] && [ ! -e failed ]
