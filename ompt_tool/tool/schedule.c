/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tool/tool_parts.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/cct.h"
#include "src/profile/digits.h"
#include "src/profile/syscalls.h"

/* Nanoseconds, since the thread was made; exec does not reset them. */
struct schedstat {
	uint64_t ran, waited;
};

static bool read_schedstat(pid_t tid, struct schedstat *s)
{
	static const char folder[] = "/proc/self/task/", file[] = "/schedstat";
	char path[sizeof(folder) + DIGITS_MAX + sizeof(file)], text[3 * (DIGITS_MAX + 1)], *end;
	const char *at;

	memcpy(path, folder, sizeof(folder));
	end = digits_put(path + sizeof(folder) - 1, (uint64_t)tid, 10);
	memcpy(end, file, sizeof(file));
	call_text(path, text, sizeof(text));
	at = digits_get(text, &s->ran, 10);
	return at && *at == ' ' && digits_get(at + 1, &s->waited, 10);
}

/* What the thread had before it got the record counts as nothing; what the record's earlier
   threads had counts. The differences may wrap around. */
void schedule_begin(struct thread *t)
{
	struct schedstat now = { 0, 0 };

	if (!t->omp.record || t->schedule.node == 0)
		return;
	const struct prof_node *node = cct_node(t->omp.cct.writer, t->schedule.node);

	if (t->tid == getpid())
		read_schedstat(t->tid, &now);
	t->schedule.ran_before = now.ran - node->a;
	t->schedule.waited_before = now.waited - node->b;
}

void schedule_read(struct thread *t)
{
	struct schedstat now;

	if (t->schedule.node == 0 || !t->omp.record || !read_schedstat(t->tid, &now))
		return;
	struct prof_node *node = cct_node(t->omp.cct.writer, t->schedule.node);

	node->a = now.ran - t->schedule.ran_before;
	node->b = now.waited - t->schedule.waited_before;
}
