#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A real Slurm of one node, started here: what srun, sbatch and job arrays start, and what a time
# limit and scancel end, leaves a profile of each rank in the folder of its job.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
[ "$(id -u)" = 0 ] || skip_all "slurmd needs root"
for program in munged slurmctld slurmd sbatch srun scancel squeue scontrol; do
	command -v $program >/dev/null || skip_all "$program is not installed"
done
unset OMPHWC_LIBRARY
for v in $(env | sed -n 's/^\(S\(LURM\|BATCH\|RUN\|ALLOC\)_[A-Z_]*\)=.*/\1/p'); do unset "$v"; done

# ---- the daemons -------------------------------------------------------------

slurm=$work/slurm
mkdir -m 0755 "$slurm" "$slurm/state" "$slurm/spool" "$slurm/munge"
chmod 0700 "$slurm/munge"
daemons=

# End them whatever happens: jobs, then daemons, then steps that outlive them.
stop() {
	local status=$? p
	[ -z "$daemons" ] || timeout 5 scancel -u root >/dev/null 2>&1
	for p in $daemons; do kill "$p" 2>/dev/null; done
	for p in $daemons; do
		for _ in $(seq 30); do kill -0 "$p" 2>/dev/null || break; sleep 0.1; done
		kill -9 "$p" 2>/dev/null
	done
	for p in $(pgrep slurmstepd); do
		! tr '\0' '\n' 2>/dev/null <"/proc/$p/environ" | grep -qxF "SLURM_CONF=$SLURM_CONF" ||
			kill -9 "$p" 2>/dev/null
	done
	(exit $status)
	leave
}
trap stop EXIT

# start NAME COMMAND…: a daemon in the background.
start() {
	local name=$1
	shift
	"$@" >"$slurm/$name.out" 2>&1 </dev/null &
	daemons="$! $daemons"
}
# until_true SECONDS COMMAND…
until_true() {
	local tries=$(($1 * 10))
	shift
	for _ in $(seq $tries); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}
free_port() {
	local port
	for port in $(shuf -i 20000-30000 -n 20); do
		! (: </dev/tcp/127.0.0.1/"$port") 2>/dev/null && echo "$port" && return
	done
}

node=$(uname -n | cut -d . -f 1)
export SLURM_CONF=$slurm/slurm.conf
cat >"$SLURM_CONF" <<C
ClusterName=omphwc
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
MaxArraySize=100
NodeName=$node NodeAddr=127.0.0.1 CPUs=64 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
C
head -c 1024 /dev/urandom >"$slurm/munge/key"
chmod 0400 "$slurm/munge/key"
start munged munged --foreground --force --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" \
	--pid-file="$slurm/munge/pid" --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed"
until_true 5 [ -S "$slurm/munge/socket" ] || skip_all "munged does not start: $(tail -n 1 "$slurm/munged.out")"
start slurmctld slurmctld -D -f "$SLURM_CONF"
start slurmd slurmd -D -f "$SLURM_CONF"
idle() { [ "$(sinfo -h -o %t 2>/dev/null)" = idle ]; }
until_true 10 idle || skip_all "no node becomes idle: $(grep -hi error "$slurm"/*.log "$slurm"/*.out | tail -n 1)"

# ---- the jobs ----------------------------------------------------------------

cat >app.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Regions for so many seconds of CPU time of the process; without a number until it is killed. */
int main(int argc, char **argv)
{
	const double seconds = argc > 1 ? atof(argv[1]) : 1e9;
	volatile double sum = 0;

	while ((double)clock() / CLOCKS_PER_SEC < seconds) {
		double part = 0;
#pragma omp parallel for reduction(+ : part)
		for (int i = 0; i < 1000000; i++)
			part += 1.0 / (1 + i);
		sum += part;
		if (argc <= 1)
			usleep(20000);
	}
	return 0;
}
C
"$gcc" -g -O1 -fopenmp -o app app.c || skip_all "gcc builds no program"

# batch NAME OPTION… -- SCRIPT: submits a script with a folder of its own; prints its number.
batch() {
	local name=$1 options=()
	shift
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	mkdir -p "$work/$name"
	printf '#!/bin/bash\n%s\n' "$2" |
		sbatch --parsable -D "$work/$name" -o "$work/$name/out" "${options[@]}" 2>>"$work/sbatch.err"
}
ended() { [ -z "$(squeue -h -j "$1" -o %t 2>/dev/null)" ]; }
# told FOLDER KEY: that value of the job in the report of the folder.
told() {
	"$ompcount" report --format json "$1" 2>/dev/null |
		sed -n 's/^"job":{\(.*\)},$/\1/p' | tr ',' '\n' | sed -n "s/^\"$2\":\"*\([^\"]*\)\"*$/\1/p"
}
# found FOLDER: how many profiles are in it, and below.
found() { find "$1" -name '*.omphwc' -type f 2>/dev/null | wc -l; }
at_least() { [ "$(found "$1")" -ge "$2" ]; }
# readable FOLDER: whether report reads each profile in it.
readable() {
	local p n=0
	for p in $(find "$1" -name '*.omphwc' -type f); do
		"$ompcount" report "$p" >/dev/null || return
		n=$((n + 1))
	done
	[ $n -gt 0 ] || { echo "none"; return 1; }
}

app="$work/app" run="$ompcount -e cpu-clock"
limited=$(batch limited -n 1 -t 1 -- "$run $app")
cancelled=$(batch cancelled -n 2 -- "srun $run $app")
steps=$(batch steps -n 4 -- "srun $run $app 0.2; $run srun -n 2 $app 0.2; $run $app 0.2")
array=$(batch array --array=0-2 -n 1 -- "$run $app 0.2")
if [ -z "$limited" ] || [ -z "$cancelled" ] || [ -z "$steps" ] || [ -z "$array" ]; then
	skip_all "sbatch takes no job: $(tail -n 1 sbatch.err)"
fi
until_true 10 at_least limited 1
now=$(date +%s)
scontrol update "jobid=$limited" "EndTime=$(date -d "@$((now + 1))" +%Y-%m-%dT%H:%M:%S)" >limit.out 2>&1

mkdir direct
(cd direct && timeout 30 "$ompcount" -e cpu-clock srun -n 2 "$app" 0.2 >out 2>err)
check "ompcount srun: a profile of each rank" equal "$(told direct ranks) $(told direct missing)" "2 null"
check "ompcount srun: one summary" equal "$(grep -c '^next: ' direct/err)" 1
(cd direct && rm -rf ./* && timeout 30 srun -n 2 "$ompcount" -e cpu-clock "$app" 0.2 >out 2>err)
check "srun ompcount: a profile of each rank" equal "$(told direct ranks) $(told direct missing)" "2 null"
check "srun ompcount: one summary" equal "$(grep -c '^next: ' direct/err)" 1

until_true 10 at_least cancelled 2
check "both ranks have begun" at_least cancelled 2
scancel "$cancelled"
check "sbatch: the job ends" until_true 15 ended "$steps"
check "sbatch: profiles of all steps" equal "$(found steps)" 7
check "sbatch: each is readable" readable steps
check "sbatch: a summary of each step" equal "$(grep -c '^next: ' steps/out)" 3
check "job array: it ends" until_true 15 ended "$array"
check "job array: a profile of each task" equal "$(found array)" 3
check "job array: each is readable" readable array
check "job array: the script's program is no rank" equal \
	"$("$ompcount" report --format json array 2>/dev/null | grep -c '^"job":null,$')" 1
check "scancel: the job ends" until_true 10 ended "$cancelled"
check "scancel: a profile of each rank" equal "$(found cancelled)" 2
check "scancel: each is readable" readable cancelled
check "scancel: the ranks are called killed" equal "$(told cancelled killed)" 0-1
if grep -q . limit.out; then
	skip "time limit: $(tail -n 1 limit.out)"
elif ! until_true 25 ended "$limited"; then
	skip "time limit: Slurm did not enforce it in time"
else
	check "time limit: the profile is there and readable" readable limited
	check "time limit: the process was killed" grep -q 'ended without a record of it' <("$ompcount" report limited 2>/dev/null)
fi
finish
