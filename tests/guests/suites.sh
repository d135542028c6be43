# SPDX-License-Identifier: BSD-3-Clause
# suites.sh [all] - the unit tests that depend on the machine, or all of them; see
# t-pmu-guest.sh.  Each one's output is in out/suite-NAME.
cd suites || exit
suite() {
	name=$1
	shift
	"$@" >"../out/suite-$name" 2>&1
}
sysctl -w kernel.perf_user_access=1 >/dev/null
if [ "${1:-}" = all ]; then
	for t in check_*; do
		suite $t ./$t
	done
	exit 0
fi
suite check_prologue_aarch64 ./check_prologue_aarch64
suite check_fastread_real ./check_fastread_real
suite check_pmu_event ./check_pmu_event
suite check_pmu_fault ./check_pmu_fault
OMPHWC_TEST_BRIEF=1 suite check_unwind ./check_unwind
CK_RUN_CASE='beginnings and ends' suite check_walk ./check_walk
exit 0
