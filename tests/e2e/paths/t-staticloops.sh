#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# gcc's static loops have rows of their own, and a barrier at the end of a loop or of single
# is distinguished from a barrier directive, though gcc calls the same function for all of them.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
why=
source=$programs/staticloops.c
line() { grep -n -F "/* $1 */" "$source" | cut -d: -f1; }

# rows FUNCTION KIND: line, work and wait of its constructs of that kind.
rows() {
	json_constructs report.json |
		grep -F "{\"kind\":\"$2\"" | grep -F "\"function\":\"$1\"" |
		sed 's/"threads":\[.*//; s/.*"line":\([^,]*\),.*"self":\[{.*"work":\([0-9]*\),"wait":\([0-9]*\).*/\1 \2 \3/' |
		sort -n
}
static='for schedule(static)'
lines() { rows "$@" | cut -d' ' -f1 | tr '\n' ' '; }
sum() { rows "$1" "$2" | awk -v f="$3" '{ n += $f } END { print n + 0 }'; }

# is FUNCTION MARK…: its static loops are at the marked lines, or with optimization on the
# line of the loop statement. Optimizing, gcc 7 and earlier show no place of the loop: it has
# that of the code before it or in it.
is() {
	if [ $opt = -O0 ] || gcc_from 8; then
		exactly "$@"
	else
		about "$@"
	fi
}

about() {
	local found at
	found=$(lines "$1" "$static")
	at=$(line "$2")
	check "$name, $1: one loop" equal "$(wc -w <<<"$found")" 1
	check "$name, $1: near its line" below $((at - 3)) "$found"
	check "$name, $1: and not behind it" below "$found" $((at + 3))
	check "$name, $1: has its work" below 0 "$(sum "$1" "$static" 2)"
}

exactly() {
	local function=$1 mark at wanted=
	shift
	for mark; do
		at=$(line "$mark")
		[ $opt = -O0 ] || at=$((at + 1))
		wanted="$wanted$at "
	done
	check "$name, $function: the loops" equal "$(lines "$function" "$static")" "$wanted"
	check "$name, $function: have its work" below 0 "$(sum "$function" "$static" 2)"
}

# implicit FUNCTION: no barrier directive.
implicit() {
	check "$name, $1: its barrier is no directive" equal "$(lines "$1" barrier)" ""
}

# explicit FUNCTION MARK: it waits at the directive, and nowhere else but at the region's end.
explicit() {
	check "$name, $1: the directive" equal "$(lines "$1" barrier)" "$(line "$2") "
	check "$name, $1: is waited at" below 0 "$(sum "$1" barrier 3)"
	check "$name, $1: not at a loop's end" equal "$(sum "$1" "$static" 3)" 0
}

profiled() { # SECONDS
	rm -f p.omphwc
	OMP_WAIT_POLICY=active LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e cpu-clock \
		-F 4000 -o p.omphwc -- "$prog" "$1" >out 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return 1; }
	"$ompcount" report --format json -o report.json p.omphwc
}

# judge N OPT [FLAG]: all of it, on libomp N or on gcc's own runtime.
judge() {
	local opt=$2 name="gcc ${*:2}, $(runtime_name "$1")" f marks
	with_runtime "$1" || { skip "$name: $why"; return; }
	build staticloops gcc "${@:2}" || { skip "$name: $why"; return; }
	profiled 0.5 || return
	for f in plain_loop chunked_loop loop_after_work loop_in_loop reduced_loop switched_loop orphan; do
		is $f $f
		implicit $f
		check "$name, $f: its end is waited at" below 0 "$(sum $f "$static" 3)"
	done
	is combined_loop combined_loop
	is nowait_loop nowait_loop
	explicit nowait_loop after_nowait_loop
	is nowait_barrier nowait_barrier
	explicit nowait_barrier behind_nowait
	# At the region's end gcc leaves the second loop without a barrier, and computes the
	# share of both at once: nothing shows it then.
	marks="equal_1 equal_2"
	[ $opt = -O0 ] || marks=equal_1
	is equal_loops $marks
	implicit equal_loops
	# What comes before the loop is half of it.
	check "$name: what comes before a loop is not its work" below 0 \
		"$(sum loop_after_work parallel 2)"
	implicit in_single
	check "$name: the end of single is waited at" below 0 "$(sum in_single single 3)"
	explicit single_nowait after_single
	explicit at_barrier at_barrier
	explicit by_hand by_hand
	check "$name: what is shared by hand is no loop" equal "$(lines by_hand "$static")" ""
}

for opt in -O0 ${long:+-O1} -O2 -O3; do
	judge gomp $opt
	[ $opt != -O2 ] && [ -z "$long" ] || judge 14 $opt
done

# Calls through the global offset table.
judge gomp -O2 -fno-plt

# Without lines the end of single is known, and barriers of bodies without loops and singles; for
# others the report says so.
name="gcc -O2 without -g"
opt=-O2
if with_runtime gomp && build staticloops gcc -O2 -g0 && profiled 0.5; then
	check "$name: no loops" equal "$(grep -c "\"kind\":\"$static\"" report.json)" 0
	check "$name: single's end is known" below 0 "$(sum in_single single 3)"
	"$ompcount" report --by state --limit 0 p.omphwc >states
	check "$name: others are either" grep -q "barrier (explicit or at a construct's end)" states
	folded p.omphwc >paths
	check "$name: no other is said to be a directive" equal \
		"$(grep '<OMP-explicit_barrier>' paths | grep -cv ';at_barrier;')" 0
	check "$name: one that nothing else can be" grep -q ';at_barrier;<OMP-explicit_barrier> ' paths
	check "$name: another as a path" grep -q ';by_hand;<OMP-barrier> ' paths
else
	skip "$name: $why"
fi
finish
