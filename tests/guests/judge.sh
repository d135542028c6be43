# SPDX-License-Identifier: BSD-3-Clause
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

# How many times the emulated machine's bounds, where cycles are its instructions and
# nothing else runs, a real machine may be off: its caller's.
rough=${rough:-1}

# within A B PERMILLE
within() {
	awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN {
		d = a - b; if (d < 0) d = -d
		if (b > 0 && d <= b * p / 1000) exit 0
		printf "%.0f is not %.0f within %s per mille\n", a, b, p
		exit 1 }'
}

# every_overflow NAME PERIOD [N] [HANDLER]: each thread's samples of the first event, or the Nth, are
# what it counted over the period, give or take one. By SIGTRAP the first sample's handler is counted,
# and gives none: of up to HANDLER events.
every_overflow() {
	sed -n '/"tid":/{s/"events":\[/\n/; s/^[^\n]*\n//; s/\].*//; p}' "$1.json" |
		sed "s/{\"taken\":/\n/g" | awk -v n="${3:-1}" -F, '/^$/ { k = 0; next }
			++k == n { sub(/.*:/, "", $2); print $1, $2 + 0 }' >taken
	awk -v p="$2" -v handler="${4:-0}" '{ d = $2 / p - $1 }
		d > 1 + handler / p || d < -1 { printf "%d samples for %.0f\n", $1, $2; bad = 1 }
		END { exit bad || !NR }' taken
}

# parts NAME [PERIOD]: the three functions of pmu_exact have 1, 2 and 4 parts of 7.  Each is one
# stretch of many periods, so that no chance is in it: it has a sample more or less, and so has the
# whole, besides what begins and ends the program.  Without PERIOD the samples are many.
parts() {
	local part
	for part in one_part:1 two_parts:2 four_parts:4; do
		check "$1: ${part%:*}: ${part#*:} of 7 parts" part_of "$1.user" ";${part%:*}[; ]" "${part#*:}" "${2:-0}"
	done
}

# part_of FOLDED REGEX PARTS PERIOD
part_of() {
	awk -v re="$2" -v p="$3" -v period="$4" '{ all += $NF; if ($0 ~ re) hit += $NF } END {
		bound = period ? period * (1 + 2 * p / 7) : all / 100
		off = hit - all * p / 7
		if (all > 0 && off <= bound && off >= -bound) exit 0
		printf "%.0f of %.0f: %.0f more than it should be, within %.0f\n", hit, all, off, bound
		exit 1 }' "$1"
}

# only FILE REGEX PATHS: lines with REGEX have the one form.
only() {
	[ "$(grep -cE "$2" "$1")" -gt 0 ] || { echo "no line with $2"; return 1; }
	equal "$(grep -E "$2" "$1" | grep -vcE "$3")" 0
}

known() { check "$1: little is unknown" below "$(share "$1.user" '<unknown>')" 0.005; }

judge_exact() { # EVENT
	local n label="$1:u"

	ran short exact again trap team freq both own
	for n in short exact again trap team freq both own; do
		json $n && paths $n
	done
	check "70 million instructions more are counted as such" \
		within $(($(counted exact "$label") - $(counted short "$label"))) 70000000 "$rough"
	check "two runs count the same" \
		within "$(counted exact "$label")" "$(counted again "$label")" "$rough"
	check "trap: what the handler itself takes is little" \
		within "$(counted trap "$label")" "$(counted exact "$label")" 10
	for n in exact again trap; do
		check "$n: a sample for each overflow" every_overflow $n 1000003 1 "$([ $n != trap ] || echo 100000)"
	done
	check "team: a sample for each overflow of each thread" every_overflow team 500009 1 100000
	check "own: the first event has its own period" every_overflow own 1000003
	check "own: and the second its own" every_overflow own 2000003 2
	for n in exact trap both own; do
		parts $n 1000003
		known $n
	done
}

# Samples that the kernel holds back: what it counted is what it sampled, the rest is
# known by how long it was held back, and told.
# The throttled run is three times as long: what the kernel spends on the first samples (the
# profile's first pages) is time that the event ran for, too.
judge_throttled() { # EVENT
	local n label="$1:u" running enabled all
	all=$(($(counted exact "$1:u") * 3))
	ran throttled rearmed
	for n in throttled rearmed; do
		json $n && paths $n
		check "$n: a sample for each overflow that was counted" every_overflow $n 1000003
	done
	check "throttled: most was held back" below "$(($(counted throttled "$label") * 2))" \
		$all
	enabled=$(sed -n 's|^{"label":"'"$label"'".*"enabled_ns":\([0-9]*\).*|\1|p' throttled.json)
	running=$(sed -n 's|^{"label":"'"$label"'".*"running_ns":\([0-9]*\).*|\1|p' throttled.json)
	check "throttled: scaled by the time that it ran, it is all there" within \
		$(($(counted throttled "$label") * (enabled / 1000) / (running / 1000))) \
		$all 100
	report "$out/throttled.omphwc" >throttled.text
	check "throttled: the report says how often, and what to do" grep -qE \
		'^the kernel stopped events [0-9]+ times .*perf_event_max_sample_rate' throttled.text
	check "throttled: and for how long" grep -qE \
		'; it had a counter for [0-9.]+ % of the time$' throttled.text
	check "rearmed: signals that arm the counter anew lose nothing" within \
		"$(counted rearmed "$label")" "$(counted exact "$label")" 10
	report "$out/rearmed.omphwc" >rearmed.text
	check "rearmed: and nothing is said" equal "$(grep -c 'stopped events' rearmed.text)" 0
}

judge_rate() { # EVENT: 997 samples a second, whose weights add up
	json freq && paths freq
	check "freq: the weights add up to the count" \
		within "$(total freq.user)" "$(counted freq "$1:u")" 20
	parts freq
}

judge_events() { # FIRST SECOND, of the run `both'
	paths both "$2:u"
	# Cycles of a real machine are no instructions.
	[ "$rough" != 1 ] || parts both 1000003
	check "both: each event has samples of its own" within "$(total both.user)" \
		"$(counted both "$2:u")" 20
}

# Who computes has the user's side, who asks the kernel the other.
judge_sides() {
	ran sides
	json sides
	paths sides cycles:u
	check "sides: user code is compute's" below "$([ "$rough" = 1 ] && echo 0.95 || echo 0.85)" "$(share sides.user ';compute[; ]')"
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

# ---- counted, not sampled --------------------------------------------------

# regions NAME EVENT: "KIND LINE VALUE SCALED STATE" of each of the report's rows.
regions() {
	sed -n '/^"counts":\[/,/^\]/{
		s/^{"kind":"\([a-z]*\)".*"line":\([0-9nul]*\),[^[]*"events":\(.*\),"ratios".*"threads".*/\1 \2 \3/p
	}' "$1.json" | sed 's/,"threads":.*//; s/^\([a-z]* [0-9nul]*\) .*"event":'"$2"',"state":"\([a-z]*\)","value":\([0-9nul]*\),"scaled":\([0-9nul]*\).*/\1 \3 \4 \2/'
}

# region NAME EVENT NTH: what the source's nth region counted.
region() {
	regions "$1" "$2" | awk '$1 == "region"' | sort -n -k 2 | awk -v n="$3" 'NR == n { print $3 }'
}

# total_of NAME EVENT FIELD: value, state, … of the whole process.
total_of() {
	sed -n 's/^"counts_total":\[\(.*\)\],$/\1/p' "$1.json" | sed 's/},{/}\n{/g' |
		sed -n "/\"event\":$2,/s/.*\"$3\":\"\{0,1\}\([a-z0-9]*\).*/\1/p"
}

# summed NAME EVENT: what all rows but the one after the last reading add up to.
summed() { regions "$1" "$2" | awk '$1 != "rest" { all += $3 } END { printf "%.0f\n", all }'; }

parts_counted() { # NAME EVENT PERMILLE, of 84 million in seven parts
	local n
	for n in 1 2 3; do
		check "$1: region $n counts $((12 * (1 << (n - 1)))) million" \
			within "$(region "$1" "$2" $n)" $((12000000 * (1 << (n - 1)))) "$3"
	done
}

# judge_counted EVENT…: known numbers of instructions, of count.sh.
judge_counted() {
	local n
	ran count-short count count-again count-beside count-team
	for n in count-short count count-again count-beside count-team; do
		json $n
	done
	for n; do
		check "70 million instructions more are counted, event $n" within \
			$(($(total_of count $n value) - $(total_of count-short $n value))) 70000000 "$rough"
		check "two counts are the same, event $n" within "$(total_of count $n value)" \
			"$(total_of count-again $n value)" "$rough"
		parts_counted count $n 1
		check "a last read(2) is one read's cost from the last read by hand, event $n" below \
			"$(regions count $n | awk '$1 == "rest" { print $3 }')" 100000
	done
	check "team: uneven is uneven" within "$(sed -n '/^{"kind":"region"/s/.*"imbalance":\[\([0-9.]*\).*/\1/p' \
		count-team.json | sort -g | tail -n 1)" 1.5 6.6
}

# judge_added EVENT…: the parts are the whole, of any event.
judge_added() {
	local n
	for n; do
		check "regions and what is outside add up, event $n" within "$(summed count $n)" \
			"$(total_of count $n value)" 10
		check "beside sampling: they add up too, event $((n + 1))" within \
			"$(summed count-beside $((n + 1)))" "$(total_of count-beside $((n + 1)) value)" 10
	done
}

judge_beside() { # EVENT, PERIOD
	local n
	check "the counters were read by user code" equal "$(grep -c 'system call' count.json)" 0
	paths count-beside
	check "beside sampling: a sample for each overflow" every_overflow count-beside "$2"
	parts count-beside "$2"
	for n in 1 2 3; do
		check "beside sampling: region $n counts what its samples stand for" within \
			"$(region count-beside "$1" $n)" $((12000000 * (1 << (n - 1)))) 100
	done
}

judge_slow() {
	ran count-slow count-unread
	json count-slow && json count-unread
	check "where reading is a system call, it says so" grep -q \
		'each reading is a system call.*not counted apart' count-slow.json
	parts_counted count-slow 0 5
	check "slow: regions and what is outside add up" within "$(summed count-slow 1)" \
		"$(total_of count-slow 1 value)" 10
	check "too short to be read: it is with the thread, labelled" below 20000000 \
		"$(regions count-unread 0 | awk '$1 == "mixed" { print $3 }')"
	check "too short to be read: nothing is lost" within "$(summed count-unread 0)" \
		"$(total_of count-unread 0 value)" 10
	check "too short to be read: the long region is read" within \
		"$(region count-unread 0 1)" 48000000 100
}

# cost NAME: instructions of a region.
cost() { cut -d . -f 1 "$out/cost-$1.out"; }

# What counting adds to a region of one thread, at whose two boundaries it reads.
judge_cost() {
	local sampled one two
	ran cost-none cost-null cost-sampled cost-counted cost-counted-two cost-unread
	sampled=$(cost sampled) one=$(cost counted) two=$(cost counted-two)
	check "a region takes $(cost none) instructions, $(cost null) with an empty tool, $sampled sampled" \
		below "$(cost none)" "$sampled"
	check "counting adds $((one - sampled)) with an event, $((two - one)) with each other, $(($(cost unread) - sampled)) where it doesn't read" \
		below $((one - sampled)) 1000
	check "cost: another event adds little" below $((two - one)) 200
	check "cost: what is not read costs less" below $(($(cost unread) - sampled)) 550
}

judge_many() { # HOW MANY: more events than there are counters
	local n scaled=0
	ran count-many count-many-sampled
	json count-many && json count-many-sampled
	for ((n = 0; n < $1; n++)); do
		[ "$(total_of count-many $n state)" != scaled ] || scaled=$((scaled + 1))
		check "many: event $n was counted" grep -qE '^(scaled|exact)$' \
			<(total_of count-many $n state)
	done
	check "many: they had to take turns" below 8 $scaled
	report "$out/count-many.omphwc" >many.text
	check "many: the report says for how long" below $((scaled - 1)) \
		"$(grep -c 'scaled: it had a counter for [0-9.]* %' many.text)"
	report "$out/count-many-sampled.omphwc" >sampled.text
	check "many, sampled: the report says so" grep -q '; it had a counter for [0-9.]* % of the time$' sampled.text
}
