#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh BUILD [short] - measures the cost of profiling, and compares it with the
# targets in doc/design.md.
#
# Spin barriers make a process fast or slow by chance, and machines are noisy: each
# number is the minimum of many fresh processes, and compared ones are interleaved.
# `short' only proves that everything runs.  Exit status 1 if something did not run;
# a missed target is reported, and is no failure.
set -u
build=$(cd "$1" && pwd)
short=${2:-}
bin=$build/bench
tool=$build/.libs/libomphwc.so
null=$bin/nulltool.so
processes=25 rounds=1000 computes=25 regions=200 steps=100
[ -z "$short" ] || { processes=1 rounds=5 computes=1 regions=10 steps=5; }
for v in $(env | sed -n 's/^\(\(OMP\|KMP\|GOMP\|OMPHWC\)_[A-Z_]*\)=.*/\1/p'); do
	unset "$v"
done
export OMP_NUM_THREADS=2 LC_ALL=C
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
broken=0

# least FILE, of one number a line
least() { sort -g "$1" 2>/dev/null | head -n 1; }

# measure NAME COMMAND…: adds a number to the file NAME
measure() {
	local name=$work/$1
	shift
	"$@" >>"$name" 2>"$work/err" && return
	echo "bench: $*: $(tail -n 1 "$work/err")" >&2
	broken=1
}

# judged RATIO TARGET
# judged RATIO TARGET: prints how they compare; without a target only the ratio.
judged() {
	awk -v r="$1" -v t="$2" 'BEGIN {
		printf "%.2f", r
		if (t) printf "   (at most %.2f: %s)", t, r <= t ? "met" : "MISSED" }'
}

with_tool() { # LIBRARY COMMAND…
	env OMP_TOOL_LIBRARIES="$1" OMPHWC_OUTPUT="$work/p.omphwc" "${@:2}"
}

# construct NAME TARGET: measures it without a tool, with an empty tool, and with ours.
construct() {
	local i none nothing ours
	for ((i = 0; i < processes; i++)); do
		measure "$1.none" env OMP_TOOL=disabled "$bin/$1" $rounds
		measure "$1.null" with_tool "$null" "$bin/$1" $rounds
		measure "$1.ours" with_tool "$tool" "$bin/$1" $rounds
	done
	none=$(least "$work/$1.none") nothing=$(least "$work/$1.null") ours=$(least "$work/$1.ours")
	[ -n "$none" ] && [ -n "$nothing" ] && [ -n "$ours" ] || { broken=1; return; }
	printf '%-26s %8.0f %12.0f %9.0f   %s\n' "$1, ns each" "$none" "$nothing" "$ours" \
		"$(judged "$(awk -v a="$ours" -v b="$nothing" 'BEGIN { print b ? a / b : 0 }')" "$2")"
}

# on_gomp WHAT TARGET [THREADS]: the same on GCC's libgomp, which has no tools interface: alone, and
# sampled. Workers spin: how long they take to wake up is not measured.
on_gomp() {
	local i alone ours what="$1 on libgomp, ns each" at=$work/$1-gomp${3-}
	local -x OMP_NUM_THREADS=${3:-$OMP_NUM_THREADS}
	[ -x "$bin/$1-gomp" ] || return
	for ((i = 0; i < processes; i++)); do
		measure "$1-gomp${3-}.alone" env OMP_WAIT_POLICY=active "$bin/$1-gomp" $rounds
		measure "$1-gomp${3-}.ours" env OMP_WAIT_POLICY=active "$build/ompcount" -q \
			-e cpu-clock -F 997 -o "$work/p.omphwc" -- "$bin/$1-gomp" $rounds
	done
	alone=$(least "$at.alone") ours=$(least "$at.ours")
	[ -n "$alone" ] && [ -n "$ours" ] || { broken=1; return; }
	[ "${3-}" != 1 ] || what="$1 on libgomp, 1 thread"
	printf '%-26s %8.1f %12s %9.1f   %s\n' "$what" "$alone" "" "$ours" \
		"$(judged "$(awk -v a="$ours" -v b="$alone" 'BEGIN { print b ? a / b : 0 }')" "$2")"
}

# steps_of PROGRAM VARIABLE=VALUE: omphwc's own instructions for a piece of the program's work.
steps_of() {
	"$bin/steps" $steps /usr/bin/env "$2" "$bin/$1" 1 $steps 2>"$work/err" |
		awk '{ printf "%.0f", $2 }' | grep . ||
		{ echo "bench: steps: $(tail -n 1 "$work/err")" >&2; return 1; }
}

# The same counts on each machine and at any load: what changes them is a change of omphwc.
stepping() {
	local threads name on_omp on_gomp
	local -x OMPHWC_EVENTS=cpu-clock OMPHWC_PERIOD=100000000000 OMPHWC_OUTPUT=$work/p.omphwc \
		OMP_WAIT_POLICY=active OMP_NUM_THREADS
	for name in regions:1 regions:2 tasks:1; do
		threads=${name#*:} name=${name%:*} on_gomp='not built'
		OMP_NUM_THREADS=$threads
		on_omp=$(steps_of "$name" OMP_TOOL_LIBRARIES="$tool") || broken=1
		[ ! -x "$bin/$name-gomp" ] ||
			on_gomp=$(steps_of "$name-gomp" LD_PRELOAD="$tool") || broken=1
		echo "instructions of omphwc for each of $name, threads: $threads: $on_omp, on libgomp $on_gomp"
	done
}

# The cost that reading the counters at each boundary adds to a region, compared with an
# empty tool and with ours when it only samples.  Where user code may not read counters,
# they are read occasionally.
counting() {
	local i nothing ours counted how
	for ((i = 0; i < processes; i++)); do
		measure counting.null with_tool "$null" "$bin/regions" $rounds
		measure counting.ours with_tool "$tool" env OMPHWC_EVENTS=cpu-clock "$bin/regions" $rounds
		measure counting.count with_tool "$tool" env OMPHWC_EVENTS=cpu-clock \
			OMPHWC_COUNT="${COUNTED:-cycles,instructions}" "$bin/regions" $rounds
	done
	nothing=$(least "$work/counting.null") ours=$(least "$work/counting.ours")
	counted=$(least "$work/counting.count")
	[ -n "$nothing" ] && [ -n "$ours" ] && [ -n "$counted" ] || { broken=1; return; }
	how=$("$build/ompcount" report "$work/p.omphwc" | sed -n 's/.*: each reading is a system call, \(.*\): what.*/system calls, \1 each/p')
	awk -v c="$counted" -v o="$ours" -v n="$nothing" -v how="${how:-user code}" 'BEGIN {
		printf "a region with counters read by %s: %.0f ns; sampled only %.0f: %.2f; empty tool %.0f: %.2f\n",
			how, c, o, o ? c / o : 0, n, n ? c / n : 0 }'
}

# The cost of counting and timing entries of synchronization constructs: in a program with
# many of them, and in one that has only the ends of its regions.
entries() {
	local i name ours counted
	for ((i = 0; i < processes; i++)); do
		for name in criticals regions; do
			measure entries.$name.ours with_tool "$tool" "$bin/$name" $rounds
			measure entries.$name.count with_tool "$tool" env OMPHWC_ENTRIES=1 "$bin/$name" $rounds
		done
	done
	for name in criticals regions; do
		ours=$(least "$work/entries.$name.ours") counted=$(least "$work/entries.$name.count")
		[ -n "$ours" ] && [ -n "$counted" ] || { broken=1; return; }
		awk -v a="$counted" -v b="$ours" -v n="${name%s}" 'BEGIN {
			printf "a %s with --entries: %.0f ns, without %.0f\n", n, a, b }'
	done
}

# The cost of charging waits to what causes them, in the same programs and for tasks; without
# it each must cost what it does above.
blaming() {
	local i name ours blamed
	for ((i = 0; i < processes; i++)); do
		for name in regions criticals tasks; do
			measure blame.$name.ours with_tool "$tool" "$bin/$name" $rounds
			measure blame.$name.blame with_tool "$tool" env OMPHWC_BLAME=1 "$bin/$name" $rounds
		done
	done
	for name in regions criticals tasks; do
		ours=$(least "$work/blame.$name.ours") blamed=$(least "$work/blame.$name.blame")
		[ -n "$ours" ] && [ -n "$blamed" ] || { broken=1; return; }
		awk -v a="$blamed" -v b="$ours" -v n="${name%s}" 'BEGIN {
			printf "a %s with --blame: %.0f ns, without %.0f: %.2f\n", n, a, b, b ? a / b : 0 }'
	done
}

# A pair of malloc and free: alone, profiled, and with blocks of 4 KiB and more recorded.
allocating() {
	local i bytes alone ours noted
	for bytes in 64 2048 8192 65536 1000000; do
		for ((i = 0; i < computes; i++)); do
			measure blocks.alone "$bin/blocks" $bytes $rounds
			measure blocks.ours "$build/ompcount" -q -e cpu-clock -o "$work/p.omphwc" -- \
				"$bin/blocks" $bytes $rounds
			measure blocks.noted "$build/ompcount" -q -e page-faults -c 1000000000 \
				-o "$work/p.omphwc" -- "$bin/blocks" $bytes $rounds
		done
		alone=$(least "$work/blocks.alone") ours=$(least "$work/blocks.ours")
		noted=$(least "$work/blocks.noted")
		[ -n "$alone" ] && [ -n "$ours" ] && [ -n "$noted" ] || { broken=1; return; }
		printf 'malloc and free of %7d bytes: %.0f ns, profiled %.0f, with --by address %.0f\n' \
			$bytes "$alone" "$ours" "$noted"
		rm -f "$work"/blocks.*
	done
}

# slower NAME: the slowdown in percent
slower() {
	[ -s "$work/$1" ] || { printf '?'; return; }
	awk -v a="$(least "$work/$1")" -v b="$alone" 'BEGIN { printf "%.1f", (a / b - 1) * 100 }'
}

# Measured by the program's CPU time, which includes the kernel's work for it.  At a
# thousand samples a second the cost is below the noise, so it is measured at ten
# thousand, too.
computing() {
	local i rate alone most with=
	! command -v perf >/dev/null || with=perf
	for ((i = 0; i < computes; i++)); do
		measure compute.alone "$bin/compute" $regions
		for rate in 1000 10000; do
			measure compute.ours.$rate "$build/ompcount" -q -e cpu-clock -F $rate \
				-o "$work/p.omphwc" -- "$bin/compute" $regions
			"$bin/compute" $regions $rate >>"$work/compute.empty.$rate" 2>/dev/null
			[ -z "$with" ] ||
				perf record -q -o "$work/perf.data" -e cpu-clock:u -F $rate -g \
					"$bin/compute" $regions >>"$work/compute.perf.$rate" 2>/dev/null
		done
	done
	alone=$(least "$work/compute.alone")
	[ -n "$alone" ] || { broken=1; return; }
	for rate in 1000 10000; do
		echo "slowed at $rate samples a second by ompcount by $(slower compute.ours.$rate) %," \
			"by perf record -g by $(slower compute.perf.$rate) %," \
			"by a signal with an empty handler by $(slower compute.empty.$rate) %"
	done
	most=$(cat /proc/sys/kernel/perf_event_max_sample_rate 2>/dev/null)
	[ "${most:-10000}" -ge 10000 ] ||
		echo "(the kernel has lowered kernel.perf_event_max_sample_rate to $most: so many were taken of 10000)"
	# At ten thousand a second, of the greater of the others.
	awk -v ours="$(least "$work/compute.ours.10000")" -v perf="$(least "$work/compute.perf.10000")" \
		-v empty="$(least "$work/compute.empty.10000")" 'BEGIN {
		other = perf > empty ? perf : empty
		if (other) printf "at 10000 samples a second, of the slower of these two: %.2f   (at most 1.05: %s)\n",
			ours / other, ours <= 1.05 * other ? "met" : "MISSED"
		else print "at 10000 samples a second: neither perf nor an empty handler to compare with" }'
}

# Threads that sleep at barriers: alone, and by wall time, which may ask none of them often.
sleeping() {
	local i n alone ours
	for n in 2 100 ${short:-1000}; do
		[ "$n" != short ] || continue
		for ((i = 0; i < processes; i++)); do
			measure sleepers.$n.alone "$bin/sleepers" $n
			measure sleepers.$n.ours "$build/ompcount" -q -e wall -o "$work/p.omphwc" -- \
				"$bin/sleepers" $n
		done
		alone=$(least "$work/sleepers.$n.alone") ours=$(least "$work/sleepers.$n.ours")
		[ -n "$alone" ] && [ -n "$ours" ] || { broken=1; return; }
		awk -v a="$alone" -v o="$ours" -v n=$n 'BEGIN {
			printf "%d threads that live, and sleep at barriers: %.2f ms, with -e wall %.2f: %.2f\n",
				n, a / 1e6, o / 1e6, a ? o / a : 0 }'
	done
}

# reported NAME FILE OPTION…: the least time of a report in ms; the file is in the page cache.
reported() {
	local i from
	for i in 1 2 3; do
		from=${EPOCHREALTIME/./}
		"$build/ompcount" report "${@:3}" "$work/$2" >"$work/report.out" 2>&1 || broken=1
		echo $(((${EPOCHREALTIME/./} - from) / 1000)) >>"$work/$1"
	done
	least "$work/$1"
}

# The time of a report on a large profile.
reporting() {
	local many=1000000
	[ -z "$short" ] || many=10000
	"$bin/contexts" "$build/ompcount" $many "$work/many.omphwc" || { broken=1; return; }
	awk -v ms="$(reported report many.omphwc)" -v n=$many 'BEGIN {
		printf "a report on %d contexts: %.2f s   (at most 1 for a million: %s)\n", n, ms / 1000,
			n < 1000000 ? "not tried" : ms <= 1000 ? "met" : "MISSED" }'
	awk -v ms="$(reported html many.omphwc -f html)" -v n=$many 'BEGIN {
		printf "an HTML report on %d contexts: %.2f s   (at most 3 for a million: %s)\n", n, ms / 1000,
			n < 1000000 ? "not tried" : ms <= 3000 ? "met" : "MISSED" }'
	command -v perf >/dev/null || return
	measure perf.record perf record -q -e page-faults:u -c 1 -g -m 4M -o "$work/perf.data" "$bin/faults" $many
	echo "perf report --stdio on $many samples of one context: $(perf_reported) s"
	rm -f "$work/perf.data"
}

# The least time of perf's report in seconds.
perf_reported() {
	local i from
	for i in 1 2 3; do
		from=${EPOCHREALTIME/./}
		perf report --stdio -i "$work/perf.data" >"$work/report.out" 2>"$work/err"
		echo $((${EPOCHREALTIME/./} - from))
	done | sort -n | awk 'NR == 1 { printf "%.2f", $1 / 1e6 }'
}

# The time of reports on as many regions, and on twice as many: the second takes twice as long.
reporting_regions() {
	local many=10000 how
	[ -z "$short" ] || many=100
	"$bin/constructs" $many "$work/regions.omphwc" || { broken=1; return; }
	"$bin/constructs" $((2 * many)) "$work/twice.omphwc" || { broken=1; return; }
	for how in text json; do
		awk -v one="$(reported $how.one regions.omphwc -f $how)" -v n=$((2 * many)) -v how=$how \
			-v two="$(reported $how.two twice.omphwc -f $how)" 'BEGIN {
			printf "a %s report on %d regions: %.2f s, of half as many %.2f: %.1f   (at most 3: %s)\n",
				how, n, two / 1000, one / 1000, one ? two / one : 0,
				n < 20000 ? "not tried" : two <= 3 * one ? "met" : "MISSED" }'
	done
}

[ -z "$short" ] || echo "(short: the numbers mean nothing)"
printf '%-26s %8s %12s %9s   %s\n' "" "no tool" "empty tool" "omphwc" "omphwc / empty tool; on libgomp, / no tool"
construct regions 1.10
construct tasks 1.25
on_gomp regions 1.15
on_gomp tasks 1.25
on_gomp tasks "" 1
# Threads that take chunks from one counter contend for it: runs of the same program alone, on two
# threads, took from 9 to 27 ns an iteration. On one thread it is the calls that are measured.
on_gomp chunks 1.05 1
stepping
counting
entries
blaming
computing
sleeping
allocating
reporting
reporting_regions
if [ -x "$bin/bench_handler" ]; then
	"$bin/bench_handler"
fi
exit $broken
