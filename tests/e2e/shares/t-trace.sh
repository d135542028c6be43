#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What a timeline and --trace write, whatever the machine does meanwhile: sums are the profile's,
# the format trace is whole, a killed process keeps its own. Shares of time are t-timeline.sh's.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"

# of p.json: by how much lanes differ from the profile's own sums, and of how many events they are.
cat >look.py <<'END'
import json
d = json.load(open("p.json"))
cells = [(l, w, n) for l in d["timeline"]["lanes"] for w, n in zip(l["weights"], l["samples"])]
differ = 0
for i, e in enumerate(d["events"]):
    mine = [x for x in cells if x[0]["event"] == i]
    for c in "work", "wait", "overhead":
        differ += abs(sum(x[1] for x in mine if x[0]["class"] == c) - e["total"][c])
    differ += abs(sum(x[2] for x in mine) - e["total"]["samples"])
print("differ", differ)
print("events", len({x[0]["event"] for x in cells}))
END

of() { awk -v name="$2" '$1 == name { $1 = ""; print substr($0, 2); n++ } END { if (n != 1) print "?" }' "$1"; }

# What the format trace must have for Perfetto's and Chromium's readers (the Trace Event Format), and
# the sums of its counters and slices.
cat >trace.py <<'END'
import json, sys
d, p = json.load(open("t.json")), json.load(open("p.json"))
bad, counters, slices, last = 0, {}, {}, {}
for e in d["traceEvents"]:
    bad += e["ph"] not in "MXCi" or not isinstance(e["name"], str) or not isinstance(e["args"], dict)
    bad += not isinstance(e["pid"], int) or not isinstance(e["tid"], int)
    bad += e["ph"] == "M" and (e["name"] not in ("process_name", "thread_name") or not e["args"]["name"])
    bad += e["ph"] != "M" and not e["ts"] >= 0
    bad += e["ph"] == "X" and not e["dur"] > 0
    track = e["ph"], e["pid"], e["tid"], e["name"] if e["ph"] == "C" else ""
    if e["ph"] == "C" or (e["ph"] == "X" and e["cat"] == "region"):
        # In order, and slices do not overlap (but for their last digit).
        bad += last.get(track, -1) > e["ts"] + 0.002
        last[track] = e["ts"] + e.get("dur", 0)
        label = e["name"].split(", ")[0] if e["ph"] == "C" else p["events"][0]["label"]
        sums = counters if e["ph"] == "C" else slices
        for c, w in e["args"].items():
            sums[label, c] = sums.get((label, c), 0) + w
for i, e in enumerate(p["events"]):
    for c in "work", "wait", "overhead":
        bad += counters.get((e["label"], c), 0) != e["total"][c]
        bad += i == 0 and slices.get((e["label"], c), 0) != e["total"][c]
# Slices of events nest.
entries, ends = 0, {}
for e in sorted((e for e in d["traceEvents"] if e["ph"] == "X" and 5e8 <= e["tid"] < 1e9), key=lambda e: (e["ts"], -e["dur"])):
    stack = ends.setdefault((e["pid"], e["tid"]), [])
    while stack and stack[-1] <= e["ts"] + 0.002:
        stack.pop()
    bad += len(stack) > 0 and e["ts"] + e["dur"] > stack[-1] + 0.002
    stack.append(e["ts"] + e["dur"])
    entries += e["cat"] == "region"
print("entries", entries, sum(r["entries"] or 0 for r in p["regions"]))
for kind in "for schedule(dynamic)", "sections":
    named = [e for e in d["traceEvents"] if e.get("cat") == "construct" and e["name"].startswith(kind)]
    print(kind.split("(")[0].replace(" ", "_"), len(named), sum(e["args"]["ended"] for e in named))
print("overwritten", sum(e["ph"] == "i" for e in d["traceEvents"]))
bad += sum(e.get("cat") == "longest entry" for e in d["traceEvents"]) != len(p["timeline"]["longest_entries"])
print("bad", bad)
END

# run SECONDS: profiles the program, whose phases last so long; numbers in `seen`.
run() {
	rm -f p.omphwc
	timeout -k 5 60 "$ompcount" -q --timeline -e "$events" -F 4000 -o p.omphwc -- \
		"$prog" "$(awk "BEGIN { print 1000 * $1 }")" >out 2>err || return
	"$ompcount" report --format json p.omphwc >p.json && python3 look.py >seen
}
must_build phases gcc -O2 -fopenmp
for events in cpu-clock cpu-clock,page-faults/period=1/; do
	name=$events
	run 0.2 || { fail "$name: $(tail -n 1 err)"; continue; }
	check "$name: sums are the profile's" equal "$(of seen differ)" 0
	check "$name: each event has lanes" equal "$(of seen events)" "$(tr , '\n' <<<"$events" | wc -l)"
	"$ompcount" report --format trace -o t.json p.omphwc 2>err && python3 trace.py >seen
	check "$name: the trace is whole, and adds up" equal "$(of seen bad)" 0
done

# Killed at some moment: what is in the file is whole.
must_build ends gcc -O2
for i in 1 2 ${long:+3 4}; do
	rm -f p.omphwc
	"$ompcount" -q --no-names --timeline -e cpu-clock -F 4000 -o p.omphwc -- "$prog" forever >out 2>err &
	for ((k = 0; k < 100; k++)); do
		grep -q ready out 2>/dev/null && break
		sleep 0.05
	done
	sleep 0.$((RANDOM % 5))$((RANDOM % 10))
	# The report of the process that runs shows its number.
	app=$("$ompcount" report --format json p.omphwc 2>/dev/null | grep -o '"pid":[0-9]*' | head -n 1)
	kill -KILL "${app#*:}" || { kill %%; fail "killed: no process to kill"; }
	wait 2>/dev/null
	: >out
	"$ompcount" report --format json p.omphwc >p.json 2>err && python3 look.py >seen
	# At most the sample of each thread that was being taken.
	check "killed: sums are the profile's" below "$(of seen differ)" 4000001
done

# Counts have no samples, but the regions' longest entries.
build phases gcc -O2 -fopenmp
if "$ompcount" -q --timeline --count=page-faults -o p.omphwc -- "$prog" 100 >out 2>err; then
	"$ompcount" report --format json p.omphwc >p.json
	check "--count: longest entries" grep -q '"longest_ns":[1-9]' p.json
	check "--count: no lanes, and why" grep -q '"unknown":"' p.json
else
	fail "--count: $(tail -n 1 err)"
fi

# Two threads that share a loop and sections, N times.
cat >shared.c <<'END'
#include <stdlib.h>
static volatile double sink;
static void spin(int n)
{
	for (int i = 0; i < n; i++)
		sink = sink + i;
}
int main(int argc, char **argv)
{
	for (int k = argc > 1 ? atoi(argv[1]) : 1; k > 0; k--) {
#pragma omp parallel num_threads(2)
		{
#pragma omp for schedule(dynamic, 4)
			for (int i = 0; i < 40; i++)
				spin(10000);
#pragma omp sections
			{
#pragma omp section
				spin(10000);
#pragma omp section
				spin(90000);
			}
		}
	}
	return 0;
}
END

# Every begin and end: regions are as many as were counted, on both runtimes; and a small ring
# has the last ones.
traced() {
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" timeout -k 5 60 "$ompcount" -q --trace="$1" -e cpu-clock -o p.omphwc -- \
		"$prog" "$2" 2>err >out || { fail "$name: $(tail -n 1 err)"; return 1; }
	"$ompcount" report --format json p.omphwc >p.json
	"$ompcount" report --format trace -o t.json p.omphwc 2>err && python3 trace.py >seen
}
traces() {
	build shares "$1" -O1 -fopenmp || { skip "$1: $why"; return; }
	with_runtime "$2" || { skip "$1: $why"; return; }
	path=$runtime name="$1, --trace" kind=$1
	[ "$kind" = clang ] || path=$runtime/gomp
	traced 16M 0.5 || return
	set -- $(of seen entries)
	check "$name: it is whole, and nests" equal "$(of seen bad)" 0
	check "$name: all $2 regions" equal "$1" "$2"
	check "$name: nothing is overwritten" equal "$(of seen overwritten)" 0
	prog=$work/shared.$kind
	"${!kind}" -O1 -g -fopenmp -o "$prog" shared.c 2>err || { fail "$kind: $(tail -n 1 err)"; return; }
	traced 16M 5 || return
	check "$name: constructs nest" equal "$(of seen bad)" 0
	check "$name: a loop's slices" equal "$(of seen for_schedule)" "10 10"
	check "$name: and those of sections" equal "$(of seen sections)" "10 10"
	build fib "$kind" -O1 -fopenmp || { skip "$kind: $why"; return; }
	traced 4k 16 || return
	check "$name: a small ring of tasks nests too" equal "$(of seen bad)" 0
	check "$name: and tells what it lost" below 0 "$(of seen overwritten)"
	"$ompcount" report --by time p.omphwc >text
	check "$name: as text does" grep -q 'events of regions, .*older ones were overwritten' text
}
traces gcc gomp
traces clang 16

# Teams that change in size: libgomp ends threads and makes new ones, hundreds of them.
cat >regrow.c <<'END'
int main(void)
{
	for (int i = 0; i < 500; i++) {
#pragma omp parallel num_threads(1 + i % 7)
		;
	}
	return 0;
}
END
if "$gcc" -fopenmp -o regrow regrow.c 2>build.log; then
	"$ompcount" -q --trace -e cpu-clock -o r.omphwc -- ./regrow >out 2>err
	check "--trace of threads that end takes a limited space" below "$(stat -c %s r.omphwc)" $((100 << 20))
	check "and says what is gone" grep -q 'more threads than --trace has rings' <("$ompcount" report r.omphwc)
	rm -f r.omphwc
fi

build phases gcc -O2 -fopenmp
# Without it, a clear line.
"$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" 20 >out 2>err
"$ompcount" report --by time p.omphwc >text 2>&1
check "without --timeline it says so" grep -q '^ompcount: --by time: .*--timeline$' text
check "and JSON has null" equal "$("$ompcount" report --format json p.omphwc | grep -cE '^"(timeline|parallelism)":null,$')" 2
check "nor is known how many threads worked" grep -q '^ompcount: --by parallelism: .*--timeline$' \
	<("$ompcount" report --by parallelism p.omphwc 2>&1)
check "nor can paths be of elapsed time" equal \
	"$("$ompcount" report --elapsed --format folded p.omphwc 2>&1 >/dev/null | grep -c -- --timeline)" 1
check "and the format trace is refused" equal \
	"$("$ompcount" report --format trace p.omphwc 2>&1 >/dev/null | grep -c -- --timeline)" 1
finish
