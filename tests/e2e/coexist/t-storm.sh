#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# One thread repeatedly loads and unloads a library while others allocate and execute code that
# they make, all sampled at 10 kHz: nothing hangs, and every call returns the right result.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
seconds=3
[ -z "$long" ] || seconds=60

build plugin gcc -shared -fPIC || build plugin clang -shared -fPIC || skip_all "$why"
plugin=$prog
storm() {
	local what=$1
	shift
	timeout -k 5 $((seconds * 3 + 30)) "$@" "$prog" "$plugin" $seconds >out 2>err
	case $? in
	0) check "$what" equal "$(cat out)" "sum ok" ;;
	124 | 137) fail "$what: hung" ;;
	*) fail "$what: $(tail -n 1 err)" ;;
	esac
}

for cc in clang gcc; do
	build dlstorm $cc -O2 || { skip "$cc: $why"; continue; }
	storm "$cc, under ompcount" "$ompcount" -F 10000 -o $cc.omphwc --
	folded $cc.omphwc >user
	check "$cc: the storm is in the profile" below 0 "$(share user '(^|;)storm;')"
	check "$cc: the allocations too" below 0.1 "$(share user ';churn[; ]')"
	[ $cc = clang ] || continue
	storm "clang, with OMP_TOOL_LIBRARIES" \
		env OMP_TOOL_LIBRARIES="$tool" OMPHWC_OUTPUT=tool.omphwc OMPHWC_FREQ=10000
	check "clang, with OMP_TOOL_LIBRARIES: it reads" folded tool.omphwc
done

# By the table that stands in for what glibc before 2.35 lacks.
export OMPHWC_OBJECT_TABLE=1
if build dlstorm gcc -O2; then
	storm "by the table" "$ompcount" -F 10000 -o table.omphwc --
	check "by the table: it reads" folded table.omphwc
fi

# shares: how the samples of late.omphwc are shared out, in percent: those in late code for each
# place, and those whose code is not known.
shares() {
	folded late.omphwc | awk '{ all += $NF }
		/idle|barrier/ { all -= $NF }
		/;own_region;(<[^;]*>;)*late_work/ { own += $NF } /;serial;late_work/ { serial += $NF }
		/;late_region;(<[^;]*>;)*late_work/ { late += $NF } /;0x[0-9a-f]+ / { unknown += $NF }
		END { printf "%d %d %d %d\n", own * 100 / all + 0.5, serial * 100 / all + 0.5,
			late * 100 / all + 0.5, unknown * 100 / all + 0.5 }'
}
# near A B: two such lines differ by 8 at most in each: what is not known is a fortieth of the time, of each of three threads.
near() { echo "$1 is not $2"; echo "$1 $2" | awk '{ for (i = 1; i <= 4; i++) if ($i - $(i + 4) > 8 || $(i + 4) - $i > 8) exit 1 }'; }
for cc in gcc clang; do
	build latecode $cc -O2 -fopenmp -DPLUGIN -shared -fPIC || { skip "$cc: $why"; continue; }
	late=$prog.so
	mv "$prog" "$late"
	build latecode $cc -O2 || { skip "$cc: $why"; continue; }
	for OMPHWC_OBJECT_TABLE in 0 1; do
		"$ompcount" -q -e cpu-clock -F 1000 -o late.omphwc -- "$prog" "$late" 1 >out 2>err ||
			fail "$cc: $(tail -n 1 err)"
		shares >shares.$OMPHWC_OBJECT_TABLE
	done
	check "$cc: late code is where it is" near "$(cat shares.0)" "29 14 29 0"
	check "$cc: and by the table, once a region has begun" near "$(cat shares.1)" "$(cat shares.0)"
done
finish
