#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ompcount top: a run is watched while it goes on, by its profile's name or a process's
# number; what ends, is truncated or replaced meanwhile is reported.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
cat >busy.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static volatile double sum;

static void spin(int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += 1.0 / (i + 1);
	sum = s;
}

__attribute__((noinline)) void first(void)
{
#pragma omp parallel
	spin(2000000);
}

__attribute__((noinline)) void second(void)
{
#pragma omp parallel
	spin(2000000);
}

/* Runs first() until there is a file "go", then second() until there is "end". */
int main(void)
{
	while (access("go", F_OK))
		first();
	puts("second");
	fflush(stdout);
	while (access("end", F_OK))
		second();
	return 0;
}
END
"$gcc" -g -O1 -fno-inline -fopenmp -o busy busy.c 2>build.log ||
	skip_all "no OpenMP program can be built: $(tail -n 1 build.log)"

# start NAME: profiles the program to NAME.omphwc, as $run; waits until it has samples.
start() {
	rm -f go end
	timeout 100 "$ompcount" -q -e cpu-clock,page-faults -F 500 -o "$1.omphwc" ./busy >out &
	run=$!
	for _ in $(seq 200); do
		"$ompcount" top --batch -n 1 "$1.omphwc" 2>/dev/null | grep -q ' first:' && return
		sleep 0.1
	done
	echo "no samples in 20 s"
	return 1
}
stop() {
	touch go end
	wait $run
}
# now REGION FILE: its share of the last interval printed.
now() { awk -v r=" $1:" '/parallel region$/ { share = 0; on = 1 } /function$/ { on = 0 } on && index($0, r) { share = $1 } END { print share + 0 }' "$2"; }

start a
check "there is a run" equal $? 0
"$ompcount" top --batch -n 1 a.omphwc >text
check "of a file: its process" grep -q "^busy: pid [0-9]* on .*, 2 threads, [0-9.]* m\{0,1\}s$" text
check "and all since its start" grep -q '^since start: work [0-9.]* %, wait [0-9.]* %, overhead [0-9.]* % of ' text
check "regions, functions and threads" equal "$(grep -c ' now %.*parallel region$\| now %.*function$\| now %.*thread$' text)" 3
check "the region that runs" below 50 "$(now first text)"
pid=$(sed -n 's/^busy: pid \([0-9]*\) .*/\1/p' text)
check "of a process" grep -q "^busy: pid $pid " <("$ompcount" top -b -n 1 "$pid")
check "of the ompcount that started it" grep -q "^busy: pid $pid " <("$ompcount" top -b -n 1 $run)
touch go
for _ in $(seq 200); do grep -q second out && break; sleep 0.1; done
"$ompcount" top -b -d 0.5 -n 3 a.omphwc >text
check "it looks three times" equal "$(grep -c '^busy: ' text)" 3
check "two are of an interval" equal "$(grep -c '^last [0-9.]* s: work' text)" 2
check "the last interval is another region's" below "$(now first text)" "$(now second text)"
check "in which the first had nothing" below "$(now first text)" 1
"$ompcount" top -b -n 1 -e page-faults:u a.omphwc >text
check "another event" grep -q '^since start: .* page-faults' text
touch end
"$ompcount" top -b -d 0.3 a.omphwc >text
check "a batch ends with the process" equal $? 0
check "which is reported" equal "$(tail -n 60 text | grep -c '^busy: .*: it has ended$')" 1
wait $run
check "the run was not disturbed" equal $? 0

# Both threads on one CPU: each works all the time that it runs, and has half a CPU.
cpu=$(awk '/^Cpus_allowed_list/ { split($2, c, /[-,]/); print c[1] }' /proc/self/status)
rm -f go end
taskset -c "$cpu" timeout 100 "$ompcount" -q -e cpu-clock -F 500 -o one.omphwc ./busy >out &
run=$!
for _ in $(seq 200); do
	"$ompcount" top -b -n 1 one.omphwc 2>/dev/null | grep -q ' first:' && break
	sleep 0.1
done
"$ompcount" top -b -d 1 -n 2 one.omphwc >text
check "CPUs that threads had" below "$(sed -n 's/^CPUs: \([0-9.]*\) had by 2 threads.*/\1/p' text)" 1.15
if [ -s /proc/self/schedstat ]; then
	check "and waited for" below 0.3 "$(sed -n 's/^CPUs: .* \([0-9.]*\) more waited for$/\1/p' text)"
fi
check "of each thread" equal "$(awk '/CPU % .* thread$/ { on = 1; n = 0; next } on && $1 ~ /^[0-9.]+$/ && $1 < 110 { n++ } END { print n }' text)" 2
stop

start b
check "another run" equal $? 0
pid=$("$ompcount" top -b -n 1 b.omphwc | sed -n 's/^busy: pid \([0-9]*\) .*/\1/p')
kill -9 "$pid"
wait $run 2>/dev/null
check "a killed process is reported" grep -q '^busy: .*: it was killed$' <("$ompcount" top -b -n 1 b.omphwc)

start c
check "a third run" equal $? 0
(sleep 1; : >c.omphwc) &
"$ompcount" top -b -d 0.5 -n 8 c.omphwc >text
check "a truncated profile: it goes on" equal $? 0
check "and says so" grep -q "^the profile can't be read now: " text
wait $!
cp a.omphwc c.omphwc
check "a replaced one is another process's" grep -q 'it has ended$' <("$ompcount" top -b -n 2 -d 0.2 c.omphwc)
stop

# refused REGEX ARG…: one line, nothing else.
refused() {
	local regex=$1
	shift
	"$ompcount" top "$@" >out 2>err && return 1
	equal "$(wc -c <out) $(wc -l <err)" "0 1" && { grep -qE "^ompcount: $regex" err || { cat err; return 1; }; }
}
mkdir nothing
check "no argument, and nothing here" equal "$(cd nothing && "$ompcount" top 2>&1)" \
	"ompcount: top: no profile given, and none in this folder: name a profile or a folder"
check "two" refused 'top: one profile at a time' a b
check "no such file" refused 'none: No such file' none
check "no such process" refused '999999999: there is no such process' 999999999
sleep 50 &
check "a process without a profile" refused "$!: neither it nor what it started is profiled: start it by ompcount" $!
kill $!
check "no profile" refused 'busy\.c: ' -b busy.c
for wrong in "-d 0" "-d x" "-n 0" "-d inf"; do
	# shellcheck disable=SC2086
	check "$wrong" refused '-[dn] ' -b $wrong a.omphwc
done
"$ompcount" top -b -n 1 a.omphwc >/dev/full 2>err
check "a full disk" equal "$? $(wc -l <err)" "1 1"

# ---- the screen ----------------------------------------------------------------

if ! command -v tmux >/dev/null; then
	skip "the screen: tmux is not installed"
	finish
fi
. "$top_srcdir/tests/support/screen.sh"
"$ompcount" top a.omphwc </dev/null 2>err >/dev/null
if grep -q "has no ncurses" err; then
	skip "the screen: built without ncurses"
	finish
fi
"$ompcount" top -d 0 a.omphwc 2>delay
check "a delay of 0" equal "$? $(cat delay)" \
	"2 ompcount: -d 0: not a time in seconds: give a number above 0, up to 86400"
check "without a terminal it says what to do" equal "$(cat err)" "ompcount: top: it needs a terminal: use ompcount top --batch"
start d
check "a last run" equal $? 0
for columns in 60 100; do
	screen $columns 24 "'$ompcount' top -d 0.5 d.omphwc"
	check "$columns columns: an interval" shown '^last [0-9.]+ s: work'
	check "$columns columns: it fits" fits $columns
	check "$columns columns: regions" shown ' first:[0-9]+ \(busy\.c\)'
	keys q
	check "$columns columns: q leaves" shown '^status 0'
done
screen 100 24 "'$ompcount' top -d 0.5 $run"
check "by number: regions" shown ' first:[0-9]+ \(busy\.c\)'
keys t
check "t: threads" shown ' thread 1, tid'
check "with their CPUs" shown '^  CPU % +now %'
check "and the sum of them" shown '^CPUs: [0-9.]+ had by 2 threads'
keys f
check "f: functions" shown ' spin \(busy\.c:'
keys s
check "s: sorted by another column" shown 'sort \(since the start\)'
keys e
check "e: the next event" shown '^since start: .* page-faults'
keys e
check "and the first again" shown '^since start: .* cpu-clock'
resize 60 10
check "smaller" fits 60
resize 100 24
keys p
check "p: pause" shown ' p: paused$'
keys p
check "and on" shown ' p: pause$'
keys h
check "h: help" shown '^Keys: r regions'
keys x
check "any key: back" shown ' thread$| function$| parallel region$'
# rows_are N: waits until so many threads are shown.
rows_are() {
	for _ in $(seq 100); do
		[ "$(picture | grep -c ' thread [0-9]*, tid')" = "$1" ] && return
		sleep 0.1
	done
	picture
	return 1
}
keys t Down
check "down: without the first row" rows_are 1
keys Down Down End
check "the last one stays" rows_are 1
keys Home
check "home: all" rows_are 2
keys Tab
check "tab: the next table" shown ' parallel region$'
stop
check "the end is reported" shown 'it has ended$'
keys q
check "and q leaves" shown '^status 0'
finish
