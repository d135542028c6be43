/*
 * program.h - the one layer that owns what the profiled program and the tool
 * share: signals, faults, stacks for handlers, threads' beginnings, fork, exec,
 * exit, loaded objects, and libc's functions behind our wrappers.
 *
 * The rest of the tool includes this header and no other of this folder.  The
 * layer knows nothing of samples or profiles; it calls the hooks below.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_PROGRAM_H
#define OMPHWC_OMPT_TOOL_PROGRAM_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum program_end {
	PROGRAM_EXECS,		/* another program is about to take the process over */
	PROGRAM_EXITS,		/* exit(3), or main() returned */
	PROGRAM_EXITS_AT_ONCE,	/* _exit(2), quick_exit(3) */
};

/* What the layer calls.  A hook may be NULL but for `sample'. */
struct program_hooks {
	/*
	 * A signal of ours has come.  True when a counter of the calling thread
	 * sent it: it has been dealt with; false: it is the program's.  ucontext
	 * is what the kernel gave the handler, or the place of a wait that took
	 * the signal.  Async-signal-safe.
	 */
	bool (*sample)(int signo, siginfo_t *info, void *ucontext);

	/* Memory that cannot be read or written (SIGBUS): true when it was the
	   tool's own and can be by now.  Async-signal-safe. */
	bool (*fault)(const void *address);

	/* Counters are to signal by number `signo' from now on, in all threads. */
	void (*renumber)(int signo);

	/* On a new thread, before its own function. */
	void (*thread_begins)(void);

	/* The program ends in this process; after PROGRAM_EXECS: exec failed. */
	void (*ends)(enum program_end how);
	void (*exec_failed)(void);

	/* In a fork's child, in its only thread; the layer is right already. */
	void (*forked)(void);

	/* Objects were unloaded; code may be another's by now.  Async-signal-safe. */
	void (*unloaded)(void);

	/* The program changes what may be read there, or has.  Async-signal-safe. */
	void (*protects)(const void *at, size_t bytes);

	/* The library was preloaded and all of it is there. */
	void (*preloaded)(void);

	/* omp_control_tool() where the runtime has no tool (yet). */
	int (*control)(int command);
};

/* Registered by the tool's constructor-time code; static, never freed. */
extern const struct program_hooks program_hooks;

/* ---- the process ---------------------------------------------------------- */

/*
 * Takes the process: from here on it is ours, and so is each fork's child that is
 * made through libc.  Once.  0 or -errno.
 */
int program_take(void);

/*
 * Whether the caller runs in the process that was taken: false before, in a vfork's
 * or clone's child that shares our memory, and in a child that was forked behind
 * libc's back.  One system call.  Async-signal-safe.
 */
bool program_is_ours(void);

/* Reads 1 in the process that was taken, 0 in a child that was forked behind libc's
   back; no system call.  Before program_take(): 0. */
extern const volatile unsigned char *program_alive;

/* Whether the tool is an object of its own, not linked into another. */
extern const bool program_is_apart;

/* Writes a line to standard error; the program does not die where nobody reads.
   Keeps errno. */
void program_say(const char *line, size_t bytes);

/* ---- signals -------------------------------------------------------------- */

enum program_signals {
	PROGRAM_QUEUED = 1,	/* a real-time signal, for a counter's file or timer */
	PROGRAM_STAND_IN = 2,	/* SIGIO: stands in for the former when the queue is full */
	PROGRAM_TRAP = 4,	/* SIGTRAP: perf's synchronous signal */
	PROGRAM_IN_WAITS = 8,	/* they come to blocked threads as well */
};

/*
 * Takes the signals of `which' (enum program_signals), and SIGBUS.  The real-time
 * signal's number, 0 without PROGRAM_QUEUED, or -errno: -EBUSY where the program
 * uses all.  After program_take().
 */
int program_signals_take(unsigned which);

/* Whether something handles or ignores signo now: what the program would see. */
bool program_signal_is_used(int signo);

/* ---- threads -------------------------------------------------------------- */

/*
 * The calling thread is to be sampled: lets our signals through, and gives it an
 * alternate stack for them where its own is small.  Ordinary code, once a thread.
 */
void program_thread_begins(size_t stack_bytes);

/* It is not any more, and about to end: what it was given is taken back. */
void program_thread_ends(void);

#endif
