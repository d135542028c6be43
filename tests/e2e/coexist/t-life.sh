#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that uses threads, processes, stacks, signals and descriptors in many ways
# behaves the same under ompcount at a high rate, and its profile is readable.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# Its stack is deeper than the recorded maximum.
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
			check "$cc, $delivery: $kind: little is unknown" little_unknown
	done
}

# glibc gives clone() no unwind rules between its system call and the child's first instruction. Where
# a child's first page fault takes long, a sample of each child falls there; the others, one or two.
declare -A children=([clones]=30)

little_unknown() {
	[ "$(matching all '<unknown>')" -le $(($(total all) / 50 + (2 + ${children[$kind]:-0}) * 200000)) ]
}

# matching FILE REGEX: the sum of the counts of the folded lines that match.
matching() { awk -v re="$2" '$0 ~ re { n += $NF } END { printf "%.0f\n", n }' "$1"; }

# read_all: writes the user views of all profiles here to the file `all'.
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
