#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Chunks of loops, where the runtime reports what it gives to threads.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

chunks() { # FUNCTION
	"$ompcount" report --by construct --format csv \
		--columns function,chunks,chunk_least,chunk_mean,chunk_most p.omphwc 2>err | grep "^$1,"
}

for n in 14 19; do
	with_runtime $n && build chunks clang -O1 || { skip "$(runtime_name $n): $why"; continue; }
	export LD_LIBRARY_PATH=$runtime
	what=$(runtime_name $n)
	rm -f p.omphwc
	"$ompcount" -q --entries -e cpu-clock -o p.omphwc -- "$prog" >longest 2>err
	"$ompcount" report p.omphwc >report 2>err
	if [ $n = 14 ]; then
		check "$what: it does not report them" grep -q "what chunks of loops threads are given is not known" report
		check "$what: so there are none" equal "$(chunks dynamic)" "dynamic,,,,"
		continue
	fi
	# 7 chunks an entry, and one for each thread.
	check "$what: chunks of a number" equal "$(chunks dynamic)" "dynamic,35,2,3.71429,4"
	check "$what: a chunk for each thread" equal "$(chunks halves)" "halves,10,13,13,13"
	check "$what: a thread that gets none has no chunk" equal "$(chunks single)" "single,5,1,1,1"
	# libomp reports a thread's first chunk alone.
	check "$what: some of all are not all" equal "$(chunks turns)" "turns,,,,"
	check "$what: the longest is as long as its iterations" awk -v least="$(cat longest)" -F, \
		'NR > 1 && $1 != "" { n++; if ($1 > 5000000 && $1 > most) most = $1 } END { exit !(n == 3 && most >= least) }' \
		<("$ompcount" report --by construct --format csv --columns chunk_longest_ns p.omphwc)
	"$ompcount" report --by construct p.omphwc >report 2>err
	check "$what: text" grep -qE '35 chunks of 2 to 4 iterations, the longest [0-9.]+ ms' report
	check "$what: text of equal ones" grep -q '10 chunks of 13 iterations, the longest' report
	"$ompcount" report --format json p.omphwc >report.json 2>err
	check "$what: those of the threads are all" python3 -c "
import json
for c in json.load(open('report.json'))['constructs']:
    if c['chunks']:
        assert sum(e['chunks'] for e in c['entrants']) == c['chunks']"
	rm -f p.omphwc
	"$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" >longest 2>err
	check "$what: only on request" equal "$(chunks dynamic)" "dynamic,,,,"
	unset LD_LIBRARY_PATH
done
finish
