#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs started by a script inherit the preloaded libraries: each ends as it would
# without them, and prints nothing else.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
unset OMPHWC_LIBRARY
cat >child.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *arg)
{
	volatile double x = 0;
	for (int i = 0; i < 3000000; i++)
		x += i;
	return malloc(10000 + (arg != NULL));
}
int main(void)
{
	pthread_t thread;
	void *p;
	if (pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	pthread_join(thread, &p);
	free(realloc(p, 200000));
	puts("ok");
	return 5;
}
EOF
printf '#!/bin/sh\n./child 2>&1\n' >script
chmod +x script

# child WHAT EVENT COMMAND…: a program built by the command, started by a script.
child() {
	local what=$1 event=$2 status
	shift 2
	rm -f child
	"$@" -g -o child child.c -lpthread >compile.log 2>&1 || { skip "$what: $*: $(tail -n 1 compile.log)"; return; }
	[ "$(./child 2>&1) $?" = "ok 5" ] || { skip "$what: $* makes nothing that runs here"; return; }
	"$ompcount" -q -e "$event" -o p-%p.omphwc ./script >out 2>err
	status=$?
	check "$what with $event" equal "$(grep -v '^omphwc: ' out) $status" "ok 5"
	rm -f p-*.omphwc
}
for event in cpu-clock page-faults; do
	child "a plain child" $event "$gcc"
	child "ThreadSanitizer of gcc" $event "$gcc" -fsanitize=thread
	child "ThreadSanitizer of clang" $event "$clang" -fsanitize=thread
	child "LeakSanitizer of gcc" $event "$gcc" -fsanitize=leak
	child "LeakSanitizer of clang" $event "$clang" -fsanitize=leak
	child "AddressSanitizer of clang" $event "$clang" -fsanitize=address
	child "MemorySanitizer of clang" $event "$clang" -fsanitize=memory
	child "UndefinedBehaviorSanitizer" $event "$gcc" -fsanitize=undefined
done
# Programs that must be recognized before exec.
if grep -qs program_bears_preload "$top_srcdir"/ompt_tool/*.c $(ls "$top_srcdir"/ompt_tool/program/*.c | grep -v /bears.c); then
	for event in cpu-clock page-faults; do
		child "AddressSanitizer of gcc" $event "$gcc" -fsanitize=address
		child "musl" $event musl-gcc
		child "32 bits" $event "$gcc" -m32
	done
else
	skip "programs that bear no preload at all: exec is not asked yet"
fi
# The environment lists what was added, so that it can be removed again.
added=$("$ompcount" -q -e page-faults -o p-%p.omphwc sh -c 'echo "$OMPHWC_ADDED"')
check "what was preloaded is listed" equal "$added" "$tool:$(dirname "$tool")/libomphwc_heap.so"

# Another root folder, without our libraries: the loader must not complain there.
root=$work/root
mkdir -p "$root/bin"
for f in /bin/sh /bin/ls; do
	cp "$f" "$root/bin"
	for library in $(ldd "$f" | grep -o '/[^ ]*'); do
		mkdir -p "$root$(dirname "$library")"
		cp -n "$library" "$root$library"
	done
done
cat >moves.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int n, char **arg)
{
	char line[64] = "";
	FILE *f;

	if (n != 2 || chroot(arg[1]) != 0 || chdir("/") != 0)
		return 1;
	if (system("ls /bin") != 0)
		return 2;
	f = popen("ls /bin", "r");
	if (!f || !fgets(line, sizeof(line), f) || pclose(f) != 0)
		return 3;
	execl("/bin/sh", "sh", "-c", "ls /bin; exit 9", NULL);
	return 4;
}
END
if chroot "$root" /bin/ls /bin >alone 2>err && "$gcc" -o moves moves.c 2>err; then
	"$ompcount" -q -e cpu-clock -o c.omphwc chroot "$root" /bin/sh -c 'i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done; ls /bin; (ls /bin); exit 7' >out 2>err
	check "chroot: the status" equal $? 7
	check "chroot: the output" equal "$(cat out)" "$(cat alone alone)"
	check "chroot: nothing on standard error" equal "$(cat err)" ""
	check "the profile says why there is none of the program" grep -q 'went on as is not profiled: it has another root folder' <("$ompcount" report c.omphwc)
	"$ompcount" -q -e cpu-clock -o c.omphwc ./moves "$root" >out 2>err
	check "system(), popen() and exec after chroot(): the status" equal $? 9
	check "and the output" equal "$(cat out)" "$(cat alone alone)"
	check "and nothing on standard error" equal "$(cat err)" ""
else
	skip "another root folder: $(tail -n 1 err)"
fi

# A child that gave up its rights can write no profile, which is not its user's concern.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 0700 mine
	for quiet in "" -q; do
		"$ompcount" $quiet -e cpu-clock -o mine/p.omphwc setpriv --reuid 65534 --clear-groups /bin/sh -c 'ls / >/dev/null; exit 5' >out 2>err
		check "rights given up: the status $quiet" equal $? 5
		check "rights given up: no word of the children $quiet" equal "$(grep -c '^omphwc: ' err)" 0
	done
else
	skip "rights given up: only root can"
fi

# One ompcount within another: the inner one has the profile, and the outer one says so.
if build shares gcc -O1; then
	"$ompcount" -e cpu-clock "$ompcount" -q -e cpu-clock -o inner.omphwc -- "$prog" 0.1 >out 2>err
	check "ompcount within ompcount: the status" equal $? 0
	check "where the profile is" grep -q 'inner.omphwc: written by an ompcount that this one started' err
	check "and not that there is none" equal "$(grep -c 'nothing was profiled' err)" 0
fi
finish
