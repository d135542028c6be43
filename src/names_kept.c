/*
 * names_kept.c - a signal tells of the progress, because reading one large file may take long.
 */
#include "config.h"

#include "src/names_kept.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "src/base/message.h"
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

static void progress_begin(struct sigaction *before)
{
	struct sigaction show = { .sa_handler = progress_show, .sa_flags = SA_RESTART };

	progress_shown = 0;
	sigemptyset(&show.sa_mask);
	sigaction(SIGALRM, &show, before);
	if (isatty(STDERR_FILENO))
		alarm(1);
}

static void progress_end(const struct sigaction *before)
{
	static const char clear[] = "\r\033[K";

	alarm(0);
	sigaction(SIGALRM, before, NULL);
	if (progress_shown && write(STDERR_FILENO, clear, sizeof(clear) - 1) < 0)
		progress_shown = 0;
}

static void names_kept_not(const struct profiles_error *e)
{
	struct trouble t;

	trouble(&t, e->why, e->todo, "no names stored in %s", e->path);
	message_trouble(&t);
}

size_t names_kept(char *const *paths, size_t n, const char *sysroot, bool only_failures)
{
	struct sigaction before;
	struct outlive o;
	size_t failures = 0;
	int err = outlive_open(&o, sysroot);

	if (err) {
		message_parts("names", strerror(-err), NULL);
		return n;
	}
	progress_begin(&before);
	for (size_t i = 0; i < n; i++) {
		struct profiles_error e;
		const enum outlive_result result = outlive_store(&o, paths[i], &e);

		if (result == OUTLIVE_STORED || (result != OUTLIVE_FAILED && only_failures))
			continue;
		failures++;
		names_kept_not(&e);
	}
	progress_end(&before);
	outlive_close(&o);
	return failures;
}
