/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind_oracle.c - see unwind_oracle.h. */
#include "config.h"

#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <libunwind.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "ompt_tool/machine/arch.h"
#include "ompt_tool/unwind/find_object.h"
#include "ompt_tool/unwind/unwind.h"
#include "tests/support/unwind_oracle.h"
#include "tests/support/unwind_work.h"

enum { DEPTH_MAX = 256 };

struct oracle oracle;
void (*unwind_work_hook)(void);

static struct unwind_cache cache;
static struct unwind_stack stack;

void oracle_reset(const void *alternate, size_t alternate_bytes)
{
	pthread_attr_t a;
	void *lo;
	size_t bytes;

	pthread_getattr_np(pthread_self(), &a);
	pthread_attr_getstack(&a, &lo, &bytes);
	pthread_attr_destroy(&a);
	stack.lo = (uintptr_t)lo;
	stack.hi = stack.lo + bytes;
	stack.alt_lo = (uintptr_t)alternate;
	stack.alt_hi = stack.alt_lo + alternate_bytes;
	memset(&cache, 0, sizeof(cache));
	memset(&oracle, 0, sizeof(oracle));
}

/* A PC as the object's name and the address within its file. */
static const char *place(uintptr_t pc, char text[80])
{
	struct found_object f;
	const char *name;

	if (!find_object(pc, &f)) {
		snprintf(text, 80, "%#lx", (unsigned long)pc);
		return text;
	}
	name = strrchr(f.map->l_name, '/');
	snprintf(text, 80, "%.50s+%#lx", name ? name + 1 : "program",
		 (unsigned long)(pc - f.map->l_addr));
	return text;
}

static void differ(const char *what, int frame, const struct unwind_cursor *c, unw_word_t ip,
		   unw_word_t sp, uintptr_t start, uintptr_t before)
{
	char a[80], b[80], d[80], e[80];

	if (!oracle.wrong++)
		snprintf(oracle.first, sizeof(oracle.first),
			 "%s at frame %d, from %s by %s: %s, sp %#lx; libunwind: %s, %#lx", what,
			 frame, place(start, a), place(before, b), place(c->pc, d),
			 (unsigned long)c->sp, place(ip, e), (unsigned long)sp);
}

/* What was loaded must still be where the cursor says. */
static int slots_hold(const struct unwind_cursor *c)
{
	return (!c->pc_slot || arch_strip(*(const uintptr_t *)c->pc_slot) == c->pc) &&
	       (!c->fp_slot || *(const uintptr_t *)c->fp_slot == c->fp) &&
	       (c->exact || c->cfa == c->sp);
}

void oracle_compare(const void *ucontext)
{
	struct unwind_cursor c;
	unw_cursor_t u;
	unw_word_t ip = 0, sp = 0;
	uintptr_t start, before = 0;
	enum unwind_step step = UNWIND_OK;
	int more = 1;

	oracle.samples++;
	unwind_begin_ucontext(&c, ucontext);
	start = c.pc;
	unw_init_local2(&u, (unw_context_t *)(uintptr_t)ucontext, UNW_INIT_SIGNAL_FRAME);
	for (int n = 0; n < DEPTH_MAX; n++) {
		/* libunwind stops at a zero address only once it stands on it. */
		unw_get_reg(&u, UNW_REG_IP, &ip);
		more = more > 0 && ip;
		if ((step == UNWIND_OK) != more) {
			differ("end", n, &c, ip, sp, start, before);
			return;
		}
		if (!more)
			return;
		unw_get_reg(&u, UNW_REG_SP, &sp);
		if (c.pc != ip || c.sp != sp || (n && !slots_hold(&c))) {
			differ("frame", n, &c, ip, sp, start, before);
			return;
		}
		oracle.frames++;
		oracle.guessed += n && c.guessed;
		before = c.pc;
		step = unwind_step(&c, &cache, &stack);
		more = unw_step(&u);
	}
}
