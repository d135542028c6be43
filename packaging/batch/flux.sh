#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#flux: --job-name=profiled
#flux: --ntasks=4
#flux: --cores-per-task=8
#flux: --time-limit=30m
# A hybrid program under Flux: each rank writes a profile of its own, which stays readable when
# the job reaches its time limit.
export OMP_NUM_THREADS=8 OMP_PLACES=cores

profiles=profiles.$(flux job id --to=f58plain "$FLUX_JOB_ID" 2>/dev/null || echo "$FLUX_JOB_ID")
mkdir -p "$profiles"
flux run --ntasks=4 --cores-per-task=8 ompcount -q -o "$profiles/%c.%r.omphwc" ./app
status=$?
ompcount report "$profiles"/*.omphwc >"$profiles/report.txt"
exit $status
