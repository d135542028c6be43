#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The timeline of a program of known phases: samples are in the buckets of their time, sums are
# the profile's, and a killed process keeps its own.
. "$(dirname "$0")/../../support/lib.sh"
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
finish
