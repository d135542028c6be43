/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/witness.h"

/* What the write raised, and was not pending before, is taken away. */
static void take_away(int signo, const sigset_t *pending)
{
	const struct timespec now = { 0, 0 };
	sigset_t one;

	if (sigismember(pending, signo))
		return;
	sigemptyset(&one);
	sigaddset(&one, signo);
	next.sigtimedwait(&one, NULL, &now);
}

/* The signals of a pipe that nobody reads, and of a file as long as it may be, are blocked for the
   write. */
void program_say(const char *line, size_t bytes)
{
	const uint64_t raised = mask_bit(SIGPIPE) | mask_bit(SIGXFSZ);
	const int saved = errno;
	sigset_t pending;

	next_find();
	sigemptyset(&pending);
	sigpending(&pending);
	const uint64_t before = mask_change(SIG_BLOCK, &raised);
	if (write(STDERR_FILENO, line, bytes) < 0 && (errno == EPIPE || errno == EFBIG))
		take_away(errno == EPIPE ? SIGPIPE : SIGXFSZ, &pending);
	mask_change(SIG_SETMASK, &before);
	errno = saved;
}
