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

# Where user code may not read, and what is short then.
sysctl -w kernel.perf_user_access=0 >/dev/null
count count-slow --count=$EVENT,$SECOND programs/pmu_exact 84
count count-unread --count=$EVENT,$SECOND --count-min 30000 programs/pmu_exact 84
sysctl -w kernel.perf_user_access=1 >/dev/null
exit 0
