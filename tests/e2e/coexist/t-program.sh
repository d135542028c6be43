#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that uses the same resources as the profiler behaves the same with and without
# it: each case of tests/program runs plain and profiled, with every delivery of samples and
# every way of loading the library; its output, its end and its children's view are compared.
#
# A new case is one file in tests/program; cases named omp_* are OpenMP programs, which gcc
# builds for its libgomp, and clang for its libomp.  PROGRAM_CASES, PROGRAM_WAYS and
# PROGRAM_RUNS (1) choose among them and repeat them.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
ulimit -c 0
cases=$top_srcdir/tests/program
mkdir -p "$built"
"$gcc" -O1 -static -o "$work/inherited" "$cases/helper/inherited.c" 2>build.log ||
	skip_all "no static program can be built: $(tail -n 1 build.log)"
export CASE_INHERITED=$work/inherited
profiled="OMPHWC_FREQ=4000 OMPHWC_OUTPUT=%p.omphwc"

# ompcount stores names when the program has ended: all the same to it.
names=--no-names
[ -z "$long" ] || names=

# Each way sets $with, the command before the program, and $suffix, the build that it needs.
# as_plain compares a case with itself: if that differs, the other ways prove nothing.
as_plain() { with=(); }
as_sigtrap() { with=("$ompcount" -q $names --delivery sigtrap -F 4000 -e cpu-clock -o '%p.omphwc' --); }
as_signal() { with=("$ompcount" -q $names --delivery signal -F 4000 -e cpu-clock -o '%p.omphwc' --); }
as_auto() { with=("$ompcount" -q $names -F 4000 -o '%p.omphwc' --); }
as_wall() { with=("$ompcount" -q $names -F 2000 -e wall -o '%p.omphwc' --); }
as_count() { with=("$ompcount" -q $names -e cpu-clock,page-faults --count -o '%p.omphwc' --); }
as_kernel() { with=("$ompcount" -q $names -F 2000 -e cpu-clock:uk -o '%p.omphwc' --); }
as_preload() { with=(env LD_PRELOAD="$tool" $profiled OMPHWC_EVENTS=cpu-clock OMPHWC_DELIVERY=sigtrap); }
as_preload_signal() { with=(env LD_PRELOAD="$tool" $profiled OMPHWC_EVENTS=cpu-clock OMPHWC_DELIVERY=signal); }
as_preload_wall() { with=(env LD_PRELOAD="$tool" $profiled OMPHWC_EVENTS=wall); }
as_tool() { suffix=-openmp with=(env OMP_TOOL_LIBRARIES="$tool" $profiled OMPHWC_EVENTS=cpu-clock OMPHWC_DELIVERY=sigtrap); }
as_tool_signal() { suffix=-openmp with=(env OMP_TOOL_LIBRARIES="$tool" $profiled OMPHWC_EVENTS=cpu-clock OMPHWC_DELIVERY=signal); }
as_tool_wall() { suffix=-openmp with=(env OMP_TOOL_LIBRARIES="$tool" $profiled OMPHWC_EVENTS=wall); }

as_linked() { suffix=-linked with=(env $profiled OMPHWC_EVENTS=cpu-clock OMPHWC_DELIVERY=sigtrap); }
as_linked_signal() { suffix=-linked with=(env $profiled OMPHWC_EVENTS=cpu-clock OMPHWC_DELIVERY=signal); }
as_linked_wall() { suffix=-linked with=(env $profiled OMPHWC_EVENTS=wall); }

# prepare NAME SUFFIX: builds the case's program $prog.
prepare() {
	local source=$cases/$1.c openmp=
	[[ $1 != omp_* ]] || openmp=-fopenmp
	prog=$built/case-$1$2
	mkdir -p "$built"
	[ "$prog" -nt "$source" ] && [ "$prog" -nt "$cases/case.h" ] &&
		[ "$2" != -linked -o "$prog" -nt "$top_builddir/libomphwc_static.a" ] && return
	if [ -z "$2" ]; then
		"$gcc" -g -O1 $openmp -pthread -I"$cases" -o "$prog.new" "$source" -lrt
	elif [ "$2" = -linked ]; then
		"$clang" -g -O1 -fopenmp -pthread -I"$cases" -o "$prog.new" "$source" \
			-Wl,-u,ompt_start_tool "$top_builddir/libomphwc_static.a" -lrt
	else
		"$clang" -g -O1 -fopenmp -pthread -I"$cases" -o "$prog.new" "$source" -lrt
	fi >build.log 2>&1 && mv "$prog.new" "$prog"
}

# outcome FOLDER COMMAND…: prints its output and its end as text.
outcome() {
	local folder=$1
	shift
	mkdir -p "$folder"
	# This shell's message about a signal goes where the subshell's does.
	(cd "$folder" && rm -f ./*.omphwc &&
		timeout -k 5 "${PROGRAM_TIMEOUT:-60}" "$@" </dev/null >out 2>err; exit $?) 2>/dev/null
	echo "exit $?"
	cat "$folder/out"
	grep -v '^ompcount: ' "$folder/err" | head -n 5
}

# with_plain NAME SUFFIX: the plain run's outcome, in plain-NAMESUFFIX.  A program linked
# with the library is compared with one without.
with_plain() {
	local prog=$prog suffix=$2
	[ ! -e "plain-$1$2" ] || return
	[ "$suffix" != -linked ] || { suffix=-openmp; prepare "$1" "$suffix"; }
	outcome "p-$1" "$prog" >"plain-$1$2"
}

# tried NAME WAY: compares a case run this way with the plain run's outcome.
tried() {
	local name=$1 way=$2 suffix= with plain got run
	"as_$way"
	[ -z "$suffix" ] || [ -n "$clang" ] || { skip "$name, $way: no clang"; return; }
	prepare "$name" "$suffix" || { skip "$name: cannot be built: $(tail -n 1 build.log)"; return; }
	with_plain "$name" "$suffix"
	for run in $(seq "${PROGRAM_RUNS:-1}"); do
		got=$(outcome "r-$name-$way" "${with[@]}" "$prog")
		[ "$got" = "$(cat "plain-$name$suffix")" ] && continue
		fail "$name, $way: $(diff <(echo "$got") "plain-$name$suffix" | head -n 4 | tr '\n' ' ')"
		return
	done
	pass "$name, $way"
}

# Else each case has one of these in turn, beside SIGTRAP.
ways=
[ -z "$long" ] || ways="sigtrap signal wall auto count kernel preload preload_signal preload_wall tool tool_signal tool_wall linked linked_signal linked_wall"

# Runs a case all ways in a folder of its own; several cases run concurrently.
all_ways() {
	mkdir "$work/$1" && cd "$work/$1" || return
	for way in ${PROGRAM_WAYS:-${ways:-sigtrap $some}}; do
		tried "$1" "$way"
	done >"$work/$1.told" 2>&1
}

running=0
for c in ${PROGRAM_CASES:-$(cd "$cases" && echo *.c)}; do
	in_turn signal wall count
	all_ways "${c%.c}" &
	running=$((running + 1))
	[ $running -lt "${PROGRAM_JOBS:-4}" ] || { wait -n; running=$((running - 1)); }
done
wait
cat "$work"/*.told
failures=$(cat "$work"/*.told | grep -c '^FAIL: ')
finish
