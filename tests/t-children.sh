#!/bin/bash
# Programs started by a script inherit the preloaded libraries: each ends as it would
# without them, and prints nothing else.
. "$(dirname "$0")/lib.sh"
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
finish
