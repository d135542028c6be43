#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Profiles that are written on the node and copied to where they belong: at the end, in between,
# at a signal, and after anything was killed.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
build ends gcc -O2 || skip_all "gcc can't build a program with OpenMP"
unset SLURM_TMPDIR
export TMPDIR=$work/node
mkdir "$TMPDIR" there && cd there || exit 1

wait_for() {
	local left=200
	while [ $((left--)) -gt 0 ]; do
		eval "$1" && return
		sleep 0.05
	done
	echo "not: $1"
	return 1
}
samples() { "$ompcount" report --format json "$1" 2>/dev/null | sed -n 's/^"samples":{[^}]*"kept":\([0-9]*\).*/\1/p'; }
run() { "$ompcount" -q -e cpu-clock --spool "$TMPDIR" "$@"; }
empty() { equal "$(find "$TMPDIR" -mindepth 1)" ""; }

run -o p.omphwc "$prog" return 0.3 >out 2>err
check "the program's status and output" equal "$? $(wc -l <err)" "0 0"
check "the profile is where it belongs" test "$(samples p.omphwc)" -gt 20
check "with its names" equal "$("$ompcount" report --sysroot "$work/none" --by function p.omphwc | grep -cE '[0-9]  main ')" 1
check "and nothing is left" empty
run -o p.omphwc "$prog" return 0.3 >out 2>err
check "an older profile is replaced" equal "$(ls *.omphwc | wc -l)" 1
run -o 'sub/%p/p.omphwc' "$prog" return 0.1 >out 2>err
check "folders are made" equal "$(ls sub/*/p.omphwc | wc -l)" 1
run -o p.omphwc sh -c "'$prog' return 0.1 & '$prog' return 0.1; wait" >out 2>err
check "several processes: each has its profile, or is helper" test "$(ls p*.omphwc | wc -l)" -ge 2
check "and nothing is left of them" empty
SLURM_PROCID=1 SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_NTASKS=2 run "$prog" return 0.1 >out 2>err
check "in a job: its folder" equal "$(ls omphwc.7.0/*.omphwc | wc -l)" 1

# Names, and folders.
cp "$prog" 'x.~1~'
run ./x.~1~ return 0.1 >out 2>err
check "a mark of temporary names in the program's name" equal "$(ls x.~1~.*.omphwc | wc -l)" 1
long=$(printf '%228s.omphwc' "" | tr ' ' n)
run -o "$long" "$prog" return 0.1 >out 2>err
check "as long a name as a profile may have" equal "$(ls "$long" 2>&1)" "$long"
rm -rf "$TMPDIR"/* ./*.omphwc
chmod g+s "$TMPDIR"
"$ompcount" -e cpu-clock --spool "$TMPDIR" -o p.omphwc sh -c 'echo $OMPHWC_SPOOL' >out 2>err
check "a folder that hands its group on" grep -q "^$TMPDIR/omphwc-" out
chmod g-s "$TMPDIR"
check "and nothing is left of these" empty
if unshare -fp --mount-proc true 2>/dev/null; then
	for where in "$TMPDIR" no; do
		rm -f ./*.omphwc
		"$ompcount" -e cpu-clock --spool "$where" -o p.omphwc unshare -fp --mount-proc "$prog" return 0.2 >out 2>err
		check "--spool ${where##*/}: a process that does not see ompcount is in the summary" \
			grep -q "^profiles: .*/p.omphwc, .*/p-1.omphwc" err
	done
else
	skip "a process namespace: only root can make one"
fi

# Others that look for what was left, while a spool is made.
rm -f ./*.omphwc
(while [ ! -e enough ]; do "$ompcount" collect; done) >out 2>&1 &
collector=$!
runs=
for i in {1..40}; do
	"$ompcount" -v -e cpu-clock --spool "$TMPDIR" -o "at-once-$i.omphwc" true >"err.$i" 2>&1 &
	runs="$runs $!"
	[ $((i % 8)) -ne 0 ] || { wait $runs; runs=; }
done
: >enough
wait $collector
check "collect beside runs that begin: each has its spool" equal "$(cat err.* | grep -c 'written below')" 40
check "and its profile" equal "$(ls at-once-*.omphwc | wc -l)" 40

# What a process left that was killed before its profile had a name.
left=$TMPDIR/omphwc-$(id -u)/spool-left$PWD
mkdir -p -m 700 "$TMPDIR/omphwc-$(id -u)" && mkdir -p "$left"
cp at-once-1.omphwc "$left/q.omphwc.~4711-abc"
"$ompcount" collect >out 2>err
check "an unfinished profile is removed" empty
check "and is none" equal "$(ls q.omphwc* 2>/dev/null)" ""
rm -f ./*.omphwc err.*

# While it runs.
rm -rf ./*.omphwc
"$ompcount" -q -e cpu-clock --spool "$TMPDIR" --spool-interval 1 -o p.omphwc "$prog" return 20 >out 2>err &
pid=$!
check "a copy is made while it runs" wait_for '[ -s p.omphwc ]'
first=$(samples p.omphwc)
check "and another" wait_for '[ "$(samples p.omphwc)" -gt "${first:-0}" ]'
kill -TERM $pid
wait $pid 2>/dev/null
check "SIGTERM ends both" equal $? 143
check "and nothing is left after it" empty
"$ompcount" -q -e cpu-clock --spool "$TMPDIR" -o q.omphwc sh -c 'trap : TERM USR1; : >ready; while ! [ -e go ]; do :; done' >out 2>err &
pid=$!
wait_for '[ -e ready ]'
for signal in USR1 TERM; do
	rm -f q.omphwc
	sleep 0.2
	kill -$signal $pid
	check "$signal, which the program outlives: a copy" wait_for '[ -s q.omphwc ]'
done
: >go
wait $pid

rm -f ./*.omphwc
run --spool-interval 1 -o p.omphwc sh -c "for i in 1 2 3 4; do sleep 0.6; done; exec '$prog' return 0.5" >out 2>err
n=0
for f in *.omphwc; do
	[ "$(samples "$f")" = 0 ] && "$ompcount" report "$f" 2>/dev/null | grep -q '^sleep' && n=$((n + 1))
done
check "what is of no interest has no copy at the end" equal $n 0

# Killed.
for what in ompcount program both; do
	rm -rf ./*.omphwc ready
	"$ompcount" -q -e cpu-clock --spool "$TMPDIR" -o p.omphwc sh -c 'echo $$ >ready; while :; do :; done' >out 2>err &
	pid=$!
	wait_for '[ -s ready ]'
	sleep 0.3
	child=$(cat ready)
	case $what in
	ompcount) kill -KILL $pid ;;
	program) kill -KILL "$child" ;;
	both) kill -KILL $pid "$child" ;;
	esac
	wait $pid 2>/dev/null
	if [ $what = program ]; then
		check "the program killed: its profile is there" test -s p.omphwc
		check "the program killed: nothing is left" empty
		continue
	fi
	check "$what killed: report says where it is" equal \
		"$("$ompcount" report p.omphwc 2>&1 | grep -c '1 profile of .*/p.omphwc: .*ompcount collect')" 1
	if [ $what = ompcount ]; then
		"$ompcount" collect >out 2>err
		check "a process that still runs: a copy" test -s p.omphwc
		check "and its profile stays" grep -q 'a process still writes its profile' err
		kill -KILL "$child"
	fi
	check "$what killed: collect gets it" wait_for '"$ompcount" collect 2>/dev/null && [ -s p.omphwc ] && empty >/dev/null'
	check "$what killed: once" equal "$(ls p*.omphwc | wc -l)" 1
	check "$what killed: it reads" test "$(samples p.omphwc)" -gt 20
done 2>/dev/null

# No room there, and what is no folder.
cat >full.sh <<'END'
mount -t tmpfs -o size=64k none small || exit 99
dd if=/dev/zero of=small/ballast bs=1k count=64 2>/dev/null
"$1" -q -e cpu-clock --spool "$TMPDIR" -o small/p.omphwc -- "$2" return 0.2 2>err
cat err
echo "status $?"
rm small/ballast
unset TMPDIR
$(sed -n 's/.*: \(ompcount collect .*\)/\1/p' err | sed "s,^ompcount,$1,")
ls small
END
mkdir small
if unshare -m true 2>/dev/null; then
	unshare -m sh full.sh "$ompcount" "$prog" >out 2>&1
	check "a full disk: one line" equal "$(grep -c 'p.omphwc stays below .*: No space left on device: ompcount collect' out)" 1
	check "a full disk: the program's status" grep -qx 'status 0' out
	check "a full disk: the command that it says gets it later" equal "$(tail -n 1 out)" p.omphwc
	cat >full.sh <<'END'
mount -t tmpfs -o size=64k,"$3" none "$TMPDIR" || exit 99
[ -n "$3" ] || dd if=/dev/zero of="$TMPDIR/ballast" bs=1k count=64 2>/dev/null
"$1" -e cpu-clock --spool "$TMPDIR" -o full.omphwc -- "$2" return 0.2
END
	cat >filled.sh <<'END'
mount -t tmpfs -o size=200k none "$TMPDIR" || exit 99
"$1" -q -e cpu-clock --spool "$TMPDIR" --spool-interval 1 -o "$3/p.omphwc" sh -c 'echo >"$2"; dd if=/dev/zero of=$TMPDIR/ballast bs=1k count=400 2>/dev/null; exec "$1" return 2.6' sh "$2" "$3/p.omphwc"
END
	long=$PWD/$(printf '%150s' "" | tr ' ' d)
	mkdir "$long"
	unshare -m sh filled.sh "$ompcount" "$prog" "$long" >out 2>err
	check "a spool that is full later: three processes have no more copies than that" \
		equal "$(ls "$long"/p-*.omphwc | wc -l) $(wc -l <err)" "3 0"
	for option in "" nr_inodes=3; do
		rm -f full.omphwc
		unshare -m sh full.sh "$ompcount" "$prog" "$option" >out 2>err
		check "a full spool${option:+: $option}: the profile where it belongs" \
			equal "$(ls full.omphwc 2>&1) $(grep -c '^ompcount:' err)" "full.omphwc 0"
	done
else
	skip "a full disk: only root can mount one"
fi
"$ompcount" collect "$work/none" >out 2>err
check "collect of a folder that is not there: a line" equal "$? $(grep -c 'none: No such file or directory' err)" "1 1"
"$ompcount" -e cpu-clock --spool "$work/none" -o r.omphwc "$prog" return 0.1 >out 2>err
check "a spool that is not there: a line, and the profile where it belongs" equal \
	"$(grep -c 'none: No such file or directory' err) $(ls r.omphwc)" "1 r.omphwc"

# By itself where the destination is on a network's file system.
cat >stub.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
int statfs(const char *path, struct statfs *fs)
{
	const int ret = (int)syscall(SYS_statfs, path, fs);

	if (ret == 0 && strncmp(path, getenv("REMOTE"), strlen(getenv("REMOTE"))) == 0)
		fs->f_type = strtol(getenv("TYPE"), NULL, 16);
	return ret;
}
END
"$gcc" -shared -fPIC -o stub.so stub.c
for type in 6969 65735546 0bd00bd0 47504653 19830326 ef53; do
	REMOTE=$PWD TYPE=$type LD_PRELOAD=$PWD/stub.so "$ompcount" -v -e cpu-clock -o s.omphwc sh -c 'echo $OMPHWC_SPOOL' >out 2>err
	case $type in
	ef53) check "$type: directly" equal "$(cat out)" "" ;;
	*) check "$type: by itself" grep -q "^$TMPDIR/omphwc-" out ;;
	esac
done
REMOTE=$PWD TYPE=6969 LD_PRELOAD=$PWD/stub.so "$ompcount" --spool no -e cpu-clock -o s.omphwc sh -c 'echo $OMPHWC_SPOOL' >out 2>err
check "--spool no: directly" equal "$(cat out)" ""
check "nothing is left at all" empty
finish
