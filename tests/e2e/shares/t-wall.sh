#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The wall clock: a sleep and what is computed after it have their time, by the program's own clock;
# threads that sleep cost next to nothing; short lives add up.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
must_build wall gcc -O1 -pthread

profiled() { # EVENT-OPTION... -- ARG...
	rm -f p.omphwc
	timeout -k 5 120 "$ompcount" -q -e wall -o p.omphwc -- "$prog" "$@" >truth 2>err
}

of() { awk -v name="$1" '$1 == name { print $2 }' "${2:-truth}"; }

# spent FUNCTION: ns, with what it called.
spent() {
	"$ompcount" report --format csv --by function --limit 0 p.omphwc | awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["function"] == name && $at["called"] == "" { ns += $at["wall_inclusive_ns"] }
		END { printf "%.0f\n", ns }'
}

# near NS TRUTH MS: whether they differ by no more than that.
near() {
	awk -v a="$1" -v b="$2" -v ms="$3" 'BEGIN {
		if (a - b <= ms * 1e6 && b - a <= ms * 1e6) exit 0
		printf "%.3f ms against %.3f, to %g\n", a / 1e6, b / 1e6, ms
		exit 1 }'
}

# By exact times, not by shares of samples: what is between two samples is known, but for a tick of
# the scheduler's (10 ms at most) and a period, at each of the three changes.
if steadily profiled sleep 600; then
	for f in wait_for_condition compute_after_wait take_a_nap compute_after_nap; do
		check "sleep: the time of $f" near "$(spent $f)" "$(of $f)" "$(awk -v d="$disturbed" 'BEGIN { print 25 + 16 * d }')"
	done
	"$ompcount" report --format csv --by thread p.omphwc | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["elapsed_ns"], $at["wall_ns"] }' >lives
	check "sleep: the samples add up to the thread's life" near $(cat lives) 3
	check "sleep: few samples where it slept on" below \
		"$("$ompcount" report --format csv --by function --limit 0 p.omphwc | awk -F, '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["function"] ~ /^(wait_for_condition|take_a_nap)$/ { n += $at["wall_samples"] } END { print n + 0 }')" 200
else
	fail "sleep: $(tail -n 1 err)"
fi

# 5 % of a processor in two seconds.
for n in 100 1000; do
	"$prog" crowd $n >plain || { skip "crowd of $n: so many threads can't be had"; continue; }
	if profiled crowd $n; then
		check "crowd of $n: sleeping threads take next to no time" below \
			"$(of cpu_ns)" "$(($(of cpu_ns plain) + 100000000))"
	else
		fail "crowd of $n: $(tail -n 1 err)"
	fi
done
check "crowd: the report says that they were sampled rarely" \
	grep -q "so many threads slept, or had no CPU, at once" <("$ompcount" report p.omphwc 2>&1)

# Threads that are many more than CPUs, and are awake: those that hardly run are left alone. Their CPU
# time is where they ran, by samples of 1.5 times 4 ms (the kernel's tick) at most; what they ran after
# their last one is where that was.
crowded() {
	rm -f p.omphwc
	OMP_NUM_THREADS=$1 timeout -k 5 120 "$ompcount" -q -e wall -o p.omphwc -- "$prog" "$2" >truth 2>err
}
for kind in gcc clang; do
	build crowded $kind -O2 || { skip "crowded, $kind: $why"; continue; }
	OMP_NUM_THREADS=300 "$prog" 300 >plain || { skip "crowded, $kind: 300 threads can't be had"; continue; }
	if crowded 300 300; then
		check "crowded, $kind: 300 threads take little more" below \
			"$(of cpu_ns)" "$((3 * $(of cpu_ns plain) + 300000000))"
	else
		fail "crowded, $kind, 300: $(tail -n 1 err)"
	fi
	if crowded 16 1500; then
		check "crowded, $kind: work is work" awk -v truth="$(of worked_ns)" \
			-v is="$("$ompcount" report --format json p.omphwc | tr -d ' ' |
				sed -nE 's/^"time":.*"work_ns":([0-9.]+).*/\1/p')" -v z=$deviations 'BEGIN {
			chance = z * sqrt(6e6 / truth) + 16 * 6e6 / truth
			printf "%.0f ms for %.0f, chance gives %.0f %%\n", is / 1e6, truth / 1e6, chance * 100
			exit !(is >= truth * (1 - chance) && is <= truth * (1 + chance)) }'
	else
		fail "crowded, $kind, 16: $(tail -n 1 err)"
	fi
done

# Each thread lives for less than half of a period, on average as long as all of them say. One life in
# N has a sample, which stands for a period: the sum is binomial.
if steadily profiled brief 2000 0.4; then
	lived=$(of compute_briefly)
	check "brief: the sum of short lives" awk -v is="$(spent compute_briefly)" -v lived="$lived" \
		-v z=$deviations -v d="$disturbed" 'BEGIN {
		n = lived / 1003009; chance = z * sqrt(n) / n
		printf "%.1f ms for %.1f, chance gives %.1f %%\n", is / 1e6, lived / 1e6, chance * 100
		exit !(is >= lived * (1 - chance - d / 100) && is <= lived * (1 + chance + d / 100)) }'
else
	fail "brief: $(tail -n 1 err)"
fi
finish
