#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Events that `ompcount list` shows as countable are counted, and others are refused;
# `ompcount check` detects what is wrong.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# Prints the names below a title: can NAME… or cannot NAME….
names() {
	awk -v want="$1" '
	/^[A-Z]/ { refused = 0 }
	/^[MA][a-z]* / { exit }
	/^  cannot be sampled:/ { refused = 1; next }
	!refused && /^  [^ ]/ && want == "can" { print $1 }
	refused && /^    [^ (]/ && want == "cannot" { for (i = 1; i <= NF; i++) print $i }
	' list | grep -v '[(;:]' | sed -n "$2"
}

tried() {
	local bad='' n
	for n in "$@"; do
		"$ompcount" run --strict -q -o p.omphwc -e "$n" true >out 2>&1
		[ $? -eq "$status" ] || bad="$bad $n: $(tail -n 1 out)"
		rm -f p.omphwc
	done
	equal "$bad" ''
}

# says WHAT COMMAND…: standard error has exactly one line.
says() {
	local what=$1
	shift
	"$@" >/dev/null 2>err
	[ "$(wc -l <err)" -eq 1 ] && grep -q -- "$what" err || { cat err; return 1; }
}

exits() {
	local want=$1
	shift
	"$@" >out 2>&1
	equal "$?" "$want"
}

check "list ends with 0" exits 0 "$ompcount" list
cp out list
check "list knows the clocks" grep -q '^  wall ' list
check "list fits 80 columns" equal "$(awk 'length > 80' list)" ''
status=0
check "what can be counted is" tried $(names can '1,12p')
status=1
some=$(names cannot '1,3p;60,62p')
if [ -n "$some" ]; then
	check "what cannot be counted is refused" tried $some
else
	skip "refused events: this machine has all"
fi
"$ompcount" list MISS >miss
check "a pattern finds parts of names" grep -q 'LLC-load-misses' miss
check "a pattern finds nothing else" equal "$(grep -c 'cpu-clock  ' miss)" 0
check "a pattern may have wildcards" grep -q '^  page-faults' <("$ompcount" list 'page-*')
check "nothing found is a failure" exits 1 "$ompcount" list no-such-event
check "nothing found is one line" says 'no-such-event' "$ompcount" list no-such-event
check "two patterns are misuse" exits 2 "$ompcount" list a b
check "an unknown option is misuse" exits 2 "$ompcount" list -x
check "a pattern may begin with a dash" exits 0 "$ompcount" list -- -misses
check "list on a full disk fails" says 'No space' bash -c "'$ompcount' list >/dev/full"

check "check ends with 0 or 1" test "$("$ompcount" check >page 2>&1; echo $?)" -le 1
# (A path may be longer.)
check "check fits 80 columns" equal "$(awk 'length > 80 && !/ \//' page)" ''
check "check knows the kernel" grep -qF "$(uname -r)" page
check "check tries sampling" grep -Eq '^  (ok|note) +wall, timers +[0-9]+ samples' page
check "check finds the library" grep -qF "$tool" page
check "check gives limits" grep -qF "$(ulimit -Sn)" page
check "every line has its verdict" equal \
	"$(grep -E '^  [^ ]' page | grep -Ev '^  (ok  |note|BAD ) ')" ''
OMPHWC_LIBRARY=/nonexistent "$ompcount" check >broken 2>&1
check "without the library it ends with 1" equal "$?" 1
check "without the library it says so" grep -q '^  BAD .*/nonexistent' broken
OMP_TOOL=disabled OMP_SCHEDULE=static "$ompcount" check >env 2>&1
SLURM_JOB_ID=4711 SLURM_STEP_ID=2 SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=1 "$ompcount" check >job 2>&1
check "check shows a rank" grep -q ' MPI rank  *3 of 8, on this node 1, by slurm$' job
check "and a job" grep -q ' batch job  *4711, step 2$' job
SLURM_JOB_ID=4711 SLURM_PROCID=0 "$ompcount" check >job 2>&1
check "check shows no rank in a batch script" equal "$(grep -c ' MPI rank ' job) $(grep -c ' batch job  *4711$' job)" "0 1"
check "check sees OMP_TOOL" grep -q 'unset OMP_TOOL' env
check "check shows OpenMP's variables" grep -Eq 'OMP_SCHEDULE +static' env
# Other makers' runtimes, made here: what each reports is in its file.
if [ -n "$gcc" ]; then
	mkdir -p others
	made() { echo "$2" | "$gcc" -x c -shared -fPIC -Wl,-soname,"$1" -o "others/$1" -; }
	made libiomp5.so 'void *dlsym(void *, const char *); void *f(void) { return dlsym(0, "ompt_start_tool"); }'
	made libnvomp.so 'extern int ompt_start_tool(void) __attribute__((weak)); void *f(void) { return (void *)ompt_start_tool; }'
	made libcraymp.so.1 'int __omp_collector_api(void *p) { return p != 0; }'
	made libfjomphk.so 'void __kmpc_fork_call(void) {}'
	LD_LIBRARY_PATH=$PWD/others "$ompcount" check 2>&1 | awk '/^  [^ ]/ { printf "\n" } { $1 = $1; printf "%s ", $0 }' >others.out
	for row in "ok Intel's libiomp5 .*/libiomp5.so: profiled by way of OMPT" "ok NVIDIA's libnvomp .*/libnvomp.so: profiled by way of OMPT" \
		"ok Cray's libcraymp .*/libcraymp.so.1: profiled by way of the Collector API" "note Fujitsu's libfjomphk .*/libfjomphk.so: reports nothing to tools:"; do
		check "check knows ${row#* }" grep -q "^$row" others.out
	done
	check "check names none that is not there" equal "$(grep -c 'libmpcomp\|libfjompcrt' others.out)" 0
fi
(ulimit -n 40 && "$ompcount" check) >few 2>&1
check "check sees too few descriptors" grep -Eq '^  note +RLIMIT_NOFILE +40, and 40 ' few
(ulimit -Sn 40 && "$ompcount" check) >few 2>&1
check "check sees that counters may pass the soft limit" grep -Eq '^  ok +RLIMIT_NOFILE +40, and ' few
"$ompcount" check --save machine 2>err
check "check --save ends with 0" equal "$? $(cat err)" "0 "
check "what is saved is a machine" equal "$(head -n 1 machine)" "omphwc machine 1"
check "with the kernel's release, its settings, PMUs and answers" equal "$(for w in "kernel $(uname -r) " "setting perf_event_paranoid " "sysfs software/type 1" "open 1:0:0:0 kh p0 period = " "event page-faults "; do grep -c "^$w" machine; done | paste -sd' ')" "1 1 1 1 1"
check "and without names of hosts, users and folders" equal "$(grep -iwF -e "$(uname -n)" -e "$(id -un)" -e "$HOME" -e "$PWD" machine | grep -v '^kernel ')" ""
check "check --save - writes it to standard output" equal "$("$ompcount" check --save - | grep -v '^setting')" "$(grep -v '^setting' machine)"
check "check --save into a missing folder is one line" says 'no/machine: No such file' "$ompcount" check --save no/machine
check "check --save without a file is misuse" exits 2 "$ompcount" check --save
# What a runtime says of itself, and does.
reported() { awk -v e="$2" '$1 == e { print $2, $3 }' "$1"; }
for n in 14 19; do
	with_runtime $n && build taskgraph clang -O1 || { skip "$(runtime_name $n): $why"; continue; }
	LD_LIBRARY_PATH=$runtime "$ompcount" check --runtime "$prog" >survey 2>err
	check "$(runtime_name $n): check --runtime ends with 0" equal "$? $(cat err)" "0 "
	check "its name" grep -q '^LLVM OMP version' survey
	check "how many tasks it reported" equal "$(reported survey task_create)" "always 42"
	check "what it does not report" equal "$(reported survey device_unload)" "never 0"
	check "what is not in this program" grep -q '^  control_tool .* 0  (not in this run)$' survey
	check "its states and locks" equal "$(grep -o -e 'States: ompt_state_work_serial' -e 'locks: kmp_mutex_impl_[a-z]*' survey | wc -l)" 2
done
if [ -n "$clang" ] && build ends clang -O1; then
	"$ompcount" check --runtime "$prog" _exit 0.1 1 >survey 2>err
	check "a runtime that does not shut down" grep -q 'did not shut down' survey
	"$ompcount" check --runtime "$prog" abort 0.1 1 >survey 2>err
	check "a program that is killed" grep -q 'killed by signal 6' survey
fi
# A program that closes all descriptors has files of its own by their numbers.
cat >closer.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	char name[16];
#pragma omp parallel
	close(-1);
	for (int i = 3; i < 100; i++)
		close(i);
	for (int i = 3; i < 30; i++) {
		snprintf(name, sizeof(name), "own%d", i);
		if (write(open(name, O_WRONLY | O_CREAT, 0600), "own", 3) != 3)
			return 1;
	}
	return 0;
}
END
if [ -n "$clang" ] && "$clang" -fopenmp -o closer closer.c 2>build.log; then
	"$ompcount" check --runtime ./closer >survey 2>err
	check "check --runtime leaves the program's files alone" equal "$? $(sort -u own*)" "0 own"
	check "and knows what was reported" equal "$(reported survey parallel_begin)" "always 1"
fi
check "check --runtime of a program without OMPT is one line" says 'true: no OpenMP runtime looked for a tool' \
	"$ompcount" check --runtime true
check "check --runtime of no program: the shells' status" exits 127 "$ompcount" check --runtime ./no-such
check "check --runtime alone is misuse" exits 2 "$ompcount" check --runtime
check "check takes no arguments" exits 2 "$ompcount" check it
check "check has help" exits 0 "$ompcount" check --help
finish
