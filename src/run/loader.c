/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/run/loader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/fnv.h"
#include "src/base/grow.h"
#include "src/base/path.h"
#include "src/profile/clock.h"
#include "src/run/node.h"

enum {
	ANSWER_BYTES = 1 << 20, /* longer than any list of libraries */
	PATIENCE_MS = 10000,	/* longer means an unresponsive file system */
};

static long long now_ms(void)
{
	return (long long)(clock_ns(CLOCK_MONOTONIC) / 1000000);
}

/* The output up to the end; NULL: it takes too long, or is too long. */
static char *read_answer(int fd)
{
	const long long end = now_ms() + PATIENCE_MS;
	char *text = alloc_bytes(ANSWER_BYTES);
	size_t used = 0;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		const long long left = end - now_ms();
		ssize_t n;

		if (left <= 0 || used == ANSWER_BYTES - 1)
			break;
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		n = read(fd, text + used, ANSWER_BYTES - 1 - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		if (n == 0) {
			text[used] = '\0';
			return text;
		}
		used += (size_t)n;
	}
	free(text);
	return NULL;
}

static char *run_loader(const char *loader, const char *program, char *const *envp, int *status)
{
	char *answer = NULL;
	int out[2];
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) != 0)
		return NULL;
	pid = fork();
	if (pid == 0) {
		/* Both output streams go into the pipe, because complaints count,
		   too. */
		char mode[] = "--list";
		char *const argv[] = { (char *)(uintptr_t)loader, mode, (char *)(uintptr_t)program,
				       NULL };
		int null = open("/dev/null", O_RDONLY);

		dup2(null, STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		execve(loader, argv, envp);
		_exit(127);
	}
	close(out[1]);
	if (pid > 0)
		answer = read_answer(out[0]);
	close(out[0]);
	if (pid > 0 && !answer)
		kill(pid, SIGKILL);
	if (pid > 0)
		while (waitpid(pid, status, 0) < 0 && errno == EINTR)
			;
	return answer;
}

static void add_object(struct loader_list *list, const char *name, size_t name_bytes,
		       const char *path, size_t path_bytes)
{
	struct loader_object *o;

	list->objects = grow(list->objects, list->n, &list->room, sizeof(*list->objects));
	o = &list->objects[list->n];
	o->name = alloc_text_part(name, name_bytes);
	o->path = path ? alloc_text_part(path, path_bytes) : NULL;
	list->n++;
}

/*
 * Parses "\tNAME => PATH (0xADDRESS)", "\tPATH (0xADDRESS)" or "\tNAME => not found"; the
 * vDSO has a name without a path.  Names and paths may contain blanks, so the last part is
 * searched from the end.
 */
static void add_line(struct loader_list *list, char *line)
{
	char *arrow, *address, *path;

	if (*line != '\t')
		goto complaint;
	line++;
	arrow = strstr(line, " => ");
	if (arrow && strncmp(arrow, " => not found", 13) == 0) {
		add_object(list, line, (size_t)(arrow - line), NULL, 0);
		return;
	}
	address = strstr(line, " (0x");
	for (char *next = address; next; next = strstr(next + 1, " (0x"))
		address = next;
	if (!address)
		goto complaint;
	path = arrow && arrow < address ? arrow + 4 : line;
	add_object(list, line, (size_t)((path == line ? address : arrow) - line),
		   *path == '/' ? path : NULL, (size_t)(address - path));
	return;
complaint:
	if (*line && list->complaints++ == 0)
		snprintf(list->complaint, sizeof(list->complaint), "%s", line);
}

/* ---- once a node ------------------------------------------------------- */

/* Owned by this file. */
static struct node *shared;

void loader_share(struct node *node)
{
	shared = node;
}

struct loader_question {
	const char *loader, *program;
	char *const *envp;
};

/* Begins with the status in decimal, and a blank.  NULL: no answer. */
static char *ask(void *arg)
{
	const struct loader_question *q = arg;
	int status = 0;
	char *all = NULL, *answer = run_loader(q->loader, q->program, q->envp, &status);

	if (answer)
		all = alloc_printf("%d %s", status, answer);
	free(answer);
	return all;
}

/* All that the answer depends on: of the environment what the loader reads.  Libraries
   are taken to stay as they are while a launch begins. */
static uint64_t loader_key_of(const struct loader_question *q)
{
	uint64_t h = fnv(FNV_BEGIN, q->loader, strlen(q->loader) + 1);
	char here[PATH_MAX] = "";
	struct stat st;

	h = fnv(h, q->program, strlen(q->program) + 1);
	if (getcwd(here, sizeof(here)))
		h = fnv(h, here, strlen(here) + 1);
	if (stat(q->program, &st) == 0) {
		h = fnv(h, &st.st_ino, sizeof(st.st_ino));
		h = fnv(h, &st.st_size, sizeof(st.st_size));
		h = fnv(h, &st.st_mtim, sizeof(st.st_mtim));
	}
	for (char *const *e = q->envp; *e; e++)
		if (strncmp(*e, "LD_", 3) == 0 || strncmp(*e, "GLIBC_TUNABLES=", 15) == 0)
			h = fnv(h, *e, strlen(*e) + 1);
	return h;
}

int loader_ask(const char *loader, const char *program, char *const *envp, struct loader_list *list)
{
	struct loader_question q = { loader, program, envp };
	char *answer, *text, *rest = NULL;
	int status, ret = 0;

	*list = (struct loader_list){ .status = -1 };
	answer = shared ? node_text(shared, loader_key_of(&q), ask, &q) : ask(&q);
	if (!answer)
		return -EIO;
	status = (int)strtol(answer, &text, 10);
	text += *text == ' ';
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		add_line(list, line);
	free(answer);
	list->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (list->status == 127 && list->n == 0 && list->complaints == 0)
		ret = -ENOENT;
	if (ret)
		loader_list_free(list);
	return ret;
}

void loader_list_free(struct loader_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->objects[i].name);
		free(list->objects[i].path);
	}
	free(list->objects);
	*list = (struct loader_list){ .status = -1 };
}

const struct loader_object *loader_find(const struct loader_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(path_base(list->objects[i].name), name) == 0)
			return &list->objects[i];
	return NULL;
}
