#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The user view's shares agree with the program's own clocks, and a function has one
# path, whichever thread ran it.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
seconds=1.2
[ -z "$long" ] || seconds=10
works=';(relax|gather|skewed)_kernel[; ]|;setup[; ]'

# shares_are NAME: compares profile p with the file `truth'.  Work is nearly all in user
# code, so shares of work are off by less than half a point.  Shares of CPU time lack the
# kernel's time, most of which is for waiting threads that yield: up to three points on a
# busy machine.
shares_are() {
	local function true_share n of_works
	folded p.omphwc >user || { fail "$1: no report"; return; }
	grep -E "$works" user >work
	n=$(samples_in work p.omphwc)
	of_works=$(awk '{ all += $2 } END { print all }' truth)
	while read -r function true_share; do
		check "$1: $function" agrees "$(share work ";$function[; ]")" \
			"$(awk -v a="$true_share" -v b="$of_works" 'BEGIN { print a / b }')" "$n" 0.5
	done <truth
	check "$1: all of them" agrees "$(share user "$works")" "$of_works" "$(samples p.omphwc)" 4
	check "$1: relax_kernel has one path" \
		equal "$(grep relax_kernel user | grep -cv '^main;solve;relax;relax_kernel[; ]')" 0
	check "$1: gather_kernel has one path" \
		equal "$(grep gather_kernel user | grep -cv '^main;solve;gather;gather_kernel[; ]')" 0
	check "$1: no frame of the runtime shows" \
		equal "$(grep -cE '(__kmp|kmpc|GOMP_|start_thread|clone|libomp|libgomp)' user)" 0
	check "$1: little is unknown" below "$(share user '<unknown>')" 0.005
}

run() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -F 4000 -o p.omphwc -- "$prog" "$1" >truth 2>err
}

# configuration COMPILER RUNTIME FLAG…
configuration() {
	local cc=$1 n=$2 name path
	name="$1, $(runtime_name "$2"), ${*:3}"
	shift 2
	build shares "$cc" "$@" || { skip "$name: $why"; return; }
	with_runtime "$n" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$cc" = clang ] || path=$runtime/gomp
	if ! enough 6000 $seconds run; then
		fail "$name: $(tail -n 1 err)"
		return
	fi
	shares_are "$name"
}

if [ -n "$long" ]; then
	for cc in clang gcc; do
		for n in gomp 14 16 19; do
			[ $cc = gcc ] || [ $n != gomp ] || continue
			for o in -O0 -O2 -O3; do
				for fp in -fno-omit-frame-pointer -fomit-frame-pointer; do
					configuration $cc $n $o $fp
				done
			done
		done
	done
else
	configuration clang 14 -O0 -fno-omit-frame-pointer
	configuration clang 19 -O3 -fomit-frame-pointer
	configuration gcc gomp -O0 -fno-omit-frame-pointer
	configuration gcc testomp -O2 -fomit-frame-pointer
	configuration gcc gomp -O2 -fomit-frame-pointer
	configuration gcc gomp -O3 -fomit-frame-pointer
fi
finish
