#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads unknown to OpenMP are profiled as well as OpenMP's.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

run() {
	rm -f p.omphwc
	"$ompcount" -e cpu-clock -c 250000 -o p.omphwc -- "$prog" "$1" >truth 2>err
}

threads() {
	local cc=$1 f true_share
	build threads "$cc" -O2 || { skip "$cc: $why"; return; }
	enough 8000 1.1 run ||
		{ fail "$cc: $(tail -n 1 err)"; return; }
	folded p.omphwc >user
	grep -E '[;](team|helper|guest|brief)_work[; ]' user >works
	check "$cc: most of it is the work" below 0.5 "$(share user '[;](team|helper|guest|brief)_work[; ]')"
	# The first moments of a thread's work come before its counter is opened.
	while read -r f true_share; do
		[ "$f" = briefs ] && continue
		check "$cc: $f" agrees "$(share works "[;]$f[; ]")" "$true_share" \
			"$(samples_in works p.omphwc)" 0.5
	done <truth
	check "$cc: helper_work has its thread's path" \
		equal "$(grep -E ';helper_work[; ]' user | grep -cv '^helper;helper_work[; ]')" 0
	check "$cc: a region in such a thread too" \
		equal "$(grep -E ';guest_work[; ]' user | grep -cv '^guest;guest_work[; ]')" 0
}

run_briefly() {
	rm -f p.omphwc
	"$ompcount" -e "$events" -c 1000000 -o p.omphwc -- "$prog" "$1" >truth 2>err
}

# Threads that live for less than a period, by both ways in which samples come: with two sampled
# events no counter sends SIGTRAP.
briefly() {
	local events=$1
	enough 6000 3.3 run_briefly || { fail "briefly: $(tail -n 1 err)"; return; }
	folded p.omphwc | grep -E '[;](brief|lasting)_work[; ]' >works
	# What a sample costs is a part of the period, but not of the first one.
	check "brief threads have their share of the samples of $events" agrees \
		"$(share works '[;]brief_work[; ]')" "$(awk '/^brief_work/ { print $2 }' truth)" \
		"$(samples_in works p.omphwc)" 1.5
}

# many KIND N: how many threads there were, at one time, and how many OpenMP needed.
many() {
	"$ompcount" -q -e cpu-clock -o many.omphwc -- "$prog" "$@" >out 2>err || fail "$*: $(tail -n 1 err)"
	"$ompcount" report --format json many.omphwc >many.json
	sed -n 's/.*"threads":\([0-9]*\),"threads_most":\([0-9]*\),"threads_initial":\([0-9]*\),"threads_worker":\([0-9]*\),"threads_in_others_records":\([0-9]*\).*"openmp_threads":\([0-9]*\).*/\1 \2 \3 \4 \5 \6/p' \
		many.json >counts
	read -r all most initial workers shared openmp <counts
}

many_threads() {
	local all most initial workers shared openmp
	build manythreads "$1" -O2 || { skip "$1: $why"; return; }
	many short 1500
	check "$1: 1,500 threads and the first, three at one time" equal "$all $most" "1501 3"
	# Two that begin at one time may both take the last.
	check "$1: the rows are 1,024 or 1,025" equal $(((all - shared) / 2)) 512
	many teams 300
	check "$1: teams of six at most" equal "$initial $openmp" "1 6"
	many nested 200
	check "$1: three teams of two at most" equal "$initial $openmp" "1 6"
	many initial 500
	check "$1: 500 initial threads, one after another, with two workers" equal "$initial $openmp" "500 3"
	check "$1: and where the time went" grep -q '"time_unknown":null' many.json
}

many_threads clang
many_threads gcc
threads clang
threads gcc
build briefly gcc -O2 && briefly cpu-clock && briefly cpu-clock,page-faults
finish
