#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# merge.sh BUILD [short] - measures merging, and reports on merged files, against the targets in
# doc/design.md.
#
# `short' only proves that everything runs.  Exit status 1 if something did not run; a missed
# target is reported, and is no failure.
set -u
build=$(cd "$1" && pwd)
short=${2:-}
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
work=$(mktemp -d "${TMPDIR:-/tmp}/omphwc-merge.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
ranks=1000 contexts=2000 few=200
[ -z "$short" ] || { ranks=80 contexts=100 few=20; }
broken=0

# timed COMMAND…: sets $seconds and $mib, the least of three runs.
timed() {
	local n one
	seconds=
	for n in 1 2 3; do
		/usr/bin/time -f '%e %M' -o "$work/time" "$@" >/dev/null 2>"$work/err" || {
			echo "bench: $*: $(tail -n 1 "$work/err")" >&2
			broken=1
		}
		one=$(tail -n 1 "$work/time")
		if [ -z "$seconds" ] || awk -v a="${one% *}" -v b="$seconds" 'BEGIN { exit !(a < b) }'; then
			seconds=${one% *}
		fi
		mib=$((${one#* } / 1024))
	done
}
# judged WHAT SECONDS TARGET
judged() {
	awk -v what="$1" -v s="$2" -v t="$3" -v short="$short" 'BEGIN {
		printf "%s: %.2f s   (at most %g s: %s)\n", what, s, t,
			short != "" ? "not tried" : s <= t ? "met" : "MISSED" }'
}

command -v /usr/bin/time >/dev/null || { echo "bench: no /usr/bin/time: install time" >&2; exit 1; }
mkdir "$work/job" && "$build/bench/ranks" "$work/job" $ranks $contexts 8 || exit 1
cat "$work"/job/* >/dev/null
job="$ranks ranks x $contexts contexts x 8 threads"
timed "$build/ompcount" merge -o "$work/job.omphwc" "$work/job"
judged "merging $job, all CPUs, $mib MiB" "$seconds" 10
timed env OMP_NUM_THREADS=1 "$build/ompcount" merge -o "$work/one.omphwc" "$work/job"
echo "the same with one thread: $seconds s, $mib MiB"
if [ -x "$build/ompcount-mpi" ] && mpirun -np 2 true >/dev/null 2>&1; then
	for n in 1 2; do
		timed env OMP_NUM_THREADS=1 mpirun -np $n "$build/ompcount-mpi" merge \
			-o "$work/mpi$n.omphwc" "$work/job"
		echo "the same by $n process$([ $n = 1 ] || echo es) of MPI: $seconds s"
		cmp "$work/one.omphwc" "$work/mpi$n.omphwc" || broken=1
	done
fi
timed "$build/ompcount" report "$work/job.omphwc"
judged "a report on the merged file, $mib MiB" "$seconds" 1
set -- "$work"/job/*
half=$(($# / 2))
"$build/ompcount" merge -o "$work/a.omphwc" "${@:1:half}" &&
	"$build/ompcount" merge -o "$work/b.omphwc" "${@:half+1}" || broken=1
timed "$build/ompcount" merge -o "$work/ab.omphwc" "$work/a.omphwc" "$work/b.omphwc"
echo "merging two merged halves: $seconds s, $mib MiB"
rm -r "$work/job"

# Ten times as many ranks take ten times as long.
mkdir "$work/some" "$work/many"
"$build/bench/ranks" "$work/some" $ranks $few 2 && "$build/bench/ranks" "$work/many" $((10 * ranks)) $few 2 || exit 1
timed "$build/ompcount" merge -o "$work/job.omphwc" "$work/some"
some=$seconds
timed "$build/ompcount" merge -o "$work/job.omphwc" "$work/many"
awk -v a="$some" -v b="$seconds" -v n=$ranks -v mib="$mib" -v short="$short" 'BEGIN {
	printf "merging %d ranks of %s: %.2f s, %d MiB; of a tenth %.2f s: %.1f   (at most 12: %s)\n", 10 * n,
		"fewer contexts", b, mib, a, a ? b / a : 0, short != "" ? "not tried" : b <= 12 * a ? "met" : "MISSED" }'
timed "$build/ompcount" report "$work/job.omphwc"
judged "a report on $((10 * ranks)) ranks" "$seconds" 10
exit $broken
