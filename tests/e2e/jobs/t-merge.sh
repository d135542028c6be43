#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A merged file: reports on it are those on the profiles that it was made of, in every view,
# grouping, format and filter (t-merge-job.sh: byte for byte, of made profiles), whatever the order
# of the arguments and the number of threads; and what is said of profiles that can't be read.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v "$gcc" >/dev/null || skip_all "no gcc"

cat >app.c <<'EOF'
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static volatile double sink;
static omp_lock_t lock;
#ifdef BUILD
int build = BUILD;
#endif
static void work(long n)
{
	double s = 0;
	for (long i = 1; i < n; i++)
		s += 1.0 / (double)i;
	sink = s;
}
static void solve(long n)
{
#pragma omp parallel
	{
		work(n * (1 + omp_get_thread_num()));
#pragma omp critical(name)
		work(n / 4);
		omp_set_lock(&lock);
		work(n / 4);
		omp_unset_lock(&lock);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 16; i++)
			work(n / 8);
	}
}
static void tasks(long n)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 16; i++) {
#pragma omp task
		work(n / 4);
	}
}
int main(int argc, char **argv)
{
	const long n = atol(argv[1]);
	char *block = malloc(1 << 22);
	memset(block, argc, 1 << 22);
	sink = block[n % 100];
	omp_init_lock(&lock);
	for (int i = 0; i < 4; i++)
		solve(n);
	if (argc > 2 && !strcmp(argv[2], "tasks"))
		tasks(n);
	if (argc > 2 && !strcmp(argv[2], "killed"))
		raise(SIGKILL);
	return 0;
}
EOF
# rank NUMBER OPTION… PROGRAM ARGUMENT…: a profile in the folder job.
rank() {
	local n=$1
	shift
	rm -f job/r"$n"*.omphwc
	OMPI_COMM_WORLD_RANK=$n OMPI_COMM_WORLD_SIZE=9 OMPI_COMM_WORLD_LOCAL_RANK=$n \
		"$ompcount" -q -o "job/r$n.omphwc" "$@" >/dev/null 2>&1
}
# plain FORMAT: a report without the numbers of functions, which are those of their first use, and
# without the order of rows: those of equal cost are in that of the samples.
plain() {
	case $1 in
	*json* | *html*) sed -E 's/"(id|function|functions)":[0-9]+/"\1":0/g' | tr ',{}[]' '\n' | sort ;;
	*callgrind*) sed -E 's/^(c?fn=)\([0-9]+\)( .*)?$/\1/' | sort ;;
	*) sort ;;
	esac
}
timed=
# differing PROFILE…: which reports on job.omphwc differ from those on the profiles.
differing() {
	local options
	while read -r options; do
		# shellcheck disable=SC2086
		"$ompcount" report $options "$@" 2>&1 | plain "$options" >one
		# shellcheck disable=SC2086
		"$ompcount" report $options job.omphwc 2>&1 | plain "$options" >other
		cmp -s one other || echo "[report $options: $(diff one other | head -n 3 | tr '\n' ' ')]"
	done <<-END

		--verbose
		--view expert
		--view machine
		--by line
		--by path
		--by thread
		--by construct
		--by address
		--by region --view expert
		--rank 1
		--thread 1
		--format json
		--format json --view machine
		--format csv
		--format csv --by thread
		--format html
		--format folded
		--format speedscope
		--format callgrind
		--format hatchet
		--calls work
		$timed
	END
}
# merged WHAT RECORD PROFILE…: runs RECORD, merges the profiles, and compares.  Of two lines with
# equally many samples either may be named as the hottest: chance, which twice has not.
merged() {
	local what=$1 record=$2 differ n
	shift 2
	for n in 1 2; do
		"$record"
		"$ompcount" merge -o job.omphwc "$@" >log 2>&1 || { fail "$what: $(tail -n 1 log)"; return; }
		differ=$(differing "$@")
		[ -n "$differ" ] || break
	done
	check "$what: all reports are equal" equal "$differ" ""
}

mkdir job
"$gcc" -g -O1 -fopenmp -o app app.c 2>compile.log || skip_all "$(tail -n 1 compile.log)"
three() {
	local n
	for n in 0 1 2; do
		rank "$n" ./app $((200000 * (n + 1))) "$([ "$n" = 1 ] && echo tasks)"
	done
}
merged "three ranks" three job/r0.omphwc job/r1.omphwc job/r2.omphwc
size=$(stat -c %s job.omphwc)
sum=$(cat job/r*.omphwc | wc -c)
check "it is smaller than they are: $size of $sum bytes" [ "$size" -lt "$sum" ]
mv job.omphwc first.omphwc
"$ompcount" merge -o job.omphwc job/r2.omphwc job/r0.omphwc job/r1.omphwc
check "the order of the arguments does not matter" cmp job.omphwc first.omphwc
OMP_NUM_THREADS=1 "$ompcount" merge -o job.omphwc job/r0.omphwc job/r1.omphwc job/r2.omphwc
check "nor the number of threads" cmp job.omphwc first.omphwc

# When samples were taken; of what is merged already.
timed() {
	local n
	for n in 0 1 2; do
		rank "$n" --timeline ./app $((200000 * (n + 1))) tasks
	done
	rank 3 ./app 200000
}
timed="--by time
--by parallelism
--from 20% --to 60%
--from 30% --by time
--format trace
--format csv --by time"
merged "with timelines" timed job/r0.omphwc job/r1.omphwc job/r2.omphwc job/r3.omphwc
mv job.omphwc first.omphwc
"$ompcount" merge -o odd.omphwc job/r1.omphwc job/r3.omphwc
"$ompcount" merge -o job.omphwc odd.omphwc job/r0.omphwc job/r2.omphwc
check "of profiles and a merged file" equal "$(differing job/r0.omphwc job/r1.omphwc job/r2.omphwc job/r3.omphwc)" ""
"$ompcount" merge -o even.omphwc job/r0.omphwc job/r2.omphwc
"$ompcount" merge -o job.omphwc odd.omphwc even.omphwc
check "of two merged files" equal "$(differing job/r0.omphwc job/r1.omphwc job/r2.omphwc job/r3.omphwc)" ""
"$ompcount" merge -o first.omphwc first.omphwc odd.omphwc 2>err
check "a process is there once" equal "$? $(cat err)" \
	"1 ompcount: odd.omphwc: 2 of its 2 runs were named before: name each once"
echo bad >bad
"$ompcount" merge -o good.omphwc bad odd.omphwc bad 2>err
check "what is no profile is reported once" equal "$? $(cat err)" \
	"1 ompcount: bad: not a profile: name a file that ompcount run wrote"
check "the others are merged" "$ompcount" report good.omphwc
"$ompcount" merge -o even.omphwc even.omphwc odd.omphwc
check "a merged file can grow" equal "$("$ompcount" report --by rank even.omphwc)" "$("$ompcount" report --by rank job.omphwc)"
timed=

# A rank that was killed, another program, more events, counts, entries.
cp app app2
killed() { rank 1 ./app 200000; rank 3 ./app 300000 killed; }
other() { rank 1 ./app 200000; rank 4 ./app2 200000; }
# builds: three of one program, at one place.
builds() {
	local n
	mkdir build
	for n in 0 1 2; do
		"$gcc" -g -O1 -fopenmp -Wl,--build-id -DBUILD="$n" -o build/app app.c
		rank "$n" build/app 200000
	done
}
entries() { rank 1 ./app 200000; rank 5 --entries --blame ./app 200000; }
events() { rank 1 ./app 200000; rank 6 -e cpu-clock,page-faults ./app 200000; }
counts() { rank 1 ./app 200000; rank 7 --count ./app 200000; }
merged "with a killed one" killed job/r1.omphwc job/r3.omphwc
merged "with another program" other job/r1.omphwc job/r4.omphwc
check "it is said that it is kept apart" grep -q "contexts are in 2 groups" log
builds
"$ompcount" merge -o job.omphwc job/r0.omphwc job/r1.omphwc job/r2.omphwc 2>log
check "of several builds it is said once" equal "$(grep -c 'build/app: ranks ran several builds' log)" 1
merged "with entries and blame" entries job/r1.omphwc job/r5.omphwc
merged "with other events" events job/r1.omphwc job/r6.omphwc
merged "with counts" counts job/r1.omphwc job/r7.omphwc
of_clang() { rank 8 ./app-clang 200000 tasks; rank 9 ./app-clang 300000; }
if [ -n "$clang" ] && "$clang" -g -O1 -fopenmp -o app-clang app.c 2>compile.log && ./app-clang 10 2>/dev/null; then
	merged "of clang" of_clang job/r8.omphwc job/r9.omphwc
else
	skip "of clang: $(tail -n 1 compile.log)"
fi

mkdir nodes
mv odd.omphwc even.omphwc nodes
"$ompcount" report nodes 2>err >text
check "of a folder of merged files the last one" equal "$(cat err)" \
	"ompcount: nodes/even.omphwc: the last of 2 merged files; name others to read them"

# A folder; profiles that can't be read.
mkdir one-run
cp job/r0.omphwc one-run
"$ompcount" merge -o one-run/all.omphwc one-run
check "a folder stands for its last run" [ -s one-run/all.omphwc ]
"$ompcount" merge -o all.omphwc one-run
check "without merged files" cmp one-run/all.omphwc all.omphwc
(cd one-run && "$ompcount" merge -o ../here.omphwc)
check "no name stands for this folder" [ "$(stat -c %s here.omphwc)" -gt 4096 ]
head -c 1000 job/r0.omphwc >short.omphwc
echo "no profile" >foreign.omphwc
head -c 5000 all.omphwc >broken.omphwc
"$ompcount" merge -o job.omphwc short.omphwc job/r1.omphwc foreign.omphwc absent.omphwc job/r1.omphwc broken.omphwc 2>err
check "what can't be read makes status 1" equal $? 1
for name in short foreign absent r1 broken; do
	check "$name.omphwc is named" grep -q "$name.omphwc: " err
done
check "the rest is merged" equal "$("$ompcount" report --format folded job.omphwc | sort)" \
	"$("$ompcount" report --format folded job/r1.omphwc | sort)"
check "a merged file is reported alone" equal "$("$ompcount" report job.omphwc job/r1.omphwc 2>&1 | wc -l)" 1
head -c $(($(stat -c %s first.omphwc) - 5000)) first.omphwc >cut.omphwc
"$ompcount" report cut.omphwc >/dev/null 2>err
check "a damaged one is refused" equal "$? $(grep -c 'it is damaged' err)" "1 1"
rm -f job.omphwc
(ulimit -f 1 && trap '' XFSZ && "$ompcount" merge -o job.omphwc job/r0.omphwc) 2>err
check "a file that can't be written makes status 1" equal $? 1
check "and leaves nothing" equal "$(ls job.omphwc* 2>/dev/null)" ""
# lost FILE: what a merge to it says, and what it does to the profiles.
lost() {
	timeout 20 "$ompcount" merge -o "$@" 2>err >/dev/null
	echo "$? $(cat err)"
}
cp job/r0.omphwc kept.omphwc
check "a profile is no output" equal "$(lost job/*.omphwc)" \
	"1 ompcount: job/r0.omphwc: exists, is no merged file, and is not overwritten: name another file"
check "and is as before" cmp job/r0.omphwc kept.omphwc
: >empty.omphwc
check "an empty file is one" equal "$(lost empty.omphwc job/r1.omphwc)" "0 "
mkfifo pipe.omphwc one-run/pipe.omphwc
check "a pipe is none" equal "$(lost pipe.omphwc job/r1.omphwc)" \
	"1 ompcount: pipe.omphwc: is no ordinary file: name another file"
check "nor is standard output" equal "$(lost - job/r1.omphwc)" \
	"1 ompcount: standard output: a merged file can't be written there: name another file"
check "a pipe in a folder is left out, and a merged file named" equal "$(lost all.omphwc one-run)" \
	"0 ompcount: one-run/all.omphwc: a merged file beside profiles: name it to read it
ompcount: one-run/pipe.omphwc: it is no ordinary file: left out"
check "without timelines it says so" grep -q -e '--by time: when samples were taken was not kept: ' \
	<("$ompcount" report --by time all.omphwc 2>&1)
check "no output is misuse" equal "$("$ompcount" merge job >/dev/null 2>&1; echo $?)" 2
finish
