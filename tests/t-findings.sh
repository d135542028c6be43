#!/bin/bash
# Where to begin: each rule's pair of programs, as is and mended as the finding says. The gain
# promised is the gain measured.
. "$(dirname "$0")/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"

tries=3 # runs of each form
again=2 # times that a pair is measured; once where the machine is known to be busy
[ "$(nproc)" -ge 2 ] || skip_all "one CPU: two threads never run at a time"

# findings PROFILE: the first line is the elapsed time in ms; then, of each finding, "RULE GAIN-ms".
findings() {
	"$ompcount" report --format json "$1" | python3 -c '
import json, sys
d = json.load(sys.stdin)
print("elapsed %.3f" % (d["time"]["elapsed_ns"] / 1e6 if d["time"] else 0))
for f in d["findings"]:
	print("%s %.3f" % (f["rule"], (f["gain_ns"] or 0) / 1e6))'
}
# gain FILE RULE: what the rule promises as a share of the run; "-": it found nothing.
gain() { awk -v rule="$2" 'NR == 1 { all = $2 } $1 == rule { print $2 / all; n++ } END { if (!n) print "-" }' "$1"; }

# profiled FORM ENVIRONMENT: profiles a run; its findings are in the file now, its elapsed time in
# $elapsed.
profiled() {
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" $2 "$ompcount" -q -e "$event" -F 2000 -o p.omphwc -- \
		"$prog" "$kind" $1 >out 2>err && findings p.omphwc >now || return
	elapsed=$(awk '{ print $2; exit }' now)
}

# measure: runs both forms in turn; $before and $after are their least times in ms, and the
# findings of the fastest runs are in the files asis and mended. Both forms are profiled, as the
# profiler's own cost for each task or chunk is a part of what the finding is about.
measure() {
	local i
	before= after=
	for ((i = 0; i < tries; i++)); do
		profiled "$asis_form" "$asis_env" || return
		if [ -z "$before" ] || awk -v a="$elapsed" -v b="$before" 'BEGIN { exit !(a < b) }'; then
			before=$elapsed
			mv now asis
		fi
		profiled "$mended_form" "$mended_env" || return
		if [ -z "$after" ] || awk -v a="$elapsed" -v b="$after" 'BEGIN { exit !(a < b) }'; then
			after=$elapsed
			mv now mended
		fi
	done
}

# promised GAIN: whether that share of the run is what mending gained, within 5 % of the run or
# a quarter of the gain, whichever is more.
promised() {
	awk -v promised="$1" -v before="$before" -v after="$after" 'BEGIN {
		gained = (before - after) / before
		bound = gained / 4 > 0.05 ? gained / 4 : 0.05
		off = promised > gained ? promised - gained : gained - promised
		printf "promised %.3f of the run, measured %.3f (%s and %s ms)\n", promised, gained, before, after
		exit !(promised != "-" && off <= bound)
	}'
}

# quiet: whether the threads had the CPUs: with another program on them no gain is measured.
quiet() { [ "$(gain asis busy_cpus)$(gain mended busy_cpus)" = -- ]; }

# pair RULE: as is and mended, once more where the machine was busy.
pair() {
	local name try
	name="$compiler, $(runtime_name "$n"), $event: $kind"
	for ((try = 0; try < again; try++)); do
		measure || { fail "$name: $(tail -n 1 err)"; return; }
		quiet && promised "$(gain asis "$1")" >said && break
		cat asis mended said 2>/dev/null
	done
	quiet || { again=1; skip "$name: other programs had the CPUs"; return; }
	check "$name: $1" promised "$(gain asis "$1")"
	check "$name: it comes first" equal "$(awk 'NR == 2 { print $1 }' asis)" "$1"
}

pairs() {
	compiler=$1 n=$2 event=$3
	local what
	build remedies "$1" -O2 || { skip "$1: $why"; return; }
	with_runtime "$2" || { skip "$(runtime_name "$2"): $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	asis_env= mended_env= asis_form=asis mended_form=mended
	shift 3
	for what; do
		kind=${what%:*}
		pair "${what#*:}"
	done
}

all="static:static_loop late:late_thread critical:critical lock:lock tasks:small_tasks
	short:short_regions serial:serial dispatch:dispatch single:single ordered:ordered"
pairs clang 16 wall $all
pairs gcc gomp wall $all
# Where waiting threads sleep, the default clock sees that they do not run.
pairs clang 16 cpu-clock static:static_loop late:late_thread serial:serial
pairs gcc gomp cpu-clock static:static_loop late:late_thread serial:serial

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
	placed crowded "OMP_NUM_THREADS=$((2 * cpus)) OMP_WAIT_POLICY=active" \
		"OMP_NUM_THREADS=$cpus OMP_WAIT_POLICY=active"
fi

# ---- nothing

# A mended program has no finding of the rule, and one that loses nothing has none.
if build remedies clang -O2 && with_runtime 16; then
	path=$runtime
	for kind in even static; do
		LD_LIBRARY_PATH=$path "$ompcount" -q -e wall -F 2000 -o p.omphwc -- "$prog" $kind mended >out 2>err
		findings p.omphwc >now
		if [ "$(gain now busy_cpus)" != - ]; then
			skip "$kind, mended: other programs had the CPUs"
			continue
		fi
		check "$kind, mended: nothing to find" equal "$(awk 'NR > 1 { print $1 }' now | tr '\n' ' ')" ""
	done
	LD_LIBRARY_PATH=$path "$ompcount" -q -e wall -F 2000 -o p.omphwc -- "$prog" single >out 2>err
	"$ompcount" report p.omphwc >text
	check "the text has the construct" below 0 \
		"$(sed '1,/^where to begin/d' text | grep -c 'waiting for single in single_part (remedies.c:')"
fi
finish
