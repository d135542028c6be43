#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Events that are counted, not sampled: each one is assigned to its place, and none is
# missing.  The events are the kernel's; see t-pmu-guest.sh for hardware counters.
. "$(dirname "$0")/../../support/lib.sh"
. "$top_srcdir/tests/guests/judge.sh"
need_tool
out=$work sysroot=
must_build counts clang -O2

counts() { # NAME OPTIONS… -- HOW
	local name=$1
	shift
	"$ompcount" -q -o "$name.omphwc" "$@" >"$name.out" 2>"$name.err"
	echo $? >"$name.status"
	ran "$name"
	json "$name"
}

# row NAME EVENT KIND [LINE]: the value of a row.
row() { regions "$1" "$2" | awk -v k="$3" -v l="${4:-null}" '$1 == k && $2 == l { print $3 }'; }
line() { grep -n "$1" "$programs/counts.c" | cut -d: -f1; }
first_region=$(($(line 'KEEP void team') + 2))
second_region=$(($(line 'KEEP void tasks') + 2))

# some A B C: whether A is B to B + C; the loader and stacks cause additional page faults.
some() {
	[ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le $(($2 + $3)) ] && return
	echo "$1 is not from $2 to $(($2 + $3))"
	return 1
}

faults() { # NAME EVENT
	check "$1: a region's page faults" some "$(row "$1" "$2" region $first_region)" 3000 60
	check "$1: tasks' page faults" some "$(row "$1" "$2" region $second_region)" 2000 60
	check "$1: what is serial" some "$(row "$1" "$2" serial)" 500 400
	check "$1: a thread that OpenMP does not know" some "$(row "$1" "$2" outside)" 300 60
	check "$1: it all adds up" equal \
		"$(regions "$1" "$2" | awk '{ n += $3 } END { print n }')" "$(total_of "$1" "$2" value)"
	check "$1: hardly any comes after the last reading" below "$(row "$1" "$2" rest)" 60
}

counts plain --count=page-faults,task-clock --count-min 1 -- "$prog"
faults plain 0
check "imbalance is that of the work" grep -q '"line":'$first_region'.*"imbalance":\[1\.3[0-9]' plain.json
check "tasks are a part of their own" grep -q '"line":'$second_region',.*"part":"tasks","state":"exact","value":2[0-9]\{3\},' plain.json
check "ratios go by names" grep -q '"name":"page faults a second"' plain.json
report plain.omphwc >text 2>&1
check "the report has the total" grep -qE '^ +[0-9,]+  page-faults' text
check "it says what reading costs" grep -q 'each reading is a system call' text

counts beside -e cpu-clock -F 500 --count=page-faults --count-min 1 -- "$prog" short
faults beside 1
check "beside samples: these are there too" below 10 "$(folded beside.omphwc | total /dev/stdin | cut -c1-9)"

"$ompcount" report --event page-faults:u plain.omphwc >out 2>err
check "what was not sampled has no tables" equal "$? $(grep -c '^ompcount: event page-faults:u: it was counted' err)" "2 1"

"$ompcount" report --format folded plain.omphwc >out 2>err
check "and no paths" equal "$? $(grep -c 'nothing was sampled' err) $(wc -c <out)" "1 1 0"

counts short --count=page-faults --count-min 100000000 -- "$prog" short
check "short: what is not read apart is labelled" below 20000 "$(row short 0 mixed)"
check "short: nothing is lost" equal "$(regions short 0 | awk '{ n += $3 } END { print n }')" \
	"$(total_of short 0 value)"
check "short: the share of the time is reported" grep -qE "[0-9.]+  % of the threads' time was too short" \
	<("$ompcount" report short.omphwc)

counts forked --count=page-faults -- "$prog" fork
report --format json forked*.omphwc >forked.json
check "a fork's child counts for itself" equal "$(grep -c '"pid":' forked.json)" 2
check "and so does its parent" some "$(total_of forked 0 value)" 6500 1000

# With the library only, without ompcount.
check "the library alone" env OMP_TOOL_LIBRARIES="$tool" OMPHWC_OUTPUT=alone.omphwc OMPHWC_COUNT=page-faults \
	OMPHWC_COUNT_MIN=1 "$prog"
json alone
check "alone: a region's page faults" some "$(row alone 0 region $first_region)" 3000 60
check "alone: nothing was sampled" equal "$(grep -c '"sampled":true' alone.json)" 0
check "the library alone, by -e's events" env OMP_TOOL_LIBRARIES="$tool" OMPHWC_OUTPUT=one.omphwc \
	OMPHWC_COUNT=1 OMPHWC_EVENTS=page-faults "$prog"
json one
check "one: they are counted" some "$(total_of one 0 value)" 5000 1000

# Killed: counts up to the last reading.
"$ompcount" -q --count=page-faults --count-min 1 -o killed.omphwc "$prog" forever >killed.out 2>&1 &
pid=$!
for ((i = 0; i < 200; i++)); do
	grep -q ready killed.out && break
	sleep 0.05
done
app=$(pgrep -P $pid) && kill -9 "$app"
wait $pid 2>/dev/null
json killed
check "killed: what was read is there" below 3000 "$(row killed 0 region $first_region)"
check "killed: it says that this is not all" grep -q '"whole":false' killed.json

# Unavailable events.
check "cycles are replaced, or counted" grep -qE '"label":"(cycles|cpu-clock):u"' \
	<("$ompcount" --count -o cycles.omphwc "$prog" >/dev/null 2>err; report --format json cycles.omphwc)
if grep -q 'cycles.*is counted instead' err; then
	check "the report says why not cycles" grep -q '; no cycles: ' <("$ompcount" report cycles.omphwc)
fi
"$ompcount" --strict --count=wall "$prog" >out 2>err
check "a timer counts nothing" equal "$? $(grep -c '^ompcount: wall: a timer takes samples' err)" "1 1"
"$ompcount" stat -e wall -o wall.omphwc "$prog" short >out 2>err
check "cpu-clock is counted in its place" equal "$? $(grep -c \
	'"label":"cpu-clock:u"' <(report --format json wall.omphwc))" "0 1"
check "one line says so" equal "$(grep '^omp[a-z]*: ' err)" "ompcount: wall: a timer takes samples and \
counts nothing: cpu-clock:u is counted instead (--strict refuses); to count it: use cpu-clock, or leave it out: \
times are in the report anyway"
check "where to go on: the counts" grep -q '^next: *ompcount report --by count .*/wall.omphwc$' err
"$ompcount" --strict --count=no-such-event "$prog" >out 2>err
check "no such event" equal "$? $(wc -l <err)" "2 1"
finish
