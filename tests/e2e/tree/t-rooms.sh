#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each folder includes only folders permitted by rooms.table, which is free of cycles.
. "$(dirname "$0")/../../support/lib.sh"
table=$top_srcdir/tests/support/rooms.table

# Prints every "folder folder" with an include between them.
drawn() {
	(cd "$top_srcdir" && grep -HoE '^#include "(src|pmu|ompt_tool)/[^"]*/[^"/]*\.h"|^#include "(src|pmu|ompt_tool)/[^"/]*\.h"' \
		$(find src pmu ompt_tool -name '*.[ch]')) |
		sed -E 's|/[^/:]*:#include "| |; s|/[^/]*"$||' | sort -u | awk '$1 != $2'
}

# Prints the permitted ones in the same form.
allowed() {
	sed -E '/^#/d; s/:/ /' "$table" | awk '{ for (i = 2; i <= NF; i++) print $1, $i }'
}

drawn >drawn
allowed | sort -u >allowed
check "there are includes" below 20 "$(wc -l <drawn)"
check "each folder has its line" equal "$(sed -E '/^#/d; s/:.*//' "$table" | sort)" \
	"$(cd "$top_srcdir" && find src pmu ompt_tool -name '*.[ch]' | sed 's|/[^/]*$||' | sort -u)"
check "no include that the table does not allow" equal "$(comm -23 drawn allowed)" ""
check "nothing in the table that no file needs" equal "$(comm -13 drawn allowed)" ""
check "no circle" tsort allowed

# A path is made in three passes (src/path/path_build.h), and none knows what comes after it. Only
# the last knows views, and it asks nothing.
passes() { # PASS: includes of its files
	case $1 in
		evidence) set -- sites origins bodies task_bodies evidence ;;
		decide) set -- decide decide_calls decide_user decide_lost decide_parts ;;
		build) set -- path_build expert ;;
	esac
	(cd "$top_srcdir/src/path" && for f; do cat $f.[ch]; done 2>/dev/null | sed -n 's/^#include "\(.*\)"/\1/p' | sort -u)
}
check "each file of src/path is in a pass" equal \
	"$(cd "$top_srcdir/src/path" && ls *.c | grep -vxE '(sites|origins|bodies|task_bodies|evidence|decide|decide_(calls|user|lost)|path_build|expert)\.c')" ""
check "evidence knows no role" equal "$(passes evidence | grep -E 'path/(decide|path_build|expert)')" ""
check "decisions know no view" equal "$(passes decide | grep -E 'path/(path_build|expert)|view/(view|items)\.h')" ""
check "building asks nothing" equal "$(passes build | grep -E 'answers/|toolchain/|callsite/|symbols/')" ""

# File names are unique, except for a .c and its .h.
check "no two headers of one name" equal \
	"$(cd "$top_srcdir" && find src pmu ompt_tool -name '*.h' | sed 's|.*/||' | sort | uniq -d)" ""
check "no two sources of one name" equal \
	"$(cd "$top_srcdir" && find src pmu ompt_tool -name '*.c' | sed 's|.*/||' | sort | uniq -d)" ""

# The names of compilers' and runtimes' functions, files and settings are in one room. What is in
# programs, starts them or checks machines knows its runtimes.
foreign() {
	(cd "$top_srcdir" && find src -name '*.[ch]' ! -path 'src/toolchain/*' ! -path 'src/run/*' ! -path 'src/check/*' -print0 |
		xargs -0 grep -HvE '^[[:space:]]*(/?\*|#include)' | grep -oE '^[^:]*:|"([^"\\]|\\.)*"') |
		awk '/^[^"]*:$/ { file = $0; next } { print file $0 }' |
		grep -E 'GOMP_|gomp_|libgomp|-gomp|kmp[c_]|KMP_|libi?omp[^h]|_omp_fn|\.omp[._]|omp_(outlined|task_entry|offloading)|__tgt_|_gfortran_|__cray|__nv_'
}
check "names of runtimes are in src/toolchain" equal "$(foreign)" ""

# The map of HACKING.md names files that there are.
map() { sed -n '/^## Where it is decided/,/^## Where to put/p' "$top_srcdir/doc/HACKING.md" | grep '^| '; }
files() { map | sed 's/^|[^|]*|//' | grep -oE '`(src|pmu|ompt_tool)/[^`]*`' | tr -d '`'; }
check "the map answers questions" below 12 "$(map | wc -l)"
check "each file of the map is there" equal \
	"$(files | while read -r f; do [ -f "$top_srcdir/$f" ] || echo "$f"; done)" ""
# A script that is in no list is never run.
unlisted() {
	local t
	for t in "$top_srcdir"/tests/e2e/*/t-*.sh; do
		grep -qF "${t#"$top_srcdir/"}" "$top_srcdir"/tests/*.mk || echo "${t##*/}"
	done
}
check "each test script is listed" equal "$(unlisted)" ""
# Without memory ompcount ends (src/base/alloc.h), but for a file that is larger than the memory.
check "no error for a lack of memory outside of src/profile" equal \
	"$(cd "$top_srcdir" && grep -rlw ENOMEM src --include='*.[ch]' | grep -v '^src/profile/')" ""
check "what is loaded into programs does not end them" equal \
	"$(cd "$top_srcdir" && grep -rl 'src/base/alloc\.h' ompt_tool pmu src/profile/*.[ch] src/code/flow_x86_64.c src/code/opcodes_x86_64.c)" ""
finish
