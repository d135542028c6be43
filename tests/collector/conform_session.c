/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_session.c - groups: START, STOP, PAUSE, RESUME and what is reported meanwhile.
 */
#include "tests/collector/conform.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

/* All requests but START, with all that they need. */
static int request(int r)
{
	uint64_t id;

	switch (r) {
	case OMP_REQ_REGISTER: return ask_register(OMP_EVENT_FORK, hear);
	case OMP_REQ_UNREGISTER: return ask_unregister(OMP_EVENT_FORK);
	case OMP_REQ_STATE: return ask().state_code;
	case OMP_REQ_CURRENT_PRID:
	case OMP_REQ_PARENT_PRID: return ask_id((OMP_COLLECTORAPI_REQUEST)r, &id);
	default: return ask_plain((OMP_COLLECTORAPI_REQUEST)r);
	}
}

static void all_out_of_turn(const char *when)
{
	static const char *const names[] = { "START", "REGISTER",     "UNREGISTER",
					     "STATE", "CURRENT_PRID", "PARENT_PRID",
					     "STOP",  "PAUSE",	      "RESUME" };
	char what[64];
	int r;

	for (r = OMP_REQ_START + 1; r < OMP_REQ_LAST; r++) {
		snprintf(what, sizeof(what), "%s %s", names[r], when);
		expect_code(what, request(r), OMP_ERRCODE_SEQUENCE_ERR);
	}
}

static void regions(int n)
{
	static atomic_int inside;
	int i;

	for (i = 0; i < n; i++) {
#pragma omp parallel num_threads(2)
		atomic_fetch_add(&inside, 1);
	}
}

/* A START after a STOP: whether there is a session now. */
static bool session_again(void)
{
	const int code = ask_plain(OMP_REQ_START);

	if (code == OMP_ERRCODE_SEQUENCE_ERR) {
		note("a START after a STOP is refused");
		return false;
	}
	return expect_code("START after STOP", code, OMP_ERRCODE_OK);
}

void group_sequence(void)
{
	all_out_of_turn("before START");
	session_begin();
	expect_code("a second START", ask_plain(OMP_REQ_START), OMP_ERRCODE_SEQUENCE_ERR);
	expect_code("STATE after that", ask().state_code, OMP_ERRCODE_OK);
	expect_code("STOP", ask_plain(OMP_REQ_STOP), OMP_ERRCODE_OK);
	all_out_of_turn("after STOP");
	if (!session_again())
		return;
	expect_code("STATE in the second session", ask().state_code, OMP_ERRCODE_OK);
	expect_code("a second START in it", ask_plain(OMP_REQ_START), OMP_ERRCODE_SEQUENCE_ERR);
	expect_code("STOP of it", ask_plain(OMP_REQ_STOP), OMP_ERRCODE_OK);
	all_out_of_turn("after the second STOP");
}

/* ---- registering ------------------------------------------------------ */

static atomic_uint first_called, second_called, other_called;

static void first(OMP_COLLECTORAPI_EVENT event)
{
	atomic_fetch_add(event == OMP_EVENT_FORK ? &first_called : &other_called, 1);
}

static void second(OMP_COLLECTORAPI_EVENT event)
{
	atomic_fetch_add(event == OMP_EVENT_FORK ? &second_called : &other_called, 1);
}

static void expect_calls(const char *what, unsigned of_first, unsigned of_second)
{
	const unsigned f = atomic_exchange(&first_called, 0),
		       s = atomic_exchange(&second_called, 0);

	expect(f == of_first && s == of_second, what,
	       "%u and %u calls of two callbacks, not %u and %u", f, s, of_first, of_second);
	expect_equal("no other event came", atomic_exchange(&other_called, 0), 0);
}

void group_register(void)
{
	static const int unknown[] = {
		0, -1, EVENTS, EVENTS + 1, OMP_EVENT_THR_RESERVED_IMPL - 1, 0x7fffffff
	};
	char what[64];
	int event, code;
	unsigned i;

	session_begin();
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		snprintf(what, sizeof(what), "REGISTER of event %d", unknown[i]);
		expect_code(what, ask_register(unknown[i], first), OMP_ERRCODE_UNKNOWN);
	}
	regions(3);
	expect_calls("unknown events are not registered", 0, 0);
	for (event = OMP_EVENT_FORK; event < EVENTS; event++) {
		snprintf(what, sizeof(what), "REGISTER of %s is OK or UNSUPPORTED",
			 event_name(event));
		code = ask_register(event, first);
		expect(code == OMP_ERRCODE_OK || code == OMP_ERRCODE_UNSUPPORTED, what, "%s",
		       code_name(code));
		if (code == OMP_ERRCODE_UNSUPPORTED)
			note("%s is not supported", event_name(event));
		snprintf(what, sizeof(what), "UNREGISTER of %s", event_name(event));
		code = ask_unregister(event);
		expect(code == OMP_ERRCODE_OK || code == OMP_ERRCODE_UNSUPPORTED, what, "%s",
		       code_name(code));
	}
	expect_calls("nothing was called yet", 0, 0);
	expect_code("REGISTER of FORK, which each producer has",
		    ask_register(OMP_EVENT_FORK, first), OMP_ERRCODE_OK);
	regions(7);
	expect_calls("FORK is told", 7, 0);
	expect_code("another REGISTER of FORK", ask_register(OMP_EVENT_FORK, second),
		    OMP_ERRCODE_OK);
	regions(5);
	expect_calls("it replaces the first", 0, 5);
	expect_code("UNREGISTER of FORK", ask_unregister(OMP_EVENT_FORK), OMP_ERRCODE_OK);
	regions(5);
	expect_calls("then FORK is not told", 0, 0);
	expect_code("UNREGISTER where nothing is registered", ask_unregister(OMP_EVENT_FORK),
		    OMP_ERRCODE_OK);
	expect_code("REGISTER after that", ask_register(OMP_EVENT_FORK, first), OMP_ERRCODE_OK);
	regions(5);
	expect_calls("FORK is told again", 5, 0);
}

/* ---- PAUSE ------------------------------------------------------------ */

static void expect_code_of(const char *what, OMP_COLLECTORAPI_REQUEST r)
{
	expect_code(what, ask_plain(r), OMP_ERRCODE_OK);
}

void group_pause(void)
{
	session_begin();
	expect_code_of("RESUME without a PAUSE", OMP_REQ_RESUME);
	expect_code("REGISTER", ask_register(OMP_EVENT_FORK, first), OMP_ERRCODE_OK);
	regions(2);
	expect_calls("FORK is told", 2, 0);
	expect_code_of("PAUSE", OMP_REQ_PAUSE);
	regions(3);
	expect_calls("nothing is told in a pause", 0, 0);
	expect_code("STATE in a pause", ask().state_code, OMP_ERRCODE_OK);
	expect_code("START in a pause", ask_plain(OMP_REQ_START), OMP_ERRCODE_SEQUENCE_ERR);
	expect_code_of("PAUSE in a pause", OMP_REQ_PAUSE);
	expect_code_of("RESUME", OMP_REQ_RESUME);
	expect_calls("nothing was remembered", 0, 0);
	regions(3);
	expect_calls("one RESUME ends two PAUSEs", 3, 0);
	expect_code_of("PAUSE", OMP_REQ_PAUSE);
	expect_code("REGISTER in a pause", ask_register(OMP_EVENT_FORK, second), OMP_ERRCODE_OK);
	regions(3);
	expect_calls("it calls nothing", 0, 0);
	expect_code_of("RESUME", OMP_REQ_RESUME);
	regions(3);
	expect_calls("a REGISTER in a pause counts after it", 0, 3);
	expect_code_of("PAUSE", OMP_REQ_PAUSE);
	expect_code("UNREGISTER in a pause", ask_unregister(OMP_EVENT_FORK), OMP_ERRCODE_OK);
	expect_code_of("RESUME", OMP_REQ_RESUME);
	regions(3);
	expect_calls("an UNREGISTER in a pause counts after it", 0, 0);
	expect_code_of("PAUSE", OMP_REQ_PAUSE);
	expect_code_of("STOP in a pause", OMP_REQ_STOP);
	if (!session_again())
		return;
	expect_code("REGISTER", ask_register(OMP_EVENT_FORK, first), OMP_ERRCODE_OK);
	regions(3);
	expect_calls("a new session is not paused", 3, 0);
}

/* ---- STOP ------------------------------------------------------------- */

static void stop_in_callback(OMP_COLLECTORAPI_EVENT event)
{
	first(event);
	ask_plain(OMP_REQ_STOP);
}

/* Ends the session in a region, and begins the next in one. */
static void restart_inside(void)
{
	int code = -1;

#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			code = ask_plain(OMP_REQ_STOP);
	}
	expect_code("STOP by a worker in a region", code, OMP_ERRCODE_OK);
	expect_calls("that region's FORK was told", 0, 1);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			code = ask_plain(OMP_REQ_START);
#pragma omp barrier
		ask();
	}
	expect_code("START by a worker in a region", code, OMP_ERRCODE_OK);
	expect_equal("the state after that region", (uint64_t)ask().state, THR_SERIAL_STATE);
	expect_code("REGISTER in that session", ask_register(OMP_EVENT_FORK, first),
		    OMP_ERRCODE_OK);
	regions(3);
	expect_calls("FORK is told in it", 3, 0);
}

void group_stop(void)
{
	session_begin();
	expect_code("REGISTER", ask_register(OMP_EVENT_FORK, first), OMP_ERRCODE_OK);
	regions(3);
	expect_calls("FORK is told", 3, 0);
	expect_code("STOP", ask_plain(OMP_REQ_STOP), OMP_ERRCODE_OK);
	regions(3);
	expect_calls("nothing is told after STOP", 0, 0);
	if (!session_again())
		return;
	regions(3);
	expect_calls("a new session has no callbacks of the last", 0, 0);
	expect_code("REGISTER in it", ask_register(OMP_EVENT_FORK, second), OMP_ERRCODE_OK);
	regions(3);
	expect_calls("FORK is told in it", 0, 3);
	restart_inside();
	expect_code("REGISTER", ask_register(OMP_EVENT_FORK, stop_in_callback), OMP_ERRCODE_OK);
	regions(3);
	expect_calls("a callback can end the session", 1, 0);
	expect_code("then it has ended", ask().state_code, OMP_ERRCODE_SEQUENCE_ERR);
}

/* ---- requests while regions run --------------------------------------- */

static atomic_bool enough;
static unsigned strange;

/* A thread that is asked at any moment of a session, or between two. */
static void ask_other(int slot)
{
	struct answer a;

	if (!probe(slot, &a)) {
		strange++;
		return;
	}
	if (a.state_code != OMP_ERRCODE_OK && a.state_code != OMP_ERRCODE_SEQUENCE_ERR)
		strange++;
	if (a.state_code != OMP_ERRCODE_OK || a.id_code != OMP_ERRCODE_OK)
		return;
	if (a.state < THR_OVHD_STATE || a.state >= THR_LAST_STATE)
		strange++;
	if ((a.state == THR_SERIAL_STATE || a.state == THR_IDLE_STATE) && a.id != 0)
		strange++;
}

static void *pester(void *arg)
{
	const int64_t end = now_ms() + 1500;
	unsigned round, *made = arg;
	int event;

	for (round = 0; now_ms() < end; round++) {
		for (event = OMP_EVENT_FORK; event < EVENTS; event++)
			ask_register(event, round % 2 ? first : second);
		ask_plain(round % 3 ? OMP_REQ_PAUSE : OMP_REQ_RESUME);
		for (event = OMP_EVENT_FORK; event < EVENTS; event++)
			ask_unregister(event);
		ask_plain(OMP_REQ_RESUME);
		ask_other((int)(round % 2));
		if (round % 16 == 0) {
			ask_plain(OMP_REQ_STOP);
			ask_plain(OMP_REQ_START);
		}
	}
	*made = round;
	atomic_store(&enough, true);
	return NULL;
}

static void all_constructs(void)
{
	static int sum;
	int i;

#pragma omp parallel num_threads(2)
	{
#pragma omp critical(pestered)
		sum++;
#pragma omp barrier
#pragma omp for schedule(dynamic, 1) ordered
		for (i = 0; i < 4; i++) {
#pragma omp ordered
			sum++;
		}
#pragma omp single
		sum++;
#pragma omp master
		sum++;
	}
}

void group_restless(void)
{
	unsigned made = 0, done;
	struct answer a;
	pthread_t thread;

	session_begin();
#pragma omp parallel num_threads(2)
	{
		probe_here(omp_get_thread_num());
#pragma omp barrier
	}
	if (pthread_create(&thread, NULL, pester, &made) != 0) {
		expect(false, "a thread", "none");
		return;
	}
	for (done = 0; !atomic_load(&enough); done++)
		all_constructs();
	pthread_join(thread, NULL);
	expect(done > 20 && made > 20, "requests while regions run", "%u regions, %u rounds", done,
	       made);
	expect_equal("answers of other threads that cannot be", strange, 0);
	a = ask();
	if (a.state_code != OMP_ERRCODE_OK)
		return;
	expect_equal("the state after that", (uint64_t)a.state, THR_SERIAL_STATE);
	expect_equal("the region after that", a.id, 0);
}
