#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#SBATCH --job-name=profiled
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=8
#SBATCH --time=00:30:00
#SBATCH --signal=TERM@30
# A hybrid program under Slurm: each rank writes a profile of its own, which stays readable when
# the job reaches its time limit.
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK OMP_PLACES=cores

profiles=profiles.$SLURM_JOB_ID
mkdir -p "$profiles"
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" ompcount -q -o "$profiles/%c.%r.omphwc" ./app
status=$?
ompcount report "$profiles"/*.omphwc >"$profiles/report.txt"
exit $status
