#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program with a gap of pages between its segments is unwound correctly, with its data
# or its code behind the gap.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
far=0x8000000

# holed COMPILER N SECTION FLAG…: profiles it with the section linked far away.
holed() {
	local cc=$1 n=$2 section=$3 name="$1, libomp $2, $3 behind the hole${4:+, ${*:4}}"
	with_runtime "$n" && build paths "$cc" -O2 -Wl,-z,separate-code \
		"-Wl,--section-start=$section=$far" "${@:4}" || { skip "$name: $why"; return; }
	[ "$cc" = clang ] || runtime+=/gomp
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime "$ompcount" -q -e cpu-clock -c 200000 -o p.omphwc -- \
		"$prog" nested 0.3 >out 2>err || { fail "$name: $(tail -n 1 err)"; return; }
	folded p.omphwc >found
	check "$name: there are samples" below 300 "$(total found)"
	check "$name: nothing is unknown" equal "$(grep -c '<unknown' found)" 0
	check "$name: stacks begin with main" below 0.9 "$(share found '^(main;|<OMP-idle>)')"
}

holed gcc 14 .init_array
holed gcc 14 .text -no-pie
holed clang 14 .init_array -no-pie
holed clang 14 .text
finish
