#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# steps.sh SOURCE BUILD CC - makes the demonstration faster in three steps, each of them what the
# report on the one before says (doc/tutorial.md), and shows what each of them gains.
source=$1 build=$2
shift 2
mkdir -p "$build/bench/demo/steps" && cd "$build/bench/demo/steps" || exit
command -v patch >/dev/null || { echo "steps.sh: no patch here: install it"; exit 1; }

cp "$source/bench/demo/heat.c" heat.c
for step in 0 1 2 3; do
	[ $step = 0 ] || patch -s heat.c "$source/bench/demo/step-$step.patch" || exit
	"$@" -g -O2 -fopenmp -o heat$step heat.c -lm || exit
	"$build/ompcount" -q -o heat$step.omphwc ./heat$step >out$step || exit
	printf '\n== step %d\n\n' $step
	"$build/ompcount" report --limit 5 heat$step.omphwc || exit
done

# Elapsed times without the profiler: in turn, the least of six.
for run in 1 2 3 4 5 6; do
	for step in 0 1 2 3; do
		begin=$(date +%s%N)
		./heat$step >/dev/null || exit
		echo $step $((($(date +%s%N) - begin) / 1000000))
	done
done | sort -k 1,1n -k 2,2n | awk 'NR == 1 || $1 != step { step = $1; print (NR > 1 ? "" : "\n") "step " $1 ": " $2 " ms" }'
