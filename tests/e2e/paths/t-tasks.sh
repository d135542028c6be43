#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# An explicit task lies beneath its creation context, whichever thread executes it; an
# undeferred task is shown as a task, although its creator's function contains its body.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# by_tasks SECONDS, by_undeferred SECONDS
by_tasks() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -e cpu-clock -c 250000 -o p.omphwc -- "$prog" "$1" >truth 2>err
}
by_undeferred() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -q -e cpu-clock -c 250000 -o p.omphwc -- "$prog" "$1" >truth 2>err
}

tasks() {
	local cc=$1 n=$2 name path
	name="$1, $(runtime_name $2)"
	build tasks "$cc" -O2 || { skip "$name: $why"; return; }
	with_runtime "$n" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$cc" = clang ] || path=$runtime/gomp
	enough 6000 1 by_tasks ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	check "$name: the other thread ran them all" equal \
		"$(sed -n 's/^elsewhere //p' truth)" "$(sed -n 's/^created //p' truth)"
	folded p.omphwc | grep -E ';(first|second)_work[; ]' >user
	check "$name: first_work lies beneath make_first" equal \
		"$(grep first_work user | grep -cv '^main;create;make_first;first_work[; ]')" 0
	check "$name: second_work lies beneath make_second" equal \
		"$(grep second_work user | grep -cv '^main;create;make_second;second_work[; ]')" 0
	# second_work takes 1 to 3 samples each time.  Samples exclude the kernel's part of reading
	# the clock, twice per task, which is a greater part of the shorter one.
	check "$name: second_work's share of them" agrees "$(share user ';second_work[; ]')" \
		"$(sed -n 's/^second //p' truth)" "$(samples_in user p.omphwc)" 0.5 1
}

# undeferred COMPILER FLAG N
undeferred() {
	local name="$1 $2, $(runtime_name $3): not deferred" path what in_main='main;main -- OMP parallel region[^;]*' line
	build undeferred "$1" "$2" || { skip "$name: $why"; return; }
	with_runtime "$3" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	enough 6500 1 by_undeferred ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	folded p.omphwc --view expert | grep -E ';(apart|region|inner)_work[; ]' >expert
	"$ompcount" report --format json -o json p.omphwc
	while read -r what line; do
		check "$name: $what" equal \
			"$(grep ";${what%%;*}_work" expert | grep -cvE "^$in_main;$line;${what%%;*}_work[; ]")" 0
	done <<-'EOF'
		apart apart;apart -- OMP task from line [0-9]+ [^;]*
		region main -- OMP task from line [0-9]+ [^;]*
		inner around;around -- OMP task from line [0-9]+ [^;]*;around -- OMP task from line [0-9]+ [^;]*
	EOF
	for what in apart region; do
		check "$name: the share of $what" agrees "$(share expert ";${what}_work[; ]")" \
			"$(sed -n "s/^$what //p" truth)" "$(samples_in expert p.omphwc)" 0.5
	done
	# All work belongs to tasks; only overhead belongs to the region.
	check "$name: little is left for the region" below "$(awk '
		/^"constructs":/ { inside = 1; next }
		/^"/ { inside = 0 }
		inside && match($0, /"self":\[{"samples":[0-9]*,"weight":[0-9]*/) {
			n = substr($0, RSTART, RLENGTH); sub(/.*:/, "", n); all += n
			if (/"kind":"task"/) hit += n
		}
		END { printf "%.4f\n", all ? 1 - hit / all : 1 }' json)" 0.2
}

# sharing LINE: the number of creation sites that waits for the tasks created at that line
# may have been for; 0: no waits.
sharing() {
	awk -v at="\"line\":$1," '
		/^"tasks":/ { inside = 1; next }
		/^"/ { inside = 0 }
		{ sub(/"creator":{[^}]*}/, "") }
		inside && index($0, at) && match($0, /"taskwait":{"sharing":[0-9]*/) {
			n = substr($0, RSTART, RLENGTH); sub(/.*:/, "", n); if (n > most) most = n
		}
		END { print most + 0 }' json
}

# creator COMPILER FLAG N
creator() {
	local name="$1 $2, libomp $3: who is waited for" path source=$programs/creator.c line
	build creator "$1" "$2" || { skip "$name: $why"; return; }
	with_runtime "$3" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	enough 2000 0.6 by_undeferred ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	"$ompcount" report --format json -o json p.omphwc
	mapfile -t line < <(grep -n '^#pragma omp task$' "$source" | cut -d: -f1)
	check "$name: not the task that waits" equal "$(sharing "${line[0]}")" 0
	check "$name: what it created" equal "$(sharing "${line[1]}") $(sharing "${line[2]}")" '2 2'
	check "$name: its like, where it calls its creator" equal \
		"$(sharing "${line[3]}") $(sharing "${line[4]}")" '2 2'
}

# told FUNCTION NUMBER: of the tasks that it creates.
told() {
	sed -n '/^"tasks":/,$p' json | grep -F "\"kind\":\"task\",\"function\":\"$1\"" | head -n 1 |
		sed -n "s/.*\"$2\":\([0-9]*\).*/\1/p"
}

# inside COMPILER N: a task's time is without that of the tasks that it waits for.
inside() {
	local name="$1, $(runtime_name $2): tasks in tasks" path what count ns
	build inside "$1" -O2 || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	by_undeferred 1 ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	"$ompcount" report --format json -o json p.omphwc
	while read -r what count ns; do
		[ "$what" != all ] || break
		check "$name: $what, created and run" equal "$(told "$what" created) $(told "$what" run)" \
			"$count $count"
		check "$name: $what, no less than its time" below $((ns - ns / 1000)) "$(told "$what" body_ns)"
	done <truth
	check "$name: none is counted twice" below \
		$(($(told outer body_ns) + $(told inner body_ns))) $((count + count / 1000))
}

# descent COMPILER N [THREADS]: where tasks lie that a task of each kind creates first.
by_descent() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -q -e cpu-clock -c 250000 -o p.omphwc -- "$prog" "$1" "$threads" >truth 2>err
}
descent() {
	local name="$1, $(runtime_name $2): tasks of tasks, ${3:-2} threads" path threads=${3:-2} detach=-DDETACH
	# LLVM's libgomp lacks the version that gcc's programs need.
	[ "$1" = clang ] || detach=-UDETACH
	in_turn -O1 -O2 -O0
	build descent "$1" "${some%% *}" $detach || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	enough 2000 0.3 by_descent ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	folded p.omphwc | sed -n 's/_work[; ].*/_work/p' | sort -u >user
	check "$name: all kinds" equal "kinds $(wc -l <user)" "$(cat truth)"
	check "$name: beneath their creators" equal \
		"$(grep -vE '^main;all;([a-z_]+)(;second)?;\1_within;\1_work$' user)" ''
}

# levels COMPILER N [in]: each level of a recursion is one of its own, whatever ran above it.
by_levels() {
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -q -e cpu-clock -c 250000 -o p.omphwc -- "$prog" "$1" $where >truth 2>err
}
levels() {
	local name="$1, $(runtime_name $2): a recursion with tasks, ${3:-out}side of regions" path where=${3:-} k at
	build levels "$1" -O1 || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	enough 2000 0.3 by_levels ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	for k in waited undeferred final; do
		at="main;all;$k;$k;$k;$k"
		for _ in 1 2 3 4; do
			printf '%s\n' "$at;own_work" "$at;task_work"
			at=${at%;*}
		done
	done | sort >truth
	folded p.omphwc | sed -n 's/_work[; ].*/_work/p' | sort -u >user
	check "$name: user view" equal "$(cat user)" "$(cat truth)"
	folded p.omphwc --view machine | sed -n 's/.*;all;\(.*;own_work\)[; ].*/main;all;\1/p' | sort -u >machine
	check "$name: machine view" equal "$(cat machine)" "$(grep own_work truth)"
}

for n in 14 ${long:+16} 19; do
	inside clang $n
	tasks clang $n
	descent clang $n
	descent clang $n 1
	levels clang $n
	in_turn -O0 -O2
	for o in $some; do creator clang $o $n; done
	in_turn -O2 -O0
	for o in $some; do undeferred clang $o $n; done
done
for n in gomp ${long:+14}; do
	inside gcc $n
	tasks gcc $n
	descent gcc $n
	levels gcc $n
	levels gcc $n in
	undeferred gcc -O2 $n
done
finish
