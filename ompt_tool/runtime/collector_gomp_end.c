/* collector_gomp_end.c - see collector_gomp_end.h. */
#include "config.h"

#include "ompt_tool/runtime/collector_gomp_end.h"

/* around: the task that encountered the region, or NULL; innermost while the thread runs no task
   at the end. */
static __thread bool at_end __attribute__((tls_model("initial-exec")));
static __thread const struct gomp_task *around __attribute__((tls_model("initial-exec")));

void gomp_end_begins(const struct gomp_thread *g)
{
	at_end = g->task->number == 0;
	around = g->task->below;
}

void gomp_end_is_over(void)
{
	at_end = false;
}

bool gomp_at_end(const struct gomp_thread *g)
{
	return at_end && g->task == around;
}

uint64_t gomp_token_below(const struct gomp_thread *g)
{
	const struct gomp_task *below = g->task->below;

	return !below || (at_end && below == around) ? g->last_team_data : gomp_token_of(below);
}
