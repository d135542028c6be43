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
			"$("$format" --dry-run $sources tests/*.[ch] tests/collector/*.[ch] 2>&1 |
				sed -nE 's/^([^:]*):[0-9].*/\1/p' | sort -u)" ""
	else
		skip "layout: clang-format is not version 14, others differ"
	fi ;;
esac
check "pointers are not compared with NULL" equal "$(grep -nE '[!=]= NULL|NULL [!=]=' $sources)" ""
check "a file's own header comes first" equal \
	"$(awk '
		FNR == 1 { own = FILENAME; sub(/c$/, "h\"", own); own = "#include \"" own; n = 0 }
		/^#include/ && n++ != 1 && index($0, own) == 1 { print FILENAME }
		' $(find pmu src ompt_tool -name '*.c'))" ""
check "config.h comes before it" equal \
	"$(awk '/^#include/ { if ($0 != "#include \"config.h\"") print FILENAME; nextfile }' \
		$(find pmu src ompt_tool -name '*.c'))" ""
check "no line is longer than 100 columns" equal \
	"$(awk '{ at = 0
		for (i = 1; i <= length($0); i++)
			at = substr($0, i, 1) == "\t" ? at + 8 - at % 8 : at + 1
		if (at > 100) print FILENAME ":" FNR }' $sources)" ""
finish
