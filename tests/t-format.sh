#!/bin/bash
# The dialect of HACKING.md: what clang-format can say of it, and what it can't.
. "$(dirname "$0")/lib.sh"

cd "$top_srcdir" || exit
sources=$(find pmu src ompt_tool -name '*.[ch]' | sort)
format=$(command -v clang-format-14 || command -v clang-format) || format=
case $format in
'') skip "layout: no clang-format" ;;
*)
	if "$format" --version | grep -q ' version 14\.'; then
		check "the layout is that of .clang-format" equal \
			"$(for f in $sources $(ls tests/*.[ch] tests/collector/*.[ch]); do
				"$format" "$f" | cmp -s - "$f" || echo "$f"
			done)" ""
	else
		skip "layout: clang-format is not version 14, others differ"
	fi ;;
esac
check "pointers are not compared with NULL" equal "$(grep -nE '[!=]= NULL|NULL [!=]=' $sources)" ""
check "a file's own header comes first" equal \
	"$(for f in $(find pmu src ompt_tool -name '*.c'); do
		grep -q "^#include \"${f%.c}.h\"" "$f" || continue
		[ "$(grep '^#include' "$f" | sed -n 2p)" = "#include \"${f%.c}.h\"" ] || echo "$f"
	done)" ""
check "config.h comes before it" equal \
	"$(for f in $(find pmu src ompt_tool -name '*.c'); do
		[ "$(grep -m 1 '^#include' "$f")" = '#include "config.h"' ] || echo "$f"
	done)" ""
check "no line is longer than 100 columns" equal \
	"$(for f in $sources; do expand "$f" | grep -nE '^.{101}' | sed "s|^|$f:|"; done | cut -c 1-80)" ""
finish
