#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#PBS -N profiled
#PBS -l select=2:ncpus=16:mpiprocs=2:ompthreads=8
#PBS -l walltime=00:30:00
# A hybrid program under PBS: each rank writes a profile of its own, which stays readable when
# the job reaches its time limit.
cd "$PBS_O_WORKDIR" || exit
export OMP_PLACES=cores

profiles=profiles.$PBS_JOBID
mkdir -p "$profiles"
mpirun -np 4 ompcount -q -o "$profiles/%c.%r.omphwc" ./app
status=$?
ompcount report "$profiles"/*.omphwc >"$profiles/report.txt"
exit $status
