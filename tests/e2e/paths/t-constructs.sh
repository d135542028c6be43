#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Constructs have the right kinds, lines and numbers of entries; explicit tasks of every
# kind have the right numbers of created, executed and cancelled tasks.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
export OMP_CANCELLATION=true

# section NAME: a section of the JSON report, which has one element per line.
section() {
	awk -v section="\"$1\":[" 'index($0, section) == 1 { in_it = 1; next }
		/^"/ { in_it = 0 } in_it' report.json
}

# field NAME: its value in the first line of standard input: a number, a text, null.
field() {
	head -n 1 | grep -o "[{,]\"$1\":\(\"[^\"]*\"\|[^],}]*\)" | head -n 1 | sed 's/^[^:]*://' | tr -d '"'
}

# profiled NAME COMPILER N PROGRAM [ARG…]: writes its report to report.json.
profiled() {
	local name=$1 path
	with_runtime "$3" || { skip "$name: $why"; return 1; }
	path=$runtime
	[ "$2" = clang ] || path=$runtime/gomp
	shift 3
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -q -e cpu-clock -F 2000 -o p.omphwc -- "$@" >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return 1; }
	"$ompcount" report --format json -o report.json p.omphwc || fail "$name: no report"
}

# ---- constructs

source=$programs/constructs.c

# line MARK: the number of the source line with it.
line() { grep -n -F "$1" "$source" | head -n 1 | cut -d: -f1; }

# is FUNCTION KIND MARK ENTRIES [COUNT]: checks the construct in FUNCTION; MARK marks its
# lines, and a brace may add one.
is() {
	local what="$name, $1" found last
	found=$(section constructs | grep -F "\"function\":\"$1\"" | grep -F "\"kind\":\"$2\"")
	check "$what: is a $2" below 0 "$(echo "$found" | grep -c .)"
	[ -n "$found" ] || return
	check "$what: its line" equal "$(echo "$found" | field line)" "$(line " $3: ")"
	check "$what: its first line" equal "$(echo "$found" | field first_line)" "$(line " $3: ")"
	last=$(echo "$found" | field last_line)
	check "$what: its last line" below "$(($(line " :$3 ") - 4))" "$last"
	check "$what: and not behind it" below "$last" "$(($(line " :$3 ") + 2))"
	[ -z "${4:-}" ] || check "$what: entries" equal "$(echo "$found" | field entries)" "$4"
	[ -z "${5:-}" ] || check "$what: how many" equal \
		"$(echo "$found" | grep -o '"count":{"least":[0-9]*' | sed 's/.*://')" "$5"
}

# sampled COMMAND…: runs its cases with 0.2 seconds as last argument, and longer if they
# fail: the last line of a body, teams, and critical sections are recognized by samples
# in them, and a waiting thread may be in the kernel for some milliseconds.  Each failed
# try is shown.
sampled() {
	local out seconds
	for seconds in 0.2 0.6 1.5; do
		out=$("$@" $seconds)
		echo "$out" | grep -q '^FAIL:' || break
		[ $seconds = 1.5 ] || echo "$out" | sed -n "s/^FAIL:/in $seconds s:/p"
	done
	echo "$out"
	failures=$((failures + $(echo "$out" | grep -c '^FAIL:')))
}

# constructs N SECONDS
constructs() {
	local name="libomp $1" n
	profiled "$name" clang "$1" "$prog" "$2" || return
	n=$(sed -n 's/^entries //p' truth)
	is for_static 'for schedule(static)' static $((2 * n)) 8
	is for_dynamic 'for schedule(dynamic)' dynamic $((2 * n)) 8
	is for_guided 'for schedule(guided)' guided $((2 * n)) 8
	is for_runtime 'for schedule(runtime)' runtime $((2 * n)) 8
	is for_switch 'for schedule(dynamic)' switch $((2 * n)) 8
	is three_sections sections sections $((2 * n)) 3
	is six_sections sections six $((2 * n)) 6
	is in_single single single $((2 * n))
	is in_single_nowait single nowait $((6 * n))
	is in_single_copy single copy $((2 * n))
	is in_master master master "$n"
	is in_ordered 'for schedule(static)' loop $((2 * n)) 8
	is in_taskgroup task task "$n"
	is in_taskloop taskloop taskloop "$n"
	is region parallel parallel "$n"
	is in_teams distribute distribute "$n"
	is in_target target target
	check "$name: teams" below 0 "$(section constructs | grep -c '"kind":"teams".*"function":"in_teams"')"
	# Constructs that are known by their waits appear only if there were waits.
	for what in "in_critical critical critical" "in_ordered ordered ordered" \
		"in_taskgroup taskgroup taskgroup" "at_barrier barrier barrier" \
		"at_taskwait taskwait taskwait"; do
		set -- $what
		if section constructs | grep -F "\"function\":\"$1\"" | grep -qF "\"kind\":\"$2\""; then
			is "$@"
		else
			skip "$name, $1: no sample fell into its waits"
		fi
	done
}

if build constructs clang -O2 -fopenmp-version=50 -DTEAMS; then
	for n in 14 ${long:+16} 19; do
		sampled constructs $n
	done
else
	skip "constructs: $why"
fi

# gcc's static loops, master and ends of single do not call the runtime.
by_gcc() { # N
	local name="gcc, $(runtime_name "$1")" what last
	profiled "$name" gcc "$1" "$prog" 0.2 || return
	check "$name: each construct has a place" equal 0 "$(section constructs | grep -cF '"function":"0x')"
	for what in "for_dynamic for schedule(dynamic)" "for_guided for schedule(guided)" \
		"for_runtime for schedule(runtime)" "three_sections sections" \
		"in_single single" "in_taskloop taskloop" "in_taskgroup task" "region parallel"; do
		[ "$what" != "in_taskloop taskloop" ] || gcc_from 6 || continue
		check "$name, ${what%% *}: is a ${what#* }" below 0 "$(section constructs |
			grep -F "\"function\":\"${what%% *}\"" | grep -cF "\"kind\":\"${what#* }\"")"
	done
	for what in "three 3" "six 6"; do
		check "$name, ${what% *}_sections: how many" equal "${what#* }" "$(section constructs |
			grep "\"function\":\"${what% *}_sections\"" | grep -F '"kind":"sections"' |
			grep -o '"count":{"least":[0-9]*' | sed 's/.*://')"
	done
	# Its first lines may precede the directives.
	for what in "for_switch switch for" "six_sections six sections" "in_single single single"; do
		set -- $what
		last=$(section constructs | grep -F "\"function\":\"$1\"" | grep -F "\"kind\":\"$3" |
			field last_line)
		check "$name, $1: its last line" below $(($(line " :$2 ") - 4)) "$last"
		check "$name, $1: and not behind it" below "$last" $(($(line " :$2 ") + 2))
	done
}
if build constructs gcc -O2; then
	by_gcc gomp
	build constructs gcc -O2 && by_gcc 14
else
	skip "constructs, gcc: $why"
fi

# ---- a loop that is combined with its region

# together COMPILER N
together() {
	local name="$1, $(runtime_name "$2"), combined"
	build constructs "$1" -O2 || { skip "$name: $why"; return; }
	profiled "$name" "$1" "$2" "$prog" 0.1 combined || return
	check "$name: all entries are of one construct" equal \
		"$((2 * $(sed -n 's/^entries //p' truth)))" "$(section constructs |
			grep -F '"function":"combined"' | grep -F '"for schedule(dynamic)"' | field entries)"
	check "$name: each construct has a place" equal 0 "$(section constructs | grep -cF '"function":"0x')"
}
together clang 16
together gcc gomp
together gcc 14

# ---- tail calls

source=$programs/tailcalls.c

# combined FUNCTION KIND LINE: gcc's single call for region and loop.
combined() {
	check "$name, $1: $2" below 0 "$(section constructs | grep -F "\"kind\":\"$2\"" |
		grep -F "\"function\":\"$1\"" | grep -cE "\"line\":($3|$(($3 - 1))),")"
	check "$name, $1: the expert's name" below 0 "$(folded p.omphwc --view expert |
		grep -cE ";$1 -- OMP parallel $(echo "$2" | sed 's/[()]/\\&/g') from line ($3|$(($3 - 1))) ")"
}

# tail_calls COMPILER N
tail_calls() {
	local name="$1, $(runtime_name "$2"), tail calls" f at
	build tailcalls "$1" -O2 || { skip "$name: $why"; return; }
	profiled "$name" "$1" "$2" "$prog" 0.2 || return
	for f in by_dynamic by_guided by_sections by_region; do
		at=$(line "/* $f */")
		[ "$1" = clang ] || at="($at|$((at - 1))|$((at + 1))|$((at + 2)))"
		check "$name: $f" below 0 "$(section regions | grep "\"function\":\"$f\"" |
			grep -cE "\"line\":$at,")"
	done
	check "$name: nobody else has regions" equal 0 "$(section regions |
		grep -cE '"function":"(all|main|by_other|start_thread)"')"
	check "$name: nor constructs" equal 0 "$(section constructs |
		grep -cE '"function":"(all|by_other|start_thread)"')"
	check "$name: paths" equal 0 "$(folded p.omphwc | grep ';by_' | grep -cv '^main;all;by_[a-z]*[; ]')"
	check "$name: each once in a path" equal 0 "$(folded p.omphwc | grep -cE ';by_.*;by_')"
	for f in twin_one twin_other; do
		check "$name: the loop of $f" below 0 "$(section constructs |
			grep "\"function\":\"$f\"" | grep 'schedule(dynamic)' | grep -c '"entries":[0-9]')"
	done
	check "$name: no loop of what it calls" equal 0 "$(section constructs |
		grep -cE '"function":"(work|crunch|crunch_for|own_ns)"')"
	[ "$1" = gcc ] || return
	combined by_dynamic 'for schedule(dynamic)' "$(line '/* by_dynamic */')"
	combined by_guided 'for schedule(guided)' "$(line '/* by_guided */')"
	combined by_sections sections "$(line '/* by_sections */')"
}

tail_calls clang 14
tail_calls clang 19
tail_calls gcc gomp
tail_calls gcc 14

# ---- functions inlined into them from further down in the file

source=$programs/after.c
# inlined COMPILER SECONDS
inlined() {
	local inside kind
	profiled "$name" "$1" 14 "$prog" $((10#${2/./} * 100)) || return
	inside=$(line '/* inside */')
	for kind in parallel critical; do
		# A critical section appears only if a thread waited for it, which one without a CPU does not.
		if [ "$2:$kind" = 1.5:critical ] && ! section constructs | grep -qF "\"kind\":\"$kind"; then
			skip "$name: $kind: no sample fell into its waits"
			continue
		fi
		check "$name: $kind's last line" equal 1 \
			"$(section constructs | grep -F "\"kind\":\"$kind" |
				grep -cE "\"last_line\":($inside|$((inside + 1)))[,}]")"
	done
}
for cc in clang gcc; do
	name="$cc, inlined from further down"
	build after $cc -O2 || { skip "$name: $why"; continue; }
	sampled inlined $cc
done

# ---- tasks

# sum FUNCTION NUMBER: the sum over its sites.
sum() {
	section tasks | grep -F "{\"kind\":\"${3:-task}\",\"function\":\"$1\"" |
		grep -o "\"$2\":[0-9]*" | awk -F: '{ n += $2 } END { print n + 0 }'
}

tasks() {
	local name=$1 kind created ran k run
	profiled "$@" "$prog" 2 || return
	while read -r kind created ran; do
		[ "$kind" != taskloop ] || [ "$2" = clang ] || gcc_from 6 || continue
		k=task
		[ "$kind" != taskloop ] || k=taskloop
		run=$(sum "$kind" run $k)
		# libgomp does not tell of tasks that it cancels.
		[ "$3:$kind" = gomp:cancelled ] ||
			check "$name, $kind: run or cancelled as created" equal \
				$((run + $(sum "$kind" cancelled $k))) "$(sum "$kind" created $k)"
		if [ "$kind" = taskloop ]; then
			# Some runtimes create tasks that create the tasks for the rest of the loop.
			check "$name, $kind: created" below $((created - 1)) "$(sum "$kind" created $k)"
			check "$name, $kind: created, and no more than that" below \
				"$(sum "$kind" created $k)" $((created + created / 4))
			continue
		fi
		check "$name, $kind: created" equal "$(sum "$kind" created)" "$created"
		check "$name, $kind: run" equal "$run" "$ran"
		check "$name, $kind: stolen" below "$(sum "$kind" stolen)" $((run + 1))
		check "$name, $kind: in bodies" below $((ran * 20000 - 1)) "$(sum "$kind" body_ns)"
	done <truth
	[ "$3" = gomp ] ||
		check "$name: some were cancelled" below 0 "$(sum cancelled cancelled)"
	check "$name: undeferred ones stay" equal "$(sum undeferred stolen)" 0
	check "$name: nothing else is a task" equal \
		"$(section tasks | grep -cE '^{"kind":"[a-z]*","function":"(measure|body|main)"')" 0
}

for cc in clang gcc; do
	flags=-DDETACH
	# LLVM's libgomp lacks the version that gcc's programs need.
	[ $cc = clang ] || flags=
	build taskkinds $cc -O2 $flags || { skip "tasks, $cc: $why"; continue; }
	for n in gomp 14 16 19; do
		[ $cc = gcc ] || [ $n != gomp ] || continue
		[ $cc = clang ] || [ $n = 14 ] || [ $n = gomp ] || [ -n "$long" ] || continue
		tasks "$cc, $(runtime_name $n)" $cc $n
	done
done

# ---- outside of regions

# row KIND: its element of the report.
row() {
	case $1 in
	sections | single) section constructs | grep -F "{\"kind\":\"$1\"" ;;
	*) section constructs | grep -F "{\"kind\":\"for schedule($1)\"" ;;
	esac
}

# orphans COMPILER N [team]
orphans() {
	local name="$1, $(runtime_name $2): constructs outside of regions${3:+ and within}" kind entries own worked
	build orphans "$1" -O1 || { skip "$name: $why"; return; }
	profiled "$name" "$1" $2 "$prog" 0.15 ${3:-} || return
	folded p.omphwc >user
	check "$name: nothing is outside of what is known" equal \
		"$(section regions | grep -o '"kind":"\(unknown\|outside\)"')" ''
	while read -r kind entries; do
		check "$name: $kind, entries" equal "$(row $kind | field entries)" "$entries"
	done <truth
	for kind in static dynamic guided runtime sections single; do
		own=$(row $kind | grep -o '"self":\[{"samples":[0-9]*,"weight":[0-9]*' | head -n 1 | sed 's/.*://')
		worked=$(awk -v re=";${kind}_work[; ]" '$0 ~ re { n += $NF } END { printf "%.0f\n", n }' user)
		check "$name: $kind, its work" below "$worked" "$((own + 1))"
		# One sample of twenty may be beside the work; with chance, so many of few.
		[ -n "${3:-}" ] || check "$name: $kind, no other" below "$own" "$(awk -v w="$worked" '
			BEGIN { n = w / 500000 / 20; printf "%.0f", w + 500000 * (n + 3 * sqrt(n)) }')"
	done
}

orphans clang 14
in_turn 19 16
for n in $some; do orphans clang $n team; done
orphans gcc gomp
orphans gcc gomp team

# ---- waits at the end

# waited: "FUNCTION NS" of what threads wait in the constructs of each function.
waited() {
	"$ompcount" report --format csv --by construct p.omphwc | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ ns[$at["function"]] += $at["wall_wait_ns"] }
		END { for (f in ns) if (f ~ /^by_/) printf "%s %.0f\n", f, ns[f] }'
}

# unevenly COMPILER N FLAG…: what threads wait at a construct's end is the construct's.
unevenly() {
	local name="${*:3} $1, $(runtime_name $2): waits at the end" path function ns
	build unevenly "$1" "${@:3}" || { skip "$name: $why"; return; }
	with_runtime "$2" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -q -e wall -F 2000 -o p.omphwc -- "$prog" 0.3 >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	waited >rows
	folded p.omphwc | sed -n 's/.*;\(by_[a-z_]*\);<OMP-\(implicit_barrier\|barrier\|reduction\)> /\1 /p' |
		awk '{ ns[$1] += $2 } END { for (f in ns) printf "%s %.0f\n", f, ns[f] }' >truth
	check "$name: all kinds" equal "$(wc -l <truth)" 9
	while read -r function ns; do
		# The line of clang's reduction is that of the last section.
		[ "$1:$function" != clang:by_sections_sum ] || continue
		# A moment of a reduction is work.
		check "$name: $function" below "$((ns - ns / 20))" "$(sed -n "s/^$function //p" rows)"
	done <truth
}

in_turn 14 19 16
for n in $some; do unevenly clang $n -O1; done
unevenly gcc gomp -O1
unevenly gcc gomp -Os -g1
finish
