#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A thread is sampled on when the program begins to use the signal that its samples came by.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
build number gcc -O1 -pthread || skip_all "$why"

run() {
	rm -f p.omphwc
	"$ompcount" -q --delivery "$delivery" -e "$events" -c 250000 -o p.omphwc -- "$prog" "$kind" "$1" \
		>out 2>err
}

# halves NAME FILE PROFILE.
halves() {
	local n
	n=$(samples_in "$2" "$3")
	check "$1: as many samples after as before" agrees "$(share "$2" ';after[; ]')" 0.5 \
		"$n" 1 $((n / 2))
}

# goes_on KIND DELIVERY EVENTS: half of the thread's samples are of the time after.
goes_on() {
	local kind=$1 delivery=$2 events=$3 name="$1, $2, $3"
	enough 1000 0.5 run || { fail "$name: $(tail -n 1 err)"; return; }
	check "$name: the program runs" equal "$(cat out)" "done"
	folded p.omphwc | grep -E ';(before|after)[; ]' >parts
	halves "$name" parts p.omphwc
}
for kind in trap sent; do
	goes_on $kind auto cpu-clock
	goes_on $kind signal cpu-clock
	goes_on $kind auto cpu-clock,task-clock
done

# first SIGNAL: of the first process of a PID namespace, which a child sends the signal.
first() {
	rm -f p*.omphwc
	"$ompcount" -q -e cpu-clock -c 250000 -o 'p%p.omphwc' -- unshare -pf "$prog" "kill:$1" 0.5 >out 2>err
}

# The first process of a PID namespace is not ended by such signals: it keeps our handlers.
if unshare -pf true 2>err; then
	for kind in trap:5 bus:7; do
		name="process 1, ${kind%:*}"
		steadily first "${kind#*:}"
		check "$name: the program runs" equal "$(cat out)" "1 done"
		# Process 1 was unshare before: samples of that are in a profile of its own, p1.omphwc.
		profile=p1-1.omphwc
		[ -e $profile ] || profile=p1.omphwc
		folded $profile | grep -E ';(before|after)[; ]' >parts
		halves "$name" parts $profile
	done
else
	skip "process 1 of a namespace: $(tail -n 1 err)"
fi
finish
