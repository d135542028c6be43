# SPDX-License-Identifier: BSD-3-Clause
# format.sh - the check of format.patch, which t-recipes.sh sources: the format is in --help, its
# lines add up to the event's total, and names survive.
check "format: names survive" unit output/check_exports
check "format: it is in --help" grep -q '^ *dummy  *a line for each function' <("$dist/ompcount" report --help)
must_build output gcc -O1
"$dist/ompcount" -q -e cpu-clock -o format.omphwc -- "$prog" 3 </dev/null >out 2>err
"$dist/ompcount" report -f dummy -o lines format.omphwc
check "format: it adds up" equal "$(awk -F '\t' '{ n += $2 } END { print n + 0 }' lines)" \
	"$("$dist/ompcount" report -f folded format.omphwc | awk '{ n += $NF } END { print n + 0 }')"
check "format: it has lines" below 2 "$(wc -l <lines)"
