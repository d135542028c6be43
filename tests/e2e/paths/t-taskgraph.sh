#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Which tasks depend on which, and how parallel they are.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

dependences() {
	"$ompcount" report --by dependence --format csv --columns function,kind,on_function,on_kind,dependences \
		p.omphwc 2>err | tail -n +2 | sort | tr '\n' ' '
}
graph() {
	"$ompcount" report --format json p.omphwc 2>err |
		python3 -c "import json, sys; g = json.load(sys.stdin)['task_graph']; print(g and g['$1'])"
}

for n in 14 19; do
	with_runtime $n && build taskgraph clang -O1 || { skip "$(runtime_name $n): $why"; continue; }
	export LD_LIBRARY_PATH=$runtime
	what=$(runtime_name $n)
	rm -f p.omphwc
	"$ompcount" -q --dependences -e cpu-clock -o p.omphwc -- "$prog" >out 2>err
	check "$what: dependences" equal "$(dependences)" \
		"read_all,in,step,inout,8 step,inout,read_all,in,4 step,inout,step,inout,32 "
	# 42 tasks of 5 ms, 12 on a path. A task that had no CPU for a while is longer.
	check "$what: the tasks' time" below 210000000 "$(($(graph tasks_ns) + 1))"
	check "$what: the longest path" below 60000000 "$(($(graph longest_path_ns) + 1))"
	check "$what: average parallelism" awk -v p="$(graph average_parallelism)" \
		'BEGIN { print p; exit !(p > 1.5 && p < 4.5) }'
	"$ompcount" report --format dot p.omphwc >graph.dot 2>err
	check "$what: as a graph" equal "$(sed -nE 's/.*label="(step|read_all) .*\\n([0-9]+) tasks, .*/\1 \2/p
		s/.*-> task[0-9]+ \[label="(.*)\\n(.*)"\];/\1 \2/p' graph.dot | sort | tr '\n' ';')" \
		"in after inout 8;inout after in 4;inout after inout 32;read_all 2;step 40;"
	if command -v dot >/dev/null; then
		check "$what: that Graphviz draws" equal \
			"$(dot -Tsvg graph.dot 2>&1 | grep -c '<title>task[0-9]')" 5
	else
		skip "a graph that Graphviz draws: it is not installed (graphviz)"
	fi
	rm -f p.omphwc
	"$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" >out 2>err
	check "$what: only on request" equal "$(dependences)$(graph tasks_ns)" None
	unset LD_LIBRARY_PATH
done

# omp_all_memory, which LLVM's older runtimes report as a dependence of no kind.
for n in 16 19; do
	with_runtime $n && build allmemory clang -O1 || { skip "$(runtime_name $n): $why"; continue; }
	what=$(runtime_name $n)
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime "$ompcount" -q --dependences -e cpu-clock -o p.omphwc -- "$prog" >out 2>err
	if [ $n = 16 ]; then
		check "$what: it says so" grep -q 'reports a dependence of an unknown kind' \
			<("$ompcount" report p.omphwc)
		continue
	fi
	check "$what: omp_all_memory" equal "$(dependences)" \
		"all,omp_all_memory,writes,inout,30 reads,in,all,omp_all_memory,30 writes,inout,reads,in,20 "
	# 63 tasks of 2 ms, 9 on a path.
	check "$what: the longest path" below 18000000 "$(($(graph longest_path_ns) + 1))"
	check "$what: average parallelism" awk -v p="$(graph average_parallelism)" \
		'BEGIN { print p; exit !(p > 2 && p < 7.5) }'
done

# Who waits for the lock lets its holder have the CPU, also where the priorities differ.
seconds() {
	local begin=$EPOCHREALTIME
	"$@" >out 2>err || return
	awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}
if build realtime clang -O1; then
	if plain=$(seconds timeout 60 "$prog"); then
		profiled=$(seconds timeout 200 "$ompcount" -q --dependences -e cpu-clock -o r.omphwc -- "$prog")
		check "a thread of real-time priority takes ${plain} s, then ${profiled:-too long}" \
			below "${profiled:-1000}" "$(awk -v s="$plain" 'BEGIN { print s * 10 }')"
	else
		skip "real-time priority is not permitted"
	fi
else
	skip "$why"
fi
finish
