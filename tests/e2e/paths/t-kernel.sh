#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# When kernel mode is sampled, its frames lie beneath the program's call, which the user view shows
# alone.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
must_build pmu_sides clang -O2
"$ompcount" --strict -q -e cpu-clock:uk -o probe.omphwc true 2>why ||
	skip_all "the kernel's side can't be counted here: $(head -n 1 why)"

# How the kernel's functions that begin a system call are called, on any machine.
call='[;_](do_syscall_64|el0_svc|do_trap_ecall_u|system_call_exception)([;_ ]|$)'
named=
[ "$(head -c 16 /proc/kallsyms 2>/dev/null)" = 0000000000000000 ] || named=yes

# The least share of who asks the kernel that is in the kernel. Some virtual machines deliver most
# interrupts of a system call when it returns: these samples are of the instruction after it.
least=0.2

kernel() {
	local delivery=$1
	rm -f p.omphwc
	"$ompcount" -q --delivery $delivery -e cpu-clock:uk -F 4000 -o p.omphwc -- "$prog" 200 >out 2>err
	check "$delivery: the program runs" equal "$? $(cat out)" "0 done"
	folded --unfold-libraries p.omphwc >user
	grep ';ask_kernel[; ]' user >asking
	check "$delivery: who asks the kernel is in it" below $least "$(share asking 'ask_kernel;.*;.*;.*;')"
	# Interrupts have their frames beneath what they interrupted, and run others' work as well.
	if [ -n "$named" ]; then
		grep ';compute[; ]' user >computing
		check "$delivery: it is asked by system calls" below $least "$(share asking "$call")"
		# But the handler's return, a system call of the function that it returns to.
		check "$delivery: who computes makes hardly any" below "$(share computing "$call")" 0.1
	fi
	check "$delivery: the user view has the calls" below 0.7 \
		"$(share <(folded p.omphwc | grep ';ask_kernel[; ]') 'ask_kernel;(mmap|munmap|asm_[a-z_0-9]*|el0[a-z0-9_]*)( |$)')"
	check "$delivery: little is unknown" below "$(share user '<unknown>')" 0.005
}

kernel signal
kernel sigtrap
if [ -z "$named" ]; then
	skip "names: /proc/kallsyms keeps its addresses to itself"
else
	check "the kernel's functions have names" below $least "$(share asking 'ask_kernel;.*;[a-z_0-9]*(mmap|munmap|mm)')"
	check "and say whose they are" grep -q ' \[kernel\]$' \
		<("$ompcount" report --by function --unfold-libraries --limit 0 p.omphwc)
fi
"$ompcount" -q -e cpu-clock:u -o u.omphwc -- "$prog" 50 >out 2>err
check "without :k there are no such frames" equal "$(folded u.omphwc | grep -c 'ask_kernel;.*;.*;.*;')" 0
finish
