#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that controls the tool by omp_control_tool() is sampled only when it says.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# phases: the functions beneath main in profile p with more than 1 % of the samples: one or
# two others may have been under way. tell() makes the calls, and is sampled as long as samples are
# taken; it waits for a CPU there as anywhere.
phases() {
	folded p.omphwc | awk '{ all += $NF } /;/ { split($0, f, "[; ]"); n[f[2]] += $NF }
		END { for (i in n) if (n[i] > all / 100 && i != "tell") print i }' | sort | tr '\n' ' '
}

started="first_start second_start third_start flush unknown_command"
names() { printf '%s\n' "$@" | sort | tr '\n' ' '; }

# result NAME: the call's result.
result() { sed -n "s/^$1 //p" out; }

control() {
	local what="libomp $1" name expected
	with_runtime "$1" || { skip "$what: $why"; return; }
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime "$ompcount" -q "${event[@]}" -o p.omphwc -- "$prog" 0.5 early >out 2>err ||
		{ fail "$what: $(tail -n 1 err)"; return; }
	check "$what: sampled while started" equal "$(phases)" "$(names untold $started)"
	while read -r name expected; do
		check "$what: $name" equal "$(result "$name")" "$expected"
	done <<-END
		early 0
		first_start 0
		first_pause 0
		second_pause 0
		flush_while_paused 0
		second_start 0
		third_start 0
		flush 0
		unknown_command 1
		first_end 0
		start_after_end 1
		pause_after_end 0
		second_end 0
	END
}

must_build control clang -O2
for n in 14 16 19; do
	event=(-e cpu-clock -F 2000)
	control $n
done
event=(-e wall,page-faults -F 2000)
control 19

# paused WHAT SAMPLED EARLY ARG…: runs it with the environment and command ARG…
paused() {
	local what=$1 sampled=$2 early=$3
	shift 3
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$runtime" "$@" "$prog" 0.5 $early >out 2>err ||
		{ fail "$what: $(tail -n 1 err)"; return; }
	check "$what: sampled while started" equal "$(phases)" "$(names $sampled)"
}

if with_runtime 19; then
	command=("$ompcount" --paused -q -e cpu-clock -o p.omphwc --)
	paused "paused" "$started" "" "${command[@]}"
	paused "paused, started before OpenMP" "untold $started" early "${command[@]}"
	# Without a preloaded library the runtime answers.
	paused "paused, without ompcount" "$started" early OMP_TOOL_LIBRARIES="$tool" OMPHWC_PAUSED=1 \
		OMPHWC_EVENTS=cpu-clock OMPHWC_OUTPUT=p.omphwc
	check "without ompcount, before OpenMP" equal "$(result early)" -2
	check "without ompcount, later" equal "$(result first_start)" 0
else
	skip "paused: $why"
fi

# From Fortran, with LLVM's runtime: GCC's had no omp_control_tool for long.
name=Fortran
if with_runtime 14 && build control90 gfortran -O1 -L"$runtime" -Wl,--no-as-needed -l:libomp.so.5 -Wl,--as-needed; then
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime "$ompcount" -q -e cpu-clock -F 2000 -o p.omphwc -- "$prog" >out 2>err
	check "$name: what it gets" equal "$(tr '\n' ' ' <out)" "pause 0 start 0 unknown 1 end 0 "
	check "$name: sampled while started" equal \
		"$(folded p.omphwc | sed -n 's/^main;control90;phases::\([a-z_]*\);.*/\1/p' | sort -u | tr '\n' ' ')" \
		"started started_again "
else
	skip "$name: $why"
fi
finish
