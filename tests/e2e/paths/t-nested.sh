#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Nested regions lie beneath the region and the caller that created them.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

run() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -e cpu-clock -c 250000 -o p.omphwc -- "$prog" "$1" >truth 2>err
}

nested() {
	local cc=$1 n=$2 name path f true_share
	name="$1, $(runtime_name $2)"
	build nested "$cc" -O2 || { skip "$name: $why"; return; }
	with_runtime "$n" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$cc" = clang ] || path=$runtime/gomp
	enough 5000 1 run ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	folded p.omphwc | grep ';kernel[; ]' >user
	check "$name: every kernel lies beneath its caller" \
		equal "$(grep -cvE '^main;outer;(left|right);inner;kernel[; ]' user)" 0
	# Each call of a kernel takes 5 or 10 ms.  Its reads of the clock are system calls, the
	# same for both callers.
	while read -r f true_share; do
		[ "$f" = threads ] && continue
		check "$name: $f's share of them" agrees "$(share user ";$f;")" "$true_share" \
			"$(samples_in user p.omphwc)" 0.5 20
	done <truth
}

for n in 14 ${long:+16} 19; do
	nested clang $n
done
nested gcc gomp
nested gcc testomp
[ -z "$long" ] || nested gcc 14
finish
