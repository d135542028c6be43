/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_probe.c - asks other threads, in signal handlers of theirs.
 */
#include "tests/collector/conform.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

enum { AGAIN = 20, PATIENCE_MS = 5000 };

static struct slot {
	pthread_t thread;
	atomic_uint asked, answered;
	struct answer answer;
} slots[SLOTS];
static _Thread_local struct slot *volatile mine;

static void on_signal(int number)
{
	struct slot *s = mine;

	(void)number;
	if (!s)
		return;
	s->answer = ask();
	atomic_store(&s->answered, atomic_load(&s->asked));
}

void probe_here(int slot)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	slots[slot].thread = pthread_self();
	mine = &slots[slot];
}

bool probe(int slot, struct answer *a)
{
	struct slot *s = &slots[slot];
	const int64_t deadline = now_ms() + PATIENCE_MS;
	const unsigned number = atomic_fetch_add(&s->asked, 1) + 1;

	if (pthread_kill(s->thread, SIGUSR1) != 0)
		return false;
	while (atomic_load(&s->answered) != number) {
		if (now_ms() > deadline)
			return false;
		sched_yield();
	}
	*a = s->answer;
	return true;
}

static bool is_either(const struct answer *a, int state, int other)
{
	return a->state_code == OMP_ERRCODE_OK && (a->state == state || a->state == other);
}

static bool reach(int slot, int state, int other, struct answer *a)
{
	const int64_t deadline = now_ms() + PATIENCE_MS;

	do {
		if (!probe(slot, a))
			return false;
		if (is_either(a, state, other))
			return true;
		sleep_ms(1);
	} while (now_ms() < deadline);
	return false;
}

static bool is_same(const struct answer *a, const struct answer *b)
{
	return a->state_code == b->state_code && a->state == b->state && a->wait_id == b->wait_id &&
	       a->id_code == b->id_code && a->id == b->id;
}

bool probe_either(int slot, int state, int other, const char *what, struct answer *a)
{
	struct answer later;
	int i;

	memset(a, 0, sizeof(*a));
	if (!reach(slot, state, other, a))
		return expect(false, what, "%s (%s), not %s", state_name(a->state),
			      code_name(a->state_code), state_name(state));
	for (i = 0; i < AGAIN; i++) {
		if (!probe(slot, &later))
			return expect(false, what, "no answer");
		if (!is_same(a, &later))
			return expect(false, what,
				      "%s, wait_id %#llx, region %llu; then %s, %#llx, %llu",
				      state_name(a->state), (unsigned long long)a->wait_id,
				      (unsigned long long)a->id, state_name(later.state),
				      (unsigned long long)later.wait_id,
				      (unsigned long long)later.id);
	}
	return expect(true, what, "%s", "");
}

bool probe_until(int slot, int state, const char *what, struct answer *a)
{
	return probe_either(slot, state, state, what, a);
}
