/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform.h - the conformance test of the Collector API, which runs in a process with any
 * producer of it: what its groups of checks share.
 *
 * Each group runs in a process of its own, forked before any OpenMP. A check is a line:
 * "PASS: what", "FAIL: what: why". Where the interface leaves a choice to the producer, what
 * it chose is a line "note: …".
 */
#ifndef OMPHWC_TESTS_CONFORM_H
#define OMPHWC_TESTS_CONFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/collector/omp_collector_api.h"

enum { EVENTS = OMP_EVENT_THR_END_ATWT + 1, HEADER = 16 };

typedef void callback(OMP_COLLECTORAPI_EVENT);

/* ---- checks (conform.c) ----------------------------------------------- */

/* One line; whether it passed. Any thread, but no signal handler. */
bool expect(bool, const char *what, const char *why, ...) __attribute__((format(printf, 3, 4)));
/* Two numbers that should be the same. */
bool expect_equal(const char *what, uint64_t is, uint64_t should_be);
/* A request's error code. */
bool expect_code(const char *what, int is, int should_be);
void note(const char *what, ...) __attribute__((format(printf, 1, 2)));

const char *code_name(int error_code);
const char *state_name(int state);
const char *event_name(int event);

int64_t now_ms(void);
void sleep_ms(int);

/* A group: runs its checks. */
void group_sequence(void);
void group_batch(void);
void group_memory(void);
void group_register(void);
void group_states(void);
void group_threads(void);
void group_order(void);
void group_ids(void);
void group_nested(void);
void group_pairs(void);
void group_pause(void);
void group_stop(void);
void group_restless(void);
void group_alone(void);
void group_cancel(void);
void group_signals(void);
void group_steps(void);
void group_early(void);
void group_late(void);
void group_inside(void);
void group_beside(void);
void group_child(void);
void group_tasks(void);

/* With this in its environment, a process has begun a session before all constructors. What
   that session was like is the exit status. */
#define CONFORM_EARLY "CONFORM_EARLY"
int early_main(void);

/* ---- requests (conform_ask.c) ----------------------------------------- */

/* Finds the producer; false: this process has none. */
bool api_find(void);
/* __omp_collector_api(). */
int api(void *list);

/* What STATE and CURRENT_PRID answer, asked in one list. Async-signal-safe. */
struct answer {
	int state_code, id_code;
	int state;
	uint64_t wait_id, id;
};
struct answer ask(void);

/* One request; its error code. */
int ask_plain(OMP_COLLECTORAPI_REQUEST);
int ask_register(int event, callback *);
int ask_unregister(int event);
int ask_id(OMP_COLLECTORAPI_REQUEST, uint64_t *id);
/* CURRENT_PRID; 0 where it fails. */
uint64_t ask_region(void);

/* Begins a session; ends the group if it can't. */
void session_begin(void);

/* ---- asking other threads (conform_probe.c) --------------------------- */

enum { SLOTS = 16 };

/* The calling thread can be asked under this number from now on. */
void probe_here(int slot);
/* Asks that thread in a signal handler; false: it does not answer. */
bool probe(int slot, struct answer *);
/* Until the thread has the state, and then twenty times more: it has to keep state, wait_id
   and region. A check, with the last answer. */
bool probe_until(int slot, int state, const char *what, struct answer *);
/* The same where either state is right. */
bool probe_either(int slot, int state, int other, const char *what, struct answer *);

/* ---- hearing events (conform_hear.c) ---------------------------------- */

struct heard {
	unsigned order; /* of all threads' events and moments */
	int event;
	int tid;
	struct answer answer;
	int parent_code;
	uint64_t parent;
};

/* Registers the logging callback for all events; which of them the producer supports. */
void hear_all(void);
extern bool supported[EVENTS];
/* Notes an event with the answers that its callback gets. */
callback hear;

/* A moment between the events of all threads. */
unsigned moment(void);
/* How often one was heard since a moment; tid 0: in all threads. */
unsigned heard_since(unsigned since, int event, int tid);
/* Calls visit for each event since then, by thread and in each thread in order. */
void hear_each(unsigned since, void (*visit)(const struct heard *, void *), void *arg);
/* Whether events were lost because there were too many. */
bool heard_all(void);

int own_tid(void);

#endif
