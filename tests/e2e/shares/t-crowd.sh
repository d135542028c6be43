#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# With more threads than processors, each sample of a worker belongs to its region or is
# idle: the entry into a region counts as the region's fork and join.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
threads=$((4 * $(nproc)))
[ $threads -le 64 ] || threads=64

# samples KEY VALUE: the samples of the JSON report's row with that.
samples() {
	grep -E "^ *[[{,]*\"$1\":\"$2\"" json | grep -o '"self":\[{"samples":[0-9]*' | head -n 1 |
		grep -o '[0-9]*$' || echo 0
}

crowd() {
	local name="$1, $(runtime_name "$2"), $threads threads" path kept
	build crowd "$1" -O2 || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path OMP_NUM_THREADS=$threads "$ompcount" -q -e cpu-clock -c 100000 \
		-o p.omphwc -- "$prog" 2 >out 2>err || { fail "$name: $(tail -n 1 err)"; return; }
	"$ompcount" report --format json -o json p.omphwc
	kept=$(grep -o '"kept":[0-9]*' json | head -n 1 | grep -o '[0-9]*$')
	[ "$kept" -ge 500 ] || { skip "$name: only $kept samples on this machine"; return; }
	check "$name: one in 500 of $kept samples at most is of a region not known" \
		below "$(samples kind unknown)" $((3 + kept / 500))
	check "$name: fork and join is there" below 0 "$(samples state 'fork and join')"
}

crowd clang 14
crowd gcc gomp
crowd clang 19
[ -z "$long" ] || { crowd gcc 14; crowd clang 16; }
finish
