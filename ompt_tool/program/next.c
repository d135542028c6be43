/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/program/next.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "ompt_tool/program/program.h"
#include "ompt_tool/program/wrappers.h"

/* clang-format off */
static const struct {
	const char *name;
	size_t at;
} functions[] = {
#define NEXT(type, name, parameters) { #name, offsetof(struct next, name) },
	NEXT_FUNCTIONS
#undef NEXT
};
/* clang-format on */

/* Two threads may fill it in at the same time: both write the same values. dlsym() may
   allocate, and the program's allocator may call a function that we wrap; that wrapper
   then finds the entry filled in, or still empty. */
void next_find(void)
{
	static __thread bool finding __attribute__((tls_model("initial-exec")));
	static atomic_bool found;

	if (atomic_load_explicit(&found, memory_order_acquire) || finding)
		return;
	finding = true;
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *f = dlsym(RTLD_NEXT, functions[i].name);

		/* In a statically linked program dlsym() finds none. */
		if (f)
			memcpy((char *)&next + functions[i].at, &f, sizeof(f));
	}
	raw_known();
	atomic_store_explicit(&found, true, memory_order_release);
	finding = false;
}

/* No tail calls: dlsym() would take the caller for the one that asks. */
void *program_function(const char *name)
{
	void *f = dlsym(RTLD_DEFAULT, name);

	__asm__ volatile("" : "+r"(f));
	return f;
}

void *program_next_function(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	__asm__ volatile("" : "+r"(f));
	return f;
}
