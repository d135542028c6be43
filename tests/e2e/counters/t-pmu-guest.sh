#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Hardware counters in an emulated arm64 machine, whose PMU is driven by Linux's real
# driver: everything is built for it and runs there.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
here=$top_srcdir/tests/guests
. "$here/make.sh"
make_guest
cp "$here"/{count,exact,suites,team}.sh "$tree/work/"
# The reports are made on the host, from profiles of the guest.
. "$here/judge.sh"

# guest FOLDER COMMAND…: 0 if it ran to its end.
guest() {
	local into=$1
	shift
	"$here/boot" "$guest" "$tree" -- "$into" "$@" >"$into.log" 2>&1
}

# One CPU, one tick per instruction.
export SMP=1 ICOUNT=shift=0,sleep=off T=240
out=$PWD/exact
many=cycles,instructions,cycles:k,instructions:k,cycles:uk,instructions:uk
many=$many,CPU_CYCLES,CPU_CYCLES:k,CPU_CYCLES:uk,r11,r11:k,r11:uk,r08,r08:k,r08:uk,INST_RETIRED
check "the guest runs with one CPU" guest exact \
	"EVENT=cycles SECOND=instructions PMU_OWNER=yes NAMES=CPU_CYCLES,r11 sh exact.sh && EVENT=cycles SECOND=instructions PMU_OWNER=yes MANY=$many sh count.sh && sh suites.sh ${long:+all}"
judge_exact cycles
# The first period is another one in each run.
check "two runs differ by one sample at most" awk -v a="$(total exact.user)" -v b="$(total again.user)" \
	'BEGIN { print a, b; exit a - b > 1000003 || b - a > 1000003 }'
judge_throttled cycles
judge_rate cycles
judge_events cycles instructions
judge_sides
judge_team team
judge_counted 0 1
judge_added 0 1
judge_beside 1 1000003
judge_slow
judge_cost
judge_many 16
for part in 'short_work 10' 'long_work 30' 'even_work 40'; do
	check "team: ${part% *} ran ${part#* } million instructions" within \
		"$(grep ";${part% *};" team.user | total /dev/stdin)" ${part#* }000000 60
done
ran names
json names
# An event counts the other's handlers; the first sample's, which meets all code for the first
# time and is CPU_CYCLES', takes some 180,000 instructions: 2.1 per mille of r11's.
for label in CPU_CYCLES:u r11:u; do
	paths names $label
	check "names: $label counts as cycles do" within "$(counted names $label)" \
		"$(counted both cycles:u)" 3
	parts names 1000003
done
check "a report made there is the one made here" equal "$(cat exact/report.out)" "$(cat exact.user)"
check "ompcount check: it has a PMU" grep -q 'ok *PMU .*cycles' exact/check.out
check "ompcount check: and it samples" grep -q 'ok *cycles, signals' exact/check.out
check "ompcount list: cycles" grep -q '^ *cycles  ' exact/list.out

# refused RUN LEVEL: the application ran, and one line said what was refused and what to do.
refused() {
	equal "$(cat "exact/$1.status")" 0 &&
		equal "$(cat "exact/$1.out")" "$(cat exact/short.out)" &&
		equal "$(grep -c "^ompcount: .*paranoid is $2.*is counted instead .*sysctl" "exact/$1.err")" 1
}
strictly() {
	equal "$(cat "exact/$1.status") $(cat "exact/$1.out")" "1 " &&
		equal "$(grep -c "^ompcount: .*paranoid is $2.*sysctl" "exact/$1.err")" 1 &&
		equal "$(wc -l <"exact/$1.err")" 1
}
check "paranoid 2: an ordinary user counts his own code" equal \
	"$(cat exact/user-2-cycles.status exact/user-2-cycles.out)" "0
$(cat exact/short.out)"
paths user-2-cycles
parts user-2-cycles 1000003
for run in 2-cycles:k 2-cycles,cycles:k 3-cycles 3-cycles:k 3-cycles,cycles:k; do
	check "paranoid ${run%%-*}: ${run#*-} is replaced" refused "user-$run" ${run%%-*}
	check "paranoid ${run%%-*}: ${run#*-} is refused with --strict" strictly "strict-$run" ${run%%-*}
done
paths "user-2-cycles,cycles:k" cycles:u
check "paranoid 2: what is allowed is counted beside it" within \
	"$(total "user-2-cycles,cycles:k.user")" 14000000 80
check "paranoid 2: ompcount check" grep -q 'perf_event_paranoid .*2' exact/check-2.out
check "paranoid 3: ompcount check" grep -q 'perf_event_paranoid .*3' exact/check-3.out

check "paranoid 2: CAP_PERFMON counts the kernel's side too" equal \
	"$(cat exact/perfmon-2.status) $(grep -c '^ompcount: ' exact/perfmon-2.err)" "0 0"
json perfmon-2
check "paranoid 2: and its own" within "$(counted perfmon-2 cycles:u)" "$(counted sides cycles:u)" 10
check "paranoid 2: both" within "$(counted perfmon-2 cycles:k)" "$(counted sides cycles:k)" 100
check "paranoid 3: CAP_PERFMON is not enough, on Debian" equal "$(grep -c \
	'^ompcount: .*paranoid is 3: CAP_PERFMON is not.*is counted instead .*sysctl' exact/perfmon-3.err)" 1
busy='other users of the PMU hold all its counters.*end other profilers'
check "busy: the program ran" equal "$(cat exact/busy.status exact/busy.out)" "0
$(cat exact/short.out)"
check "busy: one line says why a clock is counted instead" equal \
	"$(grep -c "^ompcount: .*$busy" exact/busy.err)" 1
check "busy: refused with --strict" equal "$(cat exact/busy-strict.status) $(wc -l <exact/busy-strict.err)" "1 1"
check "busy: counting says so" grep -q 'found no free counter.*end other profilers' exact/busy-count.err
check "busy: and counts nothing" grep -q 'no counter was free for it at any time' exact/busy-count.err
check "busy: ompcount check" grep -q 'cycles, signals *other users' exact/busy-check.out

# passed SUITE: prints what failed in it.
passed() {
	! grep -q '^100%: ' "$1" || return 0
	grep ':[FE]:' "$1" || tail -n 3 "$1"
	return 1
}
for suite in exact/suite-*; do
	check "unit tests there: ${suite#*-}" passed "$suite"
done

# Several CPUs.
export SMP=2 ICOUNT=shift=0
out=$PWD/team
check "the guest runs with two CPUs" guest team "sh team.sh"
ran team nested tasks instructed
judge_team team
check "team: who is early waits at the region's end" below 0.05 \
	"$(share team.user '^main;uneven;<OMP-implicit_barrier>')"
# It runs three of four instructions: 1.5 times the mean of two threads, by 200 samples at most. The
# mean is of half of them, so chance is twice that of the share.
more_to_do() {
	"$ompcount" report --by finding "$1" >said
	sed -n 's/.*; its instructions are \([0-9.]*\) times the mean: it has more to do$/\1/p' said >more
	awk -v z=$deviations '{ n++; off = $1 - 1.5; if (off < 0) off = -off
		bad = off > 2 * z * sqrt(0.75 * 0.25 / 200) } END { exit n != 1 || bad }' more || { cat said; return 1; }
}
# Where the host takes a CPU from one of the two, it is not the thread with more to do that is late.
for try in 1 2 3 4; do
	more_to_do "$out/instructed.omphwc" >/dev/null && break
	guest team "sh team.sh"
done
check "team: the late thread has more to do" more_to_do "$out/instructed.omphwc"
paths nested
check "nested: every kernel lies beneath its caller" only nested.user ';kernel[; ]' \
	'^main;outer;(left|right);inner;kernel[; ]'
known nested
paths tasks
check "tasks: each lies beneath where it was created" equal "$(grep -E ';(first|second)_work[; ]' \
	tasks.user | grep -cvE '^main;create;make_(first;first|second;second)_work[; ]')" 0
# How many depends on the host: the emulated CPUs share its CPUs with other tests.
check "tasks: other threads ran some" below 0.01 "$(share tasks.user '_work[; ]')"
known tasks

finish
