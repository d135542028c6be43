#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Profiles that go to a file system of another process (FUSE): one that maps no files, and one
# that does not answer any more. It is made here (programs/fuse.c), in a mount namespace.
if [ -z "${apart:-}" ]; then
	apart=1 unshare -m "$0" "$@" 2>/dev/null
	status=$?
	[ $status = 1 ] && ! unshare -m true 2>/dev/null && { echo "only root can mount"; exit 77; }
	exit $status
fi
. "$(dirname "$0")/../../support/lib.sh"
need_tool
build ends gcc -O2 || skip_all "gcc can't build a program with OpenMP"
ends=$prog
build fuse gcc -O1 || skip_all "no FUSE: $why"
fuse=$prog
servers=
leave_mounts() {
	local status=$?
	rm -f "$work"/stall.*
	for s in $servers; do kill -KILL "$s"; done 2>/dev/null
	umount -l "$work"/far.* 2>/dev/null
	(exit $status)
	leave
}
trap leave_mounts EXIT
unset SLURM_TMPDIR
export TMPDIR=$work/node
mkdir "$TMPDIR"
# far NAME [HOW]: a file system at far.NAME, which stalls while there is stall.NAME.
far() {
	local left=100
	mkdir "far.$1" && "$fuse" "$PWD/far.$1" "$PWD/stall.$1" ${2:+"$2"} >"ready.$1" 2>"why.$1" &
	servers="$servers $!"
	until [ -s "ready.$1" ]; do
		[ -s "why.$1" ] && skip_all "no FUSE: $(cat "why.$1")"
		[ $((left--)) -gt 0 ] || { fail "no file system"; finish; }
		sleep 0.05
	done
}
empty() { equal "$(find "$TMPDIR" -mindepth 1)" ""; }
reads() { "$ompcount" report --by function "$1" 2>/dev/null | grep -q ' main'; }
stub() { env REMOTE="$PWD" TYPE="$1" LD_PRELOAD="$work/stub.so" "${@:2}"; }
cat >stub.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
int statfs(const char *path, struct statfs *fs)
{
	const int ret = (int)syscall(SYS_statfs, path, fs);

	if (ret == 0 && strstr(path, "/far."))
		fs->f_type = 0xef53;
	return ret;
}
END
"$gcc" -shared -fPIC -o stub.so stub.c

far direct
cd far.direct || exit 1
check "a file system that maps no files" equal "$(python3 -c '
import mmap
f = open("mapped", "w+b")
f.truncate(4096)
try:
	mmap.mmap(f.fileno(), 4096)
except OSError as e:
	print(e.errno)')" 19
rm -f mapped
for how in auto no unlisted; do
	case $how in
	unlisted) set -- env LD_PRELOAD="$work/stub.so" "$ompcount" ;;
	*) set -- "$ompcount" --spool $how ;;
	esac
	"$@" -e cpu-clock -q -o "$how.omphwc" "$ends" return 0.2 >"$work/out" 2>"$work/err"
	check "$how: the program's status, and no line" equal "$? $(cat "$work/err")" "0 "
	check "$how: the profile is there, with names" reads "$how.omphwc"
	check "$how: nothing is left on the node" empty
done
export OMPHWC_EVENTS=cpu-clock
LD_PRELOAD=$tool OMPHWC_OUTPUT=alone.omphwc "$ends" return 0.2 >"$work/out" 2>"$work/err"
check "the library alone: the program's status" equal $? 0
check "one line" grep -qx "omphwc: .*/far.direct/alone.omphwc: No such device: the profile is below $TMPDIR/omphwc-.*: ompcount collect" "$work/err"
check "report says where it is" equal "$("$ompcount" report alone.omphwc 2>&1 | grep -c '1 profile of .*ompcount collect')" 1
"$ompcount" collect >"$work/out" 2>&1
check "collect gets it" reads alone.omphwc
check "and nothing is left of it" empty
LD_PRELOAD=$tool OMPHWC_SPOOL=auto OMPHWC_OUTPUT=asked.omphwc "$ends" return 0.2 >"$work/out" 2>"$work/err"
check "OMPHWC_SPOOL=auto: no line, and no profile there" equal "$(cat "$work/err")$(ls asked.omphwc 2>/dev/null)" ""
"$ompcount" collect >"$work/out" 2>&1
check "collect gets it, too" reads asked.omphwc
check "and nothing is left at all" empty
cd "$work" || exit 1

# The ranks of a node, which end at once, copy one after the other.
far slow slow
export SLURM_JOB_ID=4711 SLURM_STEP_ID=0 SLURM_NTASKS=6 SLURM_NNODES=1
ranks=
for r in 0 1 2 3 4 5; do
	(cd far.slow && SLURM_PROCID=$r SLURM_LOCALID=$r exec "$ompcount" -q -e cpu-clock "$ends" return 0.3) >out 2>&1 &
	ranks="$ranks $!"
done
wait $ranks
unset SLURM_JOB_ID SLURM_STEP_ID SLURM_NTASKS SLURM_NNODES
check "ranks of a node: each has its profile" equal "$(ls far.slow/omphwc.4711.0 | wc -l)" 6
check "one copies at a time" equal "$(cat stall.slow.most)" 1
# Those that come late to make the folder find it there; two may try.
echo "$(wc -l <stall.slow.names) changes of names"
check "each changes two names at the server, and one makes the folder" below 11 "$(wc -l <stall.slow.names)"
check "and no more" below "$(wc -l <stall.slow.names)" 19
check "and nothing is left of them" empty

# Servers that stop to answer: while the program runs; when its profile is read after the copy;
# and when it is to be copied at all.
unset OMPHWC_EVENTS
# stalled NAME COMMAND…: its status, and how long ompcount took after the program's end.
stalled() {
	local name=$1
	shift
	(cd "far.$name" && exec "$ompcount" -e cpu-clock --timeline --spool-interval 1 -o p.omphwc -- "$@" 2>&1) >"pipe.$name" &
	pids="$pids $!"
}
# Whoever reads the output reads to its end, though a process hangs in the server's file system.
for name in now read none; do
	mkfifo "pipe.$name"
	cat "pipe.$name" >"err.$name" &
	readers="${readers:-} $!"
done
pids=
far now cached
far read read
far none
: >stall.read
begun=$SECONDS
stalled now sh -c "while [ ! -s $work/far.now/p.omphwc ]; do :; done; : >$work/stall.now; exec $ends return 2"
stalled read "$ends" return 0.3
stalled none sh -c ": >$work/stall.none; exit 3"
statuses=
for pid in $pids; do
	wait "$pid"
	statuses="$statuses $?"
done
for reader in $readers; do wait "$reader"; done
check "servers that do not answer: ompcount ends, as the program did" equal "$statuses" " 0 0 3"
echo "after $((SECONDS - begun)) seconds"
check "after half a minute" below $((SECONDS - begun)) 100
check "stalled while it runs: one line" equal "$(grep '^ompcount: ' err.now)" "$(grep -m 1 'no answer' err.now)"
check "stalled at its names: one line" equal "$(grep -c 'no answer' err.read)" 1
check "stalled before the copy: one line" equal "$(grep -c 'no answer' err.none)" 1
rm -f stall.*
check "the copy of before is there" test -s far.now/p.omphwc
left=100
until "$ompcount" collect >out 2>&1 && empty >/dev/null || [ $((left--)) = 0 ]; do sleep 0.1; done
check "stalled while it runs: the profile, when it answers again" reads "$(echo far.now/p-*.omphwc)"
check "at its names: likewise" reads far.read/p.omphwc
check "before the copy: likewise" test -s far.none/p.omphwc
check "nothing is left of these" empty
finish
