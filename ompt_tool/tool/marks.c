/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The profile's size follows the program's contexts, not the length of its run. So a number of
 * calls are listed, and later ones are only counted.
 */
#include "config.h"

#include "ompt_tool/tool/tool_parts.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tool/omphwc.h"
#include "ompt_tool/tool/tool.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/clock.h"
#include "src/profile/digits.h"
#include "src/profile/profile_owner.h"

#define EXPORT __attribute__((visibility("default")))

enum { LISTED_MOST = 4096, NAMES_MOST = 256, NAME_MOST = 63, PAGE_LEAST = 4096, WORD = 8 };

/* Owned by this file. */
static _Atomic uint32_t nlisted;

/* ---- names ---------------------------------------------------------------- */

static bool is_text(unsigned char c)
{
	return c >= ' ' && c != 0x7f;
}

/* The kernel reads the word before it refuses the rest of the call. */
static bool can_read(const void *word)
{
	enum { NO_HOW = -1 };

	return syscall(SYS_rt_sigprocmask, NO_HOW, word, NULL, WORD) == 0 || errno != EFAULT;
}

/* Copies ASCII text of which nothing is known but its address; false: there is none. */
static bool copy_unknown(char name[NAME_MOST + 1], const void *arg)
{
	const char *from = arg;
	size_t n = 0;

	/* Small numbers are other tools' arguments. */
	if ((uintptr_t)arg < PAGE_LEAST)
		return false;
	for (; n < NAME_MOST; n++) {
		const uintptr_t at = (uintptr_t)(from + n);

		if ((n == 0 || at % PAGE_LEAST == 0) &&
		    !can_read((const void *)(at & ~(uintptr_t)(WORD - 1))))
			return false;
		if (from[n] < ' ' || from[n] > '~')
			break;
		name[n] = from[n];
	}
	name[n] = '\0';
	return n != 0 && (n == NAME_MOST || from[n] == '\0');
}

/* What would break a line becomes a blank. */
static void copy(char name[NAME_MOST + 1], const char *from)
{
	size_t n = 0;

	for (; n < NAME_MOST && from[n] != '\0'; n++)
		name[n] = is_text((unsigned char)from[n]) ? from[n] : ' ';
	name[n] = '\0';
}

/* ---- the list ------------------------------------------------------------- */

static void list(int command, const char *name)
{
	static const char more[] =
		"the program set more than 4,096 marks: later ones are not listed";
	const uint64_t begun = prof_header(&process.writer)->start_monotonic_ns;
	char head[3 * (DIGITS_MAX + 1)], *at = head;
	const uint32_t n = atomic_load(&nlisted) <= LISTED_MOST ? atomic_fetch_add(&nlisted, 1) :
								  LISTED_MOST + 1;

	if (n == LISTED_MOST)
		prof_info_append(&process.writer, PROF_INFO_NOTE, more, sizeof(more) - 1, NULL, 0);
	if (n >= LISTED_MOST)
		return;
	at = digits_put(at, clock_ns(CLOCK_MONOTONIC) - begun, 10);
	*at++ = ' ';
	at = digits_put(at, (uint64_t)command - OMPHWC_MARK, 10);
	*at++ = ' ';
	at = digits_put(at, (uint64_t)syscall(SYS_gettid), 10);
	*at++ = ' ';
	prof_info_append(&process.writer, PROF_INFO_MARK, head, (size_t)(at - head), name,
			 strlen(name));
}

/* ---- phases ---------------------------------------------------------------- */

/* Owned by this file: the names that the profile has, by their hashes; 0: free. */
static _Atomic uint64_t named[NAMES_MOST];

/* Its hash, when the profile has its name; 0: it has not, or there are too many. Each name makes
   nodes. */
static uint64_t name_of(const char *name, uint32_t most, bool add)
{
	const uint64_t hash = PROF_PHASE_HASH(prof_owner_hash(name));

	for (uint32_t i = 0; i < most; i++) {
		uint64_t there = atomic_load(&named[i]);

		if (there == 0 && add && atomic_compare_exchange_strong(&named[i], &there, hash)) {
			prof_info_append(&process.writer, PROF_INFO_PHASE, name, strlen(name), NULL,
					 0);
			return hash;
		}
		if (there == hash || there == 0)
			return there;
	}
	return 0;
}

static void note_phase(const char *name, bool begins)
{
	struct thread *t = thread_self;

	if (!t || !thread_ready(t))
		return;
	const bool initial = t->tid == getpid(), any = !begins && *name == '\0';
	uint64_t hash = any ? 0 :
			      name_of(*name != '\0' ? name : "(unnamed)", NAMES_MOST - 1, begins);

	if (hash == 0 && !any)
		hash = name_of("(more phases)", NAMES_MOST, begins);
	if (begins)
		phases_begin(t, initial, hash);
	else if (any || hash != 0)
		phases_end(t, initial, hash);
}

static void take(int command, const char *name)
{
	const int error = errno;

	if (tool_started() && process_ready()) {
		list(command, name);
		if (command != OMPHWC_MARK)
			note_phase(name, command == OMPHWC_BEGIN);
	}
	errno = error;
}

/* Commands without a meaning of ours are marks by their number. */
void marks_control(long command, const void *arg)
{
	char name[NAME_MOST + 1] = "";

	if (!copy_unknown(name, arg) && command != OMPHWC_BEGIN && command != OMPHWC_END)
		*digits_put(name, (uint64_t)command, 10) = '\0';
	take(command == OMPHWC_BEGIN || command == OMPHWC_END ? (int)command : OMPHWC_MARK, name);
}

EXPORT void omphwc_phase(int command, const char *name)
{
	char text[NAME_MOST + 1] = "";

	if (name)
		copy(text, name);
	if (command >= OMPHWC_MARK && command <= OMPHWC_END)
		take(command, text);
}

void marks_fork_child(void)
{
	atomic_store(&nlisted, 0);
	for (uint32_t i = 0; i < NAMES_MOST; i++)
		atomic_store(&named[i], 0);
	phases_fork_child();
}
