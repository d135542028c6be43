#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Jobs, as batch systems and launchers describe them in the environment: patterns, folders that
# are made, the default folder of each step, and no profile that is lost to another process.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
ulimit -c 0
look=$top_builddir/tests/look
spin='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'

fresh() {
	cd "$work" && rm -rf here && mkdir here && cd here || exit 1
}
# alone COMMAND…: as the runtime or a module file loads the library, without ompcount. What counts has
# a profile, however short it is.
alone() { LD_PRELOAD=$tool OMPHWC_EVENTS=cpu-clock OMPHWC_COUNT=1 "$@"; }
under() { "$ompcount" -q -e cpu-clock "$@"; }

# readable N FILE…: these are N profiles, all of them readable.
readable() {
	local n=$1 f
	shift
	equal $# "$n" || return
	for f; do
		"$look" "$f" >look.out || { echo "$f: $(tail -n 1 look.out)"; return 1; }
	done
}

# ---- one name for all ---------------------------------------------------------

fresh
export OMPHWC_OUTPUT=p.omphwc SLURM_JOB_ID=4711
for ((i = 0; i < 64; i++)); do
	alone sleep 0.2 &
done
wait
check "64 processes at once with one name: 64 profiles" readable 64 p*.omphwc
check "and nothing else" equal "$(find . -name '*~*' | wc -l)" 0
check "63 show which name was asked for" equal \
	"$(for f in p*; do "$look" "$f"; done | grep -c '^note .*/p\.omphwc was asked for: ')" 63

fresh
for ((i = 0; i < 64; i++)); do
	SLURM_PROCID=$i SLURM_STEP_ID=0 alone sleep 0.05 &
	[ $((i % 8)) = 7 ] && wait
done
check "64 ranks, eight at a time: 64 profiles" readable 64 p*.omphwc

fresh
for task in 1 2 3; do
	SLURM_ARRAY_JOB_ID=4711 SLURM_ARRAY_TASK_ID=$task SLURM_JOB_ID=$((4711 + task)) under sh -c "$spin"
done
check "a job array: three profiles" readable 3 p*.omphwc
SLURM_ARRAY_JOB_ID=4711 SLURM_ARRAY_TASK_ID=3 SLURM_JOB_ID=4714 SLURM_RESTART_COUNT=1 under sh -c "$spin"
check "a requeued task: its first run's stays" readable 4 p*.omphwc

# Ended at any moment, by the time limit or by hand: what is there reads, and names can be had.
fresh
for ((i = 0; i < 40; i++)); do
	# No function: its subshell would be killed in place of the program.
	LD_PRELOAD=$tool OMPHWC_EVENTS=cpu-clock sh -c "$spin; exec sleep 5" &
	pids[i]=$!
	[ $((i % 4)) = 3 ] || continue
	sleep 0.0$((i % 7))
	kill -KILL "${pids[@]}" 2>/dev/null
	wait 2>/dev/null
	pids=()
done 2>/dev/null
check "killed at any moment: what is there reads" readable "$(find . -name 'p*.omphwc' | wc -l)" p*.omphwc
before=$(find . -name 'p*.omphwc' | wc -l)
under sh -c "$spin"
check "and the next has a profile" readable $((before + 1)) p*.omphwc
unset OMPHWC_OUTPUT SLURM_JOB_ID

# ---- patterns --------------------------------------------------------------------

fresh
job() {
	SLURM_JOB_ID=4712 SLURM_ARRAY_JOB_ID=4711 SLURM_ARRAY_TASK_ID=7 SLURM_PROCID=3 SLURM_STEP_ID=2 \
		SLURM_STEP_NUM_TASKS=4 SLURM_LOCALID=1 SLURM_NODEID=1 PLACE=$PWD/a/b "$@"
}
all='%{PLACE}/%j_%a.%s/%c%R-%r-%l-%{NONE}-%%.omphwc'
want=./a/b/4711_7.2/sleep.3-3-1-none-%.omphwc
job under -o "$all" sleep 0.01
check "all directives, by ompcount" equal "$(find . -name '*.omphwc')" "$want"
check "what was reported is in the profile" equal "$("$ompcount" report --format json "$want" |
	tr -d ' \n' | grep -o '"launcher":.*"run_id"')" \
	'"launcher":"slurm","rank":"3","ranks":"4","local_rank":"1","node":"1","job":"4711","array_task":"7","step":"2","run_id"'
rm -r a
export OMPHWC_OUTPUT=$all
job alone sleep 0.01
check "by the library alone" equal "$(find . -name '*.omphwc')" "$want"
export OMPHWC_OUTPUT='t/%t.omphwc'
alone sleep 0.01
check "the time" test -e t/20[0-9][0-9][01][0-9][0-3][0-9]T[0-2][0-9][0-5][0-9][0-6][0-9]Z.omphwc
export OMPHWC_OUTPUT='d-%p/%c.omphwc'
alone sh -c 'sleep 0.01; :'
check "a folder for each process" readable 2 d-*/sh.omphwc d-*/sleep.omphwc
unset OMPHWC_OUTPUT

# ---- folders that can't be made -----------------------------------------------------

fresh
echo text >file
OMPHWC_OUTPUT=file/x.omphwc alone sh -c 'exit 7' 2>err
check "no folder: the program runs" equal $? 7
check "its profile is in the working folder" readable 1 sh.*.omphwc
check "one line says so" equal "$(wc -l <err) $(grep -c "^omphwc: .*/file/x.omphwc was asked for: Not a directory: the profile is $PWD/sh" err)" "1 1"
check "and the profile" grep -q '^note .*/file/x\.omphwc was asked for: Not a directory' <("$look" sh.*.omphwc)
PMI_RANK=1 OMPHWC_OUTPUT=file/x.omphwc alone sleep 0.01 2>err
check "of several ranks the first says it" equal "$(wc -c <err)" 0
OMPHWC_OUTPUT='%d' alone sleep 0.01 2>err
check "a pattern that is none" grep -q '^omphwc: %d was asked for: Invalid argument: the profile is' err
for rank in 0 1 2; do
	PMI_RANK=$rank under -o file/x.omphwc true 2>>errs
done
check "ompcount's ranks: one line" equal "$(wc -l <errs)" 1

for rank in 0 1 2; do
	PMI_RANK=$rank PMI_SIZE=3 "$ompcount" -e cpu-clock -o one.omphwc true 2>>told
	PMI_RANK=$rank PMI_SIZE=3 "$ompcount" -e cpu-clock -o '%r.omphwc' true 2>>untold
	PMI_RANK=0 PMI_SIZE=1 "$ompcount" -e cpu-clock -o single.omphwc true 2>>untold
done
check "one name for all ranks: said once" equal "$(grep -c '^ompcount: one.omphwc: all ranks get this name: ' told)" 1
check "and not where each has its own" equal "$(grep -c 'all ranks get' untold)" 0

# ---- the default in a job -----------------------------------------------------------

fresh
for rank in 0 1 2 3; do
	SLURM_JOB_ID=4711 SLURM_STEP_ID=0 SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=4 under sh -c "$spin" &
done
wait
check "ranks of a step: one folder" readable 4 omphwc.4711.0/sh.[0-3].*.omphwc
for rank in 0 1; do
	SLURM_JOB_ID=4711 SLURM_STEP_ID=1 SLURM_PROCID=$rank alone sleep 0.01 &
done
wait
check "of the next step, by the library: another one" readable 2 omphwc.4711.1/sleep.[01].*.omphwc
export SLURM_JOB_ID=4711
under sh -c "PMI_RANK=0 sh -c '$spin'; PMI_RANK=1 sh -c '$spin'; :"
under sleep 0.01
check "a run that ompcount leads: a folder for it and its ranks" readable 3 omphwc.4711.run1/*.omphwc
check "another run: another one" readable 1 omphwc.4711.run2/*.omphwc
under ./no-such-program 2>/dev/null
check "no run: none" equal "$(ls -d omphwc.*)" "$(printf 'omphwc.4711.%s\n' 0 1 run1 run2)"
SLURM_RESTART_COUNT=1 alone sleep 0.01
check "a requeued job: another one" readable 1 omphwc.4711.restart1/*.omphwc
PBS_JOBID='9[2].host' PBS_ARRAY_INDEX=2 SLURM_JOB_ID='' alone sleep 0.01
check "an array's task has its own" readable 1 omphwc.9.host_2/*.omphwc

# ---- ompcount in a profiled script --------------------------------------------------

fresh
unset SLURM_JOB_ID
under sh -c "'$ompcount' -q -e cpu-clock sleep 0.01; :"
check "its own work is not profiled" equal "$(printf '%s\n' *.omphwc | sed 's/[.].*//')" "$(printf '%s\n' sh sleep)"
# A job's helpers leave no profiles, if they are no ranks: no period is over in them.
fresh
unset "${!OMPI_@}" "${!PMI_@}" "${!SLURM_@}" 2>/dev/null
helper() { LD_PRELOAD=$tool OMPHWC_EVENTS=cpu-clock OMPHWC_PERIOD=1000000000000 "$@"; }
helper sh -c '/bin/true; (exit 3)'
check "alone: helpers without OpenMP leave none" equal "$(ls -A)" ""
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 helper sh -c true
check "a rank has one, whatever it does" equal "$(ls -A | grep -c '[.]omphwc$')" 1
fresh
OMPHWC_COUNT=1 helper /bin/true
check "and what counts" equal "$(ls -A | grep -c '[.]omphwc$')" 1
finish
