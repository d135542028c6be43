/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/stack/stack_refusal.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/message.h"

/* ---- what is so ------------------------------------------------------------------ */

static bool facts_capable(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	uint64_t effective = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "CapEff: %" SCNx64, &effective) == 1)
			break;
	if (f)
		fclose(f);
	return effective >> CAP_SYS_PTRACE & 1;
}

/* The initial user namespace maps all users to themselves. */
static bool facts_container(void)
{
	FILE *f = fopen("/proc/self/uid_map", "re");
	unsigned long inside, outside, n;
	const bool read = f && fscanf(f, "%lu %lu %lu", &inside, &outside, &n) == 3;

	if (f)
		fclose(f);
	return (read && (inside || outside || n != UINT32_MAX)) || !access("/.dockerenv", F_OK) ||
	       !access("/run/.containerenv", F_OK);
}

void stack_facts_gather(struct stack_facts *facts, pid_t pid, int error)
{
	char path[64];
	FILE *f;

	*facts = (struct stack_facts){ .pid = pid, .error = error };
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "re");
	facts->there = f;
	if (f) {
		unsigned long uid, kthread;
		char line[256], state;
		int number;

		while (fgets(line, sizeof(line), f)) {
			if (sscanf(line, "State: %c", &state) == 1)
				facts->zombie = state == 'Z' || state == 'X';
			else if (sscanf(line, "Tgid: %d", &number) == 1)
				facts->group = number;
			else if (sscanf(line, "TracerPid: %d", &number) == 1)
				facts->tracer = number;
			else if (sscanf(line, "Uid: %lu", &uid) == 1)
				facts->others = uid != geteuid();
			else if (sscanf(line, "Kthread: %lu", &kthread) == 1)
				facts->kernel = kthread != 0;
		}
		fclose(f);
	}
	facts->capable = facts_capable();
	facts->container = facts_container();
	f = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	if (f && fscanf(f, "%d", &facts->scope) != 1)
		facts->scope = 0;
	if (f)
		fclose(f);
}

/* ---- what is said of it ------------------------------------------------------------ */

static const char *refuse_permission(const struct stack_facts *f, const char **todo)
{
	if (f->scope == 3 || (f->scope && !f->capable && !f->others)) {
		*todo = f->scope < 3 ?
				"run it as root, or set kernel.yama.ptrace_scope to 0 (sysctl)" :
				"it can't be allowed until this machine is started again";
		return f->scope == 1 ?
			       "kernel.yama.ptrace_scope is 1: a process may stop its "
			       "children only" :
		       f->scope == 2 ?
			       "kernel.yama.ptrace_scope is 2: only root may stop processes" :
			       "kernel.yama.ptrace_scope is 3: nobody may stop processes";
	}
	if (f->others && !f->capable) {
		*todo = "run it as that user, or as root";
		return "it is another user's";
	}
	if (f->container) {
		*todo = "start the container with --cap-add=SYS_PTRACE, or run it outside of the "
			"container";
		return "this container may not stop other processes (no CAP_SYS_PTRACE)";
	}
	*todo = "run it as root: the process may have changed its user or capabilities";
	return "the kernel does not allow it";
}

int stack_refuse(const struct stack_facts *f, struct trouble *t)
{
	const char *why, *todo = NULL;
	char text[96];

	if (!f->there || f->error == ESRCH) {
		why = f->zombie ? "it has ended, and its parent has not noticed" :
		      f->there	? "it is ending" :
				  "there is no such process";
		todo = f->zombie ? "nothing of it can be seen" : "ps lists the running ones";
	} else if (f->zombie) {
		why = "it has ended, and its parent has not noticed (a zombie)";
		todo = "nothing of it can be seen any more";
	} else if (f->group && f->group != f->pid) {
		snprintf(text, sizeof(text), "use ompcount stack %d", (int)f->group);
		why = "it is a thread, not a process";
		todo = text;
	} else if (f->tracer) {
		snprintf(text, sizeof(text), "process %d traces it already (a debugger, strace)",
			 (int)f->tracer);
		why = text;
		todo = "end that first: a process has one tracer";
	} else if (f->kernel) {
		why = "it is a thread of the kernel";
		todo = "give the number of a program's process";
	} else if (f->error == EPERM || f->error == EACCES) {
		why = refuse_permission(f, &todo);
	} else {
		why = strerror(f->error);
	}
	return trouble(t, why, todo, "process %d", (int)f->pid);
}
