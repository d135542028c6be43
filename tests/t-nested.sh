#!/bin/bash
# Nested regions hang beneath the region and the caller that they came from.
. "$(dirname "$0")/lib.sh"
need_tool

nested() {
	local cc=$1 n=$2 name path f true_share where
	name="$1, libomp $2"
	build nested "$cc" -O2 || { skip "$name: $why"; return; }
	with_runtime "$n" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$cc" = clang ] || path=$runtime/gomp
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -o p.omphwc -- "$prog" 1 >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	folded p.omphwc | grep ';kernel[; ]' >user
	check "$name: every kernel lies beneath its caller" \
		equal "$(grep -cvE '^main;outer;(left|right);inner;kernel[; ]' user)" 0
	while read -r f true_share; do
		[ "$f" = threads ] && continue
		check "$name: $f's share of them" near "$(share user ";$f;")" "$true_share" 3
	done <truth
}

for n in 14 16 19; do
	retried nested clang $n
done
retried nested gcc 14
finish
