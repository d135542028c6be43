# SPDX-License-Identifier: BSD-3-Clause
# runtime.sh - the check of runtime.patch, which t-recipes.sh sources: a program runs two threads in a
# region of a library that has the functions of ompt_tool/runtime/dummy.h.
check "runtime: its names" unit toolchain/check_leaf
cat >runtime.c <<'END'
#include <pthread.h>
#include <stdint.h>
static void (*forked)(uint64_t *), (*joined)(uint64_t *);
static __thread uint64_t *here;
struct part { void (*body)(void); uint64_t *word; };
void DRT_hooks(void (*fork)(uint64_t *), void (*join)(uint64_t *)) { forked = fork; joined = join; }
uint64_t *DRT_region(void) { return here; }
static void *run(void *arg)
{
	struct part *p = arg;
	here = p->word;
	p->body();
	here = 0;
	return 0;
}
void DRT_fork(void (*body)(void))
{
	uint64_t word = 0;
	struct part part = { body, &word };
	pthread_t worker;
	if (forked)
		forked(&word);
	pthread_create(&worker, 0, run, &part);
	run(&part);
	pthread_join(worker, 0);
	if (joined)
		joined(&word);
}
END
cat >app.c <<'END'
#include <time.h>
void DRT_fork(void (*body)(void));
static void body(void)
{
	for (clock_t end = clock() + CLOCKS_PER_SEC; clock() < end;)
		for (volatile int i = 0; i < 1000000; i++);
}
__attribute__((noinline)) static void solve(void)
{
	DRT_fork(body);
	__asm__ volatile("");
}
int main(void)
{
	solve();
	return 0;
}
END
"$gcc" -g -O1 -fno-optimize-sibling-calls -shared -fPIC runtime.c -o libdummyrt.so -lpthread &&
	"$gcc" -g -O1 app.c -o app ./libdummyrt.so -Wl,-rpath,"$work" || fail "runtime: a program can be built"
"$dist/ompcount" -q -e cpu-clock -o runtime.omphwc ./app
check "runtime: it is named" grep -q '"runtime":"dummy runtime 1"' <("$dist/ompcount" report -f json runtime.omphwc)
"$dist/ompcount" report -f folded runtime.omphwc >folded
check "runtime: both threads' work is where the region was created" below 0.8 "$(share folded '^main;solve;body')"
check "runtime: there is a region" grep -q 'solve' <("$dist/ompcount" report --format csv --by region --columns region runtime.omphwc)
