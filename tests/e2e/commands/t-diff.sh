#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ompcount diff over two builds of the demonstration's program: in one a region is 20 % slower,
# and lines are inserted above it.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
[ -n "$clang" ] || skip_all "no clang"
export OMP_WAIT_POLICY=passive
heat=$top_srcdir/bench/demo/heat.c

# The program measures the CPU time of find_conductivity's loop itself: that is the truth.
cat >clock.h <<'EOF'
#include <time.h>
static double spent;
static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}
static void add(double seconds)
{
#pragma omp atomic
	spent += seconds;
}
EOF
clocked() {
	sed -e '/#include <string.h>/a #include "clock.h"' \
		-e 's/double y = i \* g->h;/& double from = cpu();/' \
		-e '/= k \/ (1 + 0.1/{n;s/$/ add(cpu() - from);/}' \
		-e '/printf("coolest/a printf("spent %.9f\\n", spent);' "$1"
}
# Each fifth row is computed twice.
slower() {
	sed -e '/^static void find_conductivity/i /*\n * Three lines more.\n */' \
		-e '/^#pragma omp parallel for private(j) schedule(static)$/i /* Here too. */' \
		-e 's/^\t\tfor (j = 0; j < g->n + 2; j++) {/\t\tfor (int again = i % 5 == 0; again >= 0; again--)\n&/'
}
mkdir old new before after
clocked "$heat" >old/heat.c
clocked "$heat" | slower >new/heat.c
for side in old new; do
	"$clang" -g -O2 -fopenmp -I. -o $side/heat $side/heat.c -lm >build.log 2>&1 ||
		skip_all "the program cannot be built: $(tail -n 1 build.log)"
done

# profiled SIDE FOLDER NAME [STEPS]: a run's profile, and what the program measured.
profiled() {
	"$ompcount" -q -e cpu-clock -F 4000 -o "$2/$3.omphwc" -- "$1/heat" "${4:-16}" >out || return
	awk '/^spent/ { print $2 }' out >>"$2/spent"
}
# steady: whether the same work took the same CPU time in all runs, as far as the program's own
# clock shows.  On a busy machine it takes some ten percent more or less.
steady() {
	paste before/spent after/spent | awk '
		NR == 1 { least[1] = most[1] = $1; least[2] = most[2] = $2 }
		{ for (i = 1; i <= 2; i++) { sum[i] += $i; if ($i < least[i]) least[i] = $i; if ($i > most[i]) most[i] = $i } }
		END { printf "%.3f %.3f %.3f\n", most[1] / least[1], most[2] / least[2], sum[2] / sum[1]
			exit !(most[1] < 1.06 * least[1] && most[2] < 1.06 * least[2] && sum[2] > 1.15 * sum[1] && sum[2] < 1.25 * sum[1]) }'
}
for try in 1 ${long:+2 3}; do
	rm -f before/* after/*
	for run in 1 2 3; do
		profiled old before $run && profiled new after $run || fail "run $run"
	done
	steady && break
done
# when_steady WHAT COMMAND…: a case that needs runs as even as those.
when_steady() {
	if steady >/dev/null; then check "$@"; else skip "$1: the machine is busy, so equal runs differ"; fi
}

diff() { "$ompcount" diff "$@"; }
# rows MEMBER FILE: the rows of an array of the JSON output.
rows() { awk -v m="^\"$1\":" '$0 ~ m { on = 1; next } on { print } /\],?$/ { on = 0 }' "$2"; }
# number SIDE MEMBER: of the rows in the standard input.
number() { sed -E "s/.*\"$1\":\\{[^}]*\"$2\":([0-9.e+-]+).*/\\1/"; }

diff --format json before after >d.json
check "it ends well" equal $? 0
rows regions d.json >regions
first=$(grep '"name":"find_conductivity"' regions)
when_steady "the slower region comes first" equal "$(head -n 1 regions)" "$first"
check "its line before" equal "$(number before line <<<"$first")" \
	"$(grep -n '^#pragma omp parallel for private(j) schedule(static)$' old/heat.c | head -n 1 | cut -d: -f1)"
check "its line after" equal "$(number after line <<<"$first")" \
	"$(grep -n '^#pragma omp parallel for private(j) schedule(static)$' new/heat.c | head -n 1 | cut -d: -f1)"
when_steady "it is beyond noise" grep -q '"within_noise":false' <<<"$first"

# judge: whether the change of the region's work is that of the loop's CPU time, to 2 points.
# These are for what only one of them has (the handler's cost, the clock's calls, the loop's
# bounds), and for chance: a row's stretch of a thread's samples, 20 at least, is wrong by less
# than one sample (doc/HACKING.md), so a side's relative deviation is sqrt(1 / (4 * 20 * n)).
sum() { awk '{ s += $1 } END { printf "%.9f\n", s }' "$1"; }
judge() {
	awk -v b="$(number before work <<<"$first")" -v a="$(number after work <<<"$first")" \
		-v nb="$(number before samples <<<"$first")" -v na="$(number after samples <<<"$first")" \
		-v tb="$(sum before/spent)" -v ta="$(sum after/spent)" -v z=$deviations 'BEGIN {
		chance = z * 100 * a / b * sqrt(1 / (80 * nb) + 1 / (80 * na))
		off = 100 * (a / b - ta / tb)
		printf "%+.2f %% against %+.2f %%: chance %.2f\n", 100 * (a / b - 1), 100 * (ta / tb - 1), chance
		if (chance > 1.8) { print "too few samples: " nb ", " na; exit 1 }
		exit !(off <= 2 && -off <= 2) }'
}
echo "$(judge)"
check "its change is the program's own" judge
grep -v '"name":"find_conductivity"' regions | grep '"within_noise":false' >others
when_steady "all other regions are within noise" equal "$(sed -E 's/.*"name":"([^"]*)".*/\1/' others)" ""
when_steady "each region is on both sides" equal \
	"$(grep '"before":null\|"after":null' regions | grep -c '"within_noise":false')" 0

diff --by region before after >text
check "with so many runs" equal "$(sed -n '/before.*: 3 runs, 2 threads$/=; /after.*: 3 runs, 2 threads$/=' text | wc -l)" 2
when_steady "text says that it is slower" grep -Eq 'more +find_conductivity \(heat.c:[0-9]+\), was :[0-9]+$' text
check "and the means' spread" grep -q 'sd%' text
check "lines moved with it" grep -Eq 'find_conductivity \(heat.c:[0-9]+\), was :[0-9]+$' <(diff --by line before after)
check "the overview has all tables" equal \
	"$(diff before after | grep -oE '(parallel region|construct|function|line)$' | tr '\n' ' ')" \
	"parallel region construct function line "
diff before/1.omphwc before/1.omphwc >same
check "a run beside itself" equal $? 0
check "is the same" equal "$(grep -c 'more \|less \|only ' same)" 0
check "with one run a side the noise is that of samples" grep -q 'from the number of samples alone' same
diff -o whole.json --format json before after && check "-o" cmp -s whole.json d.json
diff --html page.html before after >text
check "--html leaves standard output as it is" cmp -s text <(diff before after)
if command -v chromium >/dev/null && command -v chromedriver >/dev/null && command -v python3 >/dev/null; then
	timeout 240 python3 -B "$top_srcdir/tests/support/runs_cases.py" --diff page.html d.json ||
		check "all of it was tried" equal "$?" 0
else
	skip "the page: no chromium, chromedriver or python3"
fi

# ---- page faults, of which the program takes as many in each run, however busy the machine is

mkdir pages pages/old pages/new
cp "$programs/first_touch.c" pages/old/
sed '/^#include <omp.h>/i /* A line more.\n * Another one.\n */' pages/old/first_touch.c >pages/new/first_touch.c
touched() {
	local run
	for side in old new; do
		"$gcc" -g -O2 -fopenmp -o pages/$side/app pages/$side/first_touch.c >build.log 2>&1 || return
	done
	for run in 1 2 3; do
		"$ompcount" -q -e page-faults -c 1 -o pages/old.d/$run.omphwc -- pages/old/app 0 &&
			"$ompcount" -q -e page-faults -c 1 -o pages/new.d/$run.omphwc -- pages/new/app 20 || return
	done
}
line=$(grep -n '^REGION(more_pages)$' pages/old/first_touch.c | cut -d: -f1)
if touched >out 2>err; then
	diff -f json pages/old.d pages/new.d >p.json
	rows regions p.json >regions
	first=$(head -n 1 regions)
	check "pages: the region with more comes first" grep -q '"name":"more_pages"' <<<"$first"
	# Less than a fault in a thousand is something else's: the kernel moves a page, say.
	check "pages: its change is the program's" awk -v b="$(number before work <<<"$first")" \
		-v a="$(number after work <<<"$first")" 'BEGIN { print b, a; exit !(b > 4995 && b < 5005 && a > 5994 && a < 6006) }'
	check "pages: it is beyond noise" grep -q '"within_noise":false' <<<"$first"
	check "pages: its lines" equal "$(number before line <<<"$first") $(number after line <<<"$first")" "$line $((line + 3))"
	check "pages: all others are within noise" equal "$(sed 1d regions | grep -c '"within_noise":false')" 0
	check "pages: the three that did not change are there" equal \
		"$(sed 1d regions | grep -cE '"name":"(before_it|after_it|last_of_all)"')" 3
	diff --by region pages/old.d pages/new.d >text
	check "pages: text has it first, with its former line" equal \
		"$(grep -E '^ .*(more|less|only|within noise) .*:[0-9]+\)' text | head -n 1 | sed -E 's/.* \+[0-9.]+ +[0-9]+ .*more +//')" \
		"more_pages (first_touch.c:$((line + 3))), was :$line"
else
	fail "pages: $(cat build.log err | tail -n 1)"
fi

# The processes of one run are one run.
mkdir family
"$ompcount" -q -e cpu-clock -o family/%p.omphwc -- sh -c 'old/heat 1 && old/heat 1' >out
check "processes of one run" grep -Eq '^before +family: 1 run' <(diff family before)

# A program that was built anew in its place: its former names are in the profile, or told to
# be gone.
mkdir place
cp old/heat place/heat
profiled place place before 1
"$ompcount" -q --no-names -e cpu-clock -o place/nameless.omphwc -- place/heat 1 >out
cp new/heat place/heat
profiled place place after 1
diff place/before.omphwc place/after.omphwc >rebuilt
check "names outlive the program" equal "$(grep -c "^ *without names .*/place/heat" rebuilt)" 0
diff place/nameless.omphwc place/after.omphwc >rebuilt
check "a program that is gone is reported" grep -q "^ *without names .*/place/heat: build-id differs" rebuilt
check "and no address is taken for a name" equal "$(grep -c 'more \|less ' <(grep 'heat+0x' rebuilt))" 0

# From one thread to two.
mkdir one
OMP_NUM_THREADS=1 profiled old one 1
diff one before/1.omphwc >scaled
check "strong scaling" grep -q '2 threads cost beyond ideal strong scaling from 1' scaled
check "has a speed-up" grep -Eq '^speed-up [0-9.]+ with 2.00 times the threads' scaled
check "weak scaling" grep -q 'ideal weak scaling' <(diff --scaling weak one before/1.omphwc)
check "which JSON says" grep -q '"scaling":"weak"' <(diff --scaling weak -f json one before)

# Without sides: the last two runs of the folder, by their times.
mkdir two
cp before/1.omphwc two/z.omphwc
cp after/1.omphwc two/a.omphwc
check "without sides: the last two runs" equal "$(cd two && "$ompcount" diff 2>&1 | awk '/^(before|after) / { print $1, $2 }' | paste -sd' ')" \
	"before z.omphwc: after a.omphwc:"

# refused STATUS REGEX ARGUMENT…: whether it is refused with that one line.
refused() {
	local status=$1 regex=$2 ret
	shift 2
	diff "$@" >refused.out 2>refused.err
	ret=$?
	equal "$ret" "$status" && equal "$(wc -l <refused.err)" 1 && equal "$(cat refused.out)" "" &&
		grep -Eq "^ompcount: $regex" refused.err && return
	cat refused.err
	return 1
}
mkdir empty broken events
cp before/1.omphwc broken/
head -c 300 before/2.omphwc >broken/2.omphwc
"$ompcount" -q -e wall -o events/1.omphwc -- old/heat 1 >out
check "one side only" refused 2 "diff: it compares two sides: " before
check "a missing side" refused 1 "nothing: No such file.*: name a profile" before nothing
mkfifo fifo
check "a FIFO" refused 1 "fifo: it is no regular file: name " before fifo
check "an empty folder" refused 1 "empty: there is no profile in it: name " before empty
check "a broken profile" refused 1 "broken/2.omphwc: too short to be read: " broken before
check "no profile" refused 1 "out: not a profile: " before out
check "other events" refused 1 "events/1.omphwc: event cpu-clock:u: it was not sampled there: it has wall: measure " before events
check "no such event" refused 1 "before/1.omphwc: event misses: it was not sampled there: " -e misses before after
check "no such scaling" refused 2 "--scaling none: no such choice: use strong or weak" --scaling none before after

# ---- the verdict

"$ompcount" diff before after >out
check "the first line judges" grep -qE '^elapsed .* -> .* \([+-].* %\): .*\([^;]*; [0-9]+ and [0-9]+ runs\)$' <(head -n 1 out)
check "nothing makes it doubtful" equal "$(grep -c '^!' out)" 0
"$ompcount" diff --fail-above 10000% before after >out
check "--fail-above: it is not" equal $? 0
"$ompcount" -q -e cpu-clock -F 4000 -o longer.omphwc -- new/heat 100 >/dev/null
"$ompcount" diff --fail-above 10% "$(ls before/*.omphwc | head -n 1)" longer.omphwc >out
check "--fail-above: it is" equal $? 3
check "the arguments differ" grep -q '^!  arguments differ' out
"$ompcount" diff --fail-above much before after >out 2>&1
check "--fail-above: no number" equal $? 2

finish
