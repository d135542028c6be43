#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Constructs of one function are separate rows also in a program without lines, with or
# without function names; and each lies in the function that contains it in the source.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# rows KIND: function, place, entries and work of the JSON report's constructs, by entries.
rows() {
	json_constructs report.json |
		grep -F "{\"kind\":\"$1\"" |
		sed 's/"entrants":\[[^]]*\],//; s/"threads":\[{"thread".*//' |
		sed 's/.*"function":"\([^"]*\)".*"place":"\([^"]*\)".*"entries":\([0-9]*\).*"self":.*"work":\([0-9]*\).*/\1 \2 \3 \4/' |
		sort -k 3,3n
}
entries() { cut -d' ' -f3 "$1" | tr '\n' ' '; }
functions() { cut -d' ' -f1 "$1" | sort -u | tr '\n' ' '; }

# by_places SECONDS
by_places() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e cpu-clock -c 250000 -o p.omphwc -- \
		./places "$1" >truth 2>err
}

# places COMPILER OPTIMISATION STRIP N: STRIP are options of strip.  If everything is
# stripped, a body cannot be distinguished from the wrapper that clang generates for -g.
places() {
	local name="$1 $2, strip $3, libomp $4" n both
	set -- "$@" -g
	[ "$3" = --strip-debug ] || set -- "$1" "$2" "$3" "$4" -g0
	build places "$1" "$2" "$5" || { skip "$name: $why"; return; }
	with_runtime "$4" || { skip "$name: $why"; return; }
	strip "$3" -o places "$prog" || { fail "$name: no strip"; return; }
	enough 800 0.3 by_places || { fail "$name: $(tail -n 1 err)"; return; }
	"$ompcount" report --format json -o report.json p.omphwc
	n=$(sed -n 's/^rounds //p' truth)
	rows parallel >parallel
	rows task >task
	rows 'for schedule(dynamic)' >for
	both=$(cut -d' ' -f1 parallel | sort | uniq -d)
	grep "^$both " parallel >solve
	check "$name: two regions of one function" equal "$(entries solve)" "$n $((2 * n)) "
	check "$name: four in all" equal "$(wc -l <parallel)" 4
	check "$name: two kinds of tasks" equal "$(entries task)" "$((8 * n)) $((8 * n)) "
	check "$name: two loops" equal "$(entries for)" "$((2 * n)) $((2 * n)) "
	check "$name: the tasks are in a function with a region" equal \
		"$(functions task)" "$(cut -d' ' -f1 parallel | sort -u | grep -xF "$(functions task | tr -d ' ')") "
	check "$name: so are the loops" equal \
		"$(functions for)" "$(cut -d' ' -f1 parallel | sort -u | grep -xF "$(functions for | tr -d ' ')") "
	# It computes three times longer.
	check "$name: the first region's work is its own" below \
		"$(sed -n '1s/.* //p' solve)" "$(sed -n '2s/.* //p' solve)"
	[ "$3" = --strip-debug ] || return
	check "$name: in solve" equal "$both" solve
	check "$name: tasks in create" equal "$(functions task)" "create "
	check "$name: loops in share" equal "$(functions for)" "share "
	check "$name: and nothing is called as the compiler calls it" equal \
		"$(folded p.omphwc | grep -c 'omp_outlined\|omp_task\|_omp_fn')" 0
}

# before_main COMPILER N: the loader and _start are one row in each table, except in the
# machine view.
before_main() {
	local name="$1, libomp $2: page faults" view by
	build places "$1" -O2 -g || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e page-faults -c 1 -o p.omphwc -- \
		"$prog" 0.1 >truth 2>err || { fail "$name: $(tail -n 1 err)"; return; }
	folded --view machine p.omphwc >machine
	if ! grep -qE '^(_start|_dl_[a-z_]*)[; ]' machine; then
		skip "$name: none before main was sampled"
		return
	fi
	for view in user expert; do
		folded --view $view p.omphwc >paths
		check "$name, $view: all else begins at main" equal \
			"$(grep -cvE '^(main[; ]|<|\(before or after main\) |\(C library alone\) )' paths)" 0
		check "$name, $view: and it is there" grep -q '^(before or after main) ' paths
		for by in function line address path; do
			"$ompcount" report --view $view --by $by --limit 0 p.omphwc >table
			check "$name, $view: by $by" equal "$(grep -cE '(_start|_dl_[a-z]+)( |$)' table)" 0
		done
	done
	check "$name: the machine view has it as it was" equal "$(grep -c 'before or after' machine)" 0
}

command -v strip >/dev/null || skip_all "no strip"
for cc in clang gcc; do
	for opt in -O0 -O2; do
		for what in --strip-all --strip-debug; do
			places $cc $opt $what 16
		done
	done
done
before_main clang 16
before_main gcc 16
places clang -O2 --strip-all 14
places clang -O2 --strip-all 19
finish
