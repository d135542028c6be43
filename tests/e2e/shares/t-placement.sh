#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# On which CPUs threads ran, in programs that know it; and what the report says of bad places.
# What it says has to be right also where it says nothing.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"
command -v taskset >/dev/null || skip_all "no taskset: install util-linux"
[ "$(taskset -c 0,1 nproc 2>/dev/null)" = 2 ] || skip_all "the CPUs 0 and 1 are not both to be had"

# Threads that wait at the region's end do not compute, which the program would not know.
quiet="OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 GOMP_SPINCOUNT=0"

# run SECONDS: with $places in the environment and the command $inner before the program.
run() {
	rm -f p*.omphwc
	env -u OMP_PROC_BIND -u OMP_PLACES LD_LIBRARY_PATH="$path" OMP_NUM_THREADS=2 $quiet $places taskset -c "$mask" \
		"$ompcount" -q -F 4000 -e cpu-clock -o p.omphwc -- $inner "$prog" "$1" $moves >truth 2>err
}

# taskset is a process of its own, with a profile.
profile() {
	local f
	for f in p*.omphwc; do
		"$ompcount" report --by thread "$f" 2>/dev/null | grep -q worker && echo "$f"
	done
}

samples_of_run() { samples "$(profile)"; }
count_by=samples_of_run

# Lines "CPU n SHARE", "ran NS", "moves N", "waited NS" of the report.
seen() {
	"$ompcount" report --format json "$1" | python3 -c '
import json, sys
d = json.load(sys.stdin)
e = d["event"]
all = sum(c["events"][e]["samples"] for c in d["cpus"]) or 1
for c in d["cpus"]:
	print("CPU %d %.4f" % (c["cpu"], c["events"][e]["samples"] / all))
print("samples", all if d["cpus"] else 0)
print("total", d["events"][e]["total"]["samples"])
for key in "ran_ns", "waited_ns", "moves":
	print(key, sum(t[key] or 0 for t in d["threads"]))
for t in d["threads"]:
	n = [c["events"][e]["samples"] for c in t["cpus"]]
	if n and n[0] >= 0.95 * sum(n):
		print("home", t["cpus"][0]["cpu"])'
}
of() { awk -v name="$2" 'index($0, name " ") == 1 { print $NF; n++ } END { if (!n) print 0 }' "$1"; }
says() { grep -q "$1" report; }
says_not() { ! grep "$1" report; }

# measure WHAT [MASK]: with $places, $inner, $moves; then the files report and seen are there.
measure() {
	mask=${2:-0,1}
	what="$name, $1"
	enough 1200 0.4 run || { fail "$what: $(tail -n 1 err)"; return 1; }
	"$ompcount" report --by cpu "$(profile)" >report && seen "$(profile)" >seen || { fail "$what: no report"; return 1; }
}

# The shares of CPU 0 and the CPU time: as the program knows them. The time before the region is
# not in its own. A thread stays on a CPU for four samples (1 ms) and longer.
truth_agrees() {
	local truth
	truth=$(of truth "CPU 0")
	case $truth in
	1.0000) check "$what: all on CPU 0" test "$(of seen "CPU 0" | tr -d .)" -ge 09900 ;;
	*) check "$what: the share of CPU 0" agrees "$(of seen "CPU 0")" "$truth" "$(of seen samples)" 2 4 ;;
	esac
	check "$what: each sample's CPU is known" equal "$(of seen samples)" "$(of seen total)"
	check "$what: the scheduler's time" within "$(of seen ran_ns)" "$(of truth ran)" 10
}
within() { awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { exit !(a >= b && a <= b * (1 + p / 100)) }' || { echo "$1 is not $2 to $3 % more"; return 1; }; }

placed() {
	name="$1, $(runtime_name $2)"
	build placed "$1" -O2 || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	places= inner= moves=

	if measure "no places"; then
		truth_agrees
		check "$what: no false finding" says_not "OpenMP threads on\|shared CPU"
	fi
	if measure "one CPU" 0; then
		truth_agrees
		check "$what: more threads than CPUs" says "^2 OpenMP threads on 1 CPU: affinity mask 0$"
		check "$what: and no places" says "OMP_PROC_BIND and OMP_PLACES were not set"
		check "$what: it is not called shared" says_not "shared CPU"
		check "$what: the waits are told" says "the threads got .* they waited for a CPU"
	fi
	moves=1
	if measure "moving"; then
		truth_agrees
		check "$what: moves are counted" test "$(of seen moves)" -ge "$(($(of truth moved) / 2))"
	fi
	moves= places="OMP_PROC_BIND=true OMP_PLACES={0},{1}"
	if measure "a CPU each"; then
		truth_agrees
		check "$what: each thread has its own" equal "$(grep home seen | sort | tr '\n' ' ')" "home 0 home 1 "
		# LLVM's runtime binds threads after they have begun.
		check "$what: hardly any moves" test "$(of seen moves)" -le 2
		check "$what: no false finding" says_not "OpenMP threads on\|shared CPU"
	fi
	places="OMP_PROC_BIND=true OMP_PLACES={0}"
	if measure "one place for both"; then
		truth_agrees
		check "$what: shared, with a free CPU" says "^2 threads shared CPU 0 and waited for it [0-9.]* % .* none ran on CPU 1: affinity mask 0-1$"
		check "$what: the settings" says "as found: .*OMP_PLACES={0}"
		[ "$1" = clang ] || check "$what: the free CPU in the table" says "no samples on CPUs 1 of the affinity mask"
	fi
	inner="taskset -c 0"
	if measure "one place, and the mask narrowed"; then
		check "$what: no CPU is called free" says_not "shared CPU"
	fi
	inner=
}

placed clang 16
placed gcc gomp

# A killed process has no times of its end; what it reported by then stands.
places="OMP_PROC_BIND=true OMP_PLACES={0}" mask=0,1
env LD_LIBRARY_PATH="$path" OMP_NUM_THREADS=2 $places taskset -c 0,1 timeout -s KILL 1 \
	"$ompcount" -q -F 4000 -e cpu-clock -o k.omphwc -- timeout -s KILL 0.7 "$prog" 20 >truth 2>err
profile=$(for f in k*.omphwc; do "$ompcount" report --by thread "$f" | grep -q worker && echo "$f"; done)
"$ompcount" report --by cpu "$profile" >report
check "killed: the CPU is known" says "CPU 0, \|CPU 0$"
check "killed: nothing is said of waits" says_not "shared CPU\|the threads got"
finish
