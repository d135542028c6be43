/* SPDX-License-Identifier: BSD-3-Clause */
/* A vfork's child has its parent's alternate stack, and changes its own only. */
#include "case.h"

static char one[1 << 13], two[1 << 16];

static void print_stack(const char *what)
{
	stack_t s;

	sigaltstack(NULL, &s);
	printf("%s: %s, %zu bytes, flags %d\n", what,
	       s.ss_sp == (void *)one ? "one" :
	       s.ss_sp == (void *)two ? "two" :
					"none",
	       s.ss_size, s.ss_flags);
}

static void *thread(void *arg)
{
	stack_t s = { .ss_sp = one, .ss_size = sizeof(one) };

	if (arg)
		sigaltstack(&s, NULL);
	busy(3);
	for (int way = 0; way < 2; way++) {
		const pid_t child = way == 0 ? vfork() :
					       (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

		if (child == 0) {
			print_stack("child");
			s = (stack_t){ .ss_sp = two, .ss_size = sizeof(two) };
			sigaltstack(&s, NULL);
			print_stack("child");
			s.ss_flags = SS_DISABLE;
			sigaltstack(&s, NULL);
			print_stack("child");
			_exit(0);
		}
		print_end("child", child);
		print_stack("parent");
	}
	return NULL;
}

int main(void)
{
	pthread_attr_t small;
	pthread_t t;

	thread(NULL);
	thread(one);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 16);
	for (int own = 0; own < 2; own++) {
		pthread_create(&t, &small, thread, own ? one : NULL);
		pthread_join(t, NULL);
	}
	return 0;
}
