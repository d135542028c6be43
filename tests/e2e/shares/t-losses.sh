#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the threads' time was lost to, in programs that know it by their own clocks; parts add
# up to the whole.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"

kinds="imbalance lock serial single teams"

run() {
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" $policy \
		"$ompcount" -q -e "$event" -F 4000 -o p.omphwc -- "$prog" "$kind" "$1" >truth 2>err
}

# The same, and it ends by SIGKILL.
run_to_death() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -q -e wall -F 4000 -o p.omphwc -- "$prog" "$kind" "$1" kill >truth 2>err
	[ $? -eq 137 ]
}

# The report's shares of the run's time: lines "NAME SHARE".
shares() {
	"$ompcount" report --format json p.omphwc | python3 -c '
import json, sys
d = json.load(sys.stdin)
t = d["time"] or sys.exit(d["time_unknown"])
all = t["thread_ns"]
print("work %.4f" % (t["work_ns"] / all))
for cause, ns in t["lost_ns"].items():
	print("%s %.4f" % (cause, max(0, ns) / all))
print("sum %.9f" % ((t["work_ns"] + sum(t["lost_ns"].values())) / all))
print("regions %.9f" % (sum(r["time"]["thread_ns"] for r in d["regions"]) / all))
e = t["efficiency"]
print("factors %.9f" % (e["serial"] + e["region"] - e["parallel"]))
print("elapsed_ms %.3f" % (t["elapsed_ns"] / 1e6))
print("until_last_sample %d" % t["until_last_sample"])
# Parts of constructs, too, add up; how many of them are split.
split = [c["time"] for c in d["constructs"] if c["time"]]
print("apart %.3f" % max([abs(s["thread_ns"] - s["work_ns"] - sum(s["lost_ns"].values())) for s in split] + [0]))
print("split %d" % len(split))
one = [c["time"] for c in d["constructs"] if c["time"] and c["kind"] == "single"]
print("single_work %.4f" % (one[0]["work_ns"] / one[0]["thread_ns"] if one else 0))
print("gain %.4f" % (sum(r["time"]["gain_ns"] for r in d["regions"]) / t["elapsed_ns"]))'
}
of() { awk -v name="$2" '$1 == name { print $2; n++ } END { if (n != 1) print "?" }' "$1"; }
sum_of() { echo "$@" | awk '{ for (i = 1; i <= NF; i++) s += $i; printf "%.4f\n", s }'; }

# compare WHAT SHARE TRUTH [SYSTEMATIC]: within two points and what chance explains.
compare() {
	check "$name: $1" agrees "$2" "$3" "$n" "${4:-2}"
}

# By its own clocks a thread worked longer than it ran where other programs had its CPU, which
# the report does not count as work.
others_had_cpus() {
	disturbed=$(awk -v d="$disturbed" -v all="$(of truth work)" -v ran="$(of truth worked)" \
		'BEGIN { printf "%.2f\n", d + (all > ran ? 100 * (all - ran) : 0) }')
}

# For what is no share of the samples, but the time that they leave.
within_two_points() {
	awk -v a="$1" -v b="$2" -v disturbed="$disturbed" 'BEGIN {
		most = 0.02 + disturbed / 100
		printf "%s against %s, the machine gives %s points\n", a, b, disturbed
		if (disturbed > 3) exit 77
		exit !(a - b <= most && b - a <= most)
	}'
}

lost() {
	local name kind n late
	name="$1, $(runtime_name $2)"
	build losses "$1" -O2 || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	for kind in $kinds; do
		name="$1, $(runtime_name $2), $kind, $event$name_policy"
		enough 6000 0.9 run || { fail "$name: $(tail -n 1 err)"; continue; }
		shares >seen || { fail "$name: no shares"; continue; }
		n=$(samples p.omphwc)
		check "$name: the parts add up" equal "$(of seen sum)" 1.000000000
		check "$name: so do the regions" equal "$(of seen regions)" 1.000000000
		check "$name: and the efficiencies" equal "$(of seen factors)" 1.000000000
		check "$name: and each construct" below "$(of seen apart)" 1
		check "$name: the region is a construct" below 0 "$(of seen split)"
		"judge_${event%:uk}"
	done
}

# How long a thread takes to begin its part of a region depends on the kernel; by the samples
# it may wait at the end of the one before.
judge_wall() {
	late=$(of truth late)
	others_had_cpus
	compare work "$(of seen work)" "$(of truth work)"
	compare "all losses" "$(of seen gain)" "$(awk -v w="$(of truth work)" 'BEGIN { print 1 - w }')" \
		"$(awk -v t="$(of truth small_team)" 'BEGIN { print 2 + 100 * t }')"
	case $kind in
	imbalance) compare imbalance "$(of seen imbalance)" "$(of truth imbalance)" \
		"$(awk -v l="$late" 'BEGIN { print 2 + 100 * l }')" ;;
	lock) compare lock "$(of seen lock)" "$(of truth lock)" ;;
	serial) compare serial "$(of seen serial)" "$(of truth serial)" ;;
	single)
		compare single "$(of seen single)" "$(of truth single)"
		# The one that executes it only works there.
		check "$name: in the single is work" below 0.9 \
			"$(awk -v w="$(of seen single_work)" -v d="$disturbed" 'BEGIN { print w + d / 100 }')"
		;;
	teams) compare "small teams" "$(of seen small_team)" "$(of truth small_team)" ;;
	esac
}

judge_cpu-clock() {
	compare work "$(of seen work)" "$(of truth worked)"
	# Threads without work outside of regions are lost to that, running or not.
	case $kind in imbalance | lock | single)
		check "$name: not running" within_two_points "$(of seen not_running)" \
			"$(awk -v r="$(of truth ran)" 'BEGIN { print r < 1 ? 1 - r : 0 }')" ;;
	esac
}

# Regions within regions: a thread's time is in one of them only.
nested() {
	local name
	name="$1, $(runtime_name $2), nested"
	build nested "$1" -O2 || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	LD_LIBRARY_PATH=$path "$ompcount" -q -e wall -F 2000 -o p.omphwc -- "$prog" 0.5 >truth 2>err
	shares >seen || { fail "$name: no shares"; return; }
	check "$name: the parts add up" equal "$(of seen sum)" 1.000000000
	check "$name: so do the regions" equal "$(of seen regions)" 1.000000000
	check "$name: the program works" below 0.2 "$(of seen work)"
}
nested clang 16
nested gcc gomp

# Threads of the program's own that begin regions side by side: no more than all of the time is
# work, and no region gains more than the run.
initials() {
	local name
	name="$1, $(runtime_name $2), initial threads"
	build initials "$1" -O2 -pthread || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -q -e wall -F 2000 -o p.omphwc -- "$prog" >truth 2>err
	shares >seen || { fail "$name: no shares"; return; }
	check "$name: the parts add up" equal "$(of seen sum)" 1.000000000
	check "$name: so do the regions" equal "$(of seen regions)" 1.000000000
	check "$name: no more than all of the time is work" below "$(of seen work)" 1.05
	check "$name: the run gains no more than it takes" below "$(of seen gain)" 1
	check "$name: its threads" below "$(cat truth)" "$("$ompcount" report p.omphwc |
		awk '/^parallel efficiency/ { print $12 + 0.5 }')"
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -q -e wall -F 2000 -o p.omphwc -- "$prog" teams >truth 2>err
	if [ "$1" = clang ]; then
		check "$name: teams on the host" grep -q 'not known: a teams construct ran on the host' \
			<("$ompcount" report p.omphwc)
	fi
	rm -f p.omphwc
}
initials clang 16
initials gcc gomp

# Without samples nothing is seen to work, which is not known to be a loss.
"$ompcount" -q -e wall -c 100000000000 -o few.omphwc -- "$prog" 0.1 >out 2>err
check "too few samples" grep -q '^parallel efficiency: not known: too few samples' \
	<("$ompcount" report few.omphwc)

# A process without OpenMP has no part in it.
"$ompcount" -q -e wall -F 2000 -o family.%p.omphwc -- sh -c "sleep 0.3; OMP_NUM_THREADS=2 '$prog' 0.2" >out 2>err
"$ompcount" report family.*.omphwc >both
check "processes without OpenMP are not counted" equal "$(grep -c '^parallel efficiency.*processes' both)" 0

# A fork's child began when it was forked: its first sample, which may be late, stands for the
# time from there.
cat >born.c <<'END'
#include <omp.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	const struct timespec nap = { .tv_nsec = 200000000 };
	volatile double x = 0;
	int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
	threads++;
	if (fork() == 0) {
		nanosleep(&nap, 0);
		for (long i = 0; i < 50000000; i++)
			x += (double)i;
		return 0;
	}
	return wait(0) < 0 || threads == 0;
}
END
if "$gcc" -O1 -fopenmp -o born born.c 2>err; then
	"$ompcount" -q -e wall -F 2000 -o 'born.%p.omphwc' -- ./born >out 2>err
	check "a fork's child has a profile" equal "$(ls born.*.omphwc | wc -l)" 2
	for f in born.*.omphwc; do
		"$ompcount" report --format json "$f" | python3 -c '
import json, sys
t = json.load(sys.stdin)["time"]
print(t["work_ns"] / t["thread_ns"] if t else 0)' >>work
	done
	check "a fork's child works no longer than it lives" below "$(sort -g work | tail -n 1)" 1.005
else
	skip "a fork's child: $(tail -n 1 err)"
fi

# A process that is killed, between regions and inside of one: all is known until then.
killed() {
	local name kind n
	build losses "$1" -O2 || { skip "$1, killed: $why"; return; }
	with_runtime "$2" || { skip "$1, killed: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	for kind in imbalance open; do
		name="$1, $(runtime_name $2), $kind, killed"
		enough 6000 0.9 run_to_death || { fail "$name: $(tail -n 1 err)"; continue; }
		shares >seen || { fail "$name: no shares"; continue; }
		n=$(samples p.omphwc)
		others_had_cpus
		check "$name: the parts add up" equal "$(of seen sum)" 1.000000000
		check "$name: so do the regions" equal "$(of seen regions)" 1.000000000
		check "$name: it is said" equal "$(of seen until_last_sample)" 1
		# Before its own clock begins the program is loaded.
		check "$name: elapsed time" within_ms "$(of truth elapsed_ms)" "$(of seen elapsed_ms)" 40
		compare work "$(of seen work)" "$(of truth work)"
		# As in judge_wall.
		compare imbalance "$(of seen imbalance)" "$(of truth imbalance)" \
			"$(awk -v l="$(of truth late)" 'BEGIN { print 2 + 100 * l }')"
	done
}
# within_ms LESS MORE MOST: MORE is that, and at most MOST more; a reading may lack 3 ms.
within_ms() {
	awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { print b " after " a; exit !(b > a - 3 && b < a + most) }'
}
killed clang 16
killed gcc gomp

# several COUNT AT_ONCE SAYS: processes of which so many run at a time.
several() {
	local name="$1 processes, $2 at a time"
	rm -rf many
	env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=active "$ompcount" -q -e wall -F 1000 -o many/%p.omphwc -- \
		sh -c "seq $1 | xargs -P $2 -I+ '$prog' imbalance 0.2" >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	"$ompcount" report many >seen
	check "$name: the report says so" grep -q "($1 processes, $3)" seen
	"$ompcount" report --format json many | python3 -c '
import json, sys
d = json.load(sys.stdin)
t = d["time"] or sys.exit(d["time_unknown"])
sum = sum(h["elapsed_ns"] for h in d["threads"] if h["kind"] == "initial")
print("apart %.4f" % abs(t["elapsed_ns"] * t["processes_at_once"] / sum - 1))
print("at_once %.3f" % t["processes_at_once"])' >seen
	check "$name: their elapsed times are a sum" below "$(of seen apart)" 0.02
	check "$name: at one time, in the mean" awk -v n="$(of seen at_once)" -v most="$2" \
		'BEGIN { print n; exit !(n <= most + 0.001 && n > (most + 1) / 2 - 0.3) }'
}
build losses gcc -O2 && several 3 1 "one after another" && several 6 2 "at most 2 at a time"

event=wall policy= name_policy=
all=$kinds
[ -n "$long" ] || kinds="imbalance serial teams"
lost clang 16
kinds=$all
lost gcc gomp
# The program asks the kernel for the time; that is not user code, but runs.
event=cpu-clock:uk policy="OMP_WAIT_POLICY=active KMP_BLOCKTIME=infinite GOMP_SPINCOUNT=infinite"
if "$ompcount" -q --strict -e $event -o p.omphwc -- true >out 2>err; then
	[ -z "$long" ] || lost clang 16
	# Serial code and small teams are judged by their work alone here, which is as by the wall.
	[ -n "$long" ] || kinds="imbalance lock single"
	lost gcc gomp
else
	skip "cpu-clock: $(tail -n 1 err)"
fi
# libomp's hidden helper threads execute `target nowait': they are no team's, and never end.
helpers() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime OMP_NUM_THREADS=2 \
		"$ompcount" -q -e cpu-clock -c 250000 -o p.omphwc -- "$prog" >truth 2>err
}

in_turn 14 16 19
for n in $some; do
	name="target nowait, libomp $n"
	if build helpers clang -O1 && with_runtime $n; then
		enough 2000 1 helpers || { fail "$name: $(tail -n 1 err)"; continue; }
		"$ompcount" report --format json p.omphwc | python3 -c '
import json, sys
d = json.load(sys.stdin)
t = d["time"] or sys.exit(d["time_unknown"])
print("threads %d" % t["threads"])
print("small %d" % (t["lost_ns"]["small_team"] > 1000))
work = sum(e["total"]["work"] for e in d["events"][:1])
print("work %.3f" % (t["work_ns"] / work))
print("workers %d" % sum(t["kind"] == "worker" for t in d["threads"]))' >helped 2>&1
		check "$name: two threads, whose time is known" equal \
			"$(tr '\n' ' ' <helped)" "threads 2 small 0 work 1.000 workers 1 "
		folded p.omphwc >paths
		check "$name: the helpers' work" agrees "$(awk '/^main.*;offload[; ]/ { n += $NF }
			!/<OMP-/ { all += $NF } END { print n / all }' paths)" "$(cat truth)" \
			"$(samples_in paths p.omphwc)" 1 100
	else
		skip "$name: $why"
	fi
done

# Waits that sleep: the wall clock sees them in their cause, a clock of CPU time as not running.
policy="OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0"
kinds="imbalance lock"
for event in wall cpu-clock:uk; do
	"$ompcount" -q --strict -e $event -o p.omphwc -- true >out 2>err || { skip "$event: $(tail -n 1 err)"; continue; }
	name_policy=", passive"
	[ $event != wall ] || [ -n "$long" ] || kinds=imbalance
	[ $event != wall ] && [ -z "$long" ] || lost clang 16
	[ -n "$long" ] || kinds=lock
	lost gcc gomp
	kinds="imbalance lock"
done
finish
