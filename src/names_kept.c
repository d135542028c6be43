/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names_kept.c - a signal shows the progress, because reading one large file may take long.
 */
#include "config.h"

#include "src/names_kept.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/profile/clock.h"
#include "src/view/outlive.h"

static volatile sig_atomic_t progress_shown;

static void progress_show(int signal)
{
	static const char text[] = "\rompcount: storing the names in the profile ...";
	const int err = errno;

	(void)signal;
	progress_shown = write(STDERR_FILENO, text, sizeof(text) - 1) > 0;
	errno = err;
}

/* The alarm may be the caller's: it is inherited by exec. */
struct progress {
	bool on;
	timer_t timer;
	struct sigaction before;
};

static void progress_end(const struct progress *p)
{
	static const char clear[] = "\r\033[K";

	if (!p->on)
		return;
	timer_delete(p->timer);
	sigaction(SIGRTMIN, &p->before, NULL);
	if (progress_shown && write(STDERR_FILENO, clear, sizeof(clear) - 1) < 0)
		progress_shown = 0;
}

size_t names_kept(char *const *paths, size_t n, const char *sysroot, bool only_failures,
		  uint64_t until_ns)
{
	struct progress progress;
	struct outlive o;
	size_t failures = 0;

	outlive_open(&o, sysroot);

	const struct itimerspec second = { .it_value.tv_sec = 1 };
	struct sigaction show = { .sa_handler = progress_show, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN };

	progress_shown = 0;
	progress.on = isatty(STDERR_FILENO) &&
		      timer_create(CLOCK_MONOTONIC, &event, &progress.timer) == 0;
	if (progress.on) {
		sigemptyset(&show.sa_mask);
		sigaction(SIGRTMIN, &show, &progress.before);
		timer_settime(progress.timer, 0, &second, NULL);
	}
	for (size_t i = 0; i < n && clock_ns(CLOCK_MONOTONIC) < until_ns; i++) {
		struct profiles_error e;
		const enum outlive_result result = outlive_store(&o, paths[i], &e);
		struct trouble t;

		if (result == OUTLIVE_STORED || (result != OUTLIVE_FAILED && only_failures))
			continue;
		failures++;
		trouble(&t, e.why, e.todo, "no names stored in %s", e.path);
		message_trouble(&t);
	}
	progress_end(&progress);
	outlive_close(&o);
	return failures;
}
