#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# No folder has more lines of C than size.table permits, nor is more permitted than is needed: a
# commit that lets the product grow raises a number there. `t-size.sh --table` prints the table.
. "$(dirname "$0")/../../support/lib.sh"
ROOM=60 # for what needs no thought

sizes() {
	(cd "$top_srcdir" && find src pmu ompt_tool -name '*.[ch]' -exec wc -l {} + |
		awk '$2 != "total" { sub("/[^/]*$", "", $2); n[$2] += $1 } END { for (d in n) print d, n[d] }' | sort)
}

if [ "${1:-}" = --table ]; then
	sizes
	exit
fi
sizes >sizes
sed '/^#/d' "$top_srcdir/tests/size.table" | sort >permitted
check "each folder has its line" equal "$(cut -d' ' -f1 permitted)" "$(cut -d' ' -f1 sizes)"
check "no folder is larger than its line permits" equal \
	"$(join permitted sizes | awk '$3 > $2 { print $1, $3 }')" ""
check "no line permits $ROOM lines more than there are" equal \
	"$(join permitted sizes | awk -v room=$ROOM '$2 > $3 + room { print $1, $3 }')" ""
finish
