#!/bin/bash
# A thread is sampled on when the program begins to use the signal that its samples came by.
. "$(dirname "$0")/lib.sh"
need_tool
build number gcc -O1 -pthread || skip_all "$why"

run() {
	rm -f p.omphwc
	"$ompcount" -q --delivery "$delivery" -e "$events" -c 250000 -o p.omphwc -- "$prog" "$kind" "$1" \
		>out 2>err
}

# kept PROFILE: the part of what the first event counted that has samples.  A machine that is
# stopped by its host meanwhile misses ticks of the clock, which the report says in the same way.
kept() {
	"$ompcount" report -f json "$1" | sed -n \
		's/^{"label":.*"counted":{"value":\([0-9]*\),.*"total":{"samples":[0-9]*,"weight":\([0-9]*\),.*/\2 \1/p' |
		awk 'NR == 1 { print $1 / $2 }'
}

# halves NAME FILE PROFILE.  A thread that is not sampled after its signal is used lacks far more.
halves() {
	local n some
	n=$(samples_in "$2" "$3")
	some=$(kept "$3")
	if below "$some" 0.94 >/dev/null && below 0.85 "$some" >/dev/null; then
		skip "$1: as many samples after as before: the clock ticked for $some of its time only"
		return
	fi
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

# The first process of a PID namespace is not ended by such signals: it keeps our handlers.
if unshare -pf true 2>err; then
	for kind in trap:5 bus:7; do
		name="process 1, ${kind%:*}"
		rm -f p*.omphwc
		"$ompcount" -q -e cpu-clock -c 250000 -o 'p%p.omphwc' -- unshare -pf "$prog" "kill:${kind#*:}" 0.5 >out 2>err
		check "$name: the program runs" equal "$(cat out)" "1 done"
		[ -e p1.omphwc ] || { fail "$name: no profile"; continue; }
		folded p1.omphwc | grep -E ';(before|after)[; ]' >parts
		halves "$name" parts p1.omphwc
	done
else
	skip "process 1 of a namespace: $(tail -n 1 err)"
fi
finish
