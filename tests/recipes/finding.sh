# SPDX-License-Identifier: BSD-3-Clause
# finding.sh - the check of finding.patch, which t-recipes.sh sources: its cases, and a program with
# thirteen entries of a region.
check "finding: its cases" unit tables/check_findings_more
cat >thirteen.c <<'END'
#include <time.h>
int main(void)
{
	for (int n = 0; n < 13; n++)
#pragma omp parallel
		for (clock_t end = clock() + CLOCKS_PER_SEC / 20; clock() < end;)
			for (volatile int i = 0; i < 100000; i++);
}
END
if "$gcc" -g -O1 -fopenmp thirteen.c -o thirteen; then
	"$dist/ompcount" -q -e cpu-clock -o finding.omphwc ./thirteen
	check "finding: a report has it" grep -q '^"\?dummy"\?,' \
		<("$dist/ompcount" report --format csv --columns rule,what --by finding finding.omphwc)
	check "finding: JSON has it" grep -q '"rule":"dummy"' <("$dist/ompcount" report -f json finding.omphwc)
else
	skip "finding: a program: gcc cannot build it"
fi
