#!/bin/bash
# Constructs are told by their kind and lines, and entered as often as the program
# says; explicit tasks of every kind are created, run and cancelled as often.
. "$(dirname "$0")/lib.sh"
need_tool
export OMP_CANCELLATION=true

# section NAME: of the JSON report, which has an element a line.
section() {
	awk -v section="\"$1\":[" 'index($0, section) == 1 { in_it = 1; next }
		/^"/ { in_it = 0 } in_it' report.json
}

# field NAME: of the first line of standard input: a number, a text, null.
field() {
	sed -n "s/.*[{,]\"$1\":\(\"[^\"]*\"\|[^],}]*\).*/\1/p" | head -n 1 | tr -d '"'
}

# profiled NAME COMPILER N PROGRAM [ARG…]: its report in report.json.
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

# line MARK: the one that has it.
line() { grep -n -F "$1" "$source" | head -n 1 | cut -d: -f1; }

# is FUNCTION KIND MARK ENTRIES [COUNT]: the construct in FUNCTION; MARK tells its
# lines: one may be a brace's more.
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

# sampled COMMAND…: its cases, with 0.2 seconds as last argument; more when they fail:
# a body's last line, and teams from parallel, are told by samples that lie there.
# Each spoilt try is shown.
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
	is three_sections sections sections $((2 * n)) 3
	is in_single single single $((2 * n))
	is in_master master master "$n"
	is in_ordered 'for schedule(static)' loop $((2 * n)) 8
	is in_taskgroup task task "$n"
	is in_taskloop taskloop taskloop "$n"
	is region parallel parallel "$n"
	is in_teams distribute distribute "$n"
	check "$name: teams" below 0 "$(section constructs | grep -c '"kind":"teams".*"function":"in_teams"')"
	# What is known by its waits shows only where there were some.
	for what in "in_critical critical critical" "in_ordered ordered ordered" \
		"in_taskgroup taskgroup taskgroup" "at_barrier barrier barrier" \
		"at_taskwait taskwait taskwait"; do
		set -- $what
		! section constructs | grep -F "\"function\":\"$1\"" | grep -qF "\"kind\":\"$2\"" ||
			is "$@"
	done
}

if build constructs clang -O2 -fopenmp-version=50 -DTEAMS; then
	for n in 14 16 19; do
		sampled constructs $n
	done
else
	skip "constructs: $why"
fi

# gcc's static loops, its master and its ends of single call nothing.
if ! build constructs gcc -O2; then
	skip "constructs, gcc: $why"
elif profiled "gcc" gcc 14 "$prog" 0.2; then
	for what in "for_dynamic for schedule(dynamic)" "for_guided for schedule(guided)" \
		"for_runtime for schedule(runtime)" "three_sections sections" \
		"in_single single" "in_taskloop taskloop" "in_taskgroup task" "region parallel"; do
		check "gcc, ${what%% *}: is a ${what#* }" below 0 "$(section constructs |
			grep -F "\"function\":\"${what%% *}\"" | grep -cF "\"kind\":\"${what#* }\"")"
	done
	check "gcc, three_sections: how many" equal 3 "$(section constructs |
		grep '"kind":"sections"' | grep -o '"count":{"least":[0-9]*' | sed 's/.*://')"
fi

# ---- tasks

# sum FUNCTION NUMBER: over its sites.
sum() {
	section tasks | grep -F "{\"kind\":\"${3:-task}\",\"function\":\"$1\"" |
		grep -o "\"$2\":[0-9]*" | awk -F: '{ n += $2 } END { print n + 0 }'
}

tasks() {
	local name=$1 kind created ran k run
	profiled "$@" "$prog" 2 || return
	while read -r kind created ran; do
		k=task
		[ "$kind" != taskloop ] || k=taskloop
		run=$(sum "$kind" run $k)
		check "$name, $kind: run or cancelled as created" equal \
			$((run + $(sum "$kind" cancelled $k))) "$(sum "$kind" created $k)"
		if [ "$kind" = taskloop ]; then
			# Some runtimes make tasks of parts of the loop to make the rest.
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
	check "$name: some were cancelled" below 0 "$(sum cancelled cancelled)"
	check "$name: undeferred ones stay" equal "$(sum undeferred stolen)" 0
	check "$name: nothing else is a task" equal \
		"$(section tasks | grep -cE '^{"kind":"[a-z]*","function":"(measure|body|main)"')" 0
}

for cc in clang gcc; do
	flags=-DDETACH
	# A libgomp that is LLVM's has not the version that gcc asks for.
	[ $cc = clang ] || flags=
	build taskkinds $cc -O2 $flags || { skip "tasks, $cc: $why"; continue; }
	for n in 14 16 19; do
		[ $cc = clang ] || [ $n = 14 ] || [ -n "$long" ] || continue
		tasks "$cc, libomp $n" $cc $n
	done
done
finish
