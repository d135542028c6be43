#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# --delay and --duration: samples and counts of a part of the run only; the program runs on.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# parts PROFILE: the functions with more than 2 % of the samples.
parts() {
	folded "$1" | awk '{ all += $NF } { for (p in names) if (index($0, p)) n[p] += $NF }
		BEGIN { names["first"]; names["second"]; names["third"] }
		END { for (i in n) if (n[i] > all / 50) print i }' | sort | tr '\n' ' '
}

# seconds KEY: of the first process, in seconds; `null' where it has none.
seconds() {
	"$ompcount" report --format json p.omphwc 2>err |
		python3 -c "import json, sys
v = json.load(sys.stdin)['processes'][0]['$1']
print('null' if v is None else '%.2f' % (v / 1e9))"
}

# within VALUE LEAST MOST: the timer was late by no more than a busy machine makes it.
within() {
	awk -v v="$1" -v a="$2" -v b="$3" 'BEGIN { print v, "is not from", a, "to", b; exit !(v >= a && v <= b) }'
}

# run OPTION… -- MODE: the program, whose parts take 0.6 s each; what is sampled lies in the
# middle of the second, from a little before the program begins on.
run() {
	rm -f ./*.omphwc
	local options=()
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	"$ompcount" run -q -F 1000 -o p.omphwc "${options[@]}" -- "$prog" "$2" 0.6 >out 2>err
	check "$what: the program runs on" equal "$? $(cat out err)" "0 over"
}

window() {
	local what=$1
	what="$1, $2" run -e "$2" "${@:4}" --delay 0.85 --duration 0.2 -- "$3"
	check "$1, $2: sampled in the window" equal "$(parts p.omphwc)" "second "
	check "$1, $2: from" within "$(seconds sampled_from_ns)" 0.85 1.05
	check "$1, $2: until" within "$(seconds sampled_until_ns)" 1.05 1.25
	check "$1, $2: the report's line" grep -qE '^sampled from (0\.[89]|1\.0) s to 1\.[0-2] s of the run$' \
		<("$ompcount" report p.omphwc 2>/dev/null)
}

must_build window gcc -O2
window "libgomp" cpu-clock plain
window "libgomp, by SIGTRAP" cpu-clock plain --delivery sigtrap
window "the main thread sleeps" wall sleep
if with_runtime 19 && build window clang -O2; then
	export LD_LIBRARY_PATH=$runtime
	window "libomp" wall,cpu-clock plain
	unset LD_LIBRARY_PATH
else
	skip "libomp: $why"
fi
must_build window gcc -O2

what="a delay alone"
run -e cpu-clock --delay 1.3 -- plain
check "$what: sampled after it" equal "$(parts p.omphwc)" "third "
check "$what: no end" equal "$(seconds sampled_until_ns)" null
what="a duration alone"
run -e cpu-clock --duration 0.45 -- plain
check "$what: sampled up to it" equal "$(parts p.omphwc)" "first "
check "$what: no begin" equal "$(seconds sampled_from_ns)" null
what="a delay longer than the run"
run -e cpu-clock --delay 1000 -- plain
check "$what: no sample" equal "$(parts p.omphwc)" ""
check "$what: the report says so" grep -q '^nothing was sampled: the run ended before 1000.0 s' \
	<("$ompcount" report p.omphwc 2>/dev/null)

# Two threads on one CPU or two: at most a quarter of a second each, and some of it.
what="counts"
run --count=cpu-clock --delay 0.85 --duration 0.2 -- plain
counted=$("$ompcount" report --format json p.omphwc 2>err | python3 -c "import json, sys
print(sum(e['counted']['value'] for t in json.load(sys.stdin)['threads'] for e in t['events'] if e['counted']) / 1e9)")
check "$what: of the window" within "$counted" 0.05 0.6

what="a child"
run -e cpu-clock --delay 0.85 --duration 0.2 -- fork
check "$what: has a profile" equal "$(ls ./*.omphwc | wc -l)" 2
for p in *.omphwc; do
	check "$what, $p: sampled in the window" equal "$(parts $p)" "second "
done

check "a wrong number is refused" equal "$("$ompcount" run --delay x true 2>&1 >/dev/null; echo $?)" \
	"ompcount: --delay x: no number of seconds above 0: try 2.5
2"
check "with --paused it is refused" grep -q 'mutually exclusive' \
	<("$ompcount" run --paused --delay 1 true 2>&1)
finish
