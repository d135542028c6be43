#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Code of GCC 17: static loops begin with a call of their own, and with -fopenmp-ompt loops, single
# and masked end with one.  The compiler is not out: its calls are put into an older one's assembly,
# or written out; its entry points come from a library of the tests'.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
[ -n "$gcc" ] || skip_all "no gcc"
[ "$(uname -m)" = x86_64 ] || skip_all "the assembly is x86-64's"

"$gcc" -O1 -fPIC -shared -fopenmp -o libgomp17.so "$top_srcdir/tests/gomp/gomp17.c" 2>build.log ||
	skip_all "cannot build the entry points: $(head -n 1 build.log)"
line() { grep -n -F "/* $1 */" "$programs/gcc17.c" | cut -d: -f1; }

# The two calls for a thread's share become one, which returns both halves.
as_gcc17() {
	sed -E 's/call\tomp_get_num_threads(@PLT)?/movl\t$64, %edi\n\tcall\tGOMP_loop_static_worksharing\1/
		s/call\tomp_get_thread_num(@PLT)?/shrq\t$32, %rax/' "$1"
}
build17() {
	# An older one takes the calls to have no effect, and makes some of them once for two loops.
	"$gcc" "$1" -fno-tree-fre -fno-tree-pre -fno-tree-dominator-opts -fno-gcse \
		-fno-code-hoisting -g -fopenmp -S -o older.s "$programs/gcc17.c" 2>build.log &&
		as_gcc17 older.s >gcc17.s && grep -q GOMP_loop_static_worksharing gcc17.s &&
		! grep -q 'call.*omp_get_num_threads' gcc17.s &&
		"$gcc" -fopenmp -o gcc17 gcc17.s -L. -lgomp17 -Wl,-rpath,"$PWD" 2>>build.log
}
run17() {
	rm -f p.omphwc
	OMP_NUM_THREADS=2 "$ompcount" -q -e cpu-clock -c 250000 -o p.omphwc -- ./gcc17 "$1" >out 2>err
}
# of KIND LINE COLUMN
of() {
	"$ompcount" report -f csv --by construct \
		--columns "kind,line,entries,count_most,elapsed_ns,threads" p.omphwc |
		sed -n "s/^$1,$2,//p" | cut -d, -f"$3"
}
# work KIND [LINE]: of all such constructs, in ns.
work() {
	"$ompcount" report -f csv --by construct --columns kind,line,cpu-clock:u_work_ns p.omphwc |
		awk -F, -v kind="$1" -v line="${2:-}" \
			'NR > 1 && $1 ~ "^" kind && (line == "" || $2 == line) { sum += $3 } END { print sum + 0 }'
}
# part NAME PARTS KIND LINE: its share of all work, of 24 parts.
part() {
	check "$1" agrees "$(awk -v a="$(work "$3" "$4")" -v b="$all" 'BEGIN { print b ? a / b : 0 }')" \
		"$(awk -v n="$2" 'BEGIN { print n / 24 }')" $((all / 250000))
}

for level in -O0 -O1 -O2 -O3; do
	build17 $level || { skip "$level: $(head -n 1 build.log)"; continue; }
	run17 600000 || { fail "$level: $(tail -n 1 err)"; continue; }
	check "$level: the program works" equal "$(cat out)" 2
	check "$level: four loops, with their entries and iterations" equal \
		"$("$ompcount" report -f csv --by construct --columns kind,entries,count_most p.omphwc |
			grep '^for')" "$(printf 'for schedule(static),10,64\n%.0s' 1 2 3 4)"
	check "$level, told: it ends" below 0 "$(of 'for schedule(static)' "$(line 'told loop')" 3)"
	check "$level, single: entries" equal "$(of single "$(line 'told single')" 1)" 5
	check "$level, single: it ends" below 0 "$(of single "$(line 'told single')" 3)"
	check "$level, masked: entries" equal "$(of masked "$(line 'told masked')" 1)" 5
	check "$level, masked: it ends" below 0 "$(of masked "$(line 'told masked')" 3)"
	# Without optimization a loop has the line of the directive, or of what comes before.
	[ $level != -O0 ] || continue
	for at in 'with a barrier' nowait combined; do
		check "$level, $at: entries" equal "$(of 'for schedule(static)' "$(line "$at")" 1)" 10
		check "$level, $at: nobody says when it ends" equal \
			"$(of 'for schedule(static)' "$(line "$at")" 3)" ""
	done
	# Of six times as much work as a loop has, single and masked have a quarter of a loop's.
	all=$(work '')
	for at in 'with a barrier' nowait combined 'told loop'; do
		part "$level, $at: work" 4 for "$(line "$at")"
	done
	part "$level, single: work" 1 single "$(line 'told single')"
	part "$level, masked: work" 1 masked "$(line 'told masked')"
done

# ---- a libgomp with OMPT: by what it answers, omphwc's entries or its own reports, never both

real=$("$gcc" -print-file-name=libgomp.so.1)
nm -D --defined-only "$real" | sed -n 's/^[0-9a-f]* [TW] \(.*\)@@\(.*\)/\1 \2/p' |
	grep -v '^GOMP_parallel ' >entries
awk '{ printf "\t.globl %s\n\t.type %s,@function\n%s:\n\tjmp *targets+%d(%%rip)\n", $1, $1, $1, 8 * n++ }
	END { print "\t.data\n\t.globl targets\n\t.hidden targets\ntargets:\n\t.skip " 8 * n
		print "\t.section .note.GNU-stack,\"\",@progbits" }' entries >jumps.s
awk '{ names = names "\"" $1 "\","; versions = versions "\"" $2 "\"," }
	END { print "const char *const names[] = {" names "}, *const versions[] = {" versions "};"
		print "const unsigned long nnames = " NR ";" }' entries >names.c
awk '{ of[$2] = of[$2] " " $1 ";" }
	END { of["GOMP_4.0"] = of["GOMP_4.0"] " GOMP_parallel;"
		for (v in of) print v " { global:" of[v] " };" }' entries >versions
cat >ompt17.c <<'END'
static volatile double sum[64];

static void work(int i)
{
	for (int k = 0; k < 100000; k++)
		sum[i % 64] += k;
}

int main(void)
{
	for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(2)
		{
#pragma omp for schedule(dynamic, 4)
			for (int i = 0; i < 32; i++)
				work(i);
#pragma omp single
			for (int i = 0; i < 10; i++)
#pragma omp task
				work(i);
		}
	}
	return 0;
}
END
mkdir -p ompt
if ! "$gcc" -O1 -g -fPIC -shared -Wl,-soname,libgomp.so.1 -Wl,--version-script,versions \
		-o ompt/libgomp.so.1 "$top_srcdir/tests/gomp/gomp_ompt.c" names.c jumps.s -ldl >build.log 2>&1 ||
	! "$gcc" -O1 -g -fopenmp -o ompt17 ompt17.c >>build.log 2>&1; then
	fail "the stand-in for a libgomp with OMPT: $(head -n 1 build.log)"
	finish
fi
# entered: the constructs with their entries
entered() {
	"$ompcount" report -f csv --by construct --columns kind,entries p.omphwc |
		grep -E '^(parallel|for|single|task)[^,]*,[0-9]' | sort | tr '\n' ' '
}
declined="libgomp's own tools interface does not report all"
for answers in nothing some all; do
	rm -f p.omphwc
	LD_LIBRARY_PATH=$PWD/ompt GOMP_REAL=$real GOMP_OMPT=$answers \
		"$ompcount" -q -e cpu-clock -o p.omphwc -- ./ompt17 >out 2>err
	check "OMPT that reports $answers: the program works" equal "$? $(cat out)" "0 "
	"$ompcount" report p.omphwc >report 2>&1
	case $answers in
	all)
		check "all: its own reports, once" equal "$(entered)" "parallel,10 "
		check "all: its name" grep -q ', GNU libgomp 17, ' report
		check "all: not declined" equal "$(grep -c "$declined" report)" 0
		;;
	*)
		check "$answers: omphwc's entries, once" equal "$(entered)" \
			"for schedule(dynamic),20 parallel,10 single,10 task,100 "
		check "$answers: and why" grep -q "$declined" report
		;;
	esac
done
finish
