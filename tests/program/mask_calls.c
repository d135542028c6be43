/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call that changes a mask, then every call that starts a program, which inherits it. */
#include "case.h"

#include <spawn.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <ucontext.h>
#include <wordexp.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static sigset_t now(void)
{
	sigset_t s;

	sigprocmask(SIG_BLOCK, NULL, &s);
	return s;
}

/* A mask as its numbers, or those that it lacks. */
static void print_mask(const char *what, sigset_t s)
{
	int in = 0;

	for (int n = 1; n < 65; n++)
		in += sigismember(&s, n) == 1;
	printf("%s%s", what, in > 32 ? " all but" : "");
	for (int n = 1; n < 65; n++)
		if (sigismember(&s, n) == (in <= 32))
			printf(" %d", n);
	printf("\n");
}

static sigset_t full(void)
{
	sigset_t s;

	sigfillset(&s);
	return s;
}

static sigset_t full_but(int a, int b)
{
	sigset_t s = full();

	sigdelset(&s, a);
	if (b != 0)
		sigdelset(&s, b);
	return s;
}

static void set_mask(sigset_t s)
{
	sigprocmask(SIG_SETMASK, &s, NULL);
}

/* ---- changes ------------------------------------------------------------------ */

static void libc_few(void)
{
	block(SIGBUS, SIGUSR1, 0);
}

static void libc_trap(void)
{
	block(SIGTRAP, SIGIO, 0);
}

static void libc_taken(void)
{
	block(TAKEN, 0, 0);
}

static void libc_witness(void)
{
	block(TAKEN + 2, TAKEN + 4, 0);
}

/* Each of these may be the witness of SIGBUS, or of SIGTRAP. */
static void libc_any_witness(void)
{
	block(SIGBUS, SIGTRAP, 0);
	for (int i = 0; i < 8; i++) {
		const pid_t pid = fork();

		if (pid == 0) {
			block(TAKEN + i, 0, 0);
			execv(inherited()[0], inherited());
		}
		waitpid(pid, NULL, 0);
	}
}

static void on_nothing(int signo)
{
	(void)signo;
}

static void libc_handles_any_witness(void)
{
	block(SIGBUS, SIGTRAP, 0);
	for (int i = 0; i < 8; i++)
		on(TAKEN + i, on_nothing, 0);
}

/* What pends while all are blocked stays so, whichever numbers the program sends. */
static void libc_pends(void)
{
	sigset_t pending;

	set_mask(full());
	raise(SIGTRAP);
	raise(SIGBUS);
	for (int i = 0; i < 6; i++)
		raise(TAKEN + i);
	sigpending(&pending);
	print_mask("pending:", pending);
	/* What they inherit would not be so. */
	signal(SIGTRAP, SIG_IGN);
	signal(SIGBUS, SIG_IGN);
	for (int i = 0; i < 6; i++)
		signal(TAKEN + i, SIG_IGN);
}

static void libc_all(void)
{
	set_mask(full());
}

static void libc_most(void)
{
	set_mask(full_but(SIGBUS, SIGTRAP));
}

static void libc_all_but_taken(void)
{
	set_mask(full_but(TAKEN, TAKEN + 5));
}

static void libc_unblocks(void)
{
	const sigset_t s = set_of(SIGBUS, SIGTRAP, SIGUSR2);

	set_mask(full());
	pthread_sigmask(SIG_UNBLOCK, &s, NULL);
}

static void libc_unblocks_taken(void)
{
	const sigset_t s = set_of(TAKEN, TAKEN + 3, 0);

	set_mask(full());
	pthread_sigmask(SIG_UNBLOCK, &s, NULL);
}

static void libc_restores(void)
{
	const sigset_t all = full();
	sigset_t before;

	block(SIGBUS, SIGTRAP, SIGIO);
	sigprocmask(SIG_BLOCK, &all, &before);
	set_mask(before);
}

static void of_bsd(void)
{
	const int bits = 1 << (SIGBUS - 1) | 1 << (SIGTRAP - 1) | 1 << (SIGUSR1 - 1);

	set_mask(full());
	printf("%x", (unsigned)sigsetmask(1 << (SIGHUP - 1)));
	printf(" %x", (unsigned)sigblock(bits));
	printf(" %x\n", (unsigned)siggetmask());
}

static void of_bsd_none(void)
{
	set_mask(full());
	sigsetmask(0);
}

static void of_bsd_all(void)
{
	sigsetmask(~0);
}

static void of_system_v(void)
{
	sighold(SIGBUS);
	sighold(SIGTRAP);
	sighold(TAKEN);
	sighold(SIGUSR1);
	sigrelse(SIGTRAP);
	sigset(SIGIO, SIG_HOLD);
}

static sigjmp_buf place;
static volatile int jumps;

static void jump_saved(void)
{
	jumps = 0;
	block(SIGBUS, SIGUSR2, 0);
	if (sigsetjmp(place, 1) == 0) {
		set_mask(full());
		siglongjmp(place, 1);
	}
}

static void jump_saved_all(void)
{
	set_mask(full());
	if (sigsetjmp(place, 1) == 0) {
		set_mask(set_of(0, 0, 0));
		longjmp(place, 1);
	}
}

static void jump_kept(void)
{
	if (sigsetjmp(place, 0) == 0) {
		set_mask(full_but(SIGTRAP, 0));
		_longjmp(place, 1);
	}
}

static void context_saved(void)
{
	volatile int times = 0;
	ucontext_t c;

	set_mask(full());
	getcontext(&c);
	if (times++ == 0) {
		set_mask(set_of(SIGUSR1, 0, 0));
		setcontext(&c);
	}
}

static void context_written(void)
{
	volatile int times = 0;
	ucontext_t c;

	getcontext(&c);
	if (times++ == 0) {
		sigaddset(&c.uc_sigmask, SIGBUS);
		sigaddset(&c.uc_sigmask, SIGTRAP);
		setcontext(&c);
	}
}

static void context_filled(void)
{
	volatile int times = 0;
	ucontext_t c;

	getcontext(&c);
	if (times++ == 0) {
		sigfillset(&c.uc_sigmask);
		setcontext(&c);
	}
}

static void context_adds_one(void)
{
	volatile int times = 0;
	ucontext_t c;

	block(SIGBUS, SIGTRAP, 0);
	getcontext(&c);
	if (times++ == 0) {
		sigaddset(&c.uc_sigmask, TAKEN + 6);
		setcontext(&c);
	}
}

static ucontext_t caller, coroutine;

static void in_coroutine(void)
{
	print_mask("coroutine:", now());
	set_mask(set_of(SIGHUP, 0, 0));
	swapcontext(&coroutine, &caller);
}

static void context_swapped(void)
{
	static char stack[1 << 18];

	block(SIGBUS, TAKEN, 0);
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = sizeof(stack);
	coroutine.uc_sigmask = full_but(SIGBUS, 0);
	makecontext(&coroutine, in_coroutine, 0);
	swapcontext(&caller, &coroutine);
}

static void (*volatile edit)(sigset_t *);

static void on_edit(int signo, siginfo_t *info, void *uc)
{
	sigset_t *mask = &((ucontext_t *)uc)->uc_sigmask;

	(void)info;
	print_mask(signo == SIGUSR1 ? "USR1:" : "signal:", now());
	edit(mask);
}

static void edit_add(sigset_t *mask)
{
	sigaddset(mask, SIGBUS);
	sigaddset(mask, SIGTRAP);
	sigaddset(mask, SIGUSR2);
}

static void edit_fill(sigset_t *mask)
{
	*(uint64_t *)mask = ~UINT64_C(0);
}

static void edit_empty(sigset_t *mask)
{
	*(uint64_t *)mask = 0;
}

/* In a handler of a signal that we share, what the program blocks can be taken away. */
static void edit_remove(sigset_t *mask)
{
	sigdelset(mask, SIGBUS);
	sigdelset(mask, SIGUSR2);
}

static void edit_remove_one(sigset_t *mask)
{
	sigdelset(mask, SIGUSR2);
}

static void edited(int signo, void (*by)(sigset_t *), sigset_t from)
{
	struct sigaction a = { .sa_flags = SA_SIGINFO };

	a.sa_sigaction = on_edit;
	a.sa_mask = set_of(SIGTRAP, SIGHUP, 0);
	sigaction(signo, &a, NULL);
	edit = by;
	sigdelset(&from, signo);
	set_mask(from);
	raise(signo);
}

static void edit_one(sigset_t *mask)
{
	sigaddset(mask, TAKEN);
	sigdelset(mask, SIGBUS);
}

static void edit_seen(sigset_t *mask)
{
	print_mask("interrupted:", *mask);
}

static void handler_sees(void)
{
	edited(SIGUSR1, edit_seen, full());
	edited(SIGUSR1, edit_seen, set_of(SIGBUS, SIGTRAP, 0));
}

static void handler_changes_one(void)
{
	edited(SIGUSR1, edit_one, set_of(SIGBUS, SIGHUP, 0));
}

static void handler_removes_one(void)
{
	edited(SIGUSR1, edit_remove, full());
}

static void handler_adds(void)
{
	edited(SIGUSR1, edit_add, set_of(SIGHUP, 0, 0));
}

static void handler_fills(void)
{
	edited(SIGUSR1, edit_fill, set_of(SIGBUS, 0, 0));
}

static void handler_empties(void)
{
	edited(SIGUSR1, edit_empty, full());
}

static void io_handler_adds(void)
{
	edited(SIGIO, edit_add, set_of(0, 0, 0));
}

static void io_handler_removes(void)
{
	edited(SIGIO, edit_remove_one, full());
}

static void trap_handler_fills(void)
{
	edited(SIGTRAP, edit_fill, set_of(SIGBUS, 0, 0));
}

static void taken_handler_removes(void)
{
	edited(TAKEN, edit_remove, full_but(SIGHUP, 0));
}

/* By an instruction of the program's own, where that is known. */
static void raw(int how, uint64_t bits)
{
#ifdef __x86_64__
	register long r10 __asm__("r10") = sizeof(bits);
	long result = SYS_rt_sigprocmask;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"((long)how), "S"(&bits), "d"(0L), "r"(r10)
			 : "rcx", "r11", "memory");
#else
	syscall(SYS_rt_sigprocmask, how, &bits, NULL, sizeof(bits));
#endif
}

static void number(int how, sigset_t s)
{
	uint64_t before = 0;

	if (syscall(SYS_rt_sigprocmask, how, &s, &before, sizeof(before)) != 0)
		printf("%s\n", strerror(errno));
	memcpy(&s, &before, sizeof(before));
	print_mask("before:", s);
}

static void number_adds_one(void)
{
	block(SIGBUS, SIGTRAP, 0);
	number(SIG_BLOCK, set_of(TAKEN + 1, SIGHUP, 0));
}

static void number_removes_one(void)
{
	set_mask(full());
	number(SIG_UNBLOCK, set_of(SIGBUS, TAKEN + 4, 0));
}

static void number_sets(void)
{
	set_mask(full());
	number(SIG_SETMASK, set_of(SIGTRAP, TAKEN, 0));
	number(99, set_of(0, 0, 0));
	if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, (void *)8L, NULL, 8L) != 0)
		printf("%s\n", strerror(errno));
}

static uint64_t bits_of(sigset_t s)
{
	return *(uint64_t *)&s;
}

static void raw_all(void)
{
	raw(SIG_SETMASK, ~UINT64_C(0));
}

static void raw_most(void)
{
	block(SIGBUS, SIGTRAP, SIGIO);
	raw(SIG_SETMASK, bits_of(full_but(SIGBUS, SIGUSR1)));
}

static void raw_adds(void)
{
	block(SIGBUS, SIGUSR1, 0);
	raw(SIG_BLOCK, bits_of(set_of(SIGTRAP, SIGHUP, 0)));
}

static void raw_adds_all(void)
{
	raw(SIG_BLOCK, ~UINT64_C(0));
	pthread_sigmask(SIG_UNBLOCK, &(sigset_t){ { 1 << (SIGBUS - 1) } }, NULL);
}

static void raw_removes_all(void)
{
	set_mask(full());
	raw(SIG_UNBLOCK, ~UINT64_C(0));
}

static void raw_restores(void)
{
	uint64_t before;

	block(SIGBUS, SIGTRAP, SIGIO);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &(uint64_t){ ~UINT64_C(0) }, &before,
		sizeof(before));
	raw(SIG_SETMASK, before);
	set_mask(now());
}

static volatile int woken;

static void on_wake(int signo)
{
	char what[32];

	(void)signo;
	woken++;
	snprintf(what, sizeof(what), "in the call's handler:");
	print_mask(what, now());
}

static void sleeping(int which, int signo, sigset_t with)
{
	const struct timespec ages = { 30, 0 };
	struct epoll_event event;
	struct sigaction a = { .sa_handler = on_wake };

	sigaddset(&a.sa_mask, SIGUSR2);
	sigaction(signo, &a, NULL);
	block(signo, SIGBUS, SIGHUP);
	raise(signo);
	print_mask("before:", now());
	switch (which) {
	case 0: sigsuspend(&with); break;
	case 1: ppoll(NULL, 0, &ages, &with); break;
	case 2: pselect(0, NULL, NULL, NULL, &ages, &with); break;
	case 3: epoll_pwait(epoll_create1(EPOLL_CLOEXEC), &event, 1, 30000, &with); break;
	case 4: sigpause(signo); break;
	default: epoll_pwait2(epoll_create1(EPOLL_CLOEXEC), &event, 1, &ages, &with); break;
	}
	printf("woken %d\n", woken);
}

static void suspended(void)
{
	sleeping(0, SIGUSR1, full_but(SIGUSR1, 0));
}

static void suspended_trap(void)
{
	sleeping(0, SIGTRAP, set_of(SIGUSR2, SIGBUS, 0));
}

static void suspended_taken(void)
{
	sleeping(0, TAKEN, full_but(TAKEN, SIGIO));
}

static void ppolled(void)
{
	sleeping(1, SIGIO, set_of(SIGTRAP, 0, 0));
}

static void pselected(void)
{
	sleeping(2, SIGTRAP, full_but(SIGTRAP, 0));
}

static void epolled(void)
{
	sleeping(3, SIGUSR1, set_of(TAKEN, 0, 0));
}

static void epolled_2(void)
{
	sleeping(5, SIGIO, full_but(SIGIO, 0));
}

static void paused(void)
{
	sleeping(4, SIGIO, set_of(0, 0, 0));
}

static void on_leave(int signo)
{
	(void)signo;
	siglongjmp(place, 1);
}

static void suspended_and_left(void)
{
	const sigset_t with = full_but(SIGTRAP, 0);

	on(SIGTRAP, on_leave, 0);
	block(SIGTRAP, SIGUSR2, SIGBUS);
	raise(SIGTRAP);
	if (sigsetjmp(place, 1) == 0)
		sigsuspend(&with);
	on(SIGIO, on_wake, 0);
	raise(SIGIO);
}

#define CHANGE(name) \
	{ \
#name, name \
	}
static const struct {
	const char *name;
	void (*make)(void);
} changes[] = {
	CHANGE(libc_few),
	CHANGE(libc_trap),
	CHANGE(libc_taken),
	CHANGE(libc_witness),
	CHANGE(libc_any_witness),
	CHANGE(libc_handles_any_witness),
	CHANGE(libc_pends),
	CHANGE(libc_all),
	CHANGE(libc_most),
	CHANGE(libc_all_but_taken),
	CHANGE(libc_unblocks),
	CHANGE(libc_unblocks_taken),
	CHANGE(libc_restores),
	CHANGE(of_bsd),
	CHANGE(of_bsd_none),
	CHANGE(of_bsd_all),
	CHANGE(of_system_v),
	CHANGE(jump_saved),
	CHANGE(jump_saved_all),
	CHANGE(jump_kept),
	CHANGE(context_saved),
	CHANGE(context_written),
	CHANGE(context_filled),
	CHANGE(context_adds_one),
	CHANGE(context_swapped),
	CHANGE(handler_sees),
	CHANGE(handler_changes_one),
	CHANGE(handler_removes_one),
	CHANGE(handler_adds),
	CHANGE(handler_fills),
	CHANGE(handler_empties),
	CHANGE(io_handler_adds),
	CHANGE(io_handler_removes),
	CHANGE(trap_handler_fills),
	CHANGE(taken_handler_removes),
	CHANGE(number_adds_one),
	CHANGE(number_removes_one),
	CHANGE(number_sets),
	CHANGE(raw_all),
	CHANGE(raw_most),
	CHANGE(raw_adds),
	CHANGE(raw_adds_all),
	CHANGE(raw_removes_all),
	CHANGE(raw_restores),
	CHANGE(suspended),
	CHANGE(suspended_trap),
	CHANGE(suspended_taken),
	CHANGE(ppolled),
	CHANGE(pselected),
	CHANGE(epolled),
	CHANGE(epolled_2),
	CHANGE(paused),
	CHANGE(suspended_and_left),
};

/* ---- starts ------------------------------------------------------------------- */

static void by_exec(void)
{
	execv(inherited()[0], inherited());
	_exit(127);
}

/* By their numbers, also in a child that ignores signals. */
static void by_number(void)
{
	signal(SIGBUS, SIG_IGN);
	signal(SIGTRAP, SIG_IGN);
	signal(TAKEN, SIG_IGN);
	syscall(SYS_execve, inherited()[0], inherited(), environ);
	_exit(127);
}

static void by_number_at(void)
{
	const pid_t pid = vfork();

	if (pid == 0) {
		syscall(SYS_execveat, AT_FDCWD, inherited()[0], inherited(), environ, 0);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

static void by_system(void)
{
	if (system(inherited()[0]) != 0)
		printf("system failed\n");
}

static void by_popen(void)
{
	char line[256];
	FILE *f = popen(inherited()[0], "r");

	while (f && fgets(line, sizeof(line), f))
		fputs(line, stdout);
	if (f)
		pclose(f);
}

static void by_spawn(void)
{
	pid_t child;

	if (posix_spawn(&child, inherited()[0], NULL, NULL, inherited(), environ) == 0)
		waitpid(child, NULL, 0);
}

static void by_wordexp(void)
{
	char words[512];
	wordexp_t w;

	snprintf(words, sizeof(words), "$(%s)", inherited()[0]);
	if (wordexp(words, &w, 0) != 0)
		return;
	for (size_t i = 0; i < w.we_wordc; i++)
		printf("%s ", w.we_wordv[i]);
	printf("\n");
	wordfree(&w);
}

static void by_fork(void)
{
	const pid_t child = fork();

	if (child == 0)
		by_exec();
	waitpid(child, NULL, 0);
}

static void by_vfork(void)
{
	const pid_t child = vfork();

	if (child == 0) {
		execl(inherited()[0], inherited()[0], (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
}

/* By a bare system call, as by _Fork(): no handler of pthread_atfork() runs. */
static void by_bare_fork(void)
{
	const pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	if (child == 0)
		by_exec();
	waitpid(child, NULL, 0);
}

static int exec_cloned(void *unused)
{
	(void)unused;
	by_exec();
	return 1;
}

static void by_clone(void)
{
	static char stack[1 << 16];
	const pid_t child =
		clone(exec_cloned, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);

	waitpid(child, NULL, 0);
}

static void *start_of(void *unused)
{
	(void)unused;
	print_mask("thread:", now());
	by_fork();
	return NULL;
}

static void by_thread(void)
{
	pthread_t t;

	pthread_create(&t, NULL, start_of, NULL);
	pthread_join(t, NULL);
}

static const struct {
	const char *name;
	void (*make)(void);
} starts[] = {
	{ "exec", by_exec },	 { "system", by_system },   { "popen", by_popen },
	{ "spawn", by_spawn },	 { "wordexp", by_wordexp }, { "fork", by_fork },
	{ "vfork", by_vfork },	 { "clone", by_clone },	    { "bare fork", by_bare_fork },
	{ "thread", by_thread }, { "number", by_number },   { "number at", by_number_at },
};

static void child(size_t change, size_t start)
{
	printf("--- %s, %s\n", changes[change].name, starts[start].name);
	changes[change].make();
	print_mask("mask:", now());
	starts[start].make();
}

int main(void)
{
	const size_t nchanges = sizeof(changes) / sizeof(*changes);
	const size_t nstarts = sizeof(starts) / sizeof(*starts);

	busy(20);
	/* Each change before an exec; each start after these. */
	for (size_t c = 0; c < nchanges; c++)
		for (size_t s = 0; s < nstarts; s++) {
			if (s != c % nstarts && c % 7 != 0)
				continue;
			const pid_t pid = fork();

			if (pid == 0) {
				child(c, s);
				_exit(0);
			}
			waitpid(pid, NULL, 0);
		}
	return 0;
}
