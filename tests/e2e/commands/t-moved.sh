#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The command and the Check suites with a heap in which no stale pointer works (tests/support/moving.c): all
# that is shown of some 20 profiles with hundreds of functions, regions, tasks and constructs is
# the same as with the machine's heap.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
writer=$top_builddir/tests/random_profiles
[ -x "$writer" ] || skip_all "random_profiles is not built"
for one in nm objdump; do
	command -v $one >/dev/null || skip_all "no $one"
done
[ -n "$gcc" ] || skip_all "no gcc"
"$gcc" -O2 -shared -fPIC -D_GNU_SOURCE -I"$top_builddir" -o moving.so "$top_srcdir/tests/support/moving.c" 2>err ||
	skip_all "moving.so is not built: $(tail -n 1 err)"
with_it() { LD_PRELOAD=$work/moving.so "$@"; }
with_it "$ompcount" --version >out 2>err || skip_all "the command has a heap of its own: $(tail -n 1 err)"

# ---- the heap itself

cat >stale.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	(void)argv;
	int *p = malloc(8000), *q = realloc(p, 8008);
	if (argc == 1)
		return p == q || q[0] != (int)0xa5a5a5a5;
	if (argc == 2)
		return p[0] == 0;
	free(q);
	free(q);
	return 0;
}
END
"$gcc" -O0 -w -o stale stale.c || skip_all "gcc builds nothing"
check "the heap moves what grows, and fills what is new" with_it ./stale
{ with_it ./stale 2; } >/dev/null 2>&1
check "a stale pointer ends the program" equal $? 139
{ with_it ./stale 2 3; } >/dev/null 2>&1
check "a block freed twice ends the program" equal $? 134

# ---- profiles

# places PROGRAM: as random_profiles reads them.
places() {
	nm "$1" | awk 'NF == 3 && $2 ~ /^[tT]$/ {
		print ($3 ~ /omp_fn|omp_outlined|omp_task_entry/ ? "body" : "code"), $1 }'
	objdump -d --no-show-raw-insn "$1" | awk '/^ / {
		if (after) { sub(":", "", $1); print "call", $1 }
		after = /GOMP_(parallel|task)|__kmpc_(fork_call|omp_task)/ }'
}

each=10 profiles=()
for compiler in gcc clang; do
	# The command takes an object without an id by its name.
	build many $compiler -O2 -Wl,--build-id=none || { skip "$compiler: $why"; each=20; continue; }
	mkdir $compiler
	places "$prog" >places
	"$writer" "$prog" places $compiler $each || { fail "$compiler: no profiles"; continue; }
	for ((i = 0; i < each; i++)); do
		profiles+=($compiler/$i.omphwc)
	done
done
[ ${#profiles[@]} -gt 0 ] || skip_all "no program"

# ---- regions that serial code calls

# The first name of each region is met while its body is looked at.
if [ -n "$clang" ]; then
	cat >maps.c <<'END'
enum { N = 1000 };
#define MAPPED(directive, code) \
	_Pragma(directive) \
	for (int i = 0; i < N; i++) \
		code;
int main(void)
{
	static int a[N], b[N], c[N];
	MAPPED("omp target teams distribute map(to: a[0:N], b[0:N])", b[i] = a[i])
	MAPPED("omp target teams distribute map(from: b[0:N])", b[i] = a[i] + 1)
	MAPPED("omp target teams distribute map(alloc: a[0:N], c[0:N])", c[i] = a[i])
	MAPPED("omp target teams distribute map(tofrom: a[0:N], b[0:N])", (a[i] += 1, b[i] -= a[i]))
	return b[5] != 0;
}
END
	"$clang" -O2 -g -fopenmp -o maps maps.c 2>err || skip "target teams: $(tail -n 1 err)"
	for i in 1 2 3; do
		[ -x maps ] || break
		check "target teams on the host" \
			"$ompcount" -q -e wall --entries --blame --timeline -o maps$i.omphwc ./maps
		profiles+=(maps$i.omphwc)
	done
fi

# ---- what is shown

# same WHAT COMMAND…: with either heap the same output and status; 2 is a mistake of this script's.
same() {
	local what=$1 status
	shift
	"$@" >plain 2>plain.err </dev/null
	status=$?
	{ with_it "$@" >moved 2>moved.err </dev/null; } 2>/dev/null
	status=$status,$?
	cases=$((cases + 1))
	case $status in
	0,0 | 1,1) cmp -s plain moved && cmp -s plain.err moved.err && return ;;
	esac
	fail "$what: status $status: $(tail -n 1 moved.err)"
}

ways=()
for by in region construct function line path thread state module file cpu rank host address blame \
	time task count; do
	ways+=("--by $by" "--view expert --by $by" "--view machine --by $by --limit 0" "--format csv --by $by --limit 0")
done
for format in json html callgrind hatchet pprof trace folded speedscope; do
	ways+=("-f $format" "-f $format --view expert" "-f $format --view machine")
done
ways+=("-f folded --by thread --lines" "-f speedscope --lines" "-f hatchet --lines" "--format csv --by path --lines"
	"--by line --unfold-libraries" "-v --limit 0" "--by path --depth 3" "--calls many_20" "--sort work"
	"--annotate many_30" "--annotate many.c" "--annotate many_30 --asm" "--focus many_1 --by path"
	"--ignore many_2 -f json" "--region many_33" "--thread 0,2 --by thread" "--from 10% --to 60% --by time" "--by parallelism"
	"--from 10% --to 60% -f json" "--hide-modules libgomp.so.1 --by path" "--hide-modules many*"
	"--hide-modules many* -f json" "--focus many_1 -f html" "--by function --sort incl")

cases=0 at=0 before=$failures
[ -n "$long" ] && some=${#ways[@]} || some=2
for profile in "${profiles[@]}"; do
	for ((i = 0; i < some; i++)); do
		way=${ways[at++ % ${#ways[@]}]}
		# shellcheck disable=SC2086
		same "report $way $profile" "$ompcount" report $way "$profile"
	done
done
check "$cases reports" equal $failures $before

# ---- several profiles

cases=0 before=$failures
same "several" "$ompcount" report "${profiles[@]:0:8}"
same "several, as json" "$ompcount" report -f json "${profiles[@]:0:8}"
"$ompcount" merge -o plain.omphwc "${profiles[@]}" >plain.out 2>plain.err
{ with_it "$ompcount" merge -o moved.omphwc "${profiles[@]}" >moved.out 2>moved.err; } 2>/dev/null
check "the merged file is the same" cmp plain.omphwc moved.omphwc
for way in "--by region" "-f json" "-f html" "--by rank" "--by path --view expert" "--thread 3 --by line" "--format csv --by task"; do
	# shellcheck disable=SC2086
	same "merged $way" "$ompcount" report $way plain.omphwc
done
for by in region construct function line path; do
	same "diff by $by" "$ompcount" diff --by $by "${profiles[1]}" "${profiles[2]}"
done
same "diff as json" "$ompcount" diff -f json "${profiles[3]}" plain.omphwc
same "history as json" "$ompcount" history -f json "${profiles[@]:0:8}"
same "list" "$ompcount" list .
cp "${profiles[1]}" stored.omphwc
{ with_it "$ompcount" resolve stored.omphwc >out 2>err; } 2>/dev/null
check "resolve" equal $? 0
same "with stored names" "$ompcount" report stored.omphwc
same "with stored names, as json" "$ompcount" report -f json stored.omphwc
check "$cases reports on several profiles, and differences" equal $failures $before

# ---- the suites

suites="append base callsite counts detail diff findings findings_cpus findings_more jobs lanes leaf liveness losses \
	merged model mpi outlined page placement pprof reader reader_timelines symbols view_entries views"
# Each of these takes half as long as all the others.
[ -z "$long" ] || suites+=" answers exports filter output"
for suite in $suites; do
	run=$(echo "$top_builddir"/tests/unit/*/check_$suite)
	[ -x "$run" ] || continue
	{ with_it env CK_TIMEOUT_MULTIPLIER=5 top_srcdir="$top_srcdir" srcdir="$top_srcdir" "$run" >out 2>&1; } 2>/dev/null
	check "check_$suite" equal "$? $(grep -E '^[^ ]*:[0-9]+:[FE]:' out | head -n 1)" "0 "
done
finish
