# SPDX-License-Identifier: BSD-3-Clause
# exact.sh - what one CPU counts and samples, where every count is the same in
# each run; see t-pmu-guest.sh.  Runs in a folder with programs/, and ompcount in
# the PATH; leaves out/.  Any sh will do.
#
# With signals a counter stands still in the handler, and counts the program alone.
#
# EVENT		one that counts instructions; SECOND: another for each of them
# PMU_OWNER	yes: this is a machine of our own, whose settings may be changed

# run NAME OPTIONS… PROGRAM…: profile, output, messages and status in out/NAME.*.
run() {
	name=$1
	shift
	"$@" >"out/$name.out" 2>"out/$name.err"
	echo $? >"out/$name.status"
}
profile() {
	name=$1
	shift
	run "$name" ompcount -q -o "out/$name.omphwc" "$@"
}

mkdir -p out
export OMP_NUM_THREADS=1 KMP_BLOCKTIME=0
for name in short exact again; do
	millions=84
	[ $name != short ] || millions=14
	profile $name --delivery signal -e $EVENT -c 1000003 programs/pmu_exact $millions
done
profile trap --delivery sigtrap -e $EVENT -c 1000003 programs/pmu_exact 84
OMP_NUM_THREADS=2 profile team -e $EVENT -c 500009 programs/pmu_team 10
profile freq -e $EVENT -F 997 programs/pmu_exact 350
profile both -e $EVENT,$SECOND -c 1000003 programs/pmu_exact 84
profile sides -e cycles:u,cycles:k -c 500009 programs/pmu_sides 30
[ -z "${NAMES:-}" ] || profile names -e "$NAMES" -c 1000003 programs/pmu_exact 84
run report ompcount report --format folded out/exact.omphwc
run check ompcount check
run list ompcount list cycles
# By SIGTRAP one of two samples at once is lost: it is no signal that queues.
own() {
	profile own --delivery signal -c 7 -e $EVENT/period=1000003/,$SECOND/period=2000003/u programs/pmu_exact 84
}
[ "${PMU_OWNER:-}" = yes ] || { own; exit 0; }

# More samples than the kernel allows, which is one a tick then.
sysctl -w kernel.perf_event_max_sample_rate=250 >/dev/null
profile throttled --delivery sigtrap -e $EVENT -c 1000003 programs/pmu_exact 252
profile rearmed --delivery signal -e $EVENT -c 1000003 programs/pmu_exact 84
sysctl -w kernel.perf_event_max_sample_rate=100000 >/dev/null
# It lowers that when two samples at once take long.
sysctl -w kernel.perf_cpu_time_max_percent=0 >/dev/null
own

# An ordinary user, as the kernel lets him.
chmod 777 out
mkdir -p /home/user
chown user /home/user
for level in 2 3; do
	sysctl -w kernel.perf_event_paranoid=$level >/dev/null
	for event in cycles cycles:k cycles,cycles:k; do
		run "user-$level-$event" su user -c \
			"ompcount -o out/user-$level-$event.omphwc -e $event -c 1000003 programs/pmu_exact 14"
		run "strict-$level-$event" su user -c \
			"ompcount --strict -o out/strict-$level-$event.omphwc -e $event -c 1000003 programs/pmu_exact 14"
	done
	run "check-$level" su user -c "ompcount check"
	run "perfmon-$level" env HOME=/home/user programs/with perfmon ompcount -o out/perfmon-$level.omphwc \
		-e cycles:u,cycles:k -c 500009 programs/pmu_sides 30
done

# Another has all counters.
run busy programs/with busy ompcount -o out/busy.omphwc -e $EVENT -c 1000003 programs/pmu_exact 14
run busy-strict programs/with busy ompcount --strict -o out/busy-strict.omphwc -e $EVENT \
	-c 1000003 programs/pmu_exact 14
run busy-count programs/with busy ompcount -o out/busy-count.omphwc --count=$EVENT,cycles \
	programs/pmu_exact 14
run busy-check programs/with busy ompcount check
exit 0
