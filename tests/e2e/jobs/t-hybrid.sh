#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks with threads, on real MPI libraries: time in MPI is what the program measures around its
# calls, and the rank and the thread with more work are found.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
python=$(command -v python3) || skip_all "no python3, which reads the JSON report here"

ranks=4
export OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

# started COMMAND…: by $mpirun.
started() { timeout 60 "$mpirun" -np $ranks "$@"; }

# run EVENT SECONDS: a profile of each rank.
run() {
	rm -f *.omphwc
	started "$ompcount" -q -e "$1" -F 2000 -o p.%r.omphwc -- ./hybrid "$2" >said 2>err &&
		[ "$(profiles)" = $ranks ] && [ "$(wc -l <said)" = $ranks ]
}

# numbers: of each rank its samples and its seconds in MPI, without the calls before and after
# the program's measurement; then what is said of ranks.
numbers() {
	for r in 0 1 2 3; do
		"$ompcount" report --format json --rank $r p.*.omphwc >rank.$r || return
	done
	"$ompcount" report --format json p.*.omphwc >all && "$python" - <<'P'
import json
for r in range(4):
    d = json.load(open("rank.%d" % r))
    calls = [s for s in d["states"] if s["state"] == "MPI" and s["object"] in ("MPI_Barrier", "MPI_Allreduce")]
    print("rank", r, d["events"][0]["total"]["samples"], sum(s["self"][0]["mpi"] for s in calls) / 1e9)
d = json.load(open("all"))
for g, s in zip(d["regions"], d["ranks"]["regions"]):
    if g["function"] in ("uneven_ranks", "uneven_threads"):
        w = s["wait"]
        print(g["function"], s["slowest"], w and w["call"], w and w["function"])
        print("between", g["function"], s["slowest"], "uneven" if s["imbalance"] > 1.4 else "even")
        print("within", g["function"], "uneven" if s["within"] > 1.1 else "even")
print("run", d["ranks"]["run"]["slowest"])
for f in d["findings"]:
    if f["rule"] == "ranks":
        thread = d["threads"][f["thread"]]
        print("gain", f["gain_ns"] / 1e9)
        print("finding", d["processes"][thread["process"]]["rank"], f["region"] and f["region"]["function"])
t = d["events"][0]["total"]
print("sum", t["work"] + t["wait"] + t["overhead"] + t["mpi"] + t.get("blocked", 0) - t["weight"])
P
}
of() { awk -v name="$1" 'index($0, name " ") == 1 { print substr($0, length(name) + 2); n++ } END { if (n != 1) print "?" }' seen; }

# is_slowest RANK COLUMN: whether, as the ranks themselves measure it, that one takes longest there,
# and a tenth longer than any other. Column 4 is uneven_ranks, 5 uneven_threads.
is_slowest() {
	awk -v rank="$1" -v column="$2" '
		$1 == rank { its = $column } $1 != rank && $column > most { most = $column }
		END { exit its < 1.1 * most }' said
}

# is_busiest RANK: the same for the time outside of MPI, in the whole run.
is_busiest() {
	awk -v rank="$1" '
		{ busy = $2 - $3 } $1 == rank { its = busy } $1 != rank && busy > most { most = busy }
		END { exit its < 1.05 * most }' said
}

judge() {
	local r all mpi n seconds
	numbers >seen 2>err || { fail "$1: $(tail -n 1 err)"; return; }
	for r in 0 1 2 3; do
		read -r all mpi _ < <(sed -n "s/^$r //p" said)
		read -r n seconds < <(of "rank $r")
		# A call lasts for ten samples and more. The profiler reads its clock at another place
		# than the program.
		check "$1: rank $r is in MPI for as long as it measures" agrees \
			"$(awk -v s="$seconds" -v a="$all" 'BEGIN { print s / a }')" \
			"$(awk -v m="$mpi" -v a="$all" 'BEGIN { print m / a }')" "$n" 1 4
	done
	check "$1: the classes add up" equal "$(of sum)" 0
	if is_slowest 3 4 && is_slowest 1 5; then
		check "$1: the rank with more work, and where others wait for it" equal \
			"$(of uneven_ranks)" "3 MPI_Barrier main"
		check "$1: the rank with the thread with more work is late, too" equal \
			"$(of uneven_threads)" "1 MPI_Allreduce is_over"
	else
		skip "$1: by its own clock, no rank takes clearly longest: others had the CPUs"
	fi
	if is_busiest 3; then
		check "$1: the run's slowest rank" equal "$(of run)" 3
	else
		skip "$1: by its own clock, rank 3 is not clearly the busiest: others had the CPUs"
	fi
	check "$1: csv has the region's slowest rank" grep -q '^uneven_ranks,.*,3$' \
		<("$ompcount" report --format csv --by region --columns function,imbalance_between_ranks,slowest_rank p.*.omphwc)
	if [ "$(of finding)" = "?" ]; then
		skip "$1: the finding: three others are larger, as where CPUs are few"
	else
		# What ranks are outside of MPI, by their own clocks: the most less the mean.
		check "$1: it gains what the others wait for the slowest" awk -v gain="$(of gain)" \
			-v allowed="$(awk -v d="$disturbed" 'BEGIN { print 0.05 + d / 100 }')" '
			{ busy = $2 - $3; sum += busy; all += $2; if (busy > most) most = busy }
			END { mean = sum / NR; off = gain - (most - mean); if (off < 0) off = -off
				if (off > allowed * all / NR) { printf "%s s, not %.3f s\n", gain, most - mean; exit 1 } }' said
		! is_busiest 3 || check "$1: the finding" equal "$(of finding)" "3 uneven_ranks"
	fi
	if "$python" -c 'import jsonschema' 2>/dev/null; then
		check "$1: the JSON report fits its schema" "$python" -c '
import json, sys, jsonschema
jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(json.load(open("all")))' \
			"$top_srcdir/doc/report.schema.json"
	fi
	check "$1: merged, it is the same" equal "$("$ompcount" merge -o job.omphwc p.*.omphwc >/dev/null 2>&1
		"$ompcount" report --format csv --by rank job.omphwc)" "$("$ompcount" report --format csv --by rank p.*.omphwc)"
	"$ompcount" report p.*.omphwc >text
	check "$1: the report names the rank" grep -q 'between ranks .*: rank 3 is busy longest' text
}

all() {
	local cc=mpicc.$1
	mpirun=$(command -v "mpirun.$1") || { skip "$1: no mpirun.$1"; return; }
	command -v "$cc" >/dev/null || { skip "$1: no $cc"; return; }
	"$cc" -g -O1 -fopenmp -o hybrid "$programs/mpi_hybrid.c" >log 2>&1 ||
		{ skip "$1: $(tail -n 1 log)"; return; }
	started ./hybrid 0.01 >out 2>err || { skip "$1 does not run here: $(tail -n 1 err)"; return; }
	# Wall time that a thread waits for a CPU is work: where others have the CPUs, the rank with
	# more work need not be the one that takes longest, and the next run may show it.
	for try in 1 2 3; do
		steadily run wall 2 || { fail "$1: no profile of each rank: $(tail -n 1 err)"; return; }
		! is_slowest 3 4 || ! is_slowest 1 5 || ! is_busiest 3 || break
	done
	judge "$1"
	# CPU time is what the program works by: on a busy machine, too, the same for all.
	steadily run cpu-clock 1.5 || { fail "$1: no profile of each rank: $(tail -n 1 err)"; return; }
	numbers >seen 2>err
	check "$1: clocks of CPU time add up, too" equal "$(of sum)" 0
	check "$1: the rank with more work" equal "$(of "between uneven_ranks")" "3 uneven"
	check "$1: and that of the thread" equal "$(of "between uneven_threads")" "1 uneven"
	check "$1: threads of the late rank are even" equal "$(of "within uneven_ranks")" even
	check "$1: the thread with more work is within its rank" equal "$(of "within uneven_threads")" uneven
	"$ompcount" report p.*.omphwc >text
	check "$1: the run's imbalance within ranks is that region's" \
		grep -q '^imbalance within ranks .*: most in uneven_threads.* by rank 1 thread' text
	check "$1: the report names the thread" grep -q '^ *rank 1 thread [0-9]* works longest' text
}

all openmpi
all mpich
finish
