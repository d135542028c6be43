#!/bin/bash
# A body that ends in a call of the C library is work, at its own line, whatever the
# compiler makes of that call.
. "$(dirname "$0")/lib.sh"
need_tool
source=$programs/lastcall.c
line() { grep -n -F "/* $1 */" "$source" | cut -d: -f1; }

# works NAME PROFILE: of what is no wait, all but what the runtime itself needs is work.
# The bound: a share of 95 %, less three standard errors of so many samples.
works() {
	"$ompcount" report --by state --limit 0 "$2" >states
	check "$1: is work" awk '
		/: [0-9,]+ samples/ { sub(/.*: /, ""); sub(/ .*/, ""); gsub(/,/, ""); n = $0 }
		/^work / {
			gsub(/[()%]/, "")
			for (i = 1; i <= NF; i++) {
				if ($i == "work") at = 1
				if ($i == "overhead") at = 2
				if ($i == "wait") at = 3
				if ($i == "+" || $i == "=") share[at] = $(i - 1)
			}
		}
		END {
			busy = share[1] + share[2]
			m = n * busy / 100
			part = busy ? share[1] / busy : 0
			bound = m ? 0.95 - 3 * sqrt(0.05 * 0.95 / m) : 1
			if (m >= 8 && part >= bound) exit 0
			printf "%.3f of %d samples, less than %.3f\n", part, m, bound
			exit 1
		}' states
}

# kernel CC N WHAT EVENT [OPTION...]
kernel() {
	local name="$1, libomp $2, $3, $4"
	LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e "${@:4}" -o p.omphwc -- \
		"$prog" 0.6 "$3" >out 2>err || { skip "$name: $(tail -n 1 err)"; return; }
	works "$name" p.omphwc
	check "$name: in its function" below 0.9 "$(folded p.omphwc | grep -v '<OMP' |
		sed 's/ \([0-9]*\)$/; \1/' >paths; share paths "^main;(run;)?$3;")"
	[ "$1" = gcc ] || return
	folded --view expert p.omphwc | grep -v '<OMP' >expert
	check "$name: the body is named" below 0.9 "$(share expert "OMP.*\\[$3\\._omp_fn")"
}

for cc in gcc clang; do
	for opt in -O2 -O3; do
		build lastcall $cc $opt || { skip "$cc $opt: $why"; continue; }
		with_runtime 14 || with_runtime 19 || { skip "$cc: $why"; continue; }
		for what in copy fill whole tasks; do
			[ $opt = -O3 ] || [ $what = copy ] || [ $what = whole ] || continue
			kernel $cc ${runtime##*/} $what cpu-clock
		done
	done
	build lastcall $cc -O3 || continue
	if with_runtime 19; then
		for what in copy tasks; do
			kernel $cc 19 $what cpu-clock
		done
	else
		skip "$cc: $why"
	fi
	# Memory that is touched for the first time, by its address.
	with_runtime 14 || continue
	kernel $cc 14 fill page-faults -c 1
	"$ompcount" report --by address --limit 0 p.omphwc >addresses
	check "$cc, by address: work" awk '
		NF > 6 && $(NF - 1) == "a" { found = $(NF - 4) >= 0.95 * $(NF - 5) && $(NF - 5) > 50 }
		END { exit !found }' addresses
done

# ---- a barrier that is the last of a region, which the runtime's state tells of no kind

source=$programs/lastbarrier.c
if ! build lastbarrier clang -O2; then
	skip "barrier: $why"
elif ! with_runtime 14; then
	skip "barrier: $why"
else
	OMP_WAIT_POLICY=active LD_LIBRARY_PATH=$runtime "$ompcount" -q -e cpu-clock -o p.omphwc -- \
		"$prog" 0.5 >out 2>err
	"$ompcount" report --by construct --limit 0 p.omphwc >constructs
	check "a barrier called last: explicit, at its line" \
		grep -q "barrier in uneven (lastbarrier.c:$(line barrier))" constructs
fi

finish
