#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What a region calls is the region's work on every thread, also where no stack leads back to it:
# in a coroutine, and behind code without unwind rules.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
why=

profiled() { # SECONDS
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e cpu-clock -F 4000 -o p.omphwc \
		-- "$prog" "$1" >out 2>err || { fail "$name: $(tail -n 1 err)"; return 1; }
}

# of ROW: the part of all samples that are of that region.
of() {
	awk -F, -v row="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n = $at["cpu-clock:u_samples"]; all += n; if (index($1, row) == 1) hit += n }
		END { printf "%.4f\n", all ? hit / all : 0 }' regions.csv
}

judge() { # RUNTIME COMPILER OPTION
	local name="$2 $3, $(runtime_name "$1")" f
	with_runtime "$1" || { skip "$name: $why"; return; }
	build elsewhere "$2" "$3" || { skip "$name: $why"; return; }
	enough 3000 1 profiled || return
	"$ompcount" report --by region --format csv -o regions.csv p.omphwc
	folded p.omphwc | grep -E ';(directly|by_coroutine|by_untold|by_untold_too)[; ]' >work
	check "$name: none of it is serial" below "$(of '(serial)')" 0.02
	# But for single samples at a body's first and last instructions.
	check "$name: none of it is of no region" below "$(of '(region not known)')" 0.002
	for f in directly by_coroutine by_untold by_untold_too; do
		check "$name, $f: a quarter of the work" agrees "$(share work ";$f[; ]")" 0.25 \
			"$(samples_in work p.omphwc)" 1
		check "$name, $f: is called from main" equal "$(grep ";$f[; ]" work | grep -cv '^main;')" 0
		check "$name, $f: works" equal "$(grep ";$f[; ]" work | grep -c '<OMP')" 0
	done
}

judge gomp gcc -O0
judge gomp gcc -O2
judge 14 clang -O2
judge 19 clang -O2
finish
