#!/bin/bash
# run.sh BUILD [short] - measures what a program pays for being profiled, and
# compares with what doc/design.md allows.
#
# Spin barriers make a process fast or slow by luck, and machines are noisy: each
# number is the least of many fresh processes, those that are compared
# interleaved.  `short' only proves that everything runs.  Exit status 1 when
# something did not run; a target that is missed is said, not failed.
set -u
build=$(cd "$1" && pwd)
short=${2:-}
bin=$build/bench
tool=$build/.libs/libomphwc.so
null=$bin/nulltool.so
processes=25 rounds=1000 computes=7 regions=400
[ -z "$short" ] || { processes=1 rounds=5 computes=1 regions=10; }
for v in $(env | sed -n 's/^\(\(OMP\|KMP\|GOMP\|OMPHWC\)_[A-Z_]*\)=.*/\1/p'); do
	unset "$v"
done
export OMP_NUM_THREADS=2 LC_ALL=C
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
broken=0

# least FILE, of one number a line
least() { sort -g "$1" | head -n 1; }

# measure NAME COMMAND…: adds a number to the file NAME
measure() {
	local name=$work/$1
	shift
	"$@" >>"$name" 2>"$work/err" && return
	echo "bench: $*: $(tail -n 1 "$work/err")" >&2
	broken=1
}

# judged RATIO TARGET
judged() { awk -v r="$1" -v t="$2" 'BEGIN { printf "%.2f   (at most %.2f: %s)", r, t, r <= t ? "met" : "MISSED" }'; }

with_tool() { # LIBRARY COMMAND…
	env OMP_TOOL_LIBRARIES="$1" OMPHWC_OUTPUT="$work/p.omphwc" "${@:2}"
}

# construct NAME TARGET: without a tool, with one that does nothing, with ours.
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

# What reading the counters at each boundary adds to a region, against the same tool
# that samples only.  Where user code may not read them they are read now and then.
counting() {
	local i ours counted how
	for ((i = 0; i < processes; i++)); do
		measure counting.ours with_tool "$tool" env OMPHWC_EVENTS=cpu-clock "$bin/regions" $rounds
		measure counting.count with_tool "$tool" env OMPHWC_EVENTS=cpu-clock \
			OMPHWC_COUNT="${COUNTED:-cycles,instructions}" "$bin/regions" $rounds
	done
	ours=$(least "$work/counting.ours") counted=$(least "$work/counting.count")
	[ -n "$ours" ] && [ -n "$counted" ] || { broken=1; return; }
	how=$("$build/ompcount" report "$work/p.omphwc" | sed -n 's/.*: each reading is a system call, \(.*\): what.*/system calls, \1 each/p')
	awk -v a="$counted" -v b="$ours" -v how="${how:-user code}" 'BEGIN {
		printf "a region with counters read by %s: %.0f ns, without %.0f: %.2f\n", how, a, b, b ? a / b : 0 }'
}

# By the program's own CPU time, which holds what the kernel does for it.
computing() {
	local i alone ours perf= slow
	for ((i = 0; i < computes; i++)); do
		measure compute.alone "$bin/compute" $regions
		measure compute.ours "$build/ompcount" -q -e cpu-clock -F 1000 -o "$work/p.omphwc" -- \
			"$bin/compute" $regions
		! command -v perf >/dev/null ||
			perf record -q -o "$work/perf.data" -e cpu-clock:u -F 1000 -g \
				"$bin/compute" $regions >>"$work/compute.perf" 2>/dev/null
	done
	alone=$(least "$work/compute.alone") ours=$(least "$work/compute.ours")
	[ ! -s "$work/compute.perf" ] || perf=$(least "$work/compute.perf")
	slow=$(awk -v a="$ours" -v b="$alone" 'BEGIN { printf "%.1f %%", (a / b - 1) * 100 }')
	if [ -n "$perf" ]; then
		printf 'slowed by ompcount -F 1000 by %s, by perf record -F 1000 -g by %s\n' "$slow" \
			"$(awk -v a="$perf" -v b="$alone" 'BEGIN { printf "%.1f %%", (a / b - 1) * 100 }')"
	else
		echo "slowed by ompcount -F 1000 by $slow; no perf here to compare with"
	fi
}

[ -z "$short" ] || echo "(short: the numbers mean nothing)"
printf '%-26s %8s %12s %9s   %s\n' "" "no tool" "empty tool" "omphwc" "omphwc / empty tool"
construct regions 1.15
construct tasks 1.25
counting
computing
if [ -x "$bin/bench_handler" ] && [ -z "$short" ]; then
	"$bin/bench_handler"
fi
exit $broken
