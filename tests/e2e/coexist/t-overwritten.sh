#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program whose live profile others write into ends as it would have, and it is said that the
# profile is not what was measured.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# It goes on until there is a file `stop', and for some regions after.
cat >until.c <<'END'
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(void)
{
	for (int left = 50; left > 0; left -= access("stop", F_OK) == 0) {
#pragma omp parallel
		for (double end = now() + 0.001; now() < end;)
			;
		if (access("ready", F_OK) != 0)
			fclose(fopen("ready", "w"));
	}
	puts("done");
	return 3;
}
END
"$gcc" -g -O1 -fopenmp -o until until.c 2>err || skip_all "gcc cannot build it: $(tail -n 1 err)"

# write HOW: writes into p.omphwc in place, twice.
write() {
	local bytes
	bytes=$(stat -c %s p.omphwc)
	case $1 in
	zeros) dd if=/dev/zero of=p.omphwc conv=notrunc bs="$bytes" count=1 ;;
	"zeros behind the header") dd if=/dev/zero of=p.omphwc conv=notrunc bs=4096 seek=1 count=$((bytes / 4096 - 1)) ;;
	"random bytes") head -c "$bytes" /dev/urandom | dd of=p.omphwc conv=notrunc ;;
	"random bytes behind the header") head -c $((bytes - 4096)) /dev/urandom | dd of=p.omphwc conv=notrunc bs=4096 seek=1 ;;
	"ones behind the header") tr '\0' '\377' </dev/zero | head -c $((bytes - 4096)) | dd of=p.omphwc conv=notrunc bs=4096 seek=1 ;;
	"an older copy") dd if=older of=p.omphwc conv=notrunc ;;
	"another profile") dd if=other of=p.omphwc conv=notrunc ;;
	"its end cut off") truncate -s $((bytes / 2)) p.omphwc ;;
	"a file of another run in its place") cp other new && mv new p.omphwc ;;
	nothing) : >p.omphwc ;;
	esac 2>/dev/null
}

# overwritten HOW OPTION…
overwritten() {
	local how=$1 pid
	shift
	rm -f p.omphwc* out ready stop
	timeout -k 5 60 "$ompcount" -q -F 10000 -e cpu-clock --timeline --entries "$@" -o p.omphwc -- \
		./until >out 2>err &
	pid=$!
	for ((i = 0; i < 500; i++)); do
		[ ! -e ready ] || break
		sleep 0.02
	done
	cp p.omphwc older
	sleep 0.1
	write "$how"
	sleep 0.05
	[ "$how" = nothing ] || write "$how"
	touch stop
	wait $pid
	check "$how${*:+ ($*)}: status" equal $? 3
	check "$how${*:+ ($*)}: output" equal "$(cat out)" done
	if grep -q 'another program wrote into it' err; then
		pass "$how${*:+ ($*)}: it is said"
	else
		"$ompcount" report p.omphwc >report 2>&1
		check "$how${*:+ ($*)}: it is said" grep -q 'overwritten while the process ran' report
	fi
}

touch stop
"$ompcount" -q -e cpu-clock --timeline -o other -- ./until >out 2>err
for how in zeros "zeros behind the header" "random bytes" "random bytes behind the header" \
	"ones behind the header" "an older copy" "another profile" "its end cut off" "a file of another run in its place" nothing; do
	overwritten "$how"
done
overwritten "random bytes behind the header" --trace --blame
overwritten "an older copy" --count=page-faults

# Two machines with one host name write into one folder: the second takes neither the first one's
# name nor its samples.
cat >machine.sh <<'END'
echo "$1" >"boot.$1" && hostname cloned && mount --bind "boot.$1" /proc/sys/kernel/random/boot_id || exit 99
shift
exec "$@"
END
machine() { unshare -mup -f --mount-proc bash machine.sh "$@"; }
if machine 0 true 2>/dev/null; then
	rm -f p.omphwc* p-* ready stop
	machine 1 "$ompcount" -q -e cpu-clock -o p.omphwc ./until >out 2>err &
	pid=$!
	for ((i = 0; i < 500; i++)); do
		[ ! -e ready ] || break
		sleep 0.02
	done
	machine 2 "$ompcount" -e cpu-clock -o p.omphwc sh -c 'while [ $((n += 1)) -lt 100000 ]; do :; done' >out2 2>err2
	touch stop
	wait $pid
	check "two machines with one name: the first one's status" equal "$? $(cat err)" "3 "
	check "both have a profile" equal "$(ls p*.omphwc | wc -l)" 2
	check "the first one's is where it was asked for" grep -q '^until' <("$ompcount" report p.omphwc)
	check "the second prints its own" grep -q '^sh -c' err2
	check "and says where it is" grep -q '^profile: .*/p-[0-9]*\.omphwc' err2
else
	skip "two machines: only root can make them"
fi
finish
