#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Regions and tasks by gcc and gfortran are at the line of their directive at every level of
# optimisation, and without debug information at none.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
why=

# section NAME: a section of the JSON report, which has one element per line.
section() {
	awk -v section="\"$1\":[" 'index($0, section) == 1 { in_it = 1; next }
		/^"/ { in_it = 0 } in_it' report.json
}

# line MARK: the line of the directive with it.
line() { grep -n -E "(/\*|!) $1( \*/)?\$" "$source" | head -n 1 | cut -d: -f1; }

# lines SECTION PATTERN: the lines of the elements with that text, each once.
lines() {
	section "$1" | grep -E "$2" | sed 's/"line":\([0-9]*\).*/\n\1/' | grep -xE '[0-9]+' |
		sort -un | tr '\n' ' '
}

# regions FUNCTION MARK…: FUNCTION, a pattern, has regions at these lines and nowhere else.
regions() {
	local function=$1 mark wanted=
	shift
	for mark; do
		wanted="$wanted$(line "$mark") "
	done
	check "$name: regions of $function" equal "$(lines regions "\"function\":\"$function\"")" "$wanted"
	check "$name: constructs of $function" equal \
		"$(lines constructs "\"kind\":\"parallel\".*\"function\":\"$function\"")" "$wanted"
}

tasks() { # FUNCTION KIND
	check "$name: $2 of $1" equal "$(lines tasks "\"kind\":\"$2\",\"function\":\"$1\"")" "$(line "$1") "
	check "$name: $2 of $1, by construct" equal \
		"$(lines constructs "\"kind\":\"$2\".*\"function\":\"$1\"")" "$(line "$1") "
}

# profiled SECONDS: a profile of $prog.
profiled() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime:$runtime/gomp "$ompcount" -q -e cpu-clock -F 2000 -o p.omphwc -- \
		"$prog" "$1" >out 2>err || { fail "$name: $(tail -n 1 err)"; return 1; }
	"$ompcount" report --format json -o report.json p.omphwc
}

source=$programs/directives.c
for what in "gomp -O0" "14 -O2" "gomp -O2" "14 -O3" ${long:+"14 -O0"}; do
	read -r n opt <<<"$what"
	for language in c c++; do
		name="gcc $opt, $language, $(runtime_name "$n")"
		with_runtime "$n" || { skip "$name: $why"; continue; }
		if [ $language = c ]; then
			build directives gcc $opt
		else
			build directives gcc $opt -x c++ -std=c++11
		fi || { skip "$name: $why"; continue; }
		profiled 0.2 || continue
		regions region region
		# A body that gcc 5 to 7 makes a jump to an equal one has no line.
		if gcc_from 8; then
			regions behind behind
			regions last last
		fi
		regions last_by_pointer last_by_pointer
		regions loop_static loop_static
		regions loop_dynamic loop_dynamic
		regions in_sections in_sections
		regions in_task task_region
		regions twice twice_1 twice_2
		regions outer outer inner
		tasks in_task task
		if gcc_from 6; then
			regions in_taskloop taskloop_region
		fi
		# Before gcc 10 its body has no place.
		if gcc_from 10; then
			tasks in_taskloop taskloop
		fi
		"$ompcount" report --format folded --view expert p.omphwc >expert
		check "$name: no function before the directive is its caller" equal \
			"$("$ompcount" report --format folded p.omphwc | grep -c behind_store)" 0
		check "$name: the expert's name has the line" grep -q \
			"region -- OMP parallel region from line $(line region) \[" expert
		[ $language = c++ ] || continue
		regions 'of_type<long>' of_type
		regions 'of_type<double>' of_type
		regions 'by_lambda[^"]*' by_lambda
	done
done

# A body that is a jump to another region's: the call shows the function.
source=$programs/folded.c
name="gcc -O2, equal bodies"
with_runtime gomp
if build folded gcc -O2 && profiled 0.15; then
	regions equal equal
	regions folded folded
else
	skip "$name: $why"
fi

# A loop that gcc makes parallel by itself.
source=$programs/autopar.c
name="gcc -O2, by itself"
with_runtime gomp
if build autopar gcc -O2 -ftree-parallelize-loops=2 && profiled 0.3; then
	# gcc gives the call the line before it.
	check "$name: it is a region of its function" equal "$(section regions | grep -c '"function":"axpy"')" 1
	# Without the time in which threads wait for one that has no CPU.
	check "$name: its work is in the loop's function" below 0.9 \
		"$(share <("$ompcount" report --format folded p.omphwc | grep -v '<OMP-') '^main;axpy[; ]')"
else
	skip "$name: $why"
fi

# Without lines there is nothing to show, and nothing is reported.
name="gcc -O2 without -g"
with_runtime gomp
if build directives gcc -O2 -g0 && profiled 0.15; then
	check "$name: no lines of regions" equal "$(lines regions .)" ""
	check "$name: none of tasks" equal "$(lines tasks .)" ""
else
	skip "$name: $why"
fi

source=$programs/directives90.f90
for what in "14 -O0" "14 -O2" "14 -O3" "gomp -O2"; do
	read -r n opt <<<"$what"
	name="gfortran $opt, $(runtime_name "$n")"
	with_runtime "$n" || { skip "$name: $why"; continue; }
	build directives90 gfortran $opt || { skip "$name: $why"; continue; }
	profiled 0.15 || continue
	regions '[^"]*region' region
	regions '[^"]*loop_static' loop_static
	regions '[^"]*in_task' task_region
	check "$name: tasks" equal "$(lines tasks in_task)" "$(line in_task) "
	# Optimizing, gfortran shows no place of the loop.
	[ $opt = -O0 ] || continue
	check "$name: the loop" equal \
		"$(lines constructs '"kind":"for schedule\(static\)".*loop_static')" \
		"$(line loop_static) "
done
finish
