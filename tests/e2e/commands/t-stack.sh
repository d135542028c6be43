#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ompcount stack: where hung and running programs are, deadlocks, who is missing; a program that is
# looked at goes on unchanged; what can't be looked at is refused in one line.
. "$(dirname "$0")/../../support/lib.sh"
[ -x "$ompcount" ] || skip_all "ompcount is not built"
sleep 60 &
pid=$!
"$ompcount" stack $pid >shown 2>&1 || skip_all "no process can be looked at here: $(cat shown)"
kill $pid

# begin COMMAND…: starts it, as $pid.
begin() {
	"$@" >out 2>err.program &
	pid=$!
	for _ in $(seq 300); do grep -q ready out && return; sleep 0.1; done
	echo "not ready in 30 s"
	return 1
}
end() {
	kill -KILL $pid
	wait $pid 2>/dev/null
}
# shows TEXT [OPTION…]: whether the process comes to be shown so within 60 s; what was shown is in "shown".
shows() {
	local text=$1
	shift
	for _ in $(seq 120); do
		"$ompcount" stack "$@" $pid >shown 2>shown.err && grep -qE -- "$text" shown && return
		sleep 0.5
	done
	cat shown shown.err
	return 1
}

# deadlocks THREADS SAID: SAID is how a deadlock of OpenMP's locks, which record no owner, begins.
deadlocks() {
	local threads=$1 said=$2
	begin "$prog" mutexes $threads
	check "$name: two mutexes" shows 'deadlock: thread ([0-9]+) waits for the mutex mutex_[ab] in take_mutexes \(stuck.c:[0-9]+\), held by thread ([0-9]+), which waits for the mutex mutex_[ab] in take_mutexes \(stuck.c:[0-9]+\), held by thread \1$'
	end
	begin "$prog" locks $threads
	check "$name: two locks" shows "^$said: no thread .*thread [0-9]+ waits for (a|the) lock.* in take_locks \(stuck.c:[0-9]+\); thread [0-9]+ waits for (a|the) lock.* in take_locks .*not recorded"
	check "$name: and the path to them" grep -qE '^ +take_locks +stuck.c:[0-9]+$' shown
	end
	begin "$prog" criticals $threads
	check "$name: two critical sections" shows "^$said: no thread .*critical section (first|second) in enter_(first|second) .*critical section (first|second) in enter_"
	end
	begin "$prog" task $threads
	check "$name: a task waits for itself" shows 'deadlock: thread [0-9]+ waits for the mutex mutex_a in task \(stuck.c:[0-9]+\), held by itself'
	end
	begin "$prog" barrier $threads
	check "$name: a barrier that one never reaches" shows "^$((threads - 1)) threads? waits? in barrier \(stuck.c:[0-9]+\), at a barrier of the region barrier:[0-9]+ \(stuck.c\); missing: thread [0-9]+, which runs in work_on \(stuck.c:[0-9]+\)"
	check "$name: its threads are shown as one, from main on" equal \
		"$(grep -cE "^threads? .*: waits at a barrier" shown) $(grep -cE '^    main ' shown)" "1 2"
	end
}

for kind in gcc clang; do
	build stuck $kind -O1 || { skip "$why"; continue; }
	said=deadlock
	[ $kind = gcc ] || said='(probably a )?deadlock'
	for threads in 2 200; do
		name="$kind, $threads threads"
		deadlocks $threads "$said"
	done
done

must_build stuck gcc -O1
begin "$prog" join
check "a thread's end is waited for" shows "waits for the end of thread [0-9]+"
check "where it is" grep -qE '^ +nap +stuck.c:[0-9]+$' shown
check "JSON" shows '"format":"omphwc-stack"' --format json
check "JSON fits its schema" python3 -c '
import json, sys
try:
    import jsonschema
except ImportError:
    print("no python3-jsonschema"); sys.exit(77)
jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))' \
	"$top_srcdir/doc/stack.schema.json" shown
end

# A fork's child has none of its parent's threads: GNU's runtime waits for them.
begin "$prog" forked 2
outer=$pid
for _ in $(seq 100); do pid=$(pgrep -P $outer); [ -n "$pid" ] && break; sleep 0.1; done
check "a fork's child" shows 'deadlock: no thread can go on: thread [0-9]+ waits at the end of .* region .* team \(stuck.c:[0-9]+\); the process has no other thread \(if it is a fork'
kill -KILL $pid
wait $outer
# forked_found KIND: the rules of the findings of both processes together. A child that hangs is
# killed; another one ends.
forked_found() {
	local run child
	"$ompcount" -o forked-$1/%p.omphwc "$prog" forked 2 >out 2>err &
	run=$!
	if [ $1 = gcc ]; then
		for _ in $(seq 300); do
			sleep 0.1
			child=$(pgrep -P "$(pgrep -P $run)" 2>/dev/null)
			[ -z "$child" ] || break
		done
		pid=$child
		shows '^deadlock: ' >/dev/null
		kill -KILL $child
	fi
	wait $run
	"$ompcount" report --format json forked-$1 | python3 -c '
import json, sys
print(*[f["rule"] for f in json.load(sys.stdin)["findings"] if f["rule"] == "forked"])'
}
check "a fork's child: a finding" equal "$(forked_found gcc)" forked
if build stuck clang -O1; then
	check "a fork's child with threads of its own: none" equal "$(forked_found clang)" ""
	must_build stuck gcc -O1
else
	skip "$why"
fi
begin "$prog" join

# In other namespaces, and from inside of them
if unshare --user --map-root-user --pid --fork --mount-proc true 2>/dev/null; then
	end
	begin unshare --user --map-root-user --pid --fork --mount-proc "$prog" mutexes 2
	outer=$pid
	for _ in $(seq 100); do pid=$(pgrep -P $outer); [ -n "$pid" ] && break; sleep 0.1; done
	check "in a container: owners have the numbers from outside" shows 'deadlock: thread ([0-9]+) waits .* held by thread ([0-9]+), which waits .* held by thread \1$'
	end
	wait $outer 2>/dev/null
	begin "$prog" join
else
	skip "no user namespaces"
fi

# refused PID WORDS [COMMAND…]: a line of three parts
refused() {
	local of=$1 words=$2 got
	shift 2
	got=$("$@" "$ompcount" stack $of 2>&1) && { echo "not refused"; return 1; }
	[ "$(echo "$got" | wc -l)" = 1 ] && echo "$got" | grep -qE "^ompcount: (process )?$of: .*$words.*: ." && return
	echo "$got"
	return 1
}
check "no such process" refused 1073741824 "there is no such process"
check "not a number" refused x1 "not the number of a process"
check "a thread" refused "$(ls /proc/$pid/task | tail -n 1)" "it is a thread, not a process"
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups "$ompcount" --version >/dev/null 2>&1; then
	check "another user's" refused $pid "another user's" setpriv --reuid 65534 --clear-groups
else
	skip "another user's: not root, or the build is private"
fi
end
sh -c 'true & exec sleep 100' &
parent=$!
for _ in $(seq 100); do
	zombie=$(pgrep -P $parent | head -n 1)
	[ -n "$zombie" ] && grep -q '^State:.*Z' /proc/$zombie/status 2>/dev/null && break
	sleep 0.1
done
check "a zombie" refused "$zombie" "it has ended"
if command -v strace >/dev/null; then
	strace -o strace.out -p $parent 2>strace.err &
	tracer=$!
	for _ in $(seq 100); do grep -q "^TracerPid:.[1-9]" /proc/$parent/status && break; sleep 0.1; done
	check "traced by another" refused $parent "process [0-9]+ traces it already"
	kill $tracer; wait $tracer 2>/dev/null
else
	skip "traced by another: no strace"
fi
# A stopped process stays so.
kill -STOP $parent
"$ompcount" stack $parent >shown 2>&1
check "a stopped process: shown" grep -q '1 thread, stopped for' shown
check "and still stopped" grep -q '^State:.T' /proc/$parent/status
kill -KILL $parent
wait $parent 2>/dev/null

# Looked at 100 times, and by commands that are killed: what it prints and its status stay, also
# profiled, and while it ends.
cat >counts.c <<'END'
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>
int main(void)
{
	struct epoll_event e;
	int fd = epoll_create1(0);
	long sum = 0;

	printf("ready %d\n", (int)getpid());
	fflush(stdout);
	while (access("go", F_OK)) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
		for (int i = 0; i < 1000; i++)
			sum += i & 1;
		if (epoll_wait(fd, &e, 1, 1) != 0)
			return perror("epoll_wait"), 3;
	}
	printf("%d\n", sum % 1500 == 0);
	return 7;
}
END
"$gcc" -g -O1 -fopenmp -o counts counts.c || skip_all "no OpenMP program can be built"
# unchanged WHAT COMMAND…
unchanged() {
	local what=$1 looks=0 as=0
	shift
	rm -f go
	begin "$@"
	as=$pid
	pid=$(sed -n 's/^ready //p' out)
	for i in $(seq 100); do
		"$ompcount" stack $pid >shown 2>&1 && looks=$((looks + 1))
	done
	for i in $(seq 10); do
		"$ompcount" stack $pid >/dev/null 2>&1 & sleep 0.00$i; kill -KILL $!; wait $! 2>/dev/null
	done
	touch go
	while kill -0 $pid 2>/dev/null; do "$ompcount" stack $pid >/dev/null 2>&1; done &
	local looker=$!
	wait $as
	check "$what: its status" equal $? 7
	wait $looker
	check "$what: what it printed" equal "$(tr '\n' ' ' <out)$(cat err.program)" "ready $pid 1 "
	check "$what: all looks showed it" equal $looks 100
	check "$what: the stop is told" grep -qE ' threads, stopped for [0-9.]+ .s$' shown
}
unchanged plain ./counts
if [ -e "$tool" ]; then
	unchanged profiled "$ompcount" record -q -e wall -o p.omphwc ./counts
	check "samples of wall time went on" below 100 "$(samples p.omphwc 2>/dev/null || echo 0)"
fi
finish
