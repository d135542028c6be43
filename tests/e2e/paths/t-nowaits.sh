#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What follows a single with nowait is not the single's, though gcc's code does not show where that
# ends; where it can't be known, the report says so. The constructs for which gcc calls functions
# without a place in the source are at the first line of their code.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
why=
source=$programs/nowaits.c
line() { grep -n -F "/* $1 */" "$source" | cut -d: -f1; }

# value FUNCTION FIELD: of its single in report.json. work: a share of all work.
value() {
	json_constructs report.json | grep -F '{"kind":"single' | grep -F "\"function\":\"$1\"" |
		case $2 in
		line) sed 's/.*"line":\([^,]*\),.*/\1/' ;;
		kind) sed 's/{"kind":"\([^"]*\)".*/\1/' ;;
		elapsed) sed 's/.*"elapsed_ns":\([^,}]*\)[,}].*/\1/' ;;
		work) sed 's/"threads":\[.*//; s/.*"self":\[{.*"work":\([0-9]*\),.*/\1/' ;;
		esac
}

profiled() { # SECONDS
	rm -f p.omphwc
	OMP_WAIT_POLICY=active LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e cpu-clock \
		-F 4000 -o p.omphwc -- "$prog" "$1" >out 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return 1; }
	"$ompcount" report --format json -o report.json p.omphwc
}

work() {
	json_constructs report.json | sed 's/"threads":\[.*//' |
		sed -n 's/.*"self":\[{.*"work":\([0-9]*\),.*/\1/p' | awk '{ n += $1 } END { print n + 0 }'
}

judge() { # RUNTIME COMPILER OPTION [FLAG]
	local name="${*:2}, $(runtime_name "$1")" f all truth share
	with_runtime "$1" || { skip "$name: $why"; return; }
	build nowaits "${@:2}" || { skip "$name: $why"; return; }
	enough 5000 0.8 profiled || return
	all=$(work)
	for f in in_loop called_last with_switch waited_for at_end; do
		truth=$(awk -v f=$f '{ n[$1] = $2 } END { printf "%.4f\n", n[f] / n["all"] }' out)
		share=$(awk -v n="$(value $f work)" -v all="$all" 'BEGIN { printf "%.4f\n", n / all }')
		# Only libgomp reports that a function is a region's body, behind which nothing follows.
		case $1:$2:$3:$f in
		*:gcc:-O[23]:called_last | 14:gcc:*:at_end)
			check "$name, $f: may be what follows" equal "$(value $f kind)" "single or what follows"
			check "$name, $f: has its work, or more" awk -v s="$share" -v t="$truth" 'BEGIN { exit s < t * 0.8 }'
			;;
		*)
			check "$name, $f: is one" equal "$(value $f kind)" single
			check "$name, $f: has its work" agrees "$share" "$truth" "$(samples p.omphwc)" 0.5
			;;
		esac
		[ "$2" != gcc ] || check "$name, $f: its line" equal "$(value $f line)" "$(line $f)"
		if [ "$1:$f" = gomp:waited_for ] || [ "$2" = clang ]; then
			check "$name, $f: its time is known" below 0 "$(value $f elapsed)"
		else
			check "$name, $f: its time is not" equal "$(value $f elapsed)" null
		fi
	done
}

for opt in -O0 ${long:+-O1} -O2 -O3; do
	judge gomp gcc $opt
done
judge 14 gcc -O2
[ -z "$long" ] || judge gomp gcc -O2 -fno-plt
judge 14 clang -O2
finish
