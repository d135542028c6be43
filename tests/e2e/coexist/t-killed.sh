#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A profile is readable and has all samples, however the program ended.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
ulimit -c 0
must_build how gcc
how=$prog

# kept NAME: the profile agrees with the CPU time that the kernel reports in the file
# `how' (coarsely: a tenth may be missing).  Without the summary and the names, whose time would count.
kept() {
	local ns ms
	folded p.omphwc >user 2>err || { fail "$1: no report: $(tail -n 1 err)"; return; }
	ns=$(total user)
	ms=$(sed -n 's/^user_ms //p' how)
	check "$1: $((ns / 1000000)) ms of $ms ms are in the profile" \
		below "$((ms * (850000 - ${disturbed%.*} * 10000) - 20000000))" "$ns"
	check "$1: little is unknown" below "$(share user '<unknown>')" 0.01
}

# ended HOW
ended() {
	rm -f p.omphwc
	steadily timeout -k 5 60 "$how" how "$ompcount" -q --no-names -e cpu-clock -o p.omphwc -- \
		"$prog" "$1" 0.4 3 >out 2>err
	kept "$1"
}

# child_of PID: its first child.
child_of() {
	local f stat
	for f in /proc/[0-9]*/stat; do
		stat=$(cat "$f" 2>/dev/null) || continue
		set -- "$1" ${stat##*) }
		[ "$3" != "$1" ] || { echo "${f//[^0-9]/}"; return; }
	done
	return 1
}

# killed SIGNAL: kills it at a random moment in the second after the first region.
killed() {
	local pid app moment
	rm -f p.omphwc out
	"$how" how "$ompcount" -q --no-names -e cpu-clock -F 2000 -o p.omphwc -- "$prog" forever >out 2>err &
	pid=$!
	for ((i = 0; i < 100; i++)); do
		grep -q ready out 2>/dev/null && break
		sleep 0.05
	done
	moment=0.$(printf '%03d' $((RANDOM % 700)))
	sleep $moment
	app=$(child_of "$(child_of $pid)") && kill -"$1" "$app" || { kill $pid; fail "no process to kill"; }
	wait $pid
	kept "$1 after $moment s"
	check "$1: ompcount ends by the same" equal "$(head -n 1 how)" "signal $(kill -l "$1")"
}

build ends clang -O2 || must_build ends gcc -O2
for e in return exit exit-region exit-worker _exit _exit-worker abort abort-worker fault-worker term; do
	ended $e
done
"$ompcount" --no-names -e cpu-clock -o named.omphwc -- "$prog" abort 0.1 3 >out 2>err
check "abort: the summary names the signal" grep -q '^ompcount: .*: ended by signal 6, Aborted$' err
rounds=6
[ -z "$long" ] || rounds=100
for ((round = 0; round < rounds; round++)); do
	killed KILL
	[ $((round % 5)) -ne 0 ] || killed TERM
done
finish
