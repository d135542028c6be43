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

# The inner region is executed by the threads of the outer one, whose body calls the inner body.
serialized() {
	local cc=$1 opt=$2 n=$3 name="serialized, $1 $2, $(runtime_name $3)"
	build serialized "$cc" "$opt" || { skip "$name: $why"; return; }
	with_runtime "$n" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$cc" = clang ] || path=$runtime/gomp
	run - || { fail "$name: $(tail -n 1 err)"; return; }
	folded p.omphwc | grep 'kernel[; ]' >user
	check "$name: every kernel lies beneath one call of its caller" \
		equal "$(sed 's/kernel.*/kernel/' user | sort -u)" "main;outer;inner;kernel"
	check "$name: the inner region has its entries, in a region with its own" equal \
		"$("$ompcount" report --format csv --by region p.omphwc | python3 -c '
import csv, sys
print(*sorted(r["entries"] for r in csv.DictReader(sys.stdin) if r["entries"]))')" "120 40"
}

for n in 14 ${long:+16} 19; do
	nested clang $n
done
for opt in -O0 -O1 -O2 -O3; do
	serialized clang $opt 14
	serialized gcc $opt gomp
done
nested gcc gomp
nested gcc testomp
[ -z "$long" ] || nested gcc 14
finish
