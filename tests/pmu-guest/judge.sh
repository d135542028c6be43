# judge.sh - what the profiles that exact.sh and team.sh left must show; sourced
# after lib.sh by the tests that ran them, in the guest or here.
#
# out		the folder that they left
# sysroot	where the profiled programs' files are; empty: at their own places

report() { "$ompcount" report ${sysroot:+--sysroot "$sysroot"} "$@"; }

# The user view's paths of out/NAME.omphwc, for EVENT if given, in file NAME.user.
paths() { report --format folded ${2:+-e "$2"} "$out/$1.omphwc" >"$1.user"; }
json() { report --format json "$out/$1.omphwc" >"$1.json"; }

ran() { # NAME…
	local name
	for name; do
		check "$name: the program ran as without" equal \
			"$(cat "$out/$name.status") $(head -c 200 "$out/$name.err")" "0 "
	done
}

# counted NAME LABEL: what the kernel counted, over all threads.
counted() { sed -n "s|^{\"label\":\"$2\".*\"counted\":{\"value\":\([0-9]*\).*|\1|p" "$1.json"; }

# within A B PERMILLE
within() {
	awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN {
		d = a - b; if (d < 0) d = -d
		if (b > 0 && d <= b * p / 1000) exit 0
		printf "%.0f is not %.0f within %s per mille\n", a, b, p
		exit 1 }'
}

# every_overflow NAME PERIOD: each thread's samples of the first event are what it
# counted over the period, give or take one.
every_overflow() {
	sed -n '/"tid":/s/.*"events":\[{"taken":\([0-9]*\),"counted":{"value":\([0-9]*\).*/\1 \2/p' \
		"$1.json" >taken
	awk -v p="$2" '{ d = $2 / p - $1 }
		d > 1 || d < -1 { printf "%d samples for %.0f\n", $1, $2; bad = 1 }
		END { exit bad || !NR }' taken
}

# parts NAME: the three functions of pmu_exact have 1, 2 and 4 parts of 7.
parts() {
	check "$1: one_part has a seventh" near "$(share "$1.user" ';one_part[; ]')" 0.142857 1
	check "$1: two_parts have two" near "$(share "$1.user" ';two_parts[; ]')" 0.285714 1
	check "$1: four_parts have four" near "$(share "$1.user" ';four_parts[; ]')" 0.571429 1
}

# only FILE REGEX PATHS: lines with REGEX have the one form.
only() {
	[ "$(grep -cE "$2" "$1")" -gt 0 ] || { echo "no line with $2"; return 1; }
	equal "$(grep -E "$2" "$1" | grep -vcE "$3")" 0
}

known() { check "$1: little is unknown" below "$(share "$1.user" '<unknown>')" 0.005; }

judge_exact() { # EVENT
	local n label="$1:u"

	ran short exact again trap team freq both
	for n in short exact again trap team freq both; do
		json $n && paths $n
	done
	check "70 million instructions more are counted as such" \
		within $(($(counted exact "$label") - $(counted short "$label"))) 70000000 1
	check "two runs count the same" \
		within "$(counted exact "$label")" "$(counted again "$label")" 1
	check "trap: what the handler itself takes is little" \
		within "$(counted trap "$label")" "$(counted exact "$label")" 10
	for n in exact again trap; do
		check "$n: a sample for each overflow" every_overflow $n 1000003
	done
	check "team: a sample for each overflow of each thread" every_overflow team 500009
	for n in exact trap both; do
		parts $n
		known $n
	done
}

judge_rate() { # EVENT: 997 samples a second, whose weights add up
	json freq && paths freq
	check "freq: the weights add up to the count" \
		within "$(total freq.user)" "$(counted freq "$1:u")" 20
	parts freq
}

judge_events() { # FIRST SECOND, of the run `both'
	paths both "$2:u"
	parts both
	check "both: each event has samples of its own" within "$(total both.user)" \
		"$(counted both "$2:u")" 20
}

# Who computes has the user's side, who asks the kernel the other.
judge_sides() {
	ran sides
	json sides
	paths sides cycles:u
	check "sides: user code is compute's" below 0.95 "$(share sides.user ';compute[; ]')"
	paths sides cycles:k
	check "sides: the kernel's is ask_kernel's" below 0.95 "$(share sides.user ';ask_kernel[; ]')"
}

judge_team() { # NAME: each thread's work is its own, and beneath its region
	paths "$1"
	report --view machine --format folded "$out/$1.omphwc" >machine
	check "$1: short_work lies beneath its region" only "$1.user" 'short_work' '^main;uneven;short_work[; ]'
	check "$1: long_work lies there too" only "$1.user" 'long_work' '^main;uneven;long_work[; ]'
	check "$1: even_work lies beneath its own" only "$1.user" 'even_work' '^main;even;even_work[; ]'
	check "$1: short_work is thread 0's" only machine ';short_work[; ]' ';main;'
	check "$1: long_work is not" equal "$(grep -E ';long_work[; ]' machine | grep -c ';main;')" 0
	known "$1"
}
