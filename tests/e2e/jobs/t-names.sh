#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Names of profiles: several processes with one name have files of their own, a later run
# replaces an earlier one's, and files that are no profiles are kept.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
ulimit -c 0
look=$top_builddir/tests/look

# files N: the folder has N profiles, all readable, and no other file of ours.
files() {
	local f
	for f in p*; do
		"$look" "$f" >look.out || { echo "$f: $(tail -n 1 look.out)"; return 1; }
	done
	equal "$(ls -A | grep -c '^\.\|\.~')" 0 && equal "$(ls p* | wc -l)" "$1"
}
fresh() {
	cd "$work" && rm -rf here && mkdir here && cd here || exit 1
}
under() { "$ompcount" -q -e cpu-clock -o p.omphwc "$@"; }

spin='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'

# ---- under ompcount -----------------------------------------------------------

fresh
for rank in 0 1 2; do
	PMI_RANK=$rank under sh -c "$spin" &
done
wait
check "three ranks at once: three profiles" files 3
check "the ranks are in them" equal "$(for f in p*; do "$ompcount" report --format json "$f"; done |
	grep -o '"rank": *"[0-9]*"' | sort -u | wc -l)" 3
check "two show which name was asked for" equal \
	"$(for f in p*; do "$look" "$f"; done | grep -c '^note .*/p\.omphwc was asked for: ')" 2

fresh
"$ompcount" -q -e cpu-clock -o 'p%p.omphwc' sh -c "$spin; exec sh -c '$spin'"
check "by exec two programs of one process: two profiles" files 2
check "nobody asked for the second's name" equal \
	"$(for f in p*; do "$look" "$f"; done | grep -c '^note .* was asked for: ')" 0

fresh
for rank in 0 1 2; do
	PMI_RANK=$rank under sh -c "$spin"
done
check "three ranks, one after the other: three profiles" files 3
fresh
for task in 1 2 3; do
	SLURM_JOB_ID=4711 under sh -c "$spin"
done
check "three tasks of one job, one after the other: three profiles" files 3
SLURM_JOB_ID=4712 under sh -c "$spin"
check "the next job replaces none" files 4
under sh -c "$spin"
check "nor does a run by hand" files 5

fresh
under sh -c "$spin"
first=$(stat -c %i p.omphwc)
under sh -c "$spin"
check "two plain runs: one profile" files 1
check "of the second run" test "$first" != "$(stat -c %i p.omphwc)"
under sh -c "$spin; kill -KILL \$\$"
check "one of a run that is killed" files 1
under sh -c "$spin"
check "is replaced by the next" files 1

fresh
mkfifo done
"$ompcount" -q -e cpu-clock -o p.omphwc sh -c "$spin; echo > ready; read x <done" &
for ((i = 0; i < 100; i++)); do [ -e ready ] && break; sleep 0.1; done
first=$(stat -c %i p.omphwc)
"$ompcount" -e cpu-clock -o p.omphwc sh -c "$spin" 2>err
check "another shell's profile that is being written stays" equal "$first" "$(stat -c %i p.omphwc)"
check "the summary says why it has another name" grep -q "/p\.omphwc was asked for: a profile of that name belongs to a process" err
check "and which" grep -q "^profile: .*/p-[0-9]*\.omphwc " err
echo >done
wait
rm ready done err
check "both read" files 2

# A child's name is that of a foreign file.
fresh
mkdir results
printf 'my results\n' >results/sleep
cp /bin/true results/true
"$ompcount" -e cpu-clock -o 'results/%c' sh -c "$spin; true; sleep 0.01; env true; env sleep 0.01" 2>err
check "a file that is no profile is left alone" equal "$(cat results/sleep)" "my results"
check "a program is left alone" cmp results/true /bin/true

if build ends clang -O2 && with_runtime 19 || with_runtime 14; then
	plain() {
		LD_LIBRARY_PATH=$runtime OMP_TOOL_LIBRARIES=$tool OMPHWC_EVENTS=cpu-clock \
			OMPHWC_OUTPUT=p.omphwc "$prog" "$@" >/dev/null
	}
	fresh
	for rank in 0 1 2; do
		PMI_RANK=$rank plain return 0.2 &
	done
	wait
	check "without ompcount: three ranks at once: three profiles" files 3
	fresh
	for task in 1 2 3; do
		PBS_JOBID=4711 plain return 0.05
	done
	check "without ompcount: three tasks of one job: three profiles" files 3
	fresh
	plain return 0.05
	plain return 0.05
	check "without ompcount: two plain runs: one profile" files 1
	plain kill 0.05 2>/dev/null
	plain return 0.05
	check "without ompcount: a killed one's is replaced" files 1
	fresh
	printf '#!/bin/sh\necho mine\n' >p.omphwc
	plain return 0.05
	check "without ompcount: a file that is no profile is left alone" equal "$(sh p.omphwc)" mine
	check "and the run has its profile" "$look" p-*.omphwc
	check "which says so" grep -q 'asked for: a file of that name is no profile' <("$ompcount" report p-*.omphwc)
else
	skip "without ompcount: $why"
fi

# ---- a start that fails -------------------------------------------------------------

fresh
env --ignore-signal "$ompcount" -q --delivery signal -e cpu-clock -o p.omphwc sh -c "$spin"
"$ompcount" report p.omphwc >out 2>&1
if grep -q '^no signal was free' out; then
	check "a start that fails: no process was killed" grep -q '^the process was not profiled' out
	check "a start that fails: it reads" files 1
else
	skip "a start that fails: a signal was free"
fi

# ---- limits ---------------------------------------------------------------------

# The manifest grows, whether profiles can be made or not.
for kib in 2 24; do
	fresh
	(ulimit -f $kib; "$ompcount" -q -e cpu-clock -o 'q-%p.omphwc' bash -c '
		for ((i = 0; i < 60; i++)); do
			env true || echo "status $?"
		done' >out 2>/dev/null)
	check "a limit of $kib KiB on file sizes kills no child" equal "$? $(head -n 3 out)" "0 "
done

# A disk of 64 KiB for this process only.
fresh
cat >full.sh <<'END'
mount -t tmpfs -o size=64k none small || exit 99
dd if=/dev/zero of=small/ballast bs=1k count=44 2>/dev/null
"$1" -q -e cpu-clock -F 5000 -o small/p.omphwc -- "$2" return 0.4 >/dev/null 2>&1
"$1" report small/p.omphwc
"$1" report --format json small/p.omphwc
rm small/*; dd if=/dev/zero of=small/ballast bs=1k count=64 2>/dev/null
"$1" -e cpu-clock -o 'small/p-%p.omphwc' -- sh -c : 2>&1
END
mkdir small
if build ends gcc -O2 && unshare -m true 2>/dev/null; then
	unshare -m sh full.sh "$ompcount" "$prog" >out 2>&1
	check "a full disk is reported" grep -q '^the profile could not grow: the disk was full; ' out
	check "to programs, too" grep -q '"no_room_because": *"disk_full"' out
	check "and where nothing could be made" grep -q 'No space left on device' out
	check "in ompcount's words" grep -q '^ompcount: nothing was profiled: .*small/p-[0-9]*.omphwc: No space left' out
else
	skip "a full disk: only root can mount one"
fi
finish
