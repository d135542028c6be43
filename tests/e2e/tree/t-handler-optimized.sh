#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What is loaded into programs is optimized whatever CFLAGS the builder gives: the last -O
# of a compile command counts, and Automake puts CFLAGS last.
. "$(dirname "$0")/../../support/lib.sh"
[ -e "$top_builddir/Makefile" ] || skip_all "no build folder"
grep -q '^COVERAGE_CFLAGS = ..*' "$top_builddir/Makefile" &&
	skip_all "lines are counted here: nothing is optimized"

# libraries: those with HANDLER_CFLAGS, of which all objects are compiled so.
libraries=$(sed -nE 's/^(lib[a-z_]+)_la_CFLAGS = \$\(HANDLER_CFLAGS\).*/\1/p' "$top_builddir/Makefile" |
	grep -vx libprogramtest)
libraries="$libraries libomphwc_static"

# commands CFLAGS: how make would compile their sources, one command a line.
commands() {
	local lib objects=
	for lib in $libraries; do
		objects="$objects $(printf 'print: ; @echo $(%s_la_OBJECTS)\n' "$lib" |
			env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" -s -C "$top_builddir" -f Makefile -f - print)"
	done
	echo $objects | tr ' ' '\n' >objects
	env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" -n -C "$top_builddir" V=1 CFLAGS="$1" \
		$(find "$top_srcdir"/{src,pmu,ompt_tool} -name '*.c' -printf ' -W %p') $objects 2>err |
		sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' | grep -E ' -c .*\.c' >commands
}
# Whose last -O is another than -O2.
others() {
	sed -E 's/.*(-O[^ ]*)( .*)?$/\1/; t; s/.*/none/' commands | sort | uniq -c | grep -v ' -O2$'
}

check "there are libraries" below 6 "$(echo $libraries | wc -w)"
for flags in '-O0 -g' '-Og' '-g'; do
	commands "$flags"
	check "every object has its command ($flags)" equal "$(wc -l <commands)" "$(wc -l <objects)"
	check "each is optimized ($flags)" equal "$(others)" ""
	check "after the builder's flags ($flags)" equal "$(grep -c -- " ${flags##* } .*-O2" commands)" "$(wc -l <objects)"
done
finish
