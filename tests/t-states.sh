#!/bin/bash
# A thread that waits is shown as waiting, for the right thing and the right
# part of the time.
. "$(dirname "$0")/lib.sh"
need_tool
# Waiting threads spin, so that they have a share of the CPU time to know.
export KMP_BLOCKTIME=infinite KMP_USE_YIELD=0 OMP_WAIT_POLICY=active

# waits KIND WHERE RUNTIME: the lines that match WHERE have the share.
waits() {
	local what="$1, libomp $3" true_share
	with_runtime "$3" || { skip "$what: $why"; return 1; }
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime "$ompcount" -e cpu-clock -o p.omphwc -- "$prog" "$1" 0.7 >truth 2>err ||
		{ fail "$what: $(tail -n 1 err)"; return 1; }
	true_share=$(sed -n 's/^wait //p' truth)
	folded p.omphwc >user
	check "$what: a good part is waiting" below 0.1 "$true_share"
	check "$what: and shown as that" near "$(share user "$2 ")" "$true_share" 3
	idle=$(share user '<OMP-idle> ')
	half=$(awk -v t="$true_share" 'BEGIN { print t / 2 }')
}

must_build waits clang -O2
for n in 14 16 19; do
	# libomp 14 and 16 don't say which barrier it is.
	waits barrier 'at_barrier;<OMP-(explicit|implicit)_barrier>' $n
	waits critical 'at_critical;<OMP-critical_section_wait>' $n
	waits lock 'at_lock;<OMP-lock_wait>' $n
	# A worker waits for its region's end and then for the next region.
	waits implicit '(region;<OMP-implicit_barrier>|<OMP-idle>)' $n &&
		check "implicit, libomp $n: a wait is not idle" below "$idle" "$half"
	waits serial '(region;<OMP-implicit_barrier>|<OMP-idle>)' $n &&
		check "serial, libomp $n: idle is not a wait" below "$half" "$idle"
done
finish
