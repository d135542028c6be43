#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Regions and constructs that are nested to any depth are counted, all of them; what is nested is
# in the time of what is around it.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"
ulimit -s unlimited 2>/dev/null || ulimit -s "$(ulimit -H -s)"

# judge LEVELS: compares report.json with the program's words; prints what differs, else "all".
judge() {
	python3 - "$1" <<'END'
import json, sys

d = json.load(open("report.json"))
truth = dict(line.split(None, 1) for line in open("truth"))
wrong = []
entries = lambda rows, f: sum(r["entries"] or 0 for r in rows if f(r))
regions = entries(d["regions"], lambda r: r.get("function") == "descend")
if regions != int(truth["regions"]):
    wrong.append("%d regions" % regions)
sections = entries(d["constructs"], lambda c: c["kind"] == "sections")
if sections != int(truth["sections"]):
    wrong.append("%d sections" % sections)
library = entries(d["regions"], lambda r: r.get("function") == "library")
if library != int(truth["library"]):
    wrong.append("%d regions of library" % library)
if d["tasks"]:
    wrong.append("tasks: %s" % d["tasks"])
lost = {k: v for k, v in d["samples"]["lost"].items() if v and k.startswith(("nested", "entries"))}
if lost:
    wrong.append("lost: %s" % lost)
t = d["time"]
if t is None:
    wrong.append("the time is not split up")
elif sys.argv[1] == "1" and t["lost_ns"]["small_team"] > 1000:
    # All regions at the top have all threads.
    wrong.append("small teams: %s" % t["lost_ns"]["small_team"])
print("; ".join(wrong) or "all")
END
}

# deep NAME COMPILER N DEPTH REPEAT [LEVELS]
deep() {
	local name="$1, depth $4${6:+ of teams}" levels=${6:-1} path
	with_runtime "$3" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$2" = clang ] || path=$runtime/gomp
	LD_LIBRARY_PATH=$path OMP_NUM_THREADS=2 OMP_MAX_ACTIVE_LEVELS=$levels \
		"$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" "$4" "$5" >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	"$ompcount" report --format json -o report.json p.omphwc || fail "$name: no report"
	check "$name: all is counted" equal "$(judge "$levels" 2>&1)" "all"
}

# all COMPILER N
all() {
	local name="$1, $(runtime_name $2)"
	build depth "$1" -O1 || { skip "$name: $why"; return; }
	deep "$name" "$1" "$2" 1 200
	deep "$name" "$1" "$2" 8 25
	deep "$name" "$1" "$2" 40 5
	deep "$name" "$1" "$2" 200 2
	deep "$name" "$1" "$2" 2000 1
	deep "$name" "$1" "$2" 3 20 3
}

in_turn 14 16 19
for n in $some; do
	all clang $n
done
all gcc gomp
[ -z "$long" ] || all gcc 14
# Two calls in each level: 2^13 paths.
branches() { # COMPILER N
	local name="$1, $(runtime_name $2), two calls in each level" path
	build branches "$1" -O1 && with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	LD_LIBRARY_PATH=$path OMP_NUM_THREADS=2 OMP_MAX_ACTIVE_LEVELS=1 \
		"$ompcount" -q -e cpu-clock -F 100 -o b.omphwc -- "$prog" 13 >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	"$ompcount" report --format json b.omphwc >b.json
	check "$name: all regions are counted" equal "$(python3 -c '
import json
print(sum(r["entries"] or 0 for r in json.load(open("b.json"))["regions"]))')" "$(cat truth)"
	check "$name: the efficiency is known" below 0 "$("$ompcount" report b.omphwc | grep -c '^parallel efficiency [0-9]')"
	# Few samples: the rest is contexts.
	check "$name: in few contexts" below "$(stat -c %s b.omphwc)" 2000000
}
branches gcc gomp
branches clang 16
finish
