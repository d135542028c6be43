#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Where to begin: each rule's pair of programs, as is and mended as the finding says. The gain
# promised is the gain measured.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"

again=2     # times that a pair is measured; once where the machine is known to be busy
seconds=35 # after which no more pairs are measured: a busy machine takes longer
[ "$(nproc)" -ge 2 ] || skip_all "one CPU: two threads never run at a time"

# findings PROFILE: in ms; "elapsed MS", "work MS", "samples N", and of each finding "RULE GAIN OWN".
findings() {
	"$ompcount" report --format json "$1" | python3 -c '
import json, sys
d = json.load(sys.stdin)
t = d["time"] or sys.exit(d["time_unknown"])
print("elapsed %.3f\nwork %.3f" % (t["elapsed_ns"] / 1e6, t["work_ns"] / 1e6))
print("samples %d" % sum(r["self"][0]["samples"] for r in d["regions"]))
for f in d["findings"]:
	print("%s %.3f %.3f" % (f["rule"], (f["gain_ns"] or 0) / 1e6, f["own_ns"] / 1e6))'
}
# of FILE NAME [FIELD]: a number of it; "-": there is none.
of() { awk -v name="$2" -v field="${3:-2}" '$1 == name { print $field; n++ } END { if (!n) print "-" }' "$1"; }
# rules FILE: those that found something, the largest first.
rules() { awk 'NR > 7 { print $1 }' "$1" | tr '\n' ' '; }

# profiled FILE FORM ENVIRONMENT: profiles a run. What its own clocks say goes into the file, and
# then its findings: "ran MS", its elapsed time; "worked MS", the time of its work.
profiled() {
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" $3 "$ompcount" -q -e "$event" -F 2000 -o p.omphwc -- \
		"$prog" "$kind" $2 >out 2>err || return
	# With a clock of CPU time, waiting for a CPU is no work.
	awk -v cpu="$([ "$event" = wall ] || echo 1)" '{ print "ran", $1; print "worked", cpu ? $3 : $2; print "wall", $2; print "cpu", $3 }' out >"$1"
	findings p.omphwc 2>err >>"$1"
}

# machine: the CPU time of all programs but those of low priority, which yield, and of the host's
# others where it is visible, in ms.
machine() { awk -v hz="$(getconf CLK_TCK)" '/^cpu / { print ($2 + $4 + $7 + $8 + $9) * 1000 / hz }' /proc/stat; }
# ours: that of this script's programs. times() shows the shell that calls it.
ours() {
	times >cpu_times
	awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); s += t[1] * 60000 + t[2] * 1000 } print s }' cpu_times
}

# measure: both forms.
measure() {
	local machine_before ours_before
	ours >ours_before
	machine_before=$(machine)
	profiled asis "$asis_form" "$asis_env" && profiled mended "$mended_form" "$mended_env" || return
	ours >ours_after
	others=$(awk -v all="$(machine)" -v before="$machine_before" -v o="$(cat ours_after)" -v b="$(cat ours_before)" \
		'BEGIN { print all - before - (o - b) }')
}

# busy RULE: why no gain can be measured; nothing where the program had the machine alone.
busy() {
	local f
	for f in asis mended; do
		[ "$(of $f no_cpu)" = - ] || { echo "other programs had the CPUs"; return; }
		awk -v wall="$(of $f wall)" -v cpu="$(of $f cpu)" 'BEGIN { exit !(wall > 1.05 * cpu) }' && [ "$event" = wall ] &&
			{ echo "its work was interrupted: $(of $f cpu) ms of CPU time took $(of $f wall) ms"; return; }
	done
	awk -v a="$(of asis worked)" -v b="$(of mended worked)" 'BEGIN { exit !(a > 1.1 * b || b > 1.1 * a) }' &&
		{ echo "the same work took $(of asis worked) ms as is, $(of mended worked) ms mended, by its own clocks"; return; }
	awk -v o="$others" -v a="$(of asis elapsed)" -v b="$(of mended elapsed)" 'BEGIN { exit !(o > 0.1 * (a + b)) }' &&
		{ echo "other programs ran for $others ms meanwhile"; return; }
	# What the host did to the machine shows in the program alone.
	awk -v ran="$(of mended ran)" -v worked="$(of mended worked)" -v cpus="$cpus" \
		'BEGIN { exit !(ran - worked / cpus > 0.05 * ran) }' && is_mended "$1" &&
		{ echo "mended, something else took longer: $(of mended ran) ms for $(of mended worked) ms of work"; return; }
	# Pieces this short may be over when a signal from the other CPU arrives, and overlap with
	# what is around them.
	case $kind in tasks | short | dispatch)
		awk -v a="$(of asis work)" -v b="$(of asis worked)" 'BEGIN { exit !(a > 1.1 * b || b > 1.1 * a) }' &&
			echo "the samples tell $(of asis work) ms of work, its own clocks $(of asis worked) ms" ;;
	esac
}

# The gain is what the program's own clocks say of what is lost: the elapsed time less the work,
# divided among the CPUs. The profiler's own calls are lost, and no gain. 5 % of the run are for
# what other rules find, begin and end, and the clocks; the rest is chance.
as_the_clocks_say() {
	awk -v gain="$(of asis "$1")" -v own="$(of asis "$1" 3)" -v ran="$(of asis ran)" -v worked="$(of asis worked)" \
		-v n="$(of asis samples)" -v cpus="$cpus" 'BEGIN {
		lost = ran - worked / cpus
		share = gain / ran
		bound = ran * (0.05 + 4.5 * sqrt(share * (1 - share) / n))
		off = gain + own - lost
		printf "gain %.1f ms, own calls %.1f, lost by the clocks %.1f of %.1f\n", gain, own, lost, ran
		exit !(gain != "-" && off <= bound && off >= -bound)
	}'
}

# Mended, the gain promised is the gain measured, within 5 % of the run or a quarter of the gain,
# whichever is more. What the work itself took longer or shorter is no part of it.
gained() {
	awk -v gain="$(of asis "$1")" -v own="$(of asis "$1" 3)" -v ran="$(of asis ran)" -v after="$(of mended ran)" \
		-v worked="$(of asis worked)" -v then="$(of mended worked)" -v cpus="$cpus" 'BEGIN {
		gained = ran - after + (then - worked) / cpus
		bound = gained / 4 > 0.05 * ran ? gained / 4 : 0.05 * ran
		off = gain + own - gained
		printf "promised %.1f ms, own calls %.1f, gained %.1f of %.1f\n", gain, own, gained, ran
		exit !(gain != "-" && off <= bound && off >= -bound)
	}'
}

# The rule's finding is gone, or is worth little.
is_mended() {
	awk -v before="$(of asis "$1")" -v after="$(of mended "$1")" 'BEGIN { exit !(after == "-" || after < before / 4) }'
}

# first RULE: it is the first finding.
first() { equal "$(rules asis | cut -d ' ' -f 1)" "$1"; }

# judged RULE: whether all of it is so.
judged() {
	local judge
	for judge in first is_mended $judges; do
		"$judge" "$1" >said || return
	done
}

# pair RULE: as is and mended, once more where something else may have run. A pair is not judged
# where that is known.
pair() {
	local name try why=
	name="$compiler, $(runtime_name "$n"), $event: $kind"
	[ "$SECONDS" -lt "$seconds" ] || { skip "$name: $seconds seconds are over"; return; }
	for ((try = 0; try < again; try++)); do
		measure || { fail "$name: $(tail -n 1 err)"; return; }
		judged "$1" && why= && break
		why=$(busy "$1")
		[ -z "$why" ] || [ "$((nbusy++))" -lt 3 ] || again=1
	done
	[ -z "$why" ] || { skip "$name: $why"; return; }
	check "$name: $1 comes first" first "$1"
	check "$name: $1 is mended" is_mended "$1"
	for try in $judges; do
		check "$name: $1, ${try//_/ }" "$try" "$1"
	done
}
nbusy=0
judges="as_the_clocks_say gained" # of gains

pairs() {
	compiler=$1 n=$2 event=$3
	local what
	build remedies "$1" -O2 || { skip "$1: $why"; return; }
	with_runtime "$2" || { skip "$(runtime_name "$2"): $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	asis_env= mended_env= asis_form=asis mended_form=mended cpus=2
	shift 3
	for what; do
		kind=${what%:*}
		pair "${what#*:}"
	done
}

all="static:static_loop late:late_thread critical:critical lock:lock tasks:small_tasks
	short:short_regions serial:serial dispatch:dispatch single:single ordered:ordered
	sections:sections varying:varying_loop few:few_tasks team:small_teams
	last:other_loop turns:varying_team"
pairs gcc gomp wall $all
# Its mended form has less work.
judges=
pairs gcc gomp wall atomic:atomic
judges="as_the_clocks_say gained"
# Where waiting threads sleep, the default clock sees that they do not run.
pairs gcc gomp cpu-clock static:static_loop late:late_thread serial:serial blocked:blocked
# What differs by the runtime.
some="tasks:small_tasks short:short_regions few:few_tasks turns:varying_team"
[ -z "$long" ] || some=$all
pairs clang 16 wall $some
pairs clang 16 cpu-clock static:static_loop ${long:+late:late_thread serial:serial}

# ---- CPUs

# placed RULE AS-IS MENDED: by variables of the environment.
placed() {
	asis_env=$2 mended_env=$3 asis_form=$form mended_form=$form
	pair "$1"
}
if build remedies gcc -O2 && with_runtime gomp; then
	compiler=gcc n=gomp path=$runtime/gomp event=cpu-clock kind=even form=mended
	first=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
	placed shared_cpu "OMP_PROC_BIND=true OMP_PLACES={$first}" ""
fi
if build remedies clang -O2 && with_runtime 16; then
	compiler=clang n=16 path=$runtime event=cpu-clock:uk kind=barriers form=asis
	cpus=$(nproc)
	# Threads that wait for a CPU lose more than the finding says, and mended some of it, too.
	judges=gained
	placed crowded "OMP_NUM_THREADS=$((2 * cpus)) OMP_WAIT_POLICY=active" \
		"OMP_NUM_THREADS=$cpus OMP_WAIT_POLICY=active"
fi

# ---- what is tried by time alone

# helped KIND WORDS: the first finding says so, and it makes the program at least a quarter shorter.
helped() {
	local name="$compiler, $(runtime_name "$n"), $event: $1" try why=
	kind=$1
	[ "$SECONDS" -lt "$seconds" ] || { skip "$name: $seconds seconds are over"; return; }
	for ((try = 0; try < 3; try++)); do
		profiled asis asis "" || { fail "$name: $(tail -n 1 err)"; return; }
		"$ompcount" report --by finding --format csv p.omphwc >found.csv
		profiled mended mended "" || { fail "$name: $(tail -n 1 err)"; return; }
		sed -n 2p found.csv | grep -q -- "$2" &&
			awk -v a="$(of asis ran)" -v b="$(of mended ran)" 'BEGIN { exit !(b < 0.75 * a) }' && break
	done
	[ $try -lt 3 ] || [ "$(of asis no_cpu)$(of mended no_cpu)" = -- ] || why="other programs had the CPUs"
	[ -z "$why" ] || { skip "$name: $why"; return; }
	check "$name: the first finding's remedy" grep -q -- "$2" <(sed -n 2p found.csv)
	check "$name: it helps" awk -v a="$(of asis ran)" -v b="$(of mended ran)" \
		'BEGIN { print a " ms, mended " b; exit !(b < 0.75 * a) }'
}
event=cpu-clock
for compiler in gcc clang; do
	n=gomp
	[ $compiler = gcc ] || n=16
	build remedies $compiler -O2 && with_runtime $n || continue
	path=$runtime
	[ $compiler = clang ] || path=$runtime/gomp
	# By this clock threads that sleep do not run.
	helped chunks "schedule(static, 1), where\|ordered region, small chunks"
	helped doacross "larger blocks"
	helped creators "tasks that each thread creates.*single"
	# libgomp does not report who enters a taskloop.
	[ $compiler = gcc ] || helped taskloops "tasks that each thread creates.*single"
done

# ---- nothing

# large FILE: the rules that found 5 % of the run or more; less may be the machine's.
large() { awk '$1 == "elapsed" { all = $2 } NR > 7 && $2 > 0.05 * all { print $1 }' "$1" | tr '\n' ' '; }

# One that loses nothing has no finding.
if build remedies clang -O2 && with_runtime 16; then
	path=$runtime event=wall compiler=clang n=16
	for kind in even static; do
		asis_form=mended mended_form=mended asis_env= mended_env= cpus=2
		measure || { fail "$kind: $(tail -n 1 err)"; continue; }
		if [ -n "$(large asis)" ] && [ -n "$(large mended)" ] && why=$(busy none) && [ -n "$why" ]; then
			skip "$kind, mended: $why"
			continue
		fi
		[ -n "$(large asis)" ] && cp mended asis
		check "$kind, mended: nothing to find" equal "$(large asis)" ""
	done
	LD_LIBRARY_PATH=$path "$ompcount" -q -e wall -F 2000 -o p.omphwc -- "$prog" single >out 2>err
	"$ompcount" report p.omphwc >text
	check "the text has the construct" below 0 \
		"$(sed '1,/^findings/d' text | grep -c 'waiting for single in single_part (remedies.c:')"
fi
finish
