# SPDX-License-Identifier: BSD-3-Clause
# count.sh - what one CPU counts without sampling, by user code's own reads and by
# the kernel's; see t-pmu-guest.sh and exact.sh.
#
# EVENT, SECOND	as there; their names are those of the report

run() {
	name=$1
	shift
	"$@" >"out/$name.out" 2>"out/$name.err"
	echo $? >"out/$name.status"
}
count() {
	name=$1
	shift
	run "$name" ompcount -q -o "out/$name.omphwc" "$@"
}

mkdir -p out
export OMP_NUM_THREADS=1 KMP_BLOCKTIME=0
[ "${PMU_OWNER:-}" != yes ] || sysctl -w kernel.perf_user_access=1 >/dev/null
count count-short -e $EVENT,$SECOND --count programs/pmu_exact 14
count count -e $EVENT,$SECOND --count programs/pmu_exact 84
count count-again -e $EVENT,$SECOND --count programs/pmu_exact 84
count count-beside -e $EVENT -c 1000003 --delivery signal --count=$SECOND,$EVENT programs/pmu_exact 84
OMP_NUM_THREADS=2 count count-team --count=$EVENT,$SECOND programs/pmu_team 10
[ -z "${MANY:-}" ] || count count-many --count="$MANY" programs/pmu_exact 350
[ -z "${MANY:-}" ] || count count-many-sampled -e "$MANY" -c 1000003 programs/pmu_exact 350
[ "${PMU_OWNER:-}" = yes ] || exit 0

# What a region costs, in instructions: without a tool, with one that does nothing,
# sampled, counted.
cost() {
	name=$1
	shift
	run "cost-$name" env OMP_NUM_THREADS=1 OMPHWC_OUTPUT=/tmp/cost.omphwc "$@" programs/regions 5
}
tool=OMP_TOOL_LIBRARIES=/opt/omphwc/lib/libomphwc.so
cost none OMP_TOOL=disabled
cost null OMP_TOOL_LIBRARIES="$PWD/programs/nulltool.so"
cost sampled "$tool" OMPHWC_EVENTS=cpu-clock
cost counted "$tool" OMPHWC_COUNT=$EVENT
cost counted-two "$tool" OMPHWC_COUNT=$EVENT,$SECOND

# Where user code may not read, and what is short then.
sysctl -w kernel.perf_user_access=0 >/dev/null
cost unread "$tool" OMPHWC_COUNT=$EVENT,$SECOND OMPHWC_COUNT_MIN=1000000
count count-slow --count=$EVENT,$SECOND programs/pmu_exact 84
count count-unread --count=$EVENT,$SECOND --count-min 30000 programs/pmu_exact 84
sysctl -w kernel.perf_user_access=1 >/dev/null
exit 0
