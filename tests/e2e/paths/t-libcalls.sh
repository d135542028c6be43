#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Time in libraries, and in headers of the system's, is at the program's own lines and functions
# that call them, named as they are called; what they call back is the program's.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

line() { grep -n -F "/* $1 */" "$source" | cut -d: -f1; }
report() { "$ompcount" report --limit 0 "$@" p.omphwc; }

# table COLUMNS OPTION…: rows with samples.
table() { report --format csv --columns "$1,samples" "${@:2}" | awk -F, 'NR > 1 && $NF > 0'; }
sum() { awk -F, '{ n += $NF } END { print n + 0 }'; }

# profiled SOURCE COMPILER OPTION…
profiled() {
	source=$programs/$1 name="$1 by ${*:2}"
	"$2" -g -fopenmp "${@:3}" -o prog "$source" -lm 2>err &&
		"$ompcount" -q -e cpu-clock:u -F 4000 -o p.omphwc ./prog >out 2>>err ||
		{ fail "$name: $(tail -n 1 err)"; return 1; }
	table function,line,called --by line >lines
	table function,called --by function >functions
	table function,file --by line --unfold-libraries >unfolded
	for view in user expert machine; do
		check "$name: $view: nothing is lost" equal "$(table function --by function --view $view | sum)" \
			"$(sum <lines)"
	done
	check "$name: unfolded: nothing is lost" equal "$(sum <unfolded)" "$(sum <lines)"
}

# called CALLEE FUNCTION LINE: that line has the time of that call.
called() {
	check "$name: $1() at line $3 of $2" grep -q "^$2,$3,$1," lines
	check "$name: $1(), called by $2" grep -q "^$2,$1," functions
}

# Rows are the program's functions, or what OpenMP did.
owned() {
	check "$name: no row is a library's" equal "$(cut -d, -f1 functions | grep -v -E "^($1|[<(].*[>)])$" | sort -u)" ""
	check "$name: unfolded there are such rows" test -n \
		"$(cut -d, -f1 unfolded | grep -v -E "^($1|[<(].*[>)])$")"
}

for how in "$gcc -O2" "$gcc -O0"; do
	read -r -a how <<<"$how"
	profiled libcalls.c "${how[@]}" || continue
	called cos waves "$(line cos)"
	called memcpy copies "$(line memcpy)"
	called qsort sorts "$(line qsort)"
	called malloc allocates "$(line malloc)"
	called free allocates "$(line free)"
	check "$name: what is called by a pointer is at the call" grep -q "^pointed,$(line pointer),[_a-z]" lines
	check "$name: what qsort() calls back is the program's" grep -q "^compare,$(line compare),," lines
	owned "main|waves|pointed|copies|sorts|compare|allocates|own_ns|clock_ns"
	check "$name: text" grep -q "cos(), called at waves (libcalls.c:$(line cos))$" <(report --by line)
	check "$name: text, functions" grep -q "cos(), called by waves (libcalls.c:[0-9]*)$" <(report --by function)
	check "$name: JSON" grep -q "\"line\":$(line cos),\"place\":null,\"called\":\"cos\"" <(report -f json)
	check "$name: paths have the call alone" equal "$(report -f folded | grep -c 'waves;[^;]* ')" 1
	check "$name: paths say by what the call is named" grep -q \
		" cos  \[a library's: named by the code of the call\]$" <(report --why --limit 0)
	check "$name: modules stay" grep -q '^libm' <(table module --by module)
done

cxx=${gcc/gcc/g++}
for how in "$cxx -O2" "$cxx -O0"; do
	read -r -a how <<<"$how"
	command -v "${how[0]}" >/dev/null || { skip "C++: no ${how[0]}"; break; }
	profiled headers.cc "${how[@]}" || continue
	check "$name: sort() has its time" grep -q '^sorts,[0-9]*,"*[a-z:]*sort<' lines
	check "$name: push_back() has its time" grep -q "^grows,$(line grows),.*push_back" lines
	check "$name: no row is a header's" equal "$(cut -d, -f1 functions | grep -E '^"*(std::|__gnu|_*(sort|unguarded_[a-z]*)<)')" ""
done
check "what is inlined of a header is the line's own" grep -q "^sums,$(line inlined),,\|^sums,$(line inlined),\"*std::" lines
finish
