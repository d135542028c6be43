#!/bin/bash
# The timeline of a program of known phases: samples are in the buckets of their time, sums are
# the profile's, and a killed process keeps its own.
. "$(dirname "$0")/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"

cat >look.py <<'END'
# look.py NAMES...: of p.omphwc's timeline, and the phases in the file `out`: numbers.
import json, sys
d = json.load(open("p.json"))
t = d["timeline"]
width = t["bucket_ns"]
start = min(p["start_realtime_ns"] for p in d["processes"])
phases = {}
for line in open("out"):
    name, begin, end, own = line.split()
    phases[name] = (int(begin) - start, int(end) - start, int(own))
cells = [(l, b, w, n) for l in t["lanes"] for b, w, n in zip(l["buckets"], l["weights"], l["samples"])]
# What differs from the profile's own sums.
differ = 0
for i, e in enumerate(d["events"]):
    for c in "work", "wait", "overhead":
        differ += abs(sum(x[2] for x in cells if x[0]["event"] == i and x[0]["class"] == c) - e["total"][c])
    differ += abs(sum(x[3] for x in cells if x[0]["event"] == i) - e["total"]["samples"])
print("differ", differ)
print("events", len({x[0]["event"] for x in cells}))
print("buckets", t["buckets"])
# The initial thread's samples of a region outside of its time, farther than a bucket. (Others
# may leave a region later than it does.)
for name in "even", "uneven":
    if name in phases:
        begin, end, _ = phases[name]
        print(name + "_outside", sum(x[3] for x in cells if x[0]["thread"] == 0
              and x[0]["region"]["function"] == name and ((x[1] + 1) * width < begin - width or x[1] * width > end + width)))
# The initial thread's work in each phase's time.
mine = [x for x in cells if x[0]["event"] == 0 and x[0]["thread"] == 0 and x[0]["class"] == "work"]
awake = [p for p in phases if p != "asleep"]
own = sum(phases[p][2] for p in awake)
all = sum(x[2] for x in mine)
for p in awake:
    begin, end, cpu = phases[p]
    inside = sum(x[2] for x in mine if begin <= (x[1] + 0.5) * width < end)
    print(p, "%.4f %.4f" % (inside / all if all else 0, cpu / own if own else 0))
print("own_samples", sum(x[3] for x in mine))
if "asleep" in phases:
    begin, end, _ = phases["asleep"]
    inner = range(int(begin / width) + 2, int(end / width) - 1)
    seen = {x[1] for x in cells if x[0]["event"] == 0 and x[0]["thread"] == 0}
    print("asleep_seen", "%.3f" % (sum(b in seen for b in inner) / max(1, len(inner))))
print("longest", " ".join("%s:%d" % (e["function"], e["longest_ns"] / 1e6) for e in t["longest_entries"]))
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
print("overwritten", sum(e["ph"] == "i" for e in d["traceEvents"]))
bad += sum(e.get("cat") == "longest entry" for e in d["traceEvents"]) != len(p["timeline"]["longest_entries"])
print("bad", bad)
END

# run SECONDS: profiles the program, whose phases last so long; numbers in `seen`.
run() {
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" timeout -k 5 60 "$ompcount" -q --timeline -e "$events" -F 4000 -o p.omphwc -- \
		"$prog" "$(awk "BEGIN { print 1000 * $1 }")" >out 2>err || return
	"$ompcount" report --format json p.omphwc >p.json && python3 look.py >seen
}

shares() {
	local p n
	n=$(of seen own_samples)
	# The program ends by elapsed time, so a busy machine leaves it few samples.
	[ "$n" -ge 6000 ] || { skip "$name: shares of phases: the machine is busy, $n samples"; return; }
	for p in serial even uneven; do
		set -- $(of seen $p)
		check "$name: the work of phase $p" agrees "$1" "$2" "$n" 0.5
	done
}

phases() {
	compiler=$1
	build phases "$1" -O2 -fopenmp || { skip "$1: $why"; return; }
	with_runtime "$2" || { skip "$1: $why"; return; }
	path=$runtime events=cpu-clock
	[ "$1" = clang ] || path=$runtime/gomp
	name="$1, cpu-clock"
	steadily run 0.7 || { fail "$name: $(tail -n 1 err)"; return; }
	check "$name: sums are the profile's" equal "$(of seen differ)" 0
	check "$name: no sample of a region outside of its time" equal \
		"$(of seen even_outside) $(of seen uneven_outside)" "0 0"
	shares
	check "$name: regions' longest entries" test "$(of seen longest | wc -w)" -eq 2
	"$ompcount" report --by time p.omphwc >text
	[ "$(of seen own_samples)" -lt 3000 ] || check "$name: phases in text" grep -q '  even:[0-9]* (phases.c)$' text
	"$ompcount" report --format trace -o t.json p.omphwc 2>err && python3 trace.py >seen
	check "$name: the trace is whole, and adds up" equal "$(of seen bad)" 0
	for o in "--to 20%" "--from 20% --to 33.3%" "--from 33.3% --to 61.7%" "--from 61.7%"; do
		"$ompcount" report $o --format json p.omphwc | python3 -c 'import json, sys
print(json.load(sys.stdin)["events"][0]["total"]["weight"])'
	done | awk '{ all += $1 } END { printf "%.0f\n", all }' >parts
	check "$name: parts of the time add up" equal "$(cat parts)" \
		"$(python3 -c 'import json; print(json.load(open("p.json"))["events"][0]["total"]["weight"])')"
	check "$name: the size is bounded" below "$(stat -c %s p.omphwc)" 2000000
}

phases gcc gomp
phases clang 16

# Sleep is in the buckets in which the thread slept, though its sample comes at its end.
build phases gcc -O2 -fopenmp || must_build phases gcc -O2 -fopenmp
path= events=wall
name="wall"
if run 0.4; then
	check "$name: sums are the profile's" equal "$(of seen differ)" 0
	check "$name: sleep is where it was" below 0.9 "$(of seen asleep_seen)"
else
	fail "$name: $(tail -n 1 err)"
fi
name="two events"
events=cpu-clock,page-faults/period=1/
if run 0.4; then
	check "$name: sums of both are the profile's" equal "$(of seen differ)" 0
	check "$name: both have lanes" equal "$(of seen events)" 2
	"$ompcount" report --format trace -o t.json p.omphwc 2>err && python3 trace.py >seen
	check "$name: the trace is whole, and adds up" equal "$(of seen bad)" 0
else
	fail "$name: $(tail -n 1 err)"
fi

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
	# The report of the process that runs tells its number.
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

# Serial code, two threads at work, and one at work while another spins for it, in turns that are
# shorter than a bucket: each part has its share of the elapsed time.
cat >parallelism.py <<'END'
import json
d = json.load(open("p.json"))
p, names = d["parallelism"], ("serial", "both", "alone")
region = lambda line: line["region"]["function"] if line["region"] else "serial"
share = {n: [sum(l["elapsed_ns"] for l in r["lines"] if region(l) == n and l["function"] not in names)
             for r in p["rows"]] for n in names}
print("elapsed", p["elapsed_ns"])
for n in names:
    print(n, sum(share[n][1:]))
    print(n + "_of_two", sum(share[n][2:]))
print("rows", abs(sum(r["elapsed_ns"] for r in p["rows"]) - p["elapsed_ns"]) <= len(p["rows"]))
paths = [int(line.split()[-1]) for line in open("folded") if not line.startswith("#")]
print("paths", abs(sum(paths) - p["elapsed_ns"]) <= len(paths))
print("samples", d["events"][0]["total"]["samples"])
END
parallel() {
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" OMP_WAIT_POLICY=active timeout -k 5 60 "$ompcount" -q --timeline -e "$events" -F 4000 \
		-o p.omphwc -- "$prog" "$1" >out 2>err || return
	"$ompcount" report --format json p.omphwc >p.json &&
		"$ompcount" report --elapsed --format folded p.omphwc >folded && python3 parallelism.py >seen
}
# of_elapsed NS: its share.
of_elapsed() { awk -v ns="$1" -v all="$(of seen elapsed)" 'BEGIN { printf "%.4f\n", ns / all }'; }
parallelism() {
	local n all serial both both_ns alone _
	build parallelism "$1" -O2 -fopenmp || { skip "$1: $why"; return; }
	with_runtime "$2" || { skip "$1: $why"; return; }
	path=$runtime events=$3 name="$1, threads at work, $3"
	[ "$1" = clang ] || path=$runtime/gomp
	enough 6000 1 parallel || { fail "$name: $(tail -n 1 err)"; return; }
	read -r serial _ both both_ns alone _ all <out
	n=$(of seen samples)
	check "$name: rows are the elapsed time" equal "$(of seen rows)" True
	check "$name: so are paths" equal "$(of seen paths)" True
	check "$name: serial code" agrees "$(of_elapsed "$(of seen serial)")" "$(of_elapsed "$serial")" "$n" 1
	check "$name: one of two at work" agrees "$(of_elapsed "$(of seen alone)")" "$(of_elapsed "$alone")" "$n" 1
	# A bucket in which the runtime begins a thread has work beside serial code.
	check "$name: which is not two" below "$(of_elapsed $(($(of seen alone_of_two) + $(of seen serial_of_two))))" 0.01
	# A region goes on while a thread has no CPU.
	check "$name: two at work" agrees "$(of_elapsed "$(of seen both)")" "$(of_elapsed "$both_ns")" "$n" \
		"$(awk -v own="$both" -v ns="$both_ns" -v all="$all" 'BEGIN { print 1 + 100 * (ns - own) / all }')"
}
parallelism gcc gomp cpu-clock
parallelism clang 16 wall
check "threads at work, in text" grep -q '^ *1 .* thread worked' <("$ompcount" report --by parallelism p.omphwc)
"$ompcount" report --elapsed --format html -o page.html p.omphwc 2>err
check "and as the page's flame graph" grep -q '^"elapsed_event":0,$' page.html

# Without it, a clear line.
"$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" 20 >out 2>err
"$ompcount" report --by time p.omphwc >text
check "without --timeline it says so" grep -q '^no timeline: .*--timeline' text
check "and JSON has null" equal "$("$ompcount" report --format json p.omphwc | grep -cE '^"(timeline|parallelism)":null,$')" 2
check "nor is known how many threads worked" grep -q 'worked is not known: .*--timeline' \
	<("$ompcount" report --by parallelism p.omphwc)
check "nor can paths be of elapsed time" equal \
	"$("$ompcount" report --elapsed --format folded p.omphwc 2>&1 >/dev/null | grep -c -- --timeline)" 1
check "and the format trace is refused" equal \
	"$("$ompcount" report --format trace p.omphwc 2>&1 >/dev/null | grep -c -- --timeline)" 1
finish
