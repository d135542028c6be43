#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Cores of several kinds, each with its own PMU, simulated by programs/kinds.c: generic
# events are opened on each kind and added up, and uncountable ones are reported.
. "$(dirname "$0")/../../support/lib.sh"
. "$top_srcdir/tests/guests/judge.sh"
need_tool
out=$work sysroot=
must_build kinds gcc -shared -fPIC
kinds=$prog
must_build counts clang -O2
program=$prog

# machine BIG LITTLE: creates the kernel's sysfs tree of two PMUs.
machine() {
	local pmu
	rm -rf tree
	mkdir -p tree/software
	echo 1 >tree/software/type
	for pmu; do
		mkdir -p tree/$pmu/{events,format}
		echo event=0x3c >tree/$pmu/events/cpu-cycles
		echo event=0x$((${#pmu} % 10))$([ "$pmu" = "$1" ] && echo 1 || echo 2) >tree/$pmu/events/own_misses
		echo config:0-7 >tree/$pmu/format/event
	done
	echo 4 >tree/$1/type
	echo 10 >tree/$2/type
	echo 0-3 >tree/$1/cpus
	echo 4-7 >tree/$2/cpus
}
on() { # COMMAND…: there
	env KINDS="$work/tree" KINDS_OPENED="$work/opened" LD_PRELOAD="$kinds" "$@"
}
profile() { # NAME OPTIONS…
	local name=$1
	shift
	: >opened
	on "$ompcount" -q -o "$name.omphwc" "$@" -- "$program" >"$name.out" 2>"$name.err"
	echo $? >"$name.status"
	ran "$name"
	json "$name"
	report "$name.omphwc" >"$name.text"
}
# opened KIND EVENT: how often it was opened, by each thread (3) and as a trial.
opened() { below 2 "$(grep -c "^$1 $2\$" opened)"; }

# some A B C: whether A is B to B + C.
some() {
	[ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le $(($2 + $3)) ] && return
	echo "$1 is not from $2 to $(($2 + $3))"
	return 1
}
# had_counter EVENT: the percentage of time with a counter, from the report.
had_counter() {
	local share
	share=$(sed -n "s/^$1, .* had a counter for \([0-9]*\)[.0-9]* % of the time$/\1/p" sampled.text)
	echo "${share:-100}"
}
first_region=$(($(grep -n 'KEEP void team' "$programs/counts.c" | cut -d: -f1) + 2))
row() { regions "$1" "$2" | awk -v k="$3" -v l="${4:-null}" '$1 == k && $2 == l { print $3 }'; }

both() { # BIG LITTLE
	machine "$1" "$2"
	on "$ompcount" list >list 2>&1
	check "$1, $2: list ends well" equal "$?" 0
	check "$2: what it can't count is said" grep -Pzq "cache-misses +[a-z, -]+;[a-z\s]* not\s+on\s+cores\s+of\s+$2\n" list
	check "$1, $2: what both count is not" equal "$(grep -A 1 '^  instructions' list | grep -c 'not on')" 0
	check "$2: its own events are named" grep -q "^ *$2/cpu-cycles/" list
	on "$ompcount" check >check.out 2>&1
	check "$1, $2: check ends well" equal "$?" 0
	check "$1, $2: check names both" grep -Pzq "PMU +($1, $2|$2, $1): counts\s+cycles;\s+one\s+for\s+each" check.out
	profile sampled --delivery signal -e cycles,cache-misses -c 2
	check "$1: cycles are opened there" opened 4 0
	check "$2: cycles are opened there" opened 10 0
	check "$1: cache-misses are opened there" opened 4 3
	check "$2: cache-misses are not" equal "$(grep -c '^10 3$' opened)" 0
	paths sampled cycles:u
	check "sampled: both kinds' samples are the event's" some "$(total sampled.user)" 5500 700
	check "sampled: and their counts" some "$(counted sampled cycles:u)" 5500 700
	# With one kind's time only it would be half; a thread may be preempted between
	# the openings of the two kinds.
	check "sampled: which ran all the time" below 90 "$(had_counter cycles:u)"
	check "sampled: and of one kind, half of it" below "$(had_counter cache-misses:u)" 70
	check "sampled: the report says that it adds up" grep -q '^cores are of several kinds: ' sampled.text
	check "sampled: and what is missing" grep -q "^cache-misses:u: counted by $1, but not by $2\$" sampled.text
	profile counted --count=cycles,cache-misses --count-min 1
	check "counted: cycles are opened there and there" opened 4 0 && opened 10 0
	check "counted: a region's, on both" some "$(row counted 0 region $first_region)" 3000 60
	check "counted: all the time" within "$(total_of counted 0 scaled)" "$(total_of counted 0 value)" 50
	check "counted: all of them" some "$(total_of counted 0 value)" 5500 700
	check "counted: half of the time there, half of it untold" equal "$(total_of counted 1 state)" scaled
	check "counted: half of the misses" some "$(row counted 1 region $first_region)" 1500 30
	check "counted: the report says what is missing" grep -q \
		"^cache-misses:u: counted by $1, but not by $2\$" counted.text
	profile own --delivery signal -e own_misses,r3d -c 2
	check "own: the PMUs' own event is opened on both, by the code of each" equal \
		"$(awk '$2 != 61 && $2 != 0 { print $1, $2 }' opened | sort -nu | paste -sd,)" \
		"4 $(($(sed 's/event=//' "tree/$1/events/own_misses"))),10 $(($(sed 's/event=//' "tree/$2/events/own_misses")))"
	check "own: a raw code is opened on both" equal "$(awk '$2 == 61 { print $1 }' opened | sort -nu | paste -sd,)" 4,10
	paths own own_misses:u
	check "own: both kinds' samples are the event's" some "$(total own.user)" 5500 700
	check "own: and their counts" some "$(counted own own_misses:u)" 5500 700
	check "own: a raw code's counts" some "$(counted own r3d:u)" 5500 700
	check "own: the report says that it may be two events" grep -q '^r3d:u: one code for all kinds' own.text
	profile one --delivery signal -e "$2/cpu-cycles/" -c 2
	check "one: an event of $2 is opened there alone" equal \
		"$(cut -d ' ' -f 1 opened | sort -u)" 10
	check "one: the report has its name" grep -q "^$2/cpu-cycles/:u, sampled every 2: " one.text
}

both cpu_core cpu_atom
both armv8_pmuv3_0 armv8_pmuv3_1
finish
