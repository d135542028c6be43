/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_batch.c - groups: lists of requests, and the memory of one.
 */
#include "tests/collector/conform.h"

#include <stdio.h>
#include <string.h>

/* Lists are written entry by entry into words; a word that no one should touch is MARK. */
enum { WORDS = 256, MARK = 0x5a5a5a5a };

static _Alignas(16) int words[WORDS + 1];
static int at;

/* first: where the list begins, in words. */
static int *list_begin(int first)
{
	int i;

	for (i = 0; i <= WORDS; i++)
		words[i] = MARK;
	at = first;
	return &words[first];
}

/* Adds an entry of `size' bytes; where it is. */
static int *entry(int size, int request)
{
	int *e = &words[at];

	e[0] = size;
	e[1] = request;
	at += size / (int)sizeof(int);
	return e;
}

static void list_end(void)
{
	words[at] = 0;
}

static bool is_untouched(const int *e, int from_word, int words_)
{
	int i;

	for (i = from_word; i < words_; i++) {
		if (e[i] != MARK)
			return false;
	}
	return true;
}

/* ---- lists ------------------------------------------------------------ */

static void list_of_several(void)
{
	int *list, *state, *unknown, *id, *parent, *small, *last;

	list = list_begin(0);
	state = entry(32, OMP_REQ_STATE);
	unknown = entry(16, OMP_REQ_LAST);
	id = entry(24, OMP_REQ_CURRENT_PRID);
	small = entry(16, OMP_REQ_CURRENT_PRID);
	parent = entry(24, OMP_REQ_PARENT_PRID);
	last = entry(32, OMP_REQ_STATE);
	list_end();
	expect_equal("a list of six entries, two of them wrong, returns 0", (uint64_t)api(list), 0);
	expect_code("its first", state[2], OMP_ERRCODE_OK);
	expect_code("its second, an unknown request", unknown[2], OMP_ERRCODE_UNKNOWN);
	expect_code("its third", id[2], OMP_ERRCODE_OK);
	expect_code("its fourth, without memory", small[2], OMP_ERRCODE_MEM_TOO_SMALL);
	expect(parent[2] == OMP_ERRCODE_OK || parent[2] == OMP_ERRCODE_THREAD_ERR ||
		       parent[2] == OMP_ERRCODE_UNSUPPORTED,
	       "its fifth, outside of all regions", "%s", code_name(parent[2]));
	note("PARENT_PRID of the initial thread outside of regions: %s", code_name(parent[2]));
	expect_code("its last", last[2], OMP_ERRCODE_OK);
	expect_equal("the state", (uint64_t)last[4], THR_SERIAL_STATE);
	expect(is_untouched(&words[at], 1, WORDS - at), "nothing is written behind the list",
	       "it is not so");
}

/* Entries of which each depends on the one before. */
static void list_in_order(void)
{
	int *list, *stop, *state, *start, *again, *after;

	list = list_begin(0);
	again = entry(16, OMP_REQ_START);
	state = entry(32, OMP_REQ_STATE);
	stop = entry(16, OMP_REQ_STOP);
	after = entry(32, OMP_REQ_STATE);
	start = entry(16, OMP_REQ_START);
	list_end();
	expect_equal("a list with a STOP returns 0", (uint64_t)api(list), 0);
	expect_code("a second START in a list", again[2], OMP_ERRCODE_SEQUENCE_ERR);
	expect_code("STATE before STOP", state[2], OMP_ERRCODE_OK);
	expect_code("STOP", stop[2], OMP_ERRCODE_OK);
	expect_code("STATE after STOP", after[2], OMP_ERRCODE_SEQUENCE_ERR);
	if (start[2] != OMP_ERRCODE_SEQUENCE_ERR)
		expect_code("START after STOP", start[2], OMP_ERRCODE_OK);
	else
		note("a START after a STOP is refused");
}

/* What follows an entry whose size is wrong is left alone. */
static void list_with_size(int size)
{
	int *list, *good, *bad, *behind;
	char what[64];
	int i;

	list = list_begin(0);
	good = entry(32, OMP_REQ_STATE);
	bad = entry(size > 64 || size < 0 ? 64 : size, OMP_REQ_STATE);
	bad[0] = size;
	at = 8 + 32;
	behind = entry(32, OMP_REQ_STATE);
	list_end();
	snprintf(what, sizeof(what), "a size of %d returns -1", size);
	i = api(list);
	expect(i == -1, what, "%d", i);
	snprintf(what, sizeof(what), "the entry before a size of %d", size);
	expect_code(what, good[2], OMP_ERRCODE_OK);
	snprintf(what, sizeof(what), "an entry with a size of %d is left as it was", size);
	expect(bad[0] == size && bad[1] == OMP_REQ_STATE && is_untouched(bad, 2, 32), what,
	       "it is not so");
	snprintf(what, sizeof(what), "what follows a size of %d is left as it was", size);
	expect(is_untouched(behind, 2, 8), what, "it is not so");
}

static void list_misplaced(int bytes)
{
	char *list = (char *)list_begin(0) + bytes;
	const int head[] = { 32, OMP_REQ_STATE, MARK, MARK }, end = 0;
	char what[64];
	int code, result;

	memcpy(list, head, sizeof(head));
	memcpy(list + 32, &end, sizeof(end));
	result = api(list);
	memcpy(&code, list + 8, sizeof(code));
	snprintf(what, sizeof(what), "a list %d bytes off alignment returns -1", bytes);
	expect(result == -1, what, "%d", result);
	snprintf(what, sizeof(what), "a list %d bytes off alignment is left as it was", bytes);
	expect_equal(what, (uint64_t)code, MARK);
}

static void list_empty(void)
{
	int *list = list_begin(0);

	list_end();
	expect_equal("an empty list returns 0", (uint64_t)api(list), 0);
	expect(is_untouched(list, 1, WORDS), "an empty list is left as it was", "it is not so");
}

void group_batch(void)
{
	static const int sizes[] = { 1, 4, 12, 15, 17, 18, 30, 33, -16, -1 };
	unsigned i;

	session_begin();
	list_empty();
	list_of_several();
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		list_with_size(sizes[i]);
	list_misplaced(1);
	list_misplaced(2);
	list_in_order();
}

/* ---- memory ----------------------------------------------------------- */

/* An entry alone, whose mem has so many bytes. */
static int *alone(int request, int first, int bytes)
{
	int *list = list_begin(first), *e = entry(HEADER + bytes, request);

	list_end();
	expect_equal("the list of it returns 0", (uint64_t)api(list), 0);
	return e;
}

static void too_small(int request, const char *name, int bytes)
{
	const int *e = alone(request, 0, bytes);
	const int needed = e[3];
	char what[80];

	snprintf(what, sizeof(what), "%s with %d bytes", name, bytes);
	if (!expect_code(what, e[2], OMP_ERRCODE_MEM_TOO_SMALL))
		return;
	snprintf(what, sizeof(what), "%s with %d bytes writes no answer", name, bytes);
	expect(is_untouched(e, 4, 4 + bytes / 4), what, "it does");
	snprintf(what, sizeof(what), "%s with %d bytes says how many it needs", name, bytes);
	if (!expect(needed > bytes && needed <= 64 && needed % 4 == 0, what, "%d", needed))
		return;
	e = alone(request, 0, needed);
	snprintf(what, sizeof(what), "%s with the %d bytes that it said", name, needed);
	expect_code(what, e[2], OMP_ERRCODE_OK);
	snprintf(what, sizeof(what), "%s then answers with no more than these", name);
	expect(e[3] > 0 && e[3] <= needed, what, "%d", e[3]);
}

static void answers(int request, const char *name, int bytes, int least, int most)
{
	const int *e = alone(request, 0, bytes);
	char what[80];

	snprintf(what, sizeof(what), "%s with %d bytes", name, bytes);
	if (!expect_code(what, e[2], OMP_ERRCODE_OK))
		return;
	snprintf(what, sizeof(what), "%s with %d bytes: the size of its answer", name, bytes);
	expect(e[3] >= least && e[3] <= most, what, "%d", e[3]);
	snprintf(what, sizeof(what), "%s with %d bytes writes no more than that", name, bytes);
	expect(is_untouched(e, 4 + most / 4, 4 + bytes / 4), what, "it does");
}

/* mem begins 4 bytes off the alignment that its words need. */
static void misaligned(int request, const char *name, int bytes)
{
	const int *e = alone(request, 1, bytes);
	char what[80];

	snprintf(what, sizeof(what), "%s whose memory is misaligned", name);
	expect_code(what, e[2], OMP_ERRCODE_ERROR);
	snprintf(what, sizeof(what), "%s whose memory is misaligned writes no answer", name);
	expect(is_untouched(e, 4, 4 + bytes / 4), what, "it does");
}

/* A parameter that is not there: the interface names two codes for it. */
static void lacks_parameter(int request, const char *name)
{
	const int code = alone(request, 0, 0)[2];
	char what[80];

	snprintf(what, sizeof(what), "%s without its parameters is ERROR or MEM_TOO_SMALL", name);
	expect(code == OMP_ERRCODE_ERROR || code == OMP_ERRCODE_MEM_TOO_SMALL, what, "%s",
	       code_name(code));
	note("%s without its parameters: %s", name, code_name(code));
}

void group_memory(void)
{
	static const int unknown[] = { OMP_REQ_LAST, 1000, -1, 0x7fffffff };
	char what[80];
	unsigned i;

	session_begin();
	too_small(OMP_REQ_STATE, "STATE", 0);
	too_small(OMP_REQ_CURRENT_PRID, "CURRENT_PRID", 0);
	too_small(OMP_REQ_CURRENT_PRID, "CURRENT_PRID", 4);
	answers(OMP_REQ_STATE, "STATE", 16, 4, 16);
	answers(OMP_REQ_STATE, "STATE", 64, 4, 16);
	answers(OMP_REQ_CURRENT_PRID, "CURRENT_PRID", 8, 8, 8);
	answers(OMP_REQ_CURRENT_PRID, "CURRENT_PRID", 12, 8, 8);
	answers(OMP_REQ_CURRENT_PRID, "CURRENT_PRID", 64, 8, 8);
	misaligned(OMP_REQ_CURRENT_PRID, "CURRENT_PRID", 8);
	misaligned(OMP_REQ_STATE, "STATE", 16);
	note("REGISTER of no event in misaligned memory: %s",
	     code_name(alone(OMP_REQ_REGISTER, 1, 16)[2]));
	lacks_parameter(OMP_REQ_REGISTER, "REGISTER");
	lacks_parameter(OMP_REQ_UNREGISTER, "UNREGISTER");
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		snprintf(what, sizeof(what), "request %d", unknown[i]);
		expect_code(what, alone(unknown[i], 0, 16)[2], OMP_ERRCODE_UNKNOWN);
	}
	expect_code("PAUSE with memory that it does not need", alone(OMP_REQ_PAUSE, 0, 32)[2],
		    OMP_ERRCODE_OK);
	expect_code("RESUME after that", alone(OMP_REQ_RESUME, 0, 0)[2], OMP_ERRCODE_OK);
}
