#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A thread that leaves a cancelled loop is no longer in it, though some runtimes don't report the loop's end.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
why=

profiled() { # SECONDS, which the program does not take
	rm -f p.omphwc
	OMP_CANCELLATION=true LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e cpu-clock -F 2000 \
		-o p.omphwc -- "$prog" >out 2>err || { fail "$name: $(tail -n 1 err)"; return 1; }
}

# samples CONSTRUCT FUNCTION: the samples of such constructs whose path has the function.
samples() {
	"$ompcount" report --by construct --format csv --focus "$2" p.omphwc | awk -F, -v kind="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		index($at["kind"], kind) == 1 { n += $at["cpu-clock:u_samples"] }
		END { print n + 0 }'
}

judge() { # RUNTIME COMPILER OPTION
	local name="$2 $3, $(runtime_name "$1")"
	with_runtime "$1" || { skip "$name: $why"; return; }
	build cancelled "$2" "$3" || { skip "$name: $why"; return; }
	steadily profiled 1 || return
	check "$name: work behind the loop is the region's" below 500 "$(samples parallel behind)"
	check "$name: and not the loop's" equal "$(samples for behind)" 0
	check "$name: the loop has its own" below 100 "$(samples for .)"
}

for opt in -O0 -O2; do
	judge gomp gcc $opt
	for n in 14 16 19; do
		judge $n clang $opt
	done
done
finish
