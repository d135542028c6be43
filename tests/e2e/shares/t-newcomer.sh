#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Who does not know a program finds what is wrong with it: each fault of tests/newcomer is on the
# first screen, or in what one command shows that the screen names, and not where it is mended.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"
[ "$(nproc)" -ge 2 ] || skip_all "one CPU: two threads never run at a time"
programs=$top_srcdir/tests/newcomer
tries=3 # of a run that other programs disturbed
seconds=100 # after which no more faults are tried: a busy machine takes longer
[ -z "$long" ] || seconds=10000
least=0.02 # of the run: a finding that is worth less is none

# feed: what sensor.c reads, in bursts as sensors send it, or at once.
feed() {
	local i
	for ((i = 0; i < 24; i++)); do
		head -c 32768 /dev/zero | tr '\0' a
		[ "$1" = mended ] || sleep 0.02
	done
}
feed mended >input

# build_form FORM KIND: the program as is or mended.
build_form() {
	local kind=$2 flags=
	case $source:$kind in
	*.cpp:gcc) kind=${gcc:+${gcc%gcc*}g++${gcc##*gcc}} ;;
	*.cpp:clang) kind=${clang:+${clang%clang*}clang++${clang##*clang}} ;;
	*) kind=${!kind} ;;
	esac
	[ -n "$kind" ] || { why="no $2"; return 1; }
	[ "$1" = asis ] && [ "$how" = - ] || flags=-DMENDED
	case $source in
	*.f90) flags="$flags -cpp -J $work" ;;
	esac
	"$kind" -g -O2 -fopenmp $flags -o "$1" "$programs/$source" -lm -lpthread >build.log 2>&1 && return
	why="$kind cannot build it: $(tail -n 1 build.log)"
	return 1
}

# run FORM [OPTION...]: profiles it; the first screen is in FORM.screen.
run() {
	local form=$1 environment=
	shift
	[ "$form" = mended ] || [ "$how" = - ] || environment=$how
	rm -f "$form.omphwc"
	if [ "$source" != sensor.c ]; then
		env LD_LIBRARY_PATH="$path" $environment "$ompcount" "$@" -o "$form.omphwc" -- "./$form"
	elif [ "$form" = mended ]; then
		LD_LIBRARY_PATH=$path "$ompcount" "$@" -o mended.omphwc -- ./mended <input
	else
		feed asis | LD_LIBRARY_PATH=$path "$ompcount" "$@" -o asis.omphwc -- ./asis
	fi >out 2>"$form.screen" </dev/null
}

# scaled FORM: as run, with scale.
scaled() {
	rm -rf "$1.scale"
	LD_LIBRARY_PATH=$path "$ompcount" scale -q --threads 1,2 -f json --table "$1.json" "./$1" >out 2>err
}

# options: those of the command that the screen has to name, without its name.
options() { [ "$then" = - ] || echo "${then#ompcount }"; }

# reported FORM: the report in FORM.json which has to lead to the fault.
reported() {
	run "$1" || return
	[ "$rules" != scale ] || { scaled "$1"; return; }
	if [ "$then" != - ]; then
		cp "$1.screen" "$1.first"
		run "$1" $(options) && mv "$1.first" "$1.screen" || return
	fi
	"$ompcount" report --format json "$1.omphwc" >"$1.json"
}

# found FORM: whether the report leads to the fault.
found() {
	local line
	line=$(grep -n '\<here\>' "$programs/$source" | cut -d : -f 1)
	python3 "$programs/found.py" "$rules" "$place" "${line:-0}" "$source" "$helps" <"$1.json" >found 2>&1
}

# is_on_screen: whether the first screen has the finding, or the command that has it.
is_on_screen() {
	local what
	if [ "$then" = - ]; then
		what=$(cut -f 2 found)
	else
		what=$then
	fi
	grep -qF -- "$what" asis.screen && return
	echo "the screen has no \"$what\""
	return 1
}

# busy FORM: why it cannot be judged; nothing where the program had the machine alone.
busy() {
	if [ "$rules" = scale ]; then
		awk -v n="$(nproc)" '$1 > n / 2 { print "the load is " $1 }' /proc/loadavg
		return
	fi
	"$ompcount" report --format json "$1.omphwc" | python3 -c '
import json, sys
for f in json.load(sys.stdin)["findings"]:
    if f["rule"] == "no_cpu" or "threads could run, but had no CPU" in f["why"]:
        print(f["why"])'
}

is_found() { found asis && is_on_screen; }
# Mended, it is gone, or is worth little.
is_gone() {
	! found mended && return
	awk -F '\t' -v least=$least '{ print "still there: " $0; exit !($1 < least) }' found
}

# judge FORM CHECK: runs it until the check succeeds, or fails on a machine that is not busy.
judge() {
	local i
	why=
	for ((i = 0; i < tries; i++)); do
		reported "$1" || { why="$(tail -n 1 "$1.screen")"; return 1; }
		"$2" >said && return
		cat found said >why
		busy "$1" >is_busy
		[ -s is_busy ] || break
	done
	why=$(tr '\n' ' ' <why)
	[ ! -s is_busy ] || return 77
	return 1
}

# try WHAT FORM CHECK
try() {
	judge "$2" "$3"
	case $? in
	0) pass "$1" ;;
	77) skip "$1: $(cat is_busy)" ;;
	*) fail "$1: $why" ;;
	esac
}

# fault COMPILER
fault() {
	name="$name_of, $1"
	[ "$SECONDS" -lt "$seconds" ] || { skip "$name: $seconds seconds are over"; return; }
	build_form asis "$1" && build_form mended "$1" || { skip "$name: $why"; return; }
	path=
	case $1 in
	clang) with_runtime 16 || { skip "$name: $why"; return; }
		path=$runtime ;;
	*) with_runtime gomp && path=${libgomp_folder:-} ;;
	esac
	try "$name: found" asis is_found
	try "$name: not found, mended" mended is_gone
}

first=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
while IFS='|' read -r name_of source compilers how rules then place helps; do
	case $name_of in
	'#'* | '') continue ;;
	esac
	for v in name_of source compilers how rules then place helps; do
		declare "$v=$(echo ${!v})"
	done
	[ "$how" = - ] || how=${how/FIRST/$first}
	in_turn $compilers
	for compiler in $some; do
		fault "$compiler"
	done
done <"$programs/faults.table"
finish
