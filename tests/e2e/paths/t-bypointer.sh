#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Regions and tasks of functions that are on no stack: they end in a tail call of the runtime, and
# were called by a pointer, so that the code does not show them either. libgomp's wrappers report the
# body; on libomp the bodies' frames tell samples apart, and the rest is said not to be known.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
why=
source=$programs/bypointer.c
calls=20
line() { grep -n -F "/* $1 */" "$source" | cut -d: -f1; }

profiled() { # SECONDS, which the program does not take; and its arguments
	shift
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e cpu-clock -F 4000 -o p.omphwc \
		-- "$prog" "$@" >out 2>err || { fail "$name: $(tail -n 1 err)"; return 1; }
}

# field ROW COLUMN FILE: of the row that begins so.
field() {
	awk -F, -v row="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		index($0, row) == 1 { print $at[column] }' "$3"
}

judge() { # RUNTIME COMPILER OPTION
	local name="$2 $3, $(runtime_name "$1")" f n a b
	with_runtime "$1" || { skip "$name: $why"; return; }
	build bypointer "$2" "$3" || { skip "$name: $why"; return; }
	steadily profiled 1 || return
	"$ompcount" report --by region --format csv p.omphwc >regions.csv
	"$ompcount" report --by task --format csv p.omphwc >tasks.csv
	for f in shortly longer; do
		n=$calls
		[ "$2:$3" != clang:-O2 ] || n=
		check "$name, $f: its row and entries" equal \
			"$(field "$f:$(line $f) " entries regions.csv)" "$n"
	done
	a=$(field "shortly:$(line shortly) " cpu-clock:u_samples regions.csv)
	b=$(field "longer:$(line longer) " cpu-clock:u_samples regions.csv)
	check "$name: regions' shares" agrees "$(awk "BEGIN { print $a / ($a + $b) }")" 0.3333 $((a + b)) 1
	check "$name: paths" equal "$(folded p.omphwc | grep -c '^main;crunch')" 0
	a=$(field task,small_task, cpu-clock:u_samples tasks.csv)
	b=$(field task,large_task, cpu-clock:u_samples tasks.csv)
	check "$name: tasks' shares" below "$a" "$b"
	for f in small_task large_task; do
		check "$name, $f: its line" equal "$(field task,$f, line tasks.csv)" "$(line $f)"
		[ "$2:$3" = clang:-O2 ] ||
			check "$name, $f: created" equal "$(field task,$f, created tasks.csv)" $calls
	done
}

judge gomp gcc -O0
judge gomp gcc -O2
[ -z "$long" ] || judge gomp gcc -O3
[ -z "$long" ] || judge gomp gcc -Os
judge 14 clang -O0
judge 14 clang -O2
"$ompcount" report --limit 0 p.omphwc >text
check "what is not known of regions is said" grep -q \
	" $((2 * calls)) .*main:$(line call) (bypointer.c), in a function called there\$" text
check "the efficiency is known" below 0 "$(grep -c "^parallel efficiency [0-9]" text)"
check "and by what" grep -q "its part of the elapsed time is that of its samples" text
"$ompcount" report --by task --limit 0 p.omphwc >text
check "and of tasks" grep -q " $((2 * calls)) .*task in main (bypointer.c:$(line task_call)), in a function called there\$" text

# One that is alone at its call has the counts, which says how that is known.
for n in 14 16 19; do
	name="clang -O2, alone, $(runtime_name $n)"
	with_runtime $n && build bypointer clang -O2 || { skip "$name: $why"; continue; }
	steadily profiled 1 alone || continue
	"$ompcount" report --by region --format csv p.omphwc >regions.csv
	"$ompcount" report --by task --format csv p.omphwc >tasks.csv
	for column in entries by_samples; do
		check "$name, region: $column" equal \
			"$(field "shortly:$(line shortly) " $column regions.csv)" \
			$([ $column = entries ] && echo $((2 * calls)) || echo 1)
	done
	for column in created by_samples; do
		check "$name, task: $column" equal "$(field task,small_task, $column tasks.csv)" \
			$([ $column = created ] && echo $((2 * calls)) || echo 1)
	done
	check "$name: no row for the call" equal "$(grep -c 'called there' regions.csv tasks.csv | grep -c ':0$')" 2
	"$ompcount" report --limit 0 p.omphwc >text
	check "$name: the text says so" equal "$(grep -c 'identified by samples' text)" 2
done

# Waits are of the region that they are in.
for opt in ${long:+-O2} -O3; do
	name="gcc $opt, uneven, libgomp"
	with_runtime gomp && build bypointer gcc $opt && steadily profiled 1 uneven || continue
	"$ompcount" report --by region --format csv p.omphwc >regions.csv
	check "$name: rows" equal "$(awk -F, '$2 == "region" { print $1 }' regions.csv | sort | tr '\n' ' ')" \
		"$(for f in longer main shortly; do echo "$f:$(line $([ $f = main ] && echo tasks || echo $f)) (bypointer.c)"; done | tr '\n' ' ')"
	check "$name: waits" below 100 "$(field "shortly:$(line shortly) " cpu-clock:u_wait_ns regions.csv)"
	check "$name: the efficiency" equal "$("$ompcount" report p.omphwc | grep -c '^parallel efficiency [0-9]')" 1
done

# Which thread is late is not concluded from waits of several regions together.
name="clang -O2, uneven"
if with_runtime 16 && build bypointer clang -O2; then
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime "$ompcount" -q -e wall -F 2000 -o p.omphwc -- "$prog" uneven >out 2>err
	"$ompcount" report p.omphwc | sed '1,/^findings/d' >text
	grep -A1 'imbalance in main:[0-9]* (bypointer.c), in a function called there' text >found
	if [ ! -s found ] && "$ompcount" report p.omphwc | grep -q 'waiting for a CPU\|waited for a CPU'; then
		skip "$name: other programs had the CPUs"
	else
		check "$name: there is imbalance" grep -q 'a call by a pointer begins several regions there' found
	fi
	check "$name: but no thread is named" equal "$(grep -c 'now another\|works .* there' found)" 0
fi

# ---- names that differ in the debug information and in symbols

source=$programs/cxxnames.cc
for opt in -O0 -O2; do
	name="g++ $opt"
	with_runtime gomp && build cxxnames gcc $opt -Wl,--no-as-needed -lstdc++ || { skip "$name: $why"; continue; }
	steadily profiled 1 || continue
	"$ompcount" report --by region --format csv p.omphwc | sed 's/^"\([^"]*\)"/\1/' >regions.csv
	for f in hidden instance lambda overload_int; do
		check "$name, $f: one row" equal \
			"$(grep -c ":$(line $f) (cxxnames.cc),region" regions.csv)" 1
		# Thread 1 works twice as long, so that the master waits.
		check "$name, $f: with the master's waits" below 0 \
			"$(grep ":$(line $f) (cxxnames.cc),region" regions.csv | rev | cut -d, -f2 | rev)"
	done
	check "$name: no others" equal "$(grep -c ' (cxxnames.cc),region' regions.csv)" 5
	"$ompcount" report --by construct --focus '^caught' --limit 0 p.omphwc >text
	check "$name: what a single catches may be its" equal "$(grep -c ' parallel in catches' text)" 0
done
finish
