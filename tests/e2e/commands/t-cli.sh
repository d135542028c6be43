#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `ompcount run' as a command: refusals, exit statuses, signals, descriptors, the
# terminal's job control, and leftovers.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
ulimit -c 0
unset OMPHWC_LIBRARY
[ -n "$private" ] || skip_all "neither the build's folder nor the home is this user's alone"
mkdir "$private/tmp" here
export TMPDIR=$private/tmp
cd here || exit 1
run() { "$ompcount" -e cpu-clock "$@"; }

# refused STATUS REGEX ARG…: prints one matching line, returns the status, creates nothing.
refused() {
	local status=$1 regex=$2 got before
	shift 2
	before=$(ls -lA --time-style=full-iso)
	"$ompcount" "$@" >"$work/out" 2>"$work/err"
	got=$?
	[ $got -eq "$status" ] || { echo "status $got, not $status: $(cat "$work/err")"; return 1; }
	[ ! -s "$work/out" ] || { echo "wrote to standard output"; return 1; }
	[ "$(wc -l <"$work/err")" -eq 1 ] || { echo "not one line: $(cat "$work/err")"; return 1; }
	grep -qE "^ompcount: $regex" "$work/err" || { cat "$work/err"; return 1; }
	equal "$(ls -lA --time-style=full-iso)" "$before" && equal "$(ls "$TMPDIR")" ""
}

printf 'not a profile\n' >mine
printf 'echo text "$@"\n' >text
printf '#!/nowhere/sh\n' >orphan
printf '\177ELF\2\1\1' >broken
printf 'a\0b' >binary
chmod +x text orphan broken binary
mkdir folder

check "no command" refused 2 "no program to run: "
check "an unknown option" refused 2 "--nonsense: .*: see" --nonsense true
check "an option without its value" refused 2 "-o: " -o
check "no such command" refused 127 "no-such-command: no such program in PATH" no-such-command
check "a word like a command" refused 127 "repot: no such command, .*: did you mean report\?$" repot
check "a word like a choice" refused 2 "--by lines: no such choice: did you mean line\?$" report --by lines
check "one that is like none" refused 2 "--by x: no such choice: use region, .* or descriptor$" report --by x
check "annotate" refused 2 "annotate: source is shown by report: use ompcount report --annotate FUNCTION PROFILE" annotate
check "--csv" refused 2 "report --csv: it is a format: use --format csv" report --csv
check "--runtime" refused 2 "--runtime libomp: the program's loader chooses" --runtime libomp true
check "no such file" refused 127 "./none: No such file" ./none
check "not executable" refused 126 "./mine: is not executable: chmod" ./mine
check "a folder" refused 126 "./folder: is a folder" ./folder
check "an unknown event" refused 2 "no-such-event: .*: see ompcount list" -e no-such-event true
check "an unknown event among known ones" refused 2 "no-such-event: " -e cpu-clock,no-such-event true
check "an empty event" refused 2 "" -e cpu-clock,, true
check "a rate of 0" refused 2 "-F 0: .*give a number" -F 0 true
check "a rate of 10^9" refused 2 "-F 1000000000: .*give a number" -F 1000000000 true
check "a rate of 10^30" refused 2 "-F 1000000000000000000000000000000: " -F 1000000000000000000000000000000 true
check "a rate that is no number" refused 2 "-F fast: " -F fast true
check "a period of 0" refused 2 "-c 0: " -c 0 true
check "a period of 10^20" refused 2 "-c 100000000000000000000: more events than the kernel can" -c 100000000000000000000 true
check "a time of 10^20" refused 2 "--count-min 100000000000000000000: longer than" --count-min 100000000000000000000 true
check "17 events" refused 2 "events: there are more than 16, which is the most at once: leave some out" \
	-e "$(printf 'cpu-clock,%.0s' {1..16})cpu-clock" true
check "rate and period" refused 2 "-F and -c: " -F 10 -c 10 true
check "a bad rate from the environment" env OMPHWC_FREQ=0 \
	bash -c "$(declare -f refused equal); ompcount=$ompcount work=$work; refused 2 OMPHWC_FREQ=0: true"
check "an output that is a folder" refused 1 "-o .*/folder: is a folder" -o folder true
check "an output that is no ordinary file" refused 1 "-o /dev/null: is no ordinary file" -o /dev/null true
check "an output that is another's file" refused 1 "-o .*/mine: exists, is no profile" -o mine true
check "an unknown directive in the output" refused 2 "-o x%d: " -o x%d true
check "another runtime: what to do by hand" refused 2 "--runtime libomp: .*: put .*libgomp.so.1.*LD_LIBRARY_PATH" --runtime libomp true
check "a library that is missing" env OMPHWC_LIBRARY=/none/libomphwc.so \
	bash -c "$(declare -f refused equal); ompcount=$ompcount work=$work; refused 1 OMPHWC_LIBRARY=/none true"
check "a broken program" refused 126 "./broken: is not a program" -e cpu-clock ./broken
check "a file of bytes" refused 126 "./binary: is not a program" -e cpu-clock ./binary
check "a script without its interpreter" refused 127 "./orphan: .* missing: /nowhere/sh" -e cpu-clock ./orphan

# ---- what users of perf type -------------------------------------------------

run -q -o p.omphwc true
cp p.omphwc kept
for verb in script mem c2c lock sched trace evlist test bench; do
	check "perf's $verb is refused" refused 2 "$verb: .*ompcount run $verb" $verb p.omphwc
done
check "and no profile is written to" cmp p.omphwc kept
for option in "-p 1" "--pid=1" "-t 1" -a -g "--call-graph dwarf" "-r 3" "-I 100" "-x ," -C0; do
	# shellcheck disable=SC2086
	check "perf's $option has an answer" refused 2 "--?[a-zA-Z-]+[=a-z0-9]*: .*: .*" $option true
	check "which is more than a page of help" equal "$(grep -c 'run --help' "$work/err")" 0
done
check "perf's report -i has an answer" refused 2 "report -i: .*leave it out" report -i p.omphwc
check "report -b has an answer" refused 2 "report -b: .*--by" report -b line p.omphwc
check "perf's report --stdio has an answer" refused 2 "report --stdio: .*--no-pager" report --stdio p.omphwc
"$ompcount" record -e cpu-clock -o r.omphwc true 2>"$work/err"
check "record prints only where the profile is" equal "$(wc -l <"$work/err") $(grep -c '^profile: r.omphwc\|^profile: .*/r.omphwc' "$work/err")" "2 1"
check "and is a run otherwise" "$ompcount" report r.omphwc
"$ompcount" record -q -e cpu-clock -o r.omphwc true 2>"$work/err"
check "record -q prints nothing" equal "$(wc -c <"$work/err")" 0
"$ompcount" stat -e cpu-clock -o s.omphwc true 2>"$work/err"
check "stat counts" equal $? 0
check "and samples nothing" grep -q "nothing was sampled" <("$ompcount" report --by path -f folded s.omphwc 2>&1)
"$ompcount" stat -e cpu-clock sh -c 'exit 7' 2>/dev/null
check "stat ends as the program" equal $? 7
rm -f ./*.omphwc kept

# ---- where the profile goes -----------------------------------------------------

# moved PATTERN OPTION…: the program runs, and the first line of standard error is so.
moved() {
	local pattern=$1
	shift
	"$ompcount" -e cpu-clock "$@" sh -c 'exit 7' 2>"$work/err"
	equal $? 7 && head -n 1 "$work/err" | grep -Eq -- "^ompcount: $pattern"
}
check "a missing output folder is made" moved "made the folder $PWD/none/deep$" -o none/deep/x
check "once" equal "$(ls none/deep) $(grep -c 'made the folder' <("$ompcount" -e cpu-clock -o none/deep/x true 2>&1))" "x 0"
check "an output folder that is a file" moved "output folder .*/mine: is no folder: the profile goes to the working folder$" -o mine/x
check "the profile is there" "$ompcount" report sh.*.omphwc
rm -rf none sh.*.omphwc
# gone ARG…: ompcount in a folder that is not there any more.
gone() { mkdir gone && (cd gone && rmdir ../gone && "$ompcount" "$@" sh -c 'sh -c true; exit 7' 2>"$work/err"); }
gone -e cycles
check "a working folder that was removed" equal "$? $(grep ^omp "$work/err")" \
	"7 ompcount: working folder: No such file or directory: the program runs unprofiled"
gone -q -e cpu-clock -o "$PWD/there.omphwc"
check "a name that does not need it" equal "$? $(grep ^omp "$work/err") $(ls there.omphwc)" "7  there.omphwc"
rm -f there.omphwc
if [ "$(id -u)" -ne 0 ]; then
	chmod a-w folder
	check "an output folder that cannot be written" moved "output folder .*: Permission.*goes to" -o folder/x
	check "nor made" moved "output folder .*: Permission.*goes to" -o folder/deep/x
	chmod u+w folder
	rm -f sh.*.omphwc
	chmod a-w .
	"$ompcount" -e cycles sh -c 'sh -c true; exit 7' 2>"$work/err"
	check "where nothing can be written one line says so" \
		equal "$? $(cat "$work/err")" "7 ompcount: output folder $PWD: Permission denied: the program runs unprofiled"
	chmod u+w .
fi
# A file system without room, mounted for this test alone.
cat >full.sh <<'END'
mkdir -p disk && mount -t tmpfs -o size=64k none disk && cd disk || exit 99
head -c 100k /dev/zero >fill 2>/dev/null
"$@" -e cpu-clock -o x sh -c 'sh -c true; exit 7'
END
unshare -m sh full.sh "$ompcount" 2>"$work/err"
case $? in
7) check "a full disk: one line says so" equal "$(cat "$work/err")" \
	"ompcount: nothing was profiled: $PWD/disk/x: No space left on device: name another with -o" ;;
*) skip "a full disk: $(head -n 1 "$work/err")" ;;
esac
rm -rf disk full.sh
if unshare -m true 2>/dev/null; then
	unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$ompcount" -q -e cpu-clock -o noproc sh -c 'exit 7'
	check "without /proc: the program runs, and is profiled" equal "$? $(ls noproc)" "7 noproc"
	rm -f noproc
else
	skip "without /proc: only root can mount"
fi
mkfifo fifo.so
OMPHWC_LIBRARY=fifo.so timeout 10 "$ompcount" true 2>"$work/err"
check "OMPHWC_LIBRARY is no file: a line" equal "$? $(grep -c '^ompcount: OMPHWC_LIBRARY=fifo.so: ' "$work/err")" "1 1"
rm fifo.so
if "$ompcount" --strict -e cycles true 2>/dev/null; then
	skip "--strict without a PMU: this machine has one"
else
	check "--strict without a PMU" refused 1 "cycles" --strict true
	"$ompcount" -q -o strict%p true
	check "without --strict the program runs" equal $? 0
	"$ompcount" -e cycles -o strict%p true 2>"$work/err"
	check "and a line says what is counted" equal "$(grep -c '^ompcount: cycles: .*cpu-clock.*instead' "$work/err")" 1
fi
rm -f strict*

check "--help" grep -q '^ *run ' <("$ompcount" --help)
check "run --help" grep -q -- --strict <("$ompcount" run --help)
check "--version" grep -q '^ompcount .*[0-9]' <("$ompcount" --version)
"$ompcount" --help >/dev/full 2>/dev/null
check "--help to a full disk fails" equal $? 1

# ---- the end --------------------------------------------------------------

for status in 0 1 2 77 126 127 255; do
	run -q sh -c "exit $status"
	check "exit status $status" equal $? $status
done
for signal in HUP INT QUIT ABRT KILL SEGV PIPE TERM USR1 RTMIN; do
	{ env --default-signal=INT,QUIT "$ompcount" -q -e cpu-clock sh -c "kill -$signal \$\$"; } 2>/dev/null
	check "killed by $signal" equal $? $((128 + $(kill -l $signal)))
done
"$ompcount" -v -e cpu-clock sh -c 'exit 6' 2> >(exec true)
check "nobody reads what ompcount says" equal $? 6
run -q ./text a "b c" >"$work/out"
check "a script without #! runs by sh" equal "$(cat "$work/out") $?" "text a b c 0"
run -q -- sh -c 'echo "$0|$1"' "" "x  y" >"$work/out"
check "arguments arrive as they were" equal "$(cat "$work/out")" "|x  y"
(exec -a other "$ompcount" -q -e cpu-clock sh -c 'echo ok' >"$work/out")
check "whatever ompcount is called" equal "$(cat "$work/out")" ok
rm -f ./*.omphwc

# ---- what the program is given ----------------------------------------------

printf 'in\n' | run -q sh -c 'cat; echo err >&2; pwd; umask; ulimit -n' >"$work/out" 2>"$work/err"
printf 'in\n' | sh -c 'cat; pwd; umask; ulimit -n' >"$work/want"
check "standard streams, folder, mask and limits" cmp "$work/out" "$work/want"
check "standard error is the program's" equal "$(cat "$work/err")" err

# Descriptors and signal state are as without ompcount, with each standard stream closed
# in turn; reported by a static program, into which nothing is loaded.
cat >state.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	FILE *out = fopen(argv[argc - 1], "w");
	sigset_t mask;
	for (int fd = 0; fd < 4096; fd++)
		if (fd != fileno(out) && fcntl(fd, F_GETFD) >= 0)
			fprintf(out, "fd %d\n", fd);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int s = 1; s < 65; s++) {
		struct sigaction sa;
		if (sigismember(&mask, s) == 1)
			fprintf(out, "blocked %d\n", s);
		if (sigaction(s, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN)
			fprintf(out, "ignored %d\n", s);
	}
	return 0;
}
END
if "$gcc" -static -o state state.c 2>/dev/null; then
	for closed in '' '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
		for out in plain under; do
			wrap=
			[ $out = plain ] || wrap="$ompcount -q -e cpu-clock"
			rm -f $out
			eval "env --ignore-signal=HUP,CHLD --block-signal=USR2 $wrap ./state $out $closed" 2>/dev/null
		done
		check "descriptors and signals ${closed:+with }$closed" cmp plain under
		check "are reported" grep -q 'blocked 12' plain
	done
else
	skip "descriptors and signals: $gcc can't make a static program"
fi
rm -f ./*.omphwc

# No descriptor and no file of ours is left.
run -q sh -c 'echo $OMPHWC_MANIFEST; ls -l /proc/$$/fd' >"$work/out"
check "the program has a manifest" grep -q '^/proc/[0-9]*/fd/[0-9]*:omphwc-' "$work/out"
check "and not its descriptor" equal "$(grep -c '/memfd:' "$work/out")" 0
check "which is no file" equal "$(ls "$TMPDIR")" ""
TMPDIR="$work/none" run -q true
check "without TMPDIR" equal $? 0

# ---- signals ----------------------------------------------------------------

wait_for() {
	local left=100
	while [ $((left--)) -gt 0 ]; do
		[ -e "$1" ] && return
		sleep 0.05
	done
	echo "no $1"
	return 1
}
# start SCRIPT: starts it under ompcount, which is $pid; SCRIPT creates `ready'.
start() {
	rm -f ready
	env --default-signal=INT,QUIT "$ompcount" -q -e cpu-clock bash -c "$1" &
	pid=$!
	wait_for ready
}
trapper='trap "echo got USR1; exit 5" USR1; trap "echo got USR2" USR2; : >ready; while :; do sleep 0.05; done'
start "$trapper" >"$work/out"
kill -USR2 $pid
sleep 0.3
kill -USR1 $pid
wait $pid
check "handled signals reach the program" equal "$? $(tr '\n' ' ' <"$work/out")" "5 got USR2 got USR1 "
for signal in TERM INT QUIT HUP ABRT ALRM; do
	start ': >ready; exec sleep 20'
	kill -$signal $pid
	wait $pid 2>/dev/null
	check "$signal sent to ompcount ends both" equal $? $((128 + $(kill -l $signal)))
done
start 'trap "" TERM; : >ready; sleep 1; exit 3'
kill -TERM $pid
wait $pid
check "what the program ignores ends nothing" equal $? 3
# A terminal's hangup reaches its session's leader only.
if ! "$gcc" -O1 -o hangup "$programs/hangup.c" -lutil 2>/dev/null; then
	skip "hangups: no C compiler"
else
	for what in 'exec sleep 20' 'trap "exit 7" HUP; while :; do sleep 0.05; done'; do
		rm -f ready
		./hangup sh -c ": >ready; $what"
		plain=$?
		rm -f ready
		./hangup "$ompcount" -q -e cpu-clock sh -c ": >ready; $what"
		check "a hangup of ompcount's terminal: as without: $plain" equal $? $plain
	done
fi
nohup "$ompcount" -q -e cpu-clock sh -c 'kill -HUP $$; exit 4' >/dev/null 2>&1
check "nohup reaches the program" equal $? 4

start ': >ready; sleep 1'
kill -KILL $pid
wait $pid 2>/dev/null
check "a killed run leaves nothing" equal "$(ls "$TMPDIR")" ""

# ompcount and the program are stopped and continued together.  A shell with job control
# creates the group; without, it would be an orphaned process group.
states() { ps -o stat= -p "$1" | cut -c 1; }
set -m
start ': >ready; while :; do sleep 0.05; done'
child=$(ps -o pid= --ppid $pid | tr -d ' ')
kill -TSTP $pid
sleep 0.5
check "a stop sent to ompcount stops both" equal "$(states $pid)$(states "$child")" TT
kill -CONT $pid
sleep 0.5
check "and both go on" equal "$(states $pid)$(states "$child" | tr R S)" SS
kill -TSTP "$child"
sleep 0.5
check "a stopped program stops ompcount" equal "$(states $pid)$(states "$child")" TT
kill -CONT -- -$pid
sleep 0.5
check "and both go on with their group" equal "$(states $pid)$(states "$child" | tr R S)" SS
kill -TERM $pid
wait $pid 2>/dev/null
check "and end" equal $? 143
set +m
rm -f ready ./*.omphwc

# ---- profiles -----------------------------------------------------------------

spin='i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done'
run -q -o '%c-%h-%%-%r.omphwc' sh -c "$spin"
check "a name's directives" equal "$(ls ./*.omphwc)" "./sh-$(uname -n)-%-none.omphwc"
rm -f ./*.omphwc
SLURM_PROCID=7 SLURM_STEP_ID=0 run -o '%r.omphwc' sh -c "$spin" 2>"$work/err"
check "a name's rank" equal "$(ls ./*.omphwc)" ./7.omphwc
check "ranks but the first are silent" equal "$(cat "$work/err")" ""
rm -f ./*.omphwc
SLURM_PROCID=0 SLURM_JOB_ID=1 run -o '%r.omphwc' sh -c "$spin" 2>"$work/err"
check "a batch script's program is no rank" equal "$(ls ./*.omphwc) $(grep -c "^profile:" "$work/err")" "./none.omphwc 1"
rm -f ./*.omphwc
# A child that is about to run another program has a sample, and so a profile, by chance.
profiles() {
	local f n=0
	for f in one*.omphwc; do
		[ "$(samples "$f")" -lt 5 ] || n=$((n + 1))
	done
	echo $n
}
run -q -o one.omphwc bash -c "$spin; ( $spin ); bash -c '$spin'; exec bash -c '$spin'"
check "each of four processes keeps its profile" equal "$(profiles)" 4
run -q -o one.omphwc sh -c "$spin"
check "an old profile is replaced" equal "$(profiles)" 4
rm -f ./*.omphwc
run -q -o there.omphwc sh -c "cd /; $spin"
check "a program that changes its folder keeps its profile here" test -s there.omphwc
run -o sum.omphwc sh -c "$spin" >"$work/out" 2>"$work/err"
check "nothing on standard output" equal "$(cat "$work/out")" ""

# ---- what can't be profiled ------------------------------------------------------

printf '#include <unistd.h>\nint main(void) { return geteuid() == 0 ? 11 : 12; }\n' >s.c
if "$gcc" -static -o static s.c 2>/dev/null; then
	run ./static 2>"$work/err"
	status=$?
	check "a static program runs" below 10 $status
	check "and a line says why it is not profiled" grep -q "^ompcount: nothing was profiled: ./static: it is statically linked" "$work/err"
else
	skip "a static program: $gcc can't make one"
fi
if "$gcc" -o secure s.c 2>/dev/null && [ "$(id -u)" -eq 0 ] && chown 65534 secure && chmod u+s secure; then
	run ./secure 2>"$work/err"
	check "a setuid program runs" equal $? 12
	check "and a line says so" grep -q "^ompcount: nothing was profiled: ./secure: it gains rights" "$work/err"
else
	skip "a setuid program: only root can make one"
fi
# If a library cannot be loaded, the program runs without it, and a line says why.
mkdir "$work/a b:c"
if printf 'int unused;\n' >u.c && "$gcc" -shared -fPIC -o libgone.so u.c &&
	"$gcc" -shared -fPIC -o needs.so u.c -Wl,--no-as-needed -L. -lgone && rm libgone.so; then
	OMPHWC_LIBRARY=$PWD/needs.so run sh -c 'echo "$LD_PRELOAD"; exit 3' >"$work/out" 2>"$work/err"
	check "with a library that lacks another the program runs" equal "$? $(cat "$work/out")" "3 "
	check "and a line says so" grep -q "^ompcount: nothing was profiled: sh: its loader " "$work/err"
else
	skip "a library that lacks another: $gcc can't make one"
fi
cp "$tool" "$work/a b:c/libomphwc.so"
OMPHWC_LIBRARY="$work/a b:c/libomphwc.so" run -q -o blank.omphwc sh -c "$spin" 2>"$work/err"
check "a library in a folder with blanks and colons" equal "$? $(ls blank.omphwc)" "0 blank.omphwc"
check "without a word of the loader's" equal "$(cat "$work/err")" ""
OMP_TOOL=disabled run true 2>"$work/err"
check "OMP_TOOL=disabled is noticed" grep -q "OMP_TOOL=disabled" "$work/err"
printf 'int main(void) {\n#pragma omp parallel\n;\nreturn 0; }\n' >gomp.c
if [ -n "$gcc" ] && "$gcc" -fopenmp -o gomp gomp.c 2>/dev/null && ldd gomp | grep -q libgomp.so.1; then
	OMP_TOOL=disabled run ./gomp 2>"$work/err"
	check "but libgomp never looked at it" equal "$(grep -c OMP_TOOL "$work/err")" 0
else
	skip "OMP_TOOL and libgomp: no program of gcc's"
fi
check "the loader's path is not changed" equal \
	"$(run -q sh -c 'echo "${LD_LIBRARY_PATH-none}"')" "${LD_LIBRARY_PATH-none}"
run -v ./text >/dev/null 2>"$work/err"
check "-v shows where profiles go" grep -q "^ompcount: profiles go to $PWD/" "$work/err"
check "nothing is left in TMPDIR" equal "$(ls "$TMPDIR")" ""
# A batch system's limit on the stack is inherited, and too small for libdw.
if build shares gcc -O1; then
	(ulimit -s 100 && exec "$ompcount" -e cpu-clock -o narrow.omphwc -- "$prog" 0.1) >out 2>err
	check "a summary with little stack" equal "$?" 0
	check "and a report" bash -c 'ulimit -s 100 && exec "$0" report narrow.omphwc' "$ompcount"
else
	skip "a small stack: $why"
fi
# Limits that leave no room for a message, or hardly a descriptor.
"$gcc" -o plain -x c - <<<'int main(void) { return 4; }'
bash -c 'ulimit -f 0; exec "$0" ./plain 2>into' "$ompcount" >out
check "no file may have a byte: the status is the program's" equal $? 4
bash -c 'ulimit -f 0; exec "$0" -q ./plain 2>into' "$ompcount" >out
check "and with -q" equal $? 4
bash -c 'ulimit -n 5; exec "$0" -q -e cpu-clock ./plain 2>/dev/null' "$ompcount" >out
check "five descriptors: the program runs" equal $? 4
finish
