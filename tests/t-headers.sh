#!/bin/bash
# Each header can be included alone, after config.h, by gcc and by clang.
. "$(dirname "$0")/lib.sh"

headers=$(cd "$top_srcdir" && find pmu src ompt_tool tests -name '*.h' ! -path '*/programs/*' ! -path 'tests/guest/*' ! -path 'tests/runtimes/*' | sort)
for kind in gcc clang; do
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
finish
