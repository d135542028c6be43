#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Constructs whose code is that of inlined functions are in the function, and at the lines, that
# have the directive: compilers give calls that they add the place of the code before.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"

# judge: compares report.json with the truth, which has a line "row FUNCTION FIRST LAST ENTRIES
# KIND" for each construct that has work; prints what differs, else "all".
judge() {
	python3 - <<'END'
import json

least = 5e6  # ns, of 20 ms or more: a single that only creates a task has a sample, seldom
truth = [l.split(None, 5)[1:] for l in open("truth") if l.startswith("row ")]
rows = [c for c in json.load(open("report.json"))["constructs"]
        if c["kind"] in {t[4].strip() for t in truth} and sum(s["work"] for s in c["self"]) >= least]
wrong = []
for function, first, last, entries, kind in truth:
    for c in rows:
        # Of a loop that has nothing but one inlined call, that may be all that has a line.
        if c["kind"] == kind.strip() and c["function"] == function and c["first_line"] and \
           int(first) <= c["first_line"] <= c["last_line"] <= int(last) and entries in ("-", str(c["entries"])):
            rows.remove(c)
            break
    else:
        wrong.append("no %s in %s (%s-%s)" % (kind.strip(), function, first, last))
wrong += ["%s in %s (%s-%s, %s entries)" % (c["kind"], c["function"], c["first_line"], c["last_line"], c["entries"])
          for c in rows if c["function"] in {t[0] for t in truth}]
print("; ".join(wrong) or "all")
END
}

# inlined PROGRAM COMPILER FLAG…: that all rows are as the program says.
inlined() {
	local name="$*"
	build "$@" || { skip "$name: $why"; return; }
	with_runtime "$n" || { skip "$name: $why"; return; }
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime "$ompcount" -q -e cpu-clock -F 2000 -o p.omphwc -- "$prog" >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	"$ompcount" report --format json -o report.json p.omphwc
	check "$name: each construct is where it is in the source" equal "$(judge)" all
}

# A call of twin directives is one where gcc optimizes for size.
n=gomp
for opt in -O1 -O2 -O3 -Os; do
	inlined inlined gcc $opt
	inlined inlined90 gfortran $opt
	[ $opt != -O2 ] || check "gfortran $opt: a subroutine that is but a region is beneath its caller alone" \
		equal "$(folded p.omphwc | grep -c 'first;.*second\|second;.*first')" 0
done
inlined inlined gcc -O0
inlined inlined90 gfortran -O0

# One of two instances of a template left by a tail call: it is not known which, or clang names it.
clangxx=${OMPHWC_CLANGXX-clang++}
if "$clangxx" -g -O2 -fopenmp -o instances "$programs/instances.cpp" >build.log 2>&1 && with_runtime 16; then
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime "$ompcount" -q -e cpu-clock -F 2000 -o p.omphwc -- ./instances >out 2>err
	# It does little itself: 400 calls.
	check "clang++ -O2: no work of the function that called it" below \
		"$(folded p.omphwc | awk '{ all += $NF } /;driver [0-9]+$/ { own += $NF } END { print own / all }')" 0.05
	check "but of what it called" grep -qE ";driver;(\(a parallel region's body\)|divide<double>::run) " <(folded p.omphwc)
else
	skip "an instance of a template: ${why:-$(tail -n 1 build.log)}"
fi
finish
