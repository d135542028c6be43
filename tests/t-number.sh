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

# goes_on KIND DELIVERY EVENTS: half of the thread's samples are of the time after.
goes_on() {
	local kind=$1 delivery=$2 events=$3 name="$1, $2, $3" n
	enough 1000 0.5 run || { fail "$name: $(tail -n 1 err)"; return; }
	check "$name: the program runs" equal "$(cat out)" "done"
	folded p.omphwc | grep -E ';(before|after)[; ]' >parts
	n=$(samples_in parts p.omphwc)
	check "$name: as many samples after as before" agrees "$(share parts ';after[; ]')" 0.5 \
		"$n" 1 $((n / 2))
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
		n=$(samples_in parts p1.omphwc)
		check "$name: as many samples after as before" agrees "$(share parts ';after[; ]')" 0.5 \
			"$n" 1 $((n / 2))
	done
else
	skip "process 1 of a namespace: $(tail -n 1 err)"
fi
finish
