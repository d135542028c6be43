#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Some of what `make torture' tries for five minutes: programs under faults from outside, chosen at
# random, end as they would plain, and leave a profile that can be read.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
ulimit -c 0
command -v python3 >/dev/null || skip_all "no python3"
seconds=4
[ -z "$long" ] || seconds=60

# torture CLASS OPTION…: of a class of tests/torture/torture.py.
torture() {
	local name
	name=$(sed -n "/^class $1(Fault):/,/name = /s/.*name = \"\(.*\)\"/\1/p" "$top_srcdir/tests/torture/torture.py")
	shift
	(cd "$top_builddir" && top_srcdir=$top_srcdir timeout 300 python3 "$top_srcdir/tests/torture/torture.py" \
		--fault "$name" "$@") >told 2>&1
	local status=$?
	check "$name, $*: $(tail -n 1 told)" equal "$status $(grep -c ' --seed ' told)" "0 0"
	[ $status = 0 ] || grep -v '^fault from' told
}
for fault in Limits Denied Disk Files Stops Killed; do
	torture $fault --seconds $seconds
done
# It finds what is wrong: a command that ends as the program does not.
printf '#!/bin/sh\nexit 3\n' >other && chmod +x other
export OMPHWC_TEST_OMPCOUNT=$work/other
check "a wrong end is found" equal "$(cd "$top_builddir" && top_srcdir=$top_srcdir python3 "$top_srcdir/tests/torture/torture.py" \
	--fault none --case own_status --way run --seed 1 2>&1 | grep -c "'exit 3' instead of 'exit ")" 1
finish
