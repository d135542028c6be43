#!/bin/bash
# Whatever a program does with threads, processes, stacks, signals and descriptors,
# it does the same under ompcount, sampled fast, and there is a profile to read.
. "$(dirname "$0")/lib.sh"
need_tool

# Its stack is deeper than any that is kept.
unknown_is_right() { [ "$1" = recursion ]; }

lives() {
	local cc=$1 delivery=$2 kind f
	build life "$cc" -O1 || { skip "$cc: $why"; return; }
	for kind in $("$prog"); do
		rm -f ./*.omphwc
		timeout -k 5 60 "$ompcount" -q --delivery "$delivery" -F 5000 -e cpu-clock \
			-o 'life-%p.omphwc' -- "$prog" "$kind" >out 2>err
		check "$cc, $delivery: $kind" equal "$? $(cat out) $(head -c 200 err)" "0 ${expect[$kind]:-$kind 0} "
		check "$cc, $delivery: $kind: its profiles read" read_all
		unknown_is_right "$kind" ||
			check "$cc, $delivery: $kind: little is unknown" below "$(share all '<unknown>')" 0.02
	done
}

# read_all: the user views of all profiles here, in the file `all'.
read_all() {
	local f
	: >all
	for f in life-*.omphwc; do
		folded "$f" >>all || return
	done
}

declare -A expect=([becomes_another]="profiler_of_its_own 0")
lives clang auto
[ -z "$long" ] || { lives clang signal; lives gcc signal; lives gcc sigtrap; }
finish
