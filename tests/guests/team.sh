# SPDX-License-Identifier: BSD-3-Clause
# team.sh - a team on several CPUs; see t-pmu-guest.sh and exact.sh.
mkdir -p out
run() {
	name=$1
	shift
	"$@" >"out/$name.out" 2>"out/$name.err"
	echo $? >"out/$name.status"
}
profile() {
	name=$1
	shift
	run "$name" ompcount -q -e cycles -c ${PERIOD:-200003} -o "out/$name.omphwc" "$@"
}
export OMP_NUM_THREADS=2
profile team programs/pmu_team ${MILLIONS:-10}
run instructed ompcount -q -e cycles,instructions -c ${PERIOD:-200003} -o out/instructed.omphwc \
	programs/pmu_team ${MILLIONS:-10}
profile nested programs/nested 0.1
profile tasks programs/tasks 0.1
exit 0
