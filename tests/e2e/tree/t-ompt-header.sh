#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Our declarations of OMPT agree with each omp-tools.h that this machine has, in sizes,
# values and signatures.  A header of an older specification lacks some names.
. "$(dirname "$0")/../../support/lib.sh"
ours=$top_srcdir/ompt_tool/runtime/ompt_declarations.h
cc=${gcc:-$clang}
[ -n "$cc" ] || skip_all "no compiler here"

# The headers of compilers, of what is installed apart, and of the guests.
found() {
	local c f
	for c in "$clang" "$gcc"; do
		[ -n "$c" ] && "$c" -print-file-name=include/omp-tools.h
	done
	for f in /usr/include /usr/local/include /usr/lib/llvm-*/lib/clang/*/include \
		/usr/lib/clang/*/include /usr/lib/gcc/*/*/include /usr/local/*/include/Openmp \
		"$top_builddir"/tests/guest/{,riscv64/}sysroot/usr/lib/llvm-*/lib/clang/*/include; do
		echo "$f/omp-tools.h"
	done
}
found | while read -r f; do
	[ ! -f "$f" ] || readlink -f "$f"
done | sort -u >paths
# One of each text.
xargs -r -d '\n' cksum <paths | sort -k1,2 -u | sed -E 's/^[0-9]+ [0-9]+ //' >headers
[ -s headers ] || skip_all "no omp-tools.h here to compare with: libomp-dev has one"

# statements HEADER: what it declares, one declaration a line.
statements() {
	printf '#include "%s"\n' "$1" >said.c
	"$cc" -E -P said.c | tr '\n\t' '  ' | sed -E 's/ +/ /g; s/; */;\n/g'
}
# has NAME: whether the header of `real' does.
has() { grep -qw -- "$1" real; }

# comparison OURS REAL: a C file that compiles if both agree.  What a name of ours is there is
# said with a different name; functions take the types of the real header.
comparison() {
	local n m
	statements "$2" >real
	statements "$1" >mine
	grep -oE '\bompt_[a-z_]+ = (0x)?[0-9a-fA-F]+' mine | sort -u >values
	sed -nE 's/^.*\btypedef .*\(\*(ompt_[a-z_]+)\) ?\(.*/\1/p' mine | sort -u >functions
	sed -nE 's/^.*\} (ompt_[a-z_]+_t);/\1/p; s/^ ?typedef [a-z0-9_]+ (ompt_[a-z_]+_t);/\1/p' mine |
		sort -u >types
	printf '#include <stddef.h>\n#include "%s"\n' "$2"
	sed 's/\bompt_/own_/g; s/\bOMPHWC_/OWN_/g' "$1"
	while read -r n; do
		n=${n%% *}
		! has "$n" || echo "_Static_assert((long long)own${n#ompt} == (long long)$n, \"$n\");"
	done <values
	while read -r n; do
		has "$n" || continue
		echo "_Static_assert(sizeof(own${n#ompt}) == sizeof($n) &&" \
			"_Alignof(own${n#ompt}) == _Alignof($n), \"$n\");"
	done <types
	for n in frame_t:{exit,enter}_frame{,_flags} start_tool_result_t:{initialize,finalize,tool_data} \
		data_t:{value,ptr}; do
		m=${n#*:} n=${n%:*}
		echo "_Static_assert(offsetof(own_$n, $m) == offsetof(ompt_$n, $m) &&" \
			"sizeof(((own_$n *)0)->$m) == sizeof(((ompt_$n *)0)->$m), \"ompt_$n.$m\");"
	done
	while read -r n; do
		has "$n" || continue
		grep -E "\(\*$n\)" mine | sed "s/(\*$n)/(*like${n#ompt})/"
		echo "_Static_assert(__builtin_types_compatible_p(like${n#ompt}, $n), \"$n\");"
	done <functions
}
agree() {
	comparison "$1" "$2" >both.c
	"$cc" -std=gnu11 -Wno-everything -fsyntax-only both.c 2>errors || { grep -h error errors; return 1; }
}

# differs WHAT SED HEADER: a change of ours is seen.
differs() {
	sed -E "$2" "$ours" >changed.h
	! cmp -s "$ours" changed.h || { echo "$2 changes nothing"; return 1; }
	if agree "$PWD/changed.h" "$3" >/dev/null; then
		echo "taken for equal"
		return 1
	fi
	grep -qE "static.assert(ion)? failed.*$1" errors || { head -n 3 errors; return 1; }
}

while read -r header; do
	check "our declarations agree with $header" agree "$ours" "$header"
	lacks=$(cat values functions types | sed 's/ .*//' | while read -r n; do has "$n" || echo "$n"; done)
	compared=$(grep -c _Static_assert both.c)
	echo "$header: $compared compared; it lacks:" $lacks
	check "most of our declarations are compared with $header" below 90 "$compared"
done <headers

# Whether the comparison can fail: with what every version has.
header=$(head -n 1 headers)
check "a wrong value is seen" differs ompt_callback_work 's/(ompt_callback_work =) 20/\1 22/' "$header"
check "a wrong size is seen" differs ompt_wait_id_t 's/uint64_t (ompt_wait_id_t)/uint32_t \1/' "$header"
check "a wrong order is seen" differs ompt_frame_t 's/exit_frame, enter_frame/enter_frame, exit_frame/' "$header"
check "a wrong argument is seen" differs ompt_get_state_t 's/(\*ompt_get_state_t\)\()ompt_wait_id_t/\1int/' "$header"
check "a wrong result is seen" differs ompt_callback_control_tool_t 's/int (\(\*ompt_callback_control_tool_t)/void \1/' "$header"
finish
