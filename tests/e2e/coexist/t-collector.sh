#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Producers of the Collector API do what it says: libtestomp.so, which is a runtime of the
# tests, and libomphwc-gomp.so on top of libgomp. The same program asks both. It is also
# shown to find what it looks for, in a runtime that breaks one promise after the other.
. "$(dirname "$0")/../../support/lib.sh"
sources=$top_srcdir/tests/collector
testomp=$top_builddir/.libs/libtestomp.so
ours=$top_builddir/.libs/libomphwc-gomp.so

[ -n "$gcc" ] || skip_all "no gcc"
compile() {
	local name=$1
	shift
	"$gcc" -std=gnu11 -g -O2 -fopenmp -I"$top_srcdir" -o "$name" "$@" -lm -lpthread -ldl 2>build.log
}
compile conform "$sources"/conform*.c ||
	skip_all "gcc cannot build the conformance test: $(tail -n 1 build.log)"

# judge PRODUCER COMMAND…: runs it, and reports each of its checks as a case.
judge() {
	local producer=$1 line status
	shift
	"$@" >out 2>err
	status=$?
	while read -r line; do
		case $line in
		'PASS: '*) pass "$producer: ${line#PASS: }" ;;
		'FAIL: '*) fail "$producer: ${line#FAIL: }" ;;
		*) echo "$producer: $line" ;;
		esac
	done <out
	head -n 20 err
	if [ $status -gt 1 ]; then
		fail "$producer: exit status $status: $(head -c 200 err)"
	elif ! grep -q '^[0-9]* checks passed, ' out; then
		fail "$producer: it did not get to its end"
	fi
}

# A group of checks that must fail where the runtime has the fault: by a check of its own, or
# by hanging where that is the fault.
finds() {
	local fault=$1 group=$2 seconds=60 how='FAIL: [a-z]*: runs to its end' status
	[ "$fault" != locked-request ] || seconds=12 how='no line'
	TESTOMP_FAULT=$fault CONFORM_SECONDS=$seconds CONFORM_QUICK=1 LD_LIBRARY_PATH=testomp \
		./conform "$group" >out 2>err
	status=$?
	[ $status -eq 1 ] && grep -v "^$how" out | grep -q "^FAIL: $group: " && return
	echo "exit status $status; $(tail -n 1 out) $(head -n 1 err)"
	return 1
}

# Fault, and the group that is to find it.
faults="
	start-twice sequence
	early sequence
	stop-answers sequence
	stop-calls stop
	bad-size batch
	batch-stops batch
	small-unsaid memory
	small-written memory
	misaligned memory
	unknown-request memory
	unknown-event register
	unregister register
	first-stays register
	pause-counts pause
	pause-calls pause
	pause-forgets pause
	late-fork order
	early-join order
	same-id ids
	old-id nested
	parent-self nested
	parent-anywhere threads
	serial-works threads
	no-wait-id states
	own-barrier states
	end-missing pairs
	wrong-thread pairs
	unsupported-called pairs
	idle-region signals
	idle-works signals
	state-stays signals
	locked-request signals
	forgets early
	late-blind late
	in-region-blind inside
	task-overhead tasks
	child-repeats child
"

# What is wrong between two instructions only is found where these can be trapped.
between="
	work-early steps
	wait-id-late steps
"

by_testomp() {
	local fault group seen= quick=
	mkdir -p testomp
	ln -sf "$testomp" testomp/libgomp.so.1
	if compile plain "$sources/plain.c"; then
		check "libtestomp: a program computes the same as with libgomp" \
			equal "$(LD_LIBRARY_PATH=testomp ./plain 2>&1)" "$(./plain 2>&1)"
	else
		skip "libtestomp: a program: gcc cannot build it: $(tail -n 1 build.log)"
	fi
	# It is to show that conform finds what is wrong, and what is right: both quickly.
	[ -n "$long" ] || quick=CONFORM_QUICK=1
	judge "libtestomp" env ${quick:-} LD_LIBRARY_PATH=testomp ./conform
	[ -z "$long" ] ||
		judge "libtestomp, least" env TESTOMP_VARIANT=least LD_LIBRARY_PATH=testomp ./conform
	# In a short run, those that are found at once, one for each group of checks.
	while read -r fault group; do
		[ -n "$fault" ] || continue
		case "$long,$group,$seen," in
		,*,"$group",* | ,states,* | ,pairs,* | ,signals,* | ,restless,* | ,steps,* | ,ids,* | ,order,* | ,child,*) continue ;;
		esac
		seen+=",$group"
		check "$group finds $fault" finds "$fault" "$group"
	done <<<"$faults$([ "$(uname -m)" != x86_64 ] || echo "$between")"
	check "each fault is looked for" equal \
		"$(printf '%s\n' $faults $between | sed -n 1~2p | sort)" \
		"$(sed -n 's/^\t\[FAULT_.*\] = "\(.*\)",$/\1/p' "$sources/testomp_fault.c" | sort)"
}

# The numbers of the paper's header, which both sides have from ours here.
# numbers PREFIX END: "NUMBER NAME" of the enumerators whose names begin and end so.
numbers() {
	sed -nE "s/^	$1([A-Z_]+)${2:-} = ([0-9]+),.*/\2 \1/p" \
		"$top_srcdir/ompt_tool/collector/omp_collector_api.h" | tr '\n' ' '
}
check "requests have the paper's numbers" equal "$(numbers OMP_REQ_)" \
	"0 START 1 REGISTER 2 UNREGISTER 3 STATE 4 CURRENT_PRID 5 PARENT_PRID 6 STOP 7 PAUSE 8 RESUME "
check "error codes have the paper's numbers" equal "$(numbers OMP_ERRCODE_)" \
	"0 OK 1 ERROR 2 UNKNOWN 3 UNSUPPORTED 4 SEQUENCE_ERR 5 OBSOLETE 6 THREAD_ERR 7 MEM_TOO_SMALL "
check "events have the paper's numbers" equal "$(numbers OMP_EVENT_)" "1 FORK 2 JOIN $(
	n=3
	for pair in IDLE IBAR EBAR LKWT CTWT ODWT MASTER SINGLE ORDERED ATWT; do
		printf '%d THR_BEGIN_%s %d THR_END_%s ' $n $pair $((n + 1)) $pair
		n=$((n + 2))
	done)4096 THR_RESERVED_IMPL "
check "states have the paper's numbers" equal "$(numbers THR_ _STATE)" \
	"1 OVHD 2 WORK 3 IBAR 4 EBAR 5 IDLE 6 SERIAL 7 REDUC 8 LKWT 9 CTWT 10 ODWT 11 ATWT "

if [ -e "$testomp" ]; then
	by_testomp
else
	skip "libtestomp: it is not built"
fi
if [ -e "$ours" ]; then
	judge "libomphwc-gomp" env LD_PRELOAD="$ours" ./conform
	judge "libomphwc-gomp, cancelling" \
		env LD_PRELOAD="$ours" OMP_CANCELLATION=true ./conform cancel
	for policy in ${long:+active passive}; do
		judge "libomphwc-gomp, $policy" \
			env LD_PRELOAD="$ours" OMP_WAIT_POLICY=$policy ./conform
	done
	check "libgomp alone is no producer" equal "$(./conform 2>&1; echo $?)" \
		"conform: there is no __omp_collector_api in this process
2"
else
	skip "libomphwc-gomp: it is not built"
fi
finish
