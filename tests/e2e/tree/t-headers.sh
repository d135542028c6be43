#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each header can be included alone, after config.h, by gcc and (make check-long) by clang.
. "$(dirname "$0")/../../support/lib.sh"

headers=$(cd "$top_srcdir" && find pmu src ompt_tool tests -name '*.h' ! -path '*/programs/*' ! -path 'tests/guest/*' ! -path 'tests/runtimes/*' | sort)
# Without Check nobody includes what needs it.
echo '#include <check.h>' >check.c
if ! "${gcc:-$clang}" ${OMPHWC_CPPFLAGS:-} -fsyntax-only check.c 2>/dev/null; then
	needs=$(cd "$top_srcdir" && grep -l '<check\.h>' $headers)
	skip "headers that include Check's: it is not here"
	headers=$(echo "$headers" | grep -vxF "$needs")
fi
kinds=gcc
[ -z "$long" ] || kinds='gcc clang'
for kind in $kinds; do
	cc=${!kind}
	[ -n "$cc" ] || { skip "headers with $kind: no $kind"; continue; }
	bad=
	for h in $headers; do
		printf '#include "config.h"\n#include "%s"\n#include "%s"\n' "$h" "$h" >alone.c
		"$cc" -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I"$top_srcdir" \
			-I"$top_builddir" ${OMPHWC_CPPFLAGS:-} alone.c || bad="$bad $h"
	done
	check "each header alone with $kind" equal "$bad" ""
done
check "there are headers" below 20 "$(echo "$headers" | wc -l)"

# Resources shared by the program and the tool have one owner, and one header.
# (gomp/ is a library of its own, which the tool is not linked with.)
sources() { (cd "$top_srcdir" && find ompt_tool -name '*.[ch]' ! -path 'ompt_tool/program/*' ! -path 'ompt_tool/gomp/*' | sort); }
check "the tool includes program.h and nothing else of program/" equal \
	"$(cd "$top_srcdir" && grep -H '"ompt_tool/program/' $(sources) | grep -v 'program/program\.h"')" ""
check "program/ alone calls for signals, masks, stacks, fork handlers and libc's functions" equal \
	"$(cd "$top_srcdir" && grep -nE '(^|[^_a-z.>])(sigaction|sigprocmask|pthread_sigmask|sigaltstack|pthread_atfork|dlsym)\(' $(sources) |
		grep -v '^ompt_tool/preload_heap\.c:')" ""
check "program/ includes nothing of ours but itself, the clock and the bare system calls" equal \
	"$(cd "$top_srcdir" && grep -hE '#include "' ompt_tool/program/*.[ch] | grep -vE '"(config\.h|ompt_tool/program/|src/profile/(bare_call|syscalls|clock)\.h)' | sort -u)" ""
finish
