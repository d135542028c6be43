#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The dialect of CONTRIBUTING.md: what clang-format can say of it, and what it can't.
. "$(dirname "$0")/../../support/lib.sh"

cd "$top_srcdir" || exit
sources=$(find pmu src ompt_tool -name '*.[ch]' | sort)
all="$sources $(echo tests/support/*.[ch] tests/unit/*/*.[ch] tests/collector/*.[ch])"

# The layout is that of one version: others break some lines differently. $configured is the one that
# .clang-format names.
configured=$(sed -nE 's/.*clang-format ([0-9]+).*/\1/p' .clang-format | head -n 1)
version() { "$1" --version 2>/dev/null | sed -nE 's/.*version ([0-9]+).*/\1/p'; }
# relaid FORMAT: the files that it would change.
relaid() { "$1" --dry-run $all 2>&1 | sed -nE 's/^([^:]*):[0-9].*/\1/p' | sort -u; }
format=${OMPHWC_CLANG_FORMAT-$(command -v "clang-format-$configured" || command -v clang-format)}
has=$([ -n "$format" ] && version "$format")
case $has in
"$configured")
	check "the layout is that of .clang-format" equal "$(relaid "$format")" "" ;;
'')
	skip "the layout: no clang-format" ;;
*)
	skip "the layout: clang-format is $has, not $configured, and lays out $(relaid "$format" | wc -l)" \
		"of $(echo $all | wc -w) files otherwise: that is no fault" ;;
esac
# What each version does alike, and what needs none.
check "lines are indented by tabs, and end with no blank" equal \
	"$(awk '/clang-format off/ { off = 1 } /clang-format on/ { off = 0 }
		(!off && /^\t*(        | +\t)/) || /[ \t]$/ { print FILENAME ":" FNR }' $all)" ""
check "a file ends with a line's end" equal \
	"$(for f in $all; do [ -z "$(tail -c 1 "$f")" ] || echo "$f"; done)" ""
check "no two empty lines" equal \
	"$(awk 'FNR == 1 { empty = 0 } { if ($0 == "" && empty) print FILENAME ":" FNR; empty = $0 == "" }' $all)" ""
check "a keyword has a blank behind it" equal \
	"$(grep -nE '^[[:blank:]]*(if|for|while|switch)\(' $all | cut -d : -f 1,2)" ""
check "a function's brace has a line of its own" equal \
	"$(grep -nE '^[a-z].*\) \{$' $all | cut -d : -f 1,2)" ""
check "includes are sorted within their block" equal \
	"$(LC_ALL=C awk '
		FNR == 1 { last = "" }
		!/^#include/ { last = ""; next }
		$2 < last { print FILENAME ":" FNR }
		{ last = $2 }' $all)" ""
# Not two headers, which declare the interfaces of others.
check "a file names its licence" equal \
	"$(grep -L 'SPDX-License-Identifier: BSD-3-Clause' $(find pmu src ompt_tool tests bench packaging doc -name '*.[ch]' \
		-o -name '*.sh' -o -name '*.py' -o -name '*.mk' | grep -vE '^tests/(bin|guest|runtimes)/') |
		grep -vxE 'ompt_tool/(collector/omp_collector_api|runtime/ompt_declarations)\.h')" ""
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
