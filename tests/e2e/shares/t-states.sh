#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A thread that waits at a construct, or executes the runtime for it, has the right state
# for the right part of the time and at the right line: for each construct of
# tests/support/states.table and each runtime.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
gcc_runtimes=gomp llvm_runtimes="14 19"
[ -z "$long" ] || gcc_runtimes="gomp 14 16 19" llvm_runtimes="14 16 19"

# run SECONDS: runs the row's program with its environment.
run() {
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" "${environment[@]}" "$ompcount" -q "${event[@]}" -o p.omphwc -- \
		"$prog" "$construct" "$1" $clock >out 2>err
}

# measure: runs it with enough samples; writes the report to `json', the program's own
# measurement to $truth, and the tolerance to $systematic and $stretch (see agrees).
#
# Each wait takes 8 ms.  Calls of the runtime are short, so that many samples are needed for
# their share; the program's measurement includes reading its clock, which is no state of
# the runtime.
measure() {
	local event=(-e cpu-clock -c 250000) clock= duration=0.2 least=1200
	stretch=30 systematic=1
	if [ "$program" = overheads ]; then
		event=(-e cpu-clock -c 125000) duration=0.4 least=5700 stretch= systematic=1.5
	elif [ "$how" = wall ]; then
		event=(-e wall -F 2000) clock=wall duration=0.6 stretch=15
	fi
	# Idle threads stay idle while the process ends and the profile is completed, which the
	# program does not measure: 10 to 20 ms of CPU time, and more of wall time.
	[ "$construct" != idle ] || duration=1 systematic=2
	[ "$construct" != idle ] || [ -z "$clock" ] || duration=1.5 systematic=3
	[ -z "$long" ] || duration=2
	enough $least $duration run && "$ompcount" report --format json p.omphwc >json 2>>err || return
	truth=$(sed -n 's/^share //p' out)
}

# The samples with the row's state: their share of all, and the shares of these with the
# right class, line and object.
shown() {
	awk -v leaf="^<OMP-$leaf>$" -v function_="$function" -v class="$class" -v line="$line" \
		-v object="$object" '
	function value(key) {
		if (!match($0, "\"" key "\":(\"[^\"]*\"|[^,}]*)"))
			return ""
		key = substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
		gsub(/"/, "", key)
		return key
	}
	/^"states":/ { inside = 1; next }
	/^"/ { inside = 0 }
	inside {
		n = value("weight"); all += n
		if (value("artificial") !~ leaf || (function_ != "-" && value("function") != function_))
			next
		hit += n; classed += value(class)
		if (value("line") == line) placed += n
		if (value("object") == object) named += n
	}
	END {
		if (!hit) print 0, 0, 0, 0
		else printf "%.4f %.4f %.4f %.4f\n", hit / all, classed / hit, placed / hit, named / hit
	}' json
}

judge() {
	local share of_class at_line for_object
	read -r share of_class at_line for_object <<<"$(shown)"
	agrees "$share" "$truth" "$(samples p.omphwc)" $systematic $stretch || return
	below 0.1 "$truth" || return
	below 0.98 "$of_class" || { echo "of class $class"; return 1; }
	[ -z "$line" ] || below 0.95 "$at_line" || { echo "at line $line"; return 1; }
	[ "$object" = - ] || below 0.95 "$for_object" || { echo "for $object"; return 1; }
}

# once: measures and judges.  A program that ended by a fault of its runtime is run again.
once() {
	local try
	for try in 1 2 3; do
		if measure; then
			judge
			return
		fi
		echo "it failed: $(tail -n 3 err)"
		[ "$how" = faulty ] || return
	done
	return 1
}

row() {
	local name="$construct, $by, $(runtime_name $n)${wall:-}" environment line=
	build "$program" "$by" -O2 || { skip "$name: $why"; return; }
	if grep -q 'no such construct' < <("$prog" "$construct" 0 2>&1); then
		skip "$name: the compiler is too old"
		return
	fi
	with_runtime "$n" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$by" = clang ] || path=$runtime/gomp
	# Waiting threads spin, so that waits have CPU time.
	environment=(KMP_BLOCKTIME=infinite KMP_USE_YIELD=0 OMP_WAIT_POLICY=active)
	case $how in
	wall) environment=(KMP_BLOCKTIME=0) name+=", by the wall" ;;
	*=*) environment+=("$how") ;;
	esac
	case $function in
	-) ;;
	\(*) function=${function//[()]/} ;;
	*) line=$(grep -nE "/\* $construct(: $by)? \*/" "$programs/$program.c" | cut -d : -f 1) ;;
	esac
	check "$name: <OMP-$leaf>" once
}

# among LIST X: whether X is in the list, or the list is `all'.
among() {
	case ",$1," in
	,all, | *",$2,"*) ;;
	*) return 1 ;;
	esac
}

nany=0
while read -r program construct compilers runtimes_ place leaf class object how; do
	case $program in
	'' | '#'*) continue ;;
	esac
	# Rows of any compiler have the two in turn.
	these=$compilers
	[ "$these" != any ] || these=$([ $((nany % 2)) = 0 ] && echo clang || echo gcc)
	nany=$((nany + 1))
	[ -z "$long" ] || [ "$compilers" != any ] || these="clang gcc"
	for by in $these; do
		versions=$llvm_runtimes
		# Programs of gcc run on their own runtime; on libomp, where that lacks something.
		[ $by = clang ] || ! among "$runtimes_" gomp || versions=$gcc_runtimes
		some=
		for n in $versions; do
			! among "$runtimes_" "$n" || some+=" $n"
		done
		# Rows of clang's programs have the versions of libomp in turn; all versions do the same
		# with GCC's programs, and by the wall.
		if [ $by = clang ] && [ "$how" != wall ]; then in_turn $some; fi
		[ -n "$long" ] || some=${some##* }
		for n in $some; do
			function=$place
			row
		done
	done
done <"$top_srcdir/tests/support/states.table"
finish
