#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Wall time of threads that sleep: for a pipe, a mutex of pthreads and a time they are blocked, at
# the program's line and under the name of what it called; for OpenMP's lock they wait. The program
# knows by its own clock how long.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"
why=
source=$programs/asleep.c
line() { grep -n -F "/* $1 */" "$source" | cut -d: -f1; }

profiled() {
	rm -f p.omphwc
	OMP_WAIT_POLICY=passive LD_LIBRARY_PATH="$path" \
		"$ompcount" -q -e wall -o p.omphwc -- "$prog" "$@" >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return 1; }
	"$ompcount" report --by line --limit 0 --format csv p.omphwc >lines.csv
	"$ompcount" report --format json p.omphwc | python3 -c '
import json, sys
d = json.load(sys.stdin)
t = d["time"]
ms = 1e-6
total = d["events"][0]["total"]
print("total", (total["weight"] - sum(total[c] for c in ("work", "wait", "overhead", "blocked"))) * ms)
print("blocked", total["blocked"] * ms)
print("lost_blocked", t["lost_ns"]["blocked"] * ms)
print("serial_blocked", [r["self"][0]["blocked"] for r in d["regions"] if r["kind"] == "serial"][0] * ms)
print("left", (t["thread_ns"] - t["work_ns"] - sum(t["lost_ns"].values())) * ms)
print("efficiency", t["efficiency"]["parallel"])
print("lock", sum(s["self"][0]["wait"] for s in d["states"] if s["state"] == "lock wait") * ms)
calls = {}
for s in d["states"]:
    if s["state"] == "blocked":
        calls[s["object"]] = calls.get(s["object"], 0) + s["self"][0]["blocked"]
print("calls", ",".join(sorted(calls)))
print("most_in", max(calls, key=calls.get, default="-"))
print("rules", ",".join(sorted(f["rule"] for f in d["findings"])))' >seen
}

of() { awk -v name="$1" '$1 == name { print $2 }' seen; }

# The least and the most of some names together.
least() { awk -v names=" $* " 'index(names, " " $1 " ") { s += $2 } END { print s }' truth; }
most() { awk -v names=" $* " 'index(names, " " $1 " ") { s += $3 } END { print s }' truth; }

# at_line NAME CLASS: milliseconds.
at_line() {
	awk -F, -v line="$(line "$1")" -v column="wall_$2_ns" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["line"] == line { ms += $at[column] / 1e6 }
		END { printf "%.3f\n", ms }' lines.csv
}

# between MS LEAST MOST: to a percent, some samples, and what threads had to wait for CPUs.
between() {
	awk -v is="$1" -v least="$2" -v most="$3" -v delay="$(most delay)" 'BEGIN {
		printf "%s ms, and the program knows of %s to %s ms; %s ms of waiting for CPUs\n", is, least, most, delay
		exit !(is >= 0.99 * least - 5 - delay && is <= 1.01 * most + 5 + delay) }'
}

judge() { # RUNTIME COMPILER
	local name="$2, $(runtime_name "$1")" n path
	with_runtime "$1" || { skip "$name: $why"; return; }
	path=$runtime:$runtime/gomp
	build asleep "$2" -O1 || { skip "$name: $why"; return; }
	profiled || return
	for n in fgets mutex nanosleep; do
		check "$name, $n: blocked at its line" between "$(at_line $n blocked)" "$(least $n)" "$(most $n)"
		check "$name, $n: no work there" below "$(at_line $n work)" \
			"$(awk -v a="$(least $n)" -v b="$(most $n)" -v d="$(most delay)" 'BEGIN { print b - a + 10 + d }')"
	done
	check "$name: called by their names" equal \
		"$(of calls | tr ',' '\n' | grep -cxE 'fgets|nanosleep|pthread_mutex_lock')" 3
	# What these call, and our wrappers
	check "$name: and by no others" below "$(of calls | grep -cE '(^|,)read|mask|lll_|futex|wrap_')" 1
	check "$name: blocked in all" between "$(of blocked)" "$(least fgets mutex nanosleep)" \
		"$(most fgets mutex nanosleep)"
	check "$name: for OpenMP's lock threads wait" between "$(of lock)" "$(least lock)" "$(most lock)"
	check "$name: classes add up" equal "$(of total | cut -d. -f1)" 0
	check "$name: losses add up" between "$(of left)" 0 0
	# The initial thread's sleep outside of regions is lost to both threads.
	check "$name: serial code is blocked" between "$(of serial_blocked)" "$(least fgets)" "$(most fgets)"
	check "$name: lost" between "$(of lost_blocked)" \
		"$(awk -v a="$(least mutex nanosleep)" -v b="$(least fgets)" 'BEGIN { print a - 400 + 2 * b }')" \
		"$(awk -v a="$(most mutex nanosleep)" -v b="$(most fgets)" 'BEGIN { print a - 400 + 2 * b }')"
	check "$name: found" grep -q "^rules .*blocked_call.*blocked_mutex.*blocked_sleep" seen
	profiled still || return
	check "$name, still: blocked" between "$(at_line usleep blocked)" "$(least usleep)" "$(most usleep)"
	check "$name, still: efficiency" below "$(of efficiency)" 0.2
	# The program also reads files, which may block for one sample.
	check "$name, still: what it is blocked in" equal "$(of most_in)" usleep
}

judge gomp gcc
judge 14 clang
finish
