#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# metrics.sh - what the product's code is like, in numbers: prints lines "NUMBER WHAT". Run from
# the top folder of the sources. Functions are counted by the way that this project writes them:
# the name at the beginning of a line that ends without a semicolon.
product="src pmu ompt_tool"
files() { find $product -name '*.[ch]' | sort; }
reading() { find src -name '*.[ch]' ! -path 'src/profile/*' | sort; }
say() { printf '%8s %s\n' "$1" "$2"; }

for folder in $product $(find src ompt_tool -mindepth 1 -type d ! -name '.*' ! -path '*/html/*' | sort); do
	n=$(find "$folder" -name '*.[ch]' -exec cat {} + | wc -l)
	[ "$n" = 0 ] || say "$n" "lines of C in $folder"
done
say "$(files | xargs cat | wc -l)" "lines of C in all"

# Names of static functions, each with its file.
files | xargs awk 'FNR == 1 { want = 0 }
	/^static [^=;]*\(/ { want = 1; line = $0 }
	want { if (/^static/) line = $0; if (/^{/) { sub(/\(.*/, "", line); sub(/.*[ *]/, "", line)
		print FILENAME, line; want = 0 } else if (/;$/) want = 0 }' | sort -u >/tmp/metrics.$$
trap 'rm -f /tmp/metrics.$$' EXIT
say "$(wc -l </tmp/metrics.$$)" "static functions"
say "$(while read -r file name; do
	[ "$(grep -cw -- "$name" "$file")" != 2 ] || echo "$name"
done </tmp/metrics.$$ | wc -l)" "of them, named twice in their file: defined, and used once"
say "$(awk '{ print $2 }' /tmp/metrics.$$ | sort | uniq -d | wc -l)" "names of static functions in several files"
say "$(files | xargs sed -nE 's/^struct ([a-z_0-9]+) \{$/\1/p' | sort | uniq -d | wc -l)" "names of structs defined in several files"
say "$(find src -name '*.[ch]' ! -path 'src/toolchain/*' ! -path 'src/run/*' ! -path 'src/check/*' -exec \
	grep -lE '"[^"]*(GOMP_|__kmpc_|__kmp_|gomp_|libgomp)' {} + | wc -l)" "files of src with names of runtimes' functions, outside of toolchain, run and check"
say "$(reading | xargs cat | grep -c ENOMEM)" "uses of ENOMEM in src outside of profile"
say "$(reading | xargs cat | grep -cE 'if \(!?err\)|return err|err \? err')" "lines that carry an error there"
say "$(files | xargs grep -lF '"src/view/view.h"' | wc -l)" "files that include src/view/view.h"
say "$(files | xargs cat | grep -oiwE 'tells?|told|untold' | wc -l)" "uses of tell, told and untold"
