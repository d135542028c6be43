#!/bin/bash
# The user view's shares are what the program's own clocks say, and a function
# has one path, whichever thread ran it.
. "$(dirname "$0")/lib.sh"
need_tool
seconds=3
[ -z "$long" ] || seconds=10

# shares_are NAME: of profile p, against the truth in the file `truth'.
shares_are() {
	local function true_share
	folded p.omphwc >user || { fail "$1: no report"; return; }
	while read -r function true_share; do
		check "$1: $function" near "$(share user ";$function[; ]")" "$true_share" 2
	done <truth
	check "$1: relax_kernel has one path" \
		equal "$(grep relax_kernel user | grep -cv '^main;solve;relax;relax_kernel[; ]')" 0
	check "$1: gather_kernel has one path" \
		equal "$(grep gather_kernel user | grep -cv '^main;solve;gather;gather_kernel[; ]')" 0
	check "$1: no frame of the runtime shows" \
		equal "$(grep -cE '(__kmp|kmpc|GOMP_|start_thread|clone|libomp|libgomp)' user)" 0
	check "$1: little is unknown" below "$(share user '<unknown>')" 0.005
}

# configuration COMPILER RUNTIME FLAG…
configuration() {
	local cc=$1 n=$2 name path
	name="$1, libomp $2, ${*:3}"
	shift 2
	build shares "$cc" "$@" || { skip "$name: $why"; return; }
	with_runtime "$n" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$cc" = clang ] || path=$runtime/gomp
	rm -f p.omphwc
	if ! LD_LIBRARY_PATH=$path "$ompcount" -o p.omphwc -- "$prog" $seconds >truth 2>err; then
		fail "$name: $(tail -n 1 err)"
		return
	fi
	shares_are "$name"
}

if [ -n "$long" ]; then
	for cc in clang gcc; do
		for n in 14 16 19; do
			for o in -O0 -O2 -O3; do
				for fp in -fno-omit-frame-pointer -fomit-frame-pointer; do
					retried configuration $cc $n $o $fp
				done
			done
		done
	done
else
	retried configuration clang 14 -O2 -fomit-frame-pointer
	retried configuration clang 16 -O0 -fno-omit-frame-pointer
	retried configuration clang 19 -O3 -fomit-frame-pointer
	retried configuration gcc 14 -O3 -fomit-frame-pointer
	retried configuration gcc 16 -O2 -fno-omit-frame-pointer
	retried configuration gcc 19 -O0 -fno-omit-frame-pointer
fi
finish
