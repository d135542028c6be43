/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_process.h - a copy of a running process: the registers and stacks of its threads, and what
 * the kernel reports of each.
 *
 * All threads are stopped by PTRACE_SEIZE and PTRACE_INTERRUPT, copied, and let go: the process
 * gets no signal, and a stopped one stays stopped.  The tracer is a thread of its own, so that the
 * kernel lets go of all that it holds when that ends, or the command is killed.
 */
#ifndef OMPHWC_SRC_STACK_STACK_PROCESS_H
#define OMPHWC_SRC_STACK_STACK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct trouble;

enum {
	STACK_REGISTERS_BYTES = 512,
	STACK_ARGUMENTS = 6,
	STACK_NAME_BYTES = 32,
	STACK_FUTEX_WORDS = 4
};

/* A part of the address space. */
struct stack_range {
	uint64_t lo, hi, offset;
	bool code;
	char *path; /* or NULL */
};

struct stack_frame {
	uint64_t pc;
	uint64_t sp;
	uint64_t saved; /* a hash of the registers that calls preserve */
	bool exact;	/* of the instruction that is executed next; else a return address */
};

struct stack_thread {
	pid_t tid;
	pid_t inner;		     /* its number in its own namespace, which locks record */
	char name[STACK_NAME_BYTES]; /* the kernel's */
	bool stopped;		     /* it was, so that its registers are known */
	bool delicate; /* it was not, as its system call does not go on after a stop: only pc and
			  sp are known */
	bool asleep;   /* in the system call `call` */
	long call;
	uint64_t args[STACK_ARGUMENTS];
	uint32_t futex[STACK_FUTEX_WORDS]; /* SYS_futex: what is there, from its address on */
	size_t futex_words;
	uint64_t pc, sp;
	unsigned char registers[STACK_REGISTERS_BYTES]; /* as of PTRACE_GETREGSET */
	uint64_t stack_lo;				/* of the copy */
	unsigned char *stack;
	size_t stack_bytes;
	struct stack_frame *frames; /* innermost first: see stack_unwind.h */
	size_t nframes, frames_room;
	bool whole; /* down to the thread's start */
};

struct stack_process {
	pid_t pid;
	char *exe, *root, *cwd; /* root: prepended to its paths, or NULL */
	uint64_t start_ns;	/* CLOCK_REALTIME */
	uint64_t stopped_ns;	/* from the first thread's stop until the last one was let go */
	struct stack_thread *threads; /* by tid */
	size_t nthreads, threads_room;
	struct stack_range *ranges; /* by address */
	size_t nranges, ranges_room;
};

/* 0, or -1 with *t filled in; stack_process_free() is required in any case. */
int stack_process_copy(struct stack_process *p, pid_t pid, struct trouble *t);
void stack_process_free(struct stack_process *p);

/* Copies memory of the process as it is now.  The number of bytes, which is less than requested
   where there are no more. */
size_t stack_process_read(const struct stack_process *p, uint64_t at, void *to, size_t bytes);

#endif
