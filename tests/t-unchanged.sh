#!/bin/bash
# A program writes the same bytes and ends the same way with and without us:
# under ompcount, with the library in OMP_TOOL_LIBRARIES, and linked to it.
. "$(dirname "$0")/lib.sh"
need_tool
ulimit -c 0
must_build how gcc
how=$prog
echo "some input" >input

# outcome NAME COMMAND…: its standard output and end in NAME.out, NAME.how.
outcome() {
	local name=$1
	shift
	timeout -k 5 120 "$how" "$name.how" "$@" <input >"$name.out" 2>"$name.err"
	sed -i '/^user_ms/d' "$name.how"
}

same() {
	cmp plain.out "$1.out" && cmp plain.how "$1.how" && return
	diff plain.out "$1.out" | head -n 3
	diff plain.how "$1.how"
	return 1
}

# linked NAME FLAG…: the program with the library inside, in $prog.
linked() {
	local name=$1
	shift
	build "$name" clang "$@" -Wl,-u,ompt_start_tool "$top_builddir/.libs/libomphwc_static.a" -lpfm
}

# tried NAME COMPILER ARG…
tried() {
	local name=$1 cc=$2 what
	shift 2
	what="$name $*, $cc"
	build "$name" "$cc" -O2 || { skip "$what: $why"; return; }
	rm -f ./*.omphwc
	outcome plain "$prog" "$@"
	outcome run "$ompcount" -o run-%p.omphwc -- "$prog" "$@"
	check "$what: under ompcount" same run
	outcome fast "$ompcount" -F 5000 -o run-%p.omphwc -- "$prog" "$@"
	check "$what: at 5 kHz" same fast
	outcome wall "$ompcount" -e wall -o run-%p.omphwc -- "$prog" "$@"
	check "$what: by the wall clock" same wall
	[ "$cc" = clang ] || return
	outcome tool env OMP_TOOL_LIBRARIES="$tool" OMPHWC_OUTPUT=tool-%p.omphwc "$prog" "$@"
	check "$what: with OMP_TOOL_LIBRARIES" same tool
	linked "$name" -O2 || { skip "$what, linked: $why"; return; }
	outcome linked env OMPHWC_OUTPUT=linked-%p.omphwc "$prog" "$@"
	check "$what: linked to the library" same linked
}

for cc in clang gcc; do
	tried output $cc 7 a "b c"
	tried signals $cc
	for how_child in fork exec spawn storm; do
		tried children $cc $how_child
	done
	for end in return exit exit-region exit-worker _exit-worker abort abort-worker \
		fault-worker term kill; do
		tried ends $cc $end 0.1 3
	done
done
tried fortran gfortran 20
check "each run left a profile" below 0 "$(profiles)"
finish
