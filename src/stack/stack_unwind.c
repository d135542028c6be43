/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/stack/stack_unwind.h"

#include <libunwind-ptrace.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/fnv.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/stack/stack_process.h"

enum { FRAMES_MAX = 20000, PAGE = 4096 };

/* Where each register is in what PTRACE_GETREGSET gives: libunwind's table for ptrace. */
extern const int _UPT_reg_offset[];

/* The registers that calls preserve. */
static const unw_regnum_t saved[] = {
#if defined(__x86_64__)
	UNW_X86_64_RBX, UNW_X86_64_RBP, UNW_X86_64_R12,
	UNW_X86_64_R13, UNW_X86_64_R14, UNW_X86_64_R15,
#elif defined(__aarch64__)
	UNW_AARCH64_X19, UNW_AARCH64_X20, UNW_AARCH64_X21, UNW_AARCH64_X22,
	UNW_AARCH64_X23, UNW_AARCH64_X24, UNW_AARCH64_X25, UNW_AARCH64_X26,
	UNW_AARCH64_X27, UNW_AARCH64_X28, UNW_AARCH64_X29,
#else
	8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, /* riscv64: s0 to s11 */
#endif
};

/* The argument that libunwind hands to what follows is that of its own functions for ptrace, which
   find the rules. */
static struct {
	const struct stack_process *p;
	const struct stack_thread *t;
	struct map pages; /* of the process's code and rules */
} now;

static int no_dynamic_rules(unw_addr_space_t space, unw_word_t *list, void *arg)
{
	(void)space, (void)list, (void)arg;
	return -UNW_ENOINFO;
}

struct page {
	size_t bytes;
	unsigned char of[PAGE];
};

static const struct page *page_at(uint64_t at)
{
	const struct page *known = map_pointer(&now.pages, at, 0);
	struct page *page;

	if (known)
		return known;
	page = alloc_bytes(sizeof(*page));
	page->bytes = stack_process_read(now.p, at, page->of, PAGE);
	map_set_pointer(&now.pages, at, 0, page);
	return page;
}

/* Stacks are those of the copy.  All else, code and rules, is the same at any time. */
static int access_memory(unw_addr_space_t space, unw_word_t at, unw_word_t *value, int write,
			 void *arg)
{
	const struct stack_thread *t = now.t;
	unsigned char *to = (unsigned char *)value;

	(void)space, (void)arg;
	if (write)
		return -UNW_EINVAL;
	if (at >= t->stack_lo && at - t->stack_lo + sizeof(*value) <= t->stack_bytes) {
		memcpy(value, t->stack + (at - t->stack_lo), sizeof(*value));
		return 0;
	}
	for (size_t i = 0; i < sizeof(*value); i++, at++) {
		const struct page *page = page_at(at / PAGE * PAGE);

		if (at % PAGE >= page->bytes)
			return -UNW_EINVAL;
		to[i] = page->of[at % PAGE];
	}
	return 0;
}

static int access_register(unw_addr_space_t space, unw_regnum_t number, unw_word_t *value,
			   int write, void *arg)
{
	const struct stack_thread *t = now.t;

	(void)space, (void)arg;
	if (write || number < 0 || number > UNW_REG_LAST)
		return -UNW_EREADONLYREG;
	if (number == UNW_REG_IP)
		*value = t->pc;
	else if (number == UNW_REG_SP)
		*value = t->sp;
	else if (!t->stopped || _UPT_reg_offset[number] < 0 ||
		 (size_t)_UPT_reg_offset[number] + sizeof(*value) > sizeof(t->registers))
		return -UNW_EBADREG;
	else
		memcpy(value, t->registers + _UPT_reg_offset[number], sizeof(*value));
	return 0;
}

static int no_float(unw_addr_space_t space, unw_regnum_t number, unw_fpreg_t *value, int write,
		    void *arg)
{
	(void)space, (void)number, (void)value, (void)write, (void)arg;
	return -UNW_EBADREG;
}

static int no_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *arg)
{
	(void)space, (void)cursor, (void)arg;
	return -UNW_EINVAL;
}

static int no_name(unw_addr_space_t space, unw_word_t at, char *name, size_t bytes,
		   unw_word_t *offset, void *arg)
{
	(void)space, (void)at, (void)name, (void)bytes, (void)offset, (void)arg;
	return -UNW_ENOINFO;
}

static void unwind_thread(unw_addr_space_t space, void *upt, struct stack_thread *t)
{
	unw_cursor_t cursor;
	unw_word_t ip;
	bool exact = true;
	int step = 1;

	now.t = t;
	if (unw_init_remote(&cursor, space, upt))
		return;
	while (step > 0 && t->nframes < FRAMES_MAX) {
		if (unw_get_reg(&cursor, UNW_REG_IP, &ip))
			return;
		if (!ip)
			break;
		struct stack_frame f = { .pc = ip, .exact = exact, .saved = FNV_BEGIN };
		unw_word_t word;

		if (!unw_get_reg(&cursor, UNW_REG_SP, &word))
			f.sp = word;
		for (size_t i = 0; i < sizeof(saved) / sizeof(*saved); i++)
			if (!unw_get_reg(&cursor, saved[i], &word))
				f.saved = fnv(f.saved, &word, sizeof(word));
		t->frames = grow(t->frames, t->nframes, &t->frames_room, sizeof(*t->frames));
		t->frames[t->nframes++] = f;
		/* What a signal interrupted was not calling. */
		exact = unw_is_signal_frame(&cursor) > 0;
		step = unw_step(&cursor);
	}
	t->whole = step >= 0 && t->nframes < FRAMES_MAX;
}

bool stack_unwind_can(void)
{
	return true;
}

void stack_unwind(struct stack_process *p)
{
	static unw_accessors_t accessors = {
		.find_proc_info = _UPT_find_proc_info,
		.put_unwind_info = _UPT_put_unwind_info,
		.get_dyn_info_list_addr = no_dynamic_rules,
		.access_mem = access_memory,
		.access_reg = access_register,
		.access_fpreg = no_float,
		.resume = no_resume,
		.get_proc_name = no_name,
	};
	unw_addr_space_t space = unw_create_addr_space(&accessors, 0);
	void *upt = _UPT_create(p->pid);

	if (!space || !upt)
		alloc_failed();
	now.p = p;
	unw_set_caching_policy(space, UNW_CACHE_GLOBAL);
	for (size_t i = 0; i < p->nthreads; i++)
		if (p->threads[i].stack)
			unwind_thread(space, upt, &p->threads[i]);
	_UPT_destroy(upt);
	unw_destroy_addr_space(space);
	for (size_t i = 0; i < now.pages.count; i++)
		free((void *)(uintptr_t)now.pages.entries[i].pointer);
	map_free(&now.pages);
	memset(&now, 0, sizeof(now));
}
