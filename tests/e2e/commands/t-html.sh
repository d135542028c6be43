#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The HTML page in a real browser: it asks the network for nothing, its numbers are those of the
# other formats, it can be used by mouse and keyboard, and no name of a program becomes markup.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
for command in python3 chromium chromedriver; do
	command -v $command >/dev/null || skip_all "no $command"
done
heat=$top_builddir/bench/demo/heat
[ -e "$heat" ] || (cd "$top_builddir" && ${MAKE:-make} -s bench/demo/heat) >build.log 2>&1 ||
	skip_all "bench/demo/heat cannot be built: $(tail -n 1 build.log)"

"$ompcount" -q --timeline -e cpu-clock,page-faults -F 997 -o p.omphwc -- "$heat" 6 >out 2>err ||
	skip_all "nothing was profiled: $(tail -n 1 err)"
check "a page is written" "$ompcount" report -f html -o page.html --sources "$top_srcdir" p.omphwc
"$ompcount" report -f json -o report.json p.omphwc
"$ompcount" report -f folded -o folded p.omphwc
check "or piped" equal "$("$ompcount" report -f html p.omphwc | head -n 1)" "<!doctype html>"
"$ompcount" report -f html -o /dev/full p.omphwc 2>err
check "a full disk is reported" grep -q "No space left" err
if can_type; then
	script -qec "'$ompcount' report -f html p.omphwc" /dev/null >terminal 2>&1 </dev/null
	check "it is not for terminals" grep -q 'terminal: use -o FILE' terminal
	check "which get nothing else" equal "$(wc -l <terminal)" 1
else
	skip "a terminal: none can be had by script(1)"
fi

# 200 regions of 64 threads, a recursion of 301 levels, and a chain of 300 functions.
{
	echo '#include <omp.h>
#define NOINLINE __attribute__((noinline, noclone))
static volatile double sum;
NOINLINE void spin(int n) { double s = 0; for (int i = 0; i < n; i++) s += 1.0 / (i + 1); sum = s; }
NOINLINE void recurse(int n) { if (n) recurse(n - 1); else spin(20000000); __asm__ volatile(""); }
NOINLINE void chain0(void) { spin(20000000); __asm__ volatile(""); }'
	for i in $(seq 299); do
		echo "NOINLINE void chain$i(void) { chain$((i - 1))(); __asm__ volatile(\"\"); }"
	done
	for i in $(seq 200); do
		printf 'NOINLINE void region%d(void)\n{\n#pragma omp parallel\n\tspin(%d);\n}\n' "$i" $((20000 + 200 * i))
	done
	echo 'int main(void) { recurse(300); chain299();'
	for i in $(seq 200); do echo "region$i();"; done
	echo 'return 0; }'
} >many.c
"$gcc" -g -O1 -fopenmp -fno-optimize-sibling-calls -o many many.c 2>err &&
	OMP_NUM_THREADS=64 "$ompcount" -q --timeline -e cpu-clock -F 2000 -o many.omphwc ./many >out 2>err &&
	"$ompcount" report --html -o many.html many.omphwc 2>err ||
	skip_all "a page of many regions: $(tail -n 1 err)"

"$ompcount" -q --count -e page-faults,context-switches -o counts.omphwc -- "$heat" 1 >out 2>err &&
	"$ompcount" report --html -o counts.html counts.omphwc 2>err || fail "a page of counts: $(tail -n 1 err)"

# A program whose functions have names that only a linker would accept.
cat >hostile.c <<'END'
#include <stdlib.h>
#define SPIN for (volatile int i = 0; i < 30000000; i++)
#define NOINLINE __attribute__((noinline, noclone))
NOINLINE void element(void) { SPIN; }
NOINLINE void script(void) { SPIN; }
NOINLINE void separator(void) { SPIN; }
NOINLINE void invalid(void) { SPIN; }
NOINLINE void lengthy(void) { SPIN; }

int main(void)
{
	element(), script(), separator(), invalid(), lengthy();
	return 0;
}
END
long=$(printf 'x%.0s' {1..10000})
if "$gcc" -O1 -c hostile.c 2>err &&
	objcopy --redefine-sym "element=<img src=x onerror=window.ran=1>" \
		--redefine-sym "script=</script><script>window.ran=1</script>" \
		--redefine-sym "separator=$(printf 'a\342\200\250b')" \
		--redefine-sym "invalid=$(printf 'a\377\376b')" \
		--redefine-sym "lengthy=$long" hostile.o renamed.o 2>err &&
	"$gcc" -o hostile renamed.o 2>err &&
	"$ompcount" -q -e cpu-clock -F 997 -o hostile.omphwc ./hostile >out 2>err &&
	"$ompcount" report -f html -o hostile.html hostile.omphwc 2>err; then
	timeout 240 python3 -B "$top_srcdir/tests/support/page_cases.py" page.html report.json folded hostile.html \
		"$top_srcdir/src/output/html/page" many.html counts.html \
		"$top_srcdir/tests/golden/page.json" ||
		check "all of it was tried" equal "$?" 0
else
	fail "a page of hostile names: $(tail -n 1 err)"
fi
finish
