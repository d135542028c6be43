#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A region's work by the size of the team that did it, as ompt_get_parallel_info shows it.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

run() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -e cpu-clock -c 250000 -o p.omphwc -- "$prog" "$1" >truth 2>err
}

# The teams of the regions that told their size: lines "THREADS SAMPLES", those of work.
teams() {
	"$ompcount" report --format json p.omphwc | grep -oE \
		'"threads":[0-9]+,"stale":false,"self":\[\{"samples":[0-9]+,"weight":[0-9]+,"work":[0-9]+' |
		sed -E "s/\"threads\":([0-9]+).*\"work\":([0-9]+)/\1 \2/" |
		awk '{ print $1, $2 / 250000 }'
}

ran_with() {
	local name path
	name="$1, $(runtime_name $2)"
	build teams "$1" -O2 || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	enough 5000 1 run || { fail "$name: $(tail -n 1 err)"; return; }
	teams >sizes
	check "$name: teams of two sizes" equal "$(cut -d' ' -f1 sizes | sort -n | tr '\n' ' ')" "1 2 "
	check "$name: the share of two threads" agrees \
		"$(awk '{ all += $2 } $1 == 2 { two = $2 } END { printf "%.4f\n", two / all }' sizes)" \
		"$(cat truth)" "$(awk '{ all += $2 } END { printf "%d", all }' sizes)" 0.5 20
	check "$name: the report says it" grep -qE 'ran with 2 threads for [0-9.]* %, 1 thread for [0-9.]* %' \
		<("$ompcount" report --limit 0 p.omphwc)
}

for n in 14 16 19; do
	ran_with clang $n
done
ran_with gcc gomp
finish
