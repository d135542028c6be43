/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - the layer that owns what the profiled program and the tool share:
 * signals, faults, handlers' stacks, threads' beginnings, fork, exec, exit, loaded
 * objects, and our wrappers of libc's functions.
 *
 * The rest of the tool includes this header and no other of this folder. The layer
 * knows nothing of samples or profiles; it calls the hooks below.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_PROGRAM_H
#define OMPHWC_OMPT_TOOL_PROGRAM_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum program_end {
	PROGRAM_EXECS,	       /* exec: another program is about to replace this one */
	PROGRAM_EXITS,	       /* exit(3), or main() returned */
	PROGRAM_EXITS_AT_ONCE, /* _exit(2), quick_exit(3) */
};

/* What the layer calls. Each hook but the first two may be NULL. */
struct program_hooks {
	/*
	 * One of our signals was delivered. The hook returns true when a counter of the
	 * calling thread sent it and the sample is taken; false when the signal is the
	 * program's. ucontext is what the kernel gave the handler, or, where a wait of
	 * the program's (sigwait and the like) took the signal, the context of that wait.
	 * Async-signal-safe.
	 */
	bool (*sample)(int signo, siginfo_t *info, void *ucontext);

	/* The same where a call of the program's that sleeps held the signal back until
	   now, or took it. */
	bool (*sample_held)(int signo, siginfo_t *info, void *ucontext);

	/* The calling thread is about to sleep in a call of the program's, or has slept in one.
	   Async-signal-safe. */
	void (*awake)(void);

	/* An access to memory raised SIGBUS. The hook returns true when the memory is
	   the tool's own and can be accessed now. Async-signal-safe. */
	bool (*fault)(const void *address);

	/* Counters of all threads must signal by number `signo' from now on. */
	void (*renumber)(int signo);

	/* Runs on a new thread, before the thread's own function. */
	void (*thread_begins)(void);

	/* This process goes on as a program that is started without our libraries: it `why'
	   ("was built for another C library"). Before `ends'; async-signal-safe. */
	void (*goes_on)(const char *why);

	/* The program ends in this process. exec_failed: an exec that `ends' was called for has
	   returned, or a spawn has ended during which the kernel ignored one of our signals. */
	void (*ends)(enum program_end how);
	void (*exec_failed)(void);

	/* The calling thread is about to let its parent trace it: each signal will stop it until
	   the parent lets it go on. traced(false) follows where that has failed, and traced(true)
	   had returned true: it was not known to be traced. */
	bool (*traced)(bool traced);

	/* Runs in a fork's child, on its only thread. This layer is in order by then. */
	void (*forked)(void);

	/* Objects are about to be unloaded; unloaded() follows. */
	void (*unloading)(void);

	/* Objects were unloaded: another object's code may lie at their addresses now.
	   Async-signal-safe. */
	void (*unloaded)(void);

	/* The program is about to change the protection or mapping of this memory, or
	   has just changed it. Async-signal-safe. */
	void (*protects)(const void *at, size_t bytes);

	/* The program has limited its address space to so many bytes. */
	void (*limits)(unsigned long long bytes);

	/* The calling thread is about to block, as the program asked for, a number that
	   counters have left. No signal comes meanwhile. Async-signal-safe. */
	void (*settles)(void);

	/* The library was preloaded, and its constructor runs. */
	void (*preloaded)(void);

	/* omp_control_tool() where the runtime has no tool, or none yet. */
	int (*control)(int command, const void *arg);
};

/* Defined by the tool. */
extern const struct program_hooks program_hooks;

/* ---- the process ---------------------------------------------------------- */

/*
 * Takes the process: this process is ours from here on, and so is each child that
 * it forks through libc. Called once. 0 or -errno.
 */
int program_take(void);

/*
 * Whether the caller runs in the process that was taken. False before
 * program_take(), in a child of vfork() or clone() that shares our memory, and in a
 * child that was forked by a bare system call. One system call. Async-signal-safe.
 */
bool program_is_ours(void);

/* Reads 1 in the process that was taken, and 0 in a child that was forked by a bare
   system call; costs no system call. 0 before program_take(). */
extern const volatile unsigned char *program_alive;

/* Whether the tool is a shared object (libomphwc.so), not linked into the program. */
extern const bool program_is_apart;

/* The function of that name that the program's own calls would reach, or NULL. Takes the
   loader's lock. */
void *program_function(const char *name);

/* The next one of that name behind this library in the loader's order, or NULL. */
void *program_next_function(const char *name);

/* Writes a line to standard error. A closed pipe there does not end the program by
   SIGPIPE. Keeps errno. */
void program_say(const char *line, size_t bytes);

/* ---- signals -------------------------------------------------------------- */

enum program_signals {
	PROGRAM_QUEUED = 1,   /* a real-time signal, for a counter's file or timer */
	PROGRAM_STAND_IN = 2, /* SIGIO, which the kernel sends instead when the queue is full */
	PROGRAM_TRAP = 4,     /* SIGTRAP: perf's synchronous signal */
	PROGRAM_IN_WAITS = 8, /* the signals interrupt sleeping threads as well */
};

/*
 * Takes the signals of `which' (enum program_signals), and SIGBUS. Returns the
 * real-time signal's number, 0 where none was taken, or -errno: -EBUSY where the
 * program uses all real-time signals. After program_take().
 */
int program_signals_take(unsigned which);

/* Whether the kernel's disposition of signo is another than the default. */
bool program_signal_is_used(int signo);

/* ---- threads -------------------------------------------------------------- */

/*
 * The calling thread is sampled from here on: unblocks our signals in it, and
 * installs an alternate signal stack where the thread's own stack is small.
 * Ordinary code, once a thread.
 */
void program_thread_begins(size_t stack_bytes);

/* The calling thread is sampled no more and about to end: removes our alternate stack. */
void program_thread_ends(void);

#endif
