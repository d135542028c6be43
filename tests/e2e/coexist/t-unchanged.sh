#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program writes the same bytes and ends the same way plain, under ompcount, with the
# library in OMP_TOOL_LIBRARIES, and linked to it.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
ulimit -c 0
must_build how gcc
how=$prog
echo "some input" >input

# outcome NAME COMMAND…: writes its standard output and end to NAME.out, NAME.how.
outcome() {
	local name=$1
	shift
	timeout -k 5 120 "$how" "$name.how" "$@" <input >"$name.out" 2>"$name.err"
	sed -i '/^user_ms/d' "$name.how"
}

same() {
	cmp plain.out "$1.out" && cmp plain.how "$1.how" && return
	diff plain.out "$1.out" | head -n 4
	diff plain.how "$1.how"
	return 1
}

# Each way of profiling program NAME, built as $prog, sets $command.
as_run() { command=("$ompcount" -o "run-%p.omphwc" -- "$prog"); }
as_fast() { command=("$ompcount" --no-names -F 5000 -o "fast-%p.omphwc" -- "$prog"); }
as_wall() { command=("$ompcount" --no-names -e wall -o "wall-%p.omphwc" -- "$prog"); }
as_tool() {
	command=(env "OMP_TOOL_LIBRARIES=$tool" OMPHWC_OUTPUT=tool-%p.omphwc "$prog")
}
as_linked() {
	build "$1" clang -O2 -Wl,-u,ompt_start_tool "$top_builddir/libomphwc_static.a" || return
	command=(env OMPHWC_OUTPUT=linked-%p.omphwc "$prog")
}

# tried NAME COMPILER "WAY…" ARG…
tried() {
	local name=$1 cc=$2 ways=$3 way what plain
	shift 3
	what="$name${*:+ $*}, $cc"
	build "$name" "$cc" -O2 || { skip "$what: $why"; return; }
	plain=$prog
	outcome plain "$plain" "$@"
	for way in $ways; do
		prog=$plain
		rm -f ./*.omphwc
		"as_$way" "$name" || { skip "$what, $way: $why"; continue; }
		outcome "$way" "${command[@]}" "$@"
		check "$what: $way" same "$way"
		check "$what: $way leaves a profile" below 0 "$(profiles)"
	done
}

# The wall clock's signals interrupt sleeps, which `signals' would notice.
all="run fast wall tool linked"
tried output clang "$all" 7 a "b c"
tried output gcc "run fast wall" 7 a "b c"
tried signals clang "run fast tool linked"
tried signals gcc "${long:+run }fast"
tried fortran gfortran "run fast" 10
for kind in fork exec spawn storm; do
	tried children clang "run fast tool linked" $kind
	tried children gcc "run" $kind
done
ends="exit exit-worker _exit-worker abort-worker fault-worker term"
[ -z "$long" ] || ends="$ends return exit-region _exit abort fault kill"
for end in $ends; do
	tried ends clang "run tool linked" $end 0.1 3
done
tried ends gcc run exit-worker 0.1 3
tried ends gcc run abort-worker 0.1 3
finish
