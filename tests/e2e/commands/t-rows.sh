#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Rows of one table never print the same text, at any width; names that are printed short are
# found again; contexts show the frame where they part.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
. "$top_srcdir/tests/support/screen.sh"
g++ -O1 -g -fopenmp -o alike "$top_srcdir/tests/programs/alike.cpp" 2>build.log ||
	skip_all "g++ can't build a program with OpenMP: $(tail -n 1 build.log)"
OMP_NUM_THREADS=2 "$ompcount" -q -e cpu-clock -F 2000 -o p.omphwc ./alike >/dev/null
export OMPHWC_PAGER=cat

# rows FILE: the texts of a table's rows, which may be broken.
cat >rows.py <<'END'
import re, sys
rows = []
for line in open(sys.argv[1], encoding="utf-8"):
    line = line.rstrip()
    numbers = re.match(r"^ *[\d.]+ (?:s|ms|us|ns)$|^ *0$", line[:10]) and 10 or \
        re.match(r"^ *[\d.]+ +[\d.]+$", line[:14]) and 14
    if numbers:
        rows.append(re.sub(r"^(?:\s*~?[\d.,-]+(?=\s))*\s*", "", line[numbers:]))
    elif rows and re.match(r" {2,11}\S", line):
        rows[-1] = (rows[-1] + " " + line.strip()).strip()
    else:
        rows.append("")
for r in rows:
    if r and not r.startswith("..."):
        print(r)
END
twice() { python3 rows.py "$1" | sort | uniq -d; }

# differ PROFILE BY LEAST: the rows, more than so many, at several widths.
differ() {
	"$ompcount" report --by "$2" --limit 0 "$1" >out
	check "$1, --by $2: there are rows" below "$3" "$(python3 rows.py out | wc -l)"
	check "no text twice" equal "$(twice out)" ""
	for columns in 60 80 120; do
		screen $columns 150 "'$ompcount' report --by $2 --limit 0 $1"
		shown '^status 0' >/dev/null
		picture >out
		check "$columns columns: there are rows" below "$3" "$(python3 rows.py out | wc -l)"
		check "no text twice" equal "$(twice out)" ""
	done
}
for by in region function construct line; do
	differ p.omphwc $by 5
done
# Tasks of one directive that were created in several contexts; what each function calls.
heat=$top_builddir/bench/demo/heat
if { [ -e "$heat" ] || (cd "$top_builddir" && ${MAKE:-make} -s bench/demo/heat) >build.log 2>&1; } &&
	"$ompcount" -q -e cpu-clock -F 997 -o heat.omphwc -- "$heat" 6 >out 2>err; then
	for by in task construct function module file thread; do
		differ heat.omphwc $by 1
	done
else
	skip "tasks in several contexts: bench/demo/heat: $(tail -n 1 build.log)"
fi
screen 80 150 "'$ompcount' report --by region --limit 0 p.omphwc"
shown '^status 0' >/dev/null
picture >out
for name in gravity drift collide; do
	check "a kernel's function: $name" grep -q "ParallelFor<$name" out
done
for name in fluid solid; do
	check "where a context parts: $name" grep -q "from ... > $name > ... > step > solve > kernel" \
		<("$ompcount" report --by region p.omphwc)
done
name=$(python3 rows.py out | grep 'ParallelFor<drift')
echo "pasted: $name"
check "a short name is found again" grep -q 'ParallelFor<galaxy::drift' \
	<("$ompcount" report --by region --region "$name" p.omphwc)
check "and no other" equal "$("$ompcount" report --by region --region "$name" p.omphwc | grep -c 'ParallelFor<galaxy::collide')" 0
finish
