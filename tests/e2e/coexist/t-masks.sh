#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs that start others leave them the signals' masks and dispositions that they have without
# us, and so do programs of Go, which set theirs by bare system calls.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
"$gcc" -O1 -static -o inherited "$top_srcdir/tests/program/helper/inherited.c" 2>build.log ||
	skip_all "no static program can be built: $(tail -n 1 build.log)"
export INHERITED=$work/inherited

cat >shell.sh <<'END'
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); done
"$INHERITED"
"$INHERITED"
("$INHERITED")
"$INHERITED" | cat
echo "$("$INHERITED")"
trap '' TRAP BUS USR1
"$INHERITED"
trap 'echo trapped' TRAP BUS
kill -TRAP $$
kill -BUS $$
"$INHERITED"
trap - TRAP BUS
"$INHERITED" &
wait
sh -c '"$INHERITED"; "$INHERITED"'
exec "$INHERITED"
END
cat >program.pl <<'END'
use POSIX;
my $x = 0;
$x += $_ for 1 .. 200000;
$| = 1;
sub children {
	system($ENV{INHERITED});
	system("$ENV{INHERITED}; $ENV{INHERITED}");
	print `$ENV{INHERITED}`;
	if (!fork) { exec $ENV{INHERITED} }
	wait;
}
children();
sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGBUS, SIGTRAP, SIGUSR1));
children();
{
	local $SIG{USR2} = sub { children() };
	kill 'USR2', $$;
}
my $old = POSIX::SigSet->new;
my $all = POSIX::SigSet->new;
$all->fillset;
sigprocmask(SIG_SETMASK, $all, $old);
children();
sigprocmask(SIG_SETMASK, $old);
children();
END
cat >program.py <<'END'
import os, signal, subprocess, sys
sum(range(300000))
inherited = os.environ["INHERITED"]
def children():
    sys.stdout.flush()
    subprocess.run([inherited])
    subprocess.run([inherited], close_fds=False)
    subprocess.run([inherited], preexec_fn=lambda: None, restore_signals=False)
    os.system(inherited)
    os.waitpid(os.posix_spawn(inherited, [inherited], os.environ), 0)
    pid = os.fork()
    if pid == 0:
        os.execv(inherited, [inherited])
    os.waitpid(pid, 0)
children()
some = [signal.SIGBUS, signal.SIGTRAP, signal.SIGIO, signal.SIGRTMIN + 10]
signal.pthread_sigmask(signal.SIG_BLOCK, some)
children()
os.kill(os.getpid(), signal.SIGTRAP)
os.kill(os.getpid(), signal.SIGRTMIN + 10)
print(sorted(signal.sigpending()), signal.sigwait(some), signal.sigwait(some))
old = signal.pthread_sigmask(signal.SIG_SETMASK, range(1, signal.NSIG))
print(sorted(old))
children()
print(sorted(signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGBUS])))
children()
signal.pthread_sigmask(signal.SIG_SETMASK, old)
signal.signal(signal.SIGBUS, signal.SIG_IGN)
children()
END

ways=("--delivery sigtrap -F 4000 -e cpu-clock" "--delivery signal -F 4000 -e cpu-clock" "-e wall -F 2000"
	"-e cpu-clock,page-faults --count")

# parent NAME COMMAND…: the same output and end, profiled in each way.
parent() {
	local name=$1 way
	shift
	command -v "$1" >/dev/null || { skip "$name: no $1"; return; }
	{ timeout -k 5 60 "$@"; echo "exit $?"; } >plain 2>&1
	for way in "${ways[@]}"; do
		{ timeout -k 5 60 "$ompcount" -q $way -o '%p.omphwc' -- "$@"; echo "exit $?"; } >profiled 2>&1
		check "$name, $way" equal "$(cat profiled)" "$(cat plain)"
		rm -f ./*.omphwc
	done
}
parent dash dash shell.sh
[ -n "$long" ] || ways=("${ways[0]}" "${ways[2]}")
parent bash bash shell.sh
parent busybox busybox sh shell.sh
parent perl perl program.pl
python=$(command -v /usr/bin/python3 || echo python3)
parent python "$python" program.py

mkdir go && cp "$programs/gosignals.go" go/main.go && printf 'module gosignals\ngo 1.19\n' >go/go.mod
if ! command -v go >/dev/null; then
	skip "Go: no go: install golang-go"
elif (cd go && HOME=$work/home GOFLAGS=-mod=mod GOPROXY=off go build -o ../gosignals .) >build.log 2>&1; then
	parent Go ./gosignals
else
	skip "Go cannot build with cgo: $(tail -n 1 build.log)"
fi
finish
