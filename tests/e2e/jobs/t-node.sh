#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks that start at once: what each does to the file systems that all nodes share, and what
# the ranks of a node do once.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
[ -n "$private" ] || skip_all "no private folder: neither the build's nor the home is one"
strace -f -e trace=execve true >out 2>&1 || skip_all "no strace here: $(head -n 1 out)"
build ends gcc -O2 || skip_all "gcc can't build a program with OpenMP"

ranks=8
export HOME=$private/home SLURM_JOB_ID=4711 SLURM_STEP_ID=0 SLURM_NTASKS=$ranks SLURM_NNODES=1
unset XDG_CACHE_HOME XDG_RUNTIME_DIR SLURM_TMPDIR
export TMPDIR=$private/node
mkdir "$HOME" "$TMPDIR"
calls=open,openat,creat,mkdir,mkdirat,rmdir,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,symlinkat,mknod,mknodat,chmod,fchmodat,chown,fchownat,truncate,execve

# start RANK COMMAND…
start() {
	local rank=$1
	shift
	SLURM_PROCID=$rank SLURM_LOCALID=$rank strace -f -s 4096 -e signal=none -e trace=$calls -o "$work/calls.$rank" "$@"
}
# Calls that change names or make files, of those whose traces are read: on this node's own
# file systems, and elsewhere.
changes() { grep -hE 'O_CREAT|O_TMPFILE|^[0-9]+ +(mk|rm|re|un|li|sy|ch|fch|tr)' "$@" | grep -v resumed; }
here() { grep -E '"(/dev|/proc|'"$TMPDIR"')/'; }
elsewhere() { grep -vE '"(/dev|/proc|'"$TMPDIR"')/'; }

mkdir job && cd job || exit 1
for ((r = 0; r < ranks; r++)); do
	start $r "$ompcount" -q -e cpu-clock "$prog" return 0.2 >"$work/out.$r" 2>&1 &
done
wait
check "each rank has a profile" equal "$(ls omphwc.4711.0 | wc -l)" $ranks
most=0 made=0
for ((r = 0; r < ranks; r++)); do
	n=$(changes "$work/calls.$r" | elsewhere | grep -vc 'mkdir(')
	made=$((made + $(changes "$work/calls.$r" | elsewhere | grep -c 'mkdir(.* = 0$')))
	[ $n -le $most ] || most=$n
done
echo "changes elsewhere of a rank, at most: $most; folders made: $made"
check "a rank makes a file and gives it its name" equal $most 2
check "one of them makes the folder" equal $made 1
check "none does anything at home" equal "$(changes "$work"/calls.* | grep -c "\"$HOME")$(ls -A "$HOME")" 0
check "the loader is asked once for each question" equal "$(grep -h -- '"--list"' "$work"/calls.* | grep -c execve)" 2
check "one rank stores the names of all" equal "$(grep -lE 'omphwc", O_RDWR\|O_NOCTTY\|O_NONBLOCK' "$work"/calls.? | wc -l)" 1
named=0
for f in omphwc.4711.0/*; do
	"$ompcount" report --sysroot "$work/nowhere" --by function "$f" 2>/dev/null | grep -q ' main' && named=$((named + 1))
done
check "and all have them" equal $named $ranks
check "nothing is left on the node" equal "$(ls -A "$TMPDIR")" ""

# A rank that is killed has no part in the end of the others.
cd .. && mkdir killed && cd killed || exit 1
SLURM_PROCID=1 "$ompcount" -q -e cpu-clock sh -c 'echo $$ >pid; exec sleep 60' &
pid=$!
SLURM_PROCID=0 "$ompcount" -q -e cpu-clock "$prog" return 0.4 >out 2>&1 &
other=$!
while [ ! -s pid ]; do sleep 0.02; done
kill -KILL $pid "$(cat pid)"
wait $pid 2>/dev/null
wait $other
check "beside one that was killed: its names are stored" equal \
	"$("$ompcount" report --sysroot "$work/nowhere" --by function omphwc.4711.0/*.0.*.omphwc 2>/dev/null | grep -cE '[0-9]  main ')" 1
check "and nothing is left" equal "$(ls -A "$TMPDIR")" ""
finish
