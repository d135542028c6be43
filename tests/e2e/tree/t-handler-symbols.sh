#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Code that the signal handler can reach calls only functions in the list
# handler-symbols.allow, in which each line has a reason.
#
# The library's objects are linked with the handler as root, each function in a section
# of its own, and the linker removes what the handler does not reach.  The remaining
# undefined symbols are those that the handler may call.  Functions that it calls by
# pointer are listed here as further roots; so the table of hooks is left out.
. "$(dirname "$0")/../../support/lib.sh"

archive=$top_builddir/.libs/libomphwc_static.a
allow=$top_srcdir/tests/support/handler-symbols.allow
[ -e "$archive" ] || skip_all "libomphwc_static.la is not built"
for c in objcopy objdump ld nm; do
	command -v $c >/dev/null || skip_all "no $c: install binutils"
done

# program_hooks' sample and renumber, struct runtime's query of each adapter, process's make_profile and
# redeliver.
roots="deliver_signal deliver_fault handler_take make_profile redeliver
	query_ompt query_collector query_gomp query_each"

# reached ROOT…: the undefined symbols reachable from these.  Unwind tables and
# constructors would reach everything.
reached() {
	local r strip="-g -R .eh_frame -R .data.rel.ro.program_hooks" link=
	for r in .init_array .fini_array .preinit_array; do
		strip="$strip -R $r -R .rela$r"
	done
	for r; do
		strip="$strip --globalize-symbol=$r"
		link="$link -u $r"
	done
	objcopy $strip "$archive" all.a || return
	ld -r --gc-sections $link -o reached.o all.a || return
	nm --defined-only reached.o | awk '{ print $3 }' | sort -u >defined.in
	for r; do
		grep -qx "$r" defined.in || { echo "no function $r"; return 1; }
	done
	nm -u reached.o | awk '{ print $2 }' | sort -u >undefined.in
	objdump -r reached.o | awk 'NF == 3 && $2 ~ /^R_/ { sub(/[+-]0x.*/, "", $3); print $3 }' |
		sort -u | comm -12 - undefined.in
}

reached $roots >undefined 2>err || fail "the handler's calls can be told: $(cat undefined err)"
sed 's/[ \t].*//; /^#/d; /^$/d; s/?$//' "$allow" | sort >allowed
sed 's/[ \t].*//; /^#/d; /^$/d; /?$/d' "$allow" | sort >needed
check "the handler calls something" test -s undefined
check "it calls only what is allowed" equal "$(comm -23 undefined allowed | tr '\n' ' ')" ""
check "the list has no line that nothing needs" equal "$(comm -13 undefined needed | tr '\n' ' ')" ""
check "each line of the list has its reason" equal \
	"$(grep -vE '^(#|$|[A-Za-z0-9_.]+[?]?[[:space:]]+[^[:space:]]+ )' "$allow")" ""

# The method detects violations: other code calls many more functions.
reached profile_prepare tool_start >undefined 2>err
check "a start-up function would be noticed" grep -q . <(comm -23 undefined allowed)
finish
