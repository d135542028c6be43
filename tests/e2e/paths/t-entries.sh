#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Entries of synchronization constructs are counted exactly, and their times are at least
# those that the program measures inside.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

source=$programs/entries.c

# line MARK: the number of the source line with it.
line() { grep -n -F "/* $1 */" "$source" | cut -d: -f1; }

# number NAME: the first one in the line on standard input: that of the construct itself.
number() { grep -o "[{,]\"$1\":[0-9]*" | head -n 1 | grep -o '[0-9]*$'; }

# Mark, kind, function and name of each construct: gcc gives some of them other lines.
declare -A is=(
	[unnamed]='critical in_unnamed (unnamed)' [critical]='critical in_critical queue'
	[ordered]='ordered in_ordered' [barrier]='barrier at_barrier'
	[taskwait]='taskwait at_taskwait' [taskgroup]='taskgroup in_taskgroup'
	[first]='lock hand_over_hand first_lock' [second]='lock hand_over_hand second_lock'
	[tried]='lock try first_lock' [nested]='lock nested nest_lock'
	[elsewhere]='lock elsewhere second_lock'
)

# row MARK: its element in the JSON report's constructs.
row() {
	local kind function name
	read -r kind function name <<<"${is[$1]}"
	[ -n "$name" ] && name="\"$name\"" || name=null
	json_constructs report.json |
		grep -F "{\"kind\":\"$kind\",\"name\":$name,\"function\":\"$function\""
}

# kinds KIND: the functions that have constructs of that kind, or that may be of it.
kinds() {
	grep -o "{\"kind\":\"$1[^\"]*\",\"name\":null,\"function\":\"[^\"]*" report.json |
		sed 's/.*"//' | sort -u | paste -sd ' '
}

# entries NAME COMPILER N
entries() {
	local name=$1 path mark count least found sum
	with_runtime "$3" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$2" = clang ] || path=$runtime/gomp
	LD_LIBRARY_PATH=$path "$ompcount" -q -e cpu-clock --entries -o p.omphwc -- "$prog" >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	"$ompcount" report --format json -o report.json p.omphwc || fail "$name: no report"
	check "$name: nothing was lost" grep -q '"entries":0,"nested_regions":0,"nested_constructs":0,"nested_counts":0,"unrecorded":0,"other":0' report.json
	while read -r mark count least; do
		found=$(row "$mark")
		check "$name, $mark: is there once" equal "$(echo "$found" | grep -c .)" 1
		[ "$2" = gcc ] ||
			check "$name, $mark: its line" equal "$(echo "$found" | number line)" "$(line "$mark")"
		check "$name, $mark: entries" equal "$(echo "$found" | number entries)" "$count"
		sum=$(echo "$found" | sed 's/.*"entrants":\[\([^]]*\)\].*/\1/' | grep -o '"entries":[0-9]*' |
			awk -F: '{ n += $2 } END { print n }')
		check "$name, $mark: entries by thread" equal "$sum" "$count"
		[ "$mark" != elsewhere ] || continue
		check "$name, $mark: all ends" equal "$(echo "$found" | number ended)" "$count"
		check "$name, $mark: inside" below "$((least - 1))" "$(echo "$found" | number elapsed_ns)"
		check "$name, $mark: the longest, of these" below "$(echo "$found" | number longest_ns)" \
			$(($(echo "$found" | number elapsed_ns) + 1))
	done <truth
	[ "$3" = gomp ] || return
	# gcc ends single with GOMP_barrier, here behind an unrolled loop.
	check "$name: the end of single is no directive" equal "$(kinds barrier)" at_barrier
	check "$name: the end of taskgroup is no taskwait" equal "$(kinds taskwait)" "at_taskwait elsewhere"
}

if build entries clang -O2; then
	for n in 14 16 19; do
		entries "clang, libomp $n" clang $n
	done
	"$ompcount" report --by construct --limit 0 p.omphwc >text
	check "the text tells of locks" grep -q ' 2,000  lock (first_lock) in hand_over_hand' text
	check "and of who was inside" grep -q 'from entry to exit, the longest .*; a thread: least' text
	check "and does not send for what it has" equal "$(grep -c -e --entries text)" 0
	# Without --entries nothing is counted.
	"$ompcount" -q -e cpu-clock -o plain.omphwc -- "$prog" >/dev/null
	"$ompcount" report --format json -o report.json plain.omphwc
	check "not by default" equal "$(grep -c '"ended":[0-9]' report.json)" 0
else
	skip "clang: $why"
fi
if build entries gcc -O2; then
	for n in gomp 14 ${long:+16 19}; do
		entries "gcc, $(runtime_name $n)" gcc $n
	done
else
	skip "gcc: $why"
fi

# ---- gcc's copies of a barrier, and barriers that it adds

# barriers FUNCTION: kind, line and entries of its barriers.
barriers() {
	json_constructs report.json |
		grep -F '{"kind":"barrier' | grep -F "\"function\":\"$1\"" |
		sed 's/{"kind":"\([^"]*\)".*"line":\([0-9]*\),"place.*"count":[^,]*,"entries":\([0-9]*\),.*/\1 \2 \3/'
}

source=$programs/barriers.c
for what in -O0 "-O2 -fno-plt" -O3; do
	name="barriers, gcc $what"
	# shellcheck disable=SC2086
	with_runtime gomp && build barriers gcc $what || { skip "$name: $why"; continue; }
	LD_LIBRARY_PATH=$runtime/gomp "$ompcount" -q -e cpu-clock --entries -o p.omphwc -- "$prog" >out \
		2>err || { fail "$name: $(tail -n 1 err)"; continue; }
	"$ompcount" report --format json -o report.json p.omphwc
	check "$name: copies of one directive are one" equal "$(barriers copied)" \
		"barrier $(line copied) 10"
	check "$name: copies of an end are no directive" equal "$(barriers copied_end)" ""
	for f in first_and_last copied_in; do
		check "$name, $f: may be a directive" equal \
			"$(barriers $f | sed 's/ [0-9]* / /')" "barrier or end of a construct 10"
	done
done

# ---- libgomp's barriers are counted always, without times

# passes KIND FUNCTION: entries of each construct of that kind in it.
passes() {
	json_constructs report.json | grep "^{\"kind\":\"$1" | grep -F "\"function\":\"$2\"" |
		grep -o '"count":[^,]*,"entries":[0-9]*,"elapsed_ns":[a-z0-9]*' | cut -d, -f2- | sort | paste -sd ' '
}

counted='"elapsed_ns":null'
for what in -O1 -O2; do
	name="passes, gcc $what"
	with_runtime gomp && build passes gcc $what || { skip "$name: $why"; continue; }
	LD_LIBRARY_PATH=$runtime/gomp "$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" >out 2>err ||
		{ fail "$name: $(tail -n 1 err)"; continue; }
	"$ompcount" report --format json -o report.json p.omphwc
	check "$name: static loops have those of the barriers at their ends" equal \
		"$(passes for loops)" "\"entries\":1000,$counted \"entries\":1000,$counted"
	check "$name: and these are no barriers" equal "$(passes barrier loops)" ""
	check "$name: barriers" equal "$(passes barrier barriers)" "\"entries\":600,$counted"
	check "$name: the end of a region is none" equal "$(passes barrier regions)" ""
done
finish
