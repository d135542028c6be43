# SPDX-License-Identifier: BSD-3-Clause
# misses.sh - misses of the TLB, sampled and counted; see t-pmu-riscv64.sh.
mkdir -p out
export OMP_NUM_THREADS=2
run() {
	name=$1
	shift
	"$@" >"out/$name.out" 2>"out/$name.err"
	echo $? >"out/$name.status"
}
profile() {
	name=$1
	shift
	run "$name" ompcount -q --strict -o "out/$name.omphwc" "$@"
}
# The kernel lowers it when the emulation is slow.
sysctl -w kernel.perf_cpu_time_max_percent=0 kernel.perf_event_max_sample_rate=100000 >/dev/null
profile misses -e dTLB-load-misses -c 1000 programs/pages 20
profile signal --delivery signal -e dTLB-load-misses -c 1000 programs/pages 20
profile counted --count=dTLB-load-misses,instructions programs/pages 20
profile cycles -e cycles -c 30011 programs/pages 1
profile nested -e cycles -c 20000003 programs/nested 0.3
profile tasks -e cycles -c 20000003 programs/tasks 0.3
run report ompcount report --format folded out/misses.omphwc
run list ompcount list dTLB-load-misses
exit 0
