#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# If the machine or its administrator refuses something, the program runs on, and one
# line says what was refused, why, and what to do.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
must_build deny gcc
deny=$prog
must_build shares clang -O2
app=$prog
"$app" 0.2 >truth 2>/dev/null
lines=$(wc -l <truth)

# one LINE_REGEX: standard error has exactly one line from ompcount, which matches.
one() {
	[ "$(grep -c '^ompcount: ' err)" = 1 ] && grep -qE "^ompcount: $1" err && return
	grep '^ompcount: ' err
	return 1
}

# denied WHAT N EVENT: runs the program under ompcount with that denied.
denied() {
	rm -f p.omphwc
	"$deny" "$1" "$2" "$ompcount" -e "$3" -o p.omphwc -- "$app" 0.2 >out 2>err
	status=$?
	check "$1 $2, $3: the program runs" equal "$status $(wc -l <out)" "0 $lines"
}

for error in 38 1 13; do
	denied perf $error cpu-clock
	check "perf $error: one line says so" one 'cpu-clock: .*(seccomp|perf_event_open).*: wall is counted instead .*to count it: .*--cap-add'
	check "perf $error: the report is called wall" grep -q '^elapsed time of each thread' <("$ompcount" report p.omphwc)
	check "perf $error: and has samples of the work" below 0.05 "$(folded p.omphwc | share /dev/stdin ';[a-z]*_kernel[; ]|;setup')"
	"$deny" perf $error "$ompcount" --strict -e cpu-clock -o q.omphwc -- "$app" 0.2 >out 2>err
	check "perf $error: --strict refuses before the program starts" equal "$? $(wc -c <out)" "1 0"
	check "perf $error: and says why" one 'cpu-clock:u?: .*(seccomp|perf_event_open)'
	check "perf $error: and leaves nothing" equal "$(ls q.omphwc 2>/dev/null)" ""
done

# Neither counters nor timers: nothing can be sampled, and the program is not affected.
rm -f p.omphwc
"$deny" timers 1 "$ompcount" -e cpu-clock -o p.omphwc -- "$app" 0.2 >out 2>err
status=$?
check "timers 1: the program runs" equal "$status $(wc -l <out)" "0 $lines"
check "timers 1: it says that nothing is counted" grep -q '^ompcount: .*: nothing is counted' err
check "timers 1: and so profiled" grep -q '^ompcount: nothing was profiled: .*none of its events' err

export OMP_NUM_THREADS=8
denied files 24 cpu-clock,task-clock,page-faults,minor-faults
check "files 24: the report says so" grep -q 'is not counted in full: .*descriptors left: RLIMIT_NOFILE is 24' \
	<("$ompcount" report p.omphwc)
check "files 24: and which threads were counted" grep -qE 'counted in [0-9]+ of [0-9]+ threads' \
	<("$ompcount" report p.omphwc)
check "files 24: what the other threads did is not called not running" \
	grep -q '^parallel efficiency: not known: threads had no counter of the event that measures time' \
	<("$ompcount" report p.omphwc)
denied files 12 cpu-clock
export OMP_NUM_THREADS=2

# Without rings nothing says where a fault's data lies: the profiler's own faults are known all the same.
kept() { "$ompcount" report --format json "$1" | sed -n 's/^"samples":{[^}]*"kept":\([0-9]*\).*/\1/p'; }
# close_to A B: whether they differ by 10 at most; prints both if not.
close_to() { [ -n "$1" ] && [ -n "$2" ] && [ $(($1 - $2)) -le 10 ] && [ $(($2 - $1)) -le 10 ] || { echo "$1 is not about $2"; return 1; }; }
"$ompcount" -q -e page-faults -c 1 -o with.omphwc -- "$app" 0.01 >out 2>err
for delivery in signal sigtrap; do
	"$deny" rings 1 "$ompcount" -q -e page-faults -c 1 --delivery $delivery -o p.omphwc -- "$app" 0.01 >out 2>err
	check "no rings, $delivery: the program runs" equal "$? $(wc -l <out)" "0 $lines"
	"$ompcount" report p.omphwc >said
	check "no rings, $delivery: the report says why" grep -q \
		'^thread 0 is not sampled in full: page-faults:u: no memory is left .*perf_event_mlock_kb.*: as root: ' said
	check "no rings, $delivery: and of how many samples" grep -q "^without the kernel's record: [0-9,]* samples" said
	check "no rings, $delivery: the profiler's own faults are left out" close_to "$(kept p.omphwc)" "$(kept with.omphwc)"
done
"$deny" rings 1 "$ompcount" -q -e cpu-clock -o p.omphwc -- "$app" 0.01 >out 2>err
check "no rings, a clock: the signals say all" equal "$("$ompcount" report p.omphwc | grep -c 'record\|in full')" 0

mkdir -m 777 theirs
chmod a+x "$work"
if [ "$(id -u)" != 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" != 2 ]; then
	skip "an ordinary user: needs root and kernel.perf_event_paranoid=2"
elif ! "$deny" user 65534 "$app" 0.01 >out 2>err; then
	skip "an ordinary user: he can't start what lies in $work"
else
	(cd theirs && "$deny" user 65534 "$ompcount" -e cpu-clock -o p.omphwc -- "$app" 0.2 >../out 2>../err)
	check "an ordinary user counts his own code" equal "$? $(wc -l <out) $(grep -c "^ompcount: " err)" "0 $lines 0"
	(cd theirs && "$deny" user 65534 "$ompcount" -e task-clock,page-faults:uk -o p.omphwc -- "$app" 0.2 >../out 2>../err)
	check "the kernel's side is refused him" equal "$? $(wc -l <out)" "0 $lines"
	check "one line says so" one 'page-faults:uk: kernel.perf_event_paranoid is 2.* is counted instead .*sysctl'
fi
# Programs with ThreadSanitizer are not profiled.
export OMP_NUM_THREADS=2
if build threads clang -O1 -fsanitize=thread; then
	rm -f p.omphwc
	TSAN_OPTIONS=report_bugs=0 "$ompcount" -e cpu-clock -o p.omphwc -- "$prog" 0.1 >out 2>err
	check "ThreadSanitizer: the program runs" equal "$? $(wc -l <out)" "0 5"
	check "ThreadSanitizer: one line says so" one 'nothing was profiled: .*ThreadSanitizer is in it'
	TSAN_OPTIONS=report_bugs=0 OMP_TOOL_LIBRARIES=$tool OMPHWC_OUTPUT=q.omphwc "$prog" 0.1 >out 2>err
	check "ThreadSanitizer: as an OMPT tool too" equal "$? $(wc -l <out)" "0 5"
else
	skip "ThreadSanitizer: $why"
fi

# valgrinds HOW COMMAND…: Valgrind's tools say what they say without the profiler, and end alike;
# they warn (--PID--) of no system call of ours.
declare -A plain=()
valgrinds() {
	local how=$1 tool_name options
	shift
	for tool_name in memcheck none callgrind; do
		options=(--log-file=log --tool=$tool_name)
		[ $tool_name != callgrind ] || options+=(--callgrind-out-file=/dev/null)
		if [ -z "${plain[$tool_name]:-}" ]; then
			valgrind "${options[@]}" "$app" 0.01 >out 2>err
			plain[$tool_name]="$? $(wc -l <out) $(sed -n 's/^==[0-9]*== ERROR SUMMARY/errors/p' log) $(grep -c '^--' log)"
		fi
		rm -f log ./*.omphwc
		"$@" valgrind "${options[@]}" "$app" 0.01 >out 2>err
		check "valgrind's $tool_name, $how: as without" equal \
			"$? $(wc -l <out) $(sed -n 's/^==[0-9]*== ERROR SUMMARY/errors/p' log) $(grep -c '^--' log)" "${plain[$tool_name]}"
		check "valgrind's $tool_name, $how: one line says that nothing is profiled" equal \
			"$(grep '^omphwc: ' err)" \
			"omphwc: the program is not profiled: Valgrind runs it: profile it without valgrind"
	done
}
build shares clang -O2 -gdwarf-4
app=$prog
if ! valgrind -q "$app" 0.01 >out 2>&1; then
	skip "valgrind: it is not installed, or can't run the program"
else
	valgrinds "under ompcount" "$ompcount" -e cpu-clock
	valgrinds "preloaded" env LD_PRELOAD="$tool" OMPHWC_EVENTS=cpu-clock
	valgrinds "as an OMPT tool" env OMP_TOOL_LIBRARIES="$tool" OMPHWC_EVENTS=cpu-clock
fi
finish
