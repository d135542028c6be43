/*
 * shared.c - see shared.h.
 *
 * Writers block all signals and hold a spin lock. So a handler never interrupts a
 * writer of its own thread, and one that meets another thread's writer reads again.
 */
#include "config.h"

#include "ompt_tool/program/shared.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "ompt_tool/program/deliver.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"

struct shared {
	_Atomic int signo;
	_Atomic uint32_t sequence; /* odd: the disposition is being written */
	struct sigaction program;  /* the program's disposition */
	int true_for;		   /* threads in exec or spawn that need the kernel to
					   ignore it */
};

/* Owned by this file. queued: the slot whose number counters' files and timers send;
   spare: its successor, open already; trap: SIGTRAP's slot while counters send it. */
static struct shared slots[SHARED_SLOTS];
static _Atomic int nslots;
static _Atomic uint32_t open_slots, shielded;
static _Atomic int queued = SHARED_NONE, spare = SHARED_NONE, trap = SHARED_NONE;
static _Atomic uint64_t named; /* a bit for each number that the program uses */
static bool in_waits;

/* ---- writers, one at a time ---------------------------------------------- */

static atomic_flag busy = ATOMIC_FLAG_INIT;

/* The store under way, complete before the disposition changes: shared_forked() repeats it. */
static struct {
	struct shared *slot;
	struct sigaction act;
} stored;

static void begin(sigset_t *before)
{
	sigset_t all;

	memset(&all, 0xff, sizeof(all));
	next.pthread_sigmask(SIG_SETMASK, &all, before);
	while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		sched_yield();
}

static void end(const sigset_t *before)
{
	atomic_flag_clear_explicit(&busy, memory_order_release);
	next.pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* ---- slots ---------------------------------------------------------------- */

int shared_slot(int signo)
{
	const int n = atomic_load_explicit(&nslots, memory_order_acquire);

	for (int i = 0; i < n; i++)
		if (slots[i].signo == signo)
			return i;
	return SHARED_NONE;
}

int shared_signo(int slot)
{
	return slot >= 0 && slot < nslots ? slots[slot].signo : 0;
}

uint32_t shared_in(const sigset_t *set, uint32_t which)
{
	uint32_t in = 0;

	for (int i = 0; i < nslots; i++)
		if ((which & SHARED_BIT(i)) != 0 && sigismember(set, slots[i].signo) == 1)
			in |= SHARED_BIT(i);
	return in;
}

void shared_add(sigset_t *set, uint32_t which)
{
	for (int i = 0; i < nslots; i++)
		if ((which & SHARED_BIT(i)) != 0)
			sigaddset(set, slots[i].signo);
}

void shared_remove(sigset_t *set, uint32_t which)
{
	for (int i = 0; i < nslots; i++)
		if ((which & SHARED_BIT(i)) != 0)
			sigdelset(set, slots[i].signo);
}

uint32_t shared_open(void)
{
	return open_slots;
}

uint32_t shared_shielded(void)
{
	return shielded;
}

/* ---- dispositions --------------------------------------------------------- */

static bool is_handled(const struct sigaction *a)
{
	return (a->sa_flags & SA_SIGINFO) != 0 ||
	       (a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN);
}

bool shared_is_own(const struct sigaction *a)
{
	return (a->sa_flags & SA_SIGINFO) != 0 &&
	       (a->sa_sigaction == deliver_signal || a->sa_sigaction == deliver_fault);
}

void shared_disposition(int slot, struct sigaction *out)
{
	struct shared *s = &slots[slot];
	uint32_t sequence;

	do {
		sequence = atomic_load_explicit(&s->sequence, memory_order_acquire);
		memcpy(out, &s->program, sizeof(*out));
		atomic_thread_fence(memory_order_acquire);
	} while ((sequence & 1) != 0 ||
		 sequence != atomic_load_explicit(&s->sequence, memory_order_relaxed));
}

static void store(struct shared *s, const struct sigaction *act)
{
	const uint32_t sequence = atomic_load_explicit(&s->sequence, memory_order_relaxed);

	stored.slot = s;
	stored.act = *act;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&s->sequence, sequence | 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	memcpy(&s->program, act, sizeof(*act));
	atomic_store_explicit(&s->sequence, (sequence | 1) + 1, memory_order_release);
}

/*
 * Installs our handler in the kernel. Where the program's handler is to interrupt
 * system calls, ours has no SA_RESTART either. Samples of user code never interrupt
 * one. Signals that come to sleeping threads do, so their numbers always have
 * SA_RESTART.
 */
static int install(int signo, const struct sigaction *program, struct sigaction *old)
{
	struct sigaction act = { .sa_flags = SA_SIGINFO | SA_ONSTACK };

	if (!is_handled(program) || (program->sa_flags & SA_RESTART) != 0 ||
	    (in_waits && (open_slots & SHARED_BIT(shared_slot(signo))) != 0))
		act.sa_flags |= SA_RESTART;
	act.sa_sigaction = signo == SIGBUS ? deliver_fault : deliver_signal;
	/* memset(), since sigfillset() leaves out the two signals by which libc cancels
	   threads and changes user ids. */
	memset(&act.sa_mask, 0xff, sizeof(act.sa_mask));
	if (signo != SIGBUS)
		sigdelset(&act.sa_mask, SIGBUS);
	return next.sigaction(signo, &act, old);
}

void shared_dispose(int slot, const struct sigaction *act, struct sigaction *old)
{
	sigset_t before;

	if (old)
		shared_disposition(slot, old);
	if (!act)
		return;
	begin(&before);
	store(&slots[slot], act);
	install(slots[slot].signo, act, NULL);
	end(&before);
}

/* Lets the kernel ignore a signal that the program ignores. True when that changed the
   kernel's disposition. */
static bool ignore(int slot)
{
	struct sigaction program, kernel;

	shared_disposition(slot, &program);
	return !is_handled(&program) && program.sa_handler == SIG_IGN &&
	       next.sigaction(slots[slot].signo, NULL, &kernel) == 0 && shared_is_own(&kernel) &&
	       next.sigaction(slots[slot].signo, &program, NULL) == 0;
}

static void handle_again(int slot)
{
	struct sigaction program;

	shared_disposition(slot, &program);
	install(slots[slot].signo, &program, NULL);
}

uint32_t shared_dispositions_true(void)
{
	uint32_t changed = 0;
	sigset_t before;

	begin(&before);
	for (int i = 0; i < nslots; i++)
		if (slots[i].true_for != 0 || ignore(i)) {
			slots[i].true_for++;
			changed |= SHARED_BIT(i);
		}
	end(&before);
	return changed;
}

void shared_dispositions_back(uint32_t changed)
{
	sigset_t before;

	if (changed == 0)
		return;
	begin(&before);
	for (int i = 0; i < nslots; i++)
		if ((changed & SHARED_BIT(i)) != 0 && --slots[i].true_for == 0)
			handle_again(i);
	end(&before);
}

uint32_t shared_dispositions_true_in_child(void)
{
	uint32_t changed = 0;

	for (int i = 0; i < nslots; i++)
		if (ignore(i))
			changed |= SHARED_BIT(i);
	return changed;
}

void shared_dispositions_back_in_child(uint32_t changed)
{
	for (int i = 0; i < nslots; i++)
		if ((changed & SHARED_BIT(i)) != 0)
			handle_again(i);
}

/* The thread that was writing exists in the parent only. Its lock is released, and its
   store is repeated: each reader would spin on an odd sequence for ever. */
void shared_forked(void)
{
	const struct sigaction act = stored.act;

	if (stored.slot && (stored.slot->sequence & 1) != 0)
		store(stored.slot, &act);
	atomic_flag_clear(&busy);
	for (int i = 0; i < nslots; i++)
		if (slots[i].true_for != 0) {
			slots[i].true_for = 0;
			handle_again(i);
		}
}

/* ---- taking numbers ------------------------------------------------------- */

static uint64_t bit_of(int signo)
{
	return UINT64_C(1) << (signo - 1);
}

/* Searches downward: programs that use real-time signals mostly use the lowest. */
static int free_realtime(void)
{
	for (int signo = SIGRTMAX - 2; signo > SIGRTMIN; signo--) {
		struct sigaction old;

		if ((named & bit_of(signo)) == 0 && shared_slot(signo) == SHARED_NONE &&
		    next.sigaction(signo, NULL, &old) == 0 && !is_handled(&old) &&
		    old.sa_handler == SIG_DFL)
			return signo;
	}
	return -EBUSY;
}

/* Takes signo: its slot, or -errno. */
static int take(int signo)
{
	const int i = nslots;
	struct sigaction old;

	if (signo < 0)
		return signo;
	if (i == SHARED_SLOTS)
		return -ENOSPC;
	if (next.sigaction(signo, NULL, &old) != 0)
		return -errno;
	store(&slots[i], &old);
	slots[i].signo = signo;
	atomic_store_explicit(&nslots, i + 1, memory_order_release);
	if (install(signo, &old, NULL) == 0)
		return i;
	slots[i].signo = 0;
	return -errno;
}

static int take_open(int signo)
{
	const int slot = take(signo);

	if (slot >= 0)
		atomic_fetch_or(&open_slots, SHARED_BIT(slot));
	return slot;
}

static int take_queued(void)
{
	int slot = take_open(free_realtime());

	if (slot < 0)
		return slot;
	queued = slot;
	if (in_waits)
		shielded |= SHARED_BIT(slot);
	slot = take_open(free_realtime());
	spare = slot >= 0 ? slot : SHARED_NONE;
	return 0;
}

int program_signals_take(unsigned which)
{
	int err = 0;

	in_waits = (which & PROGRAM_IN_WAITS) != 0;
	/* With SIGTRAP these are a reserve: they must be open in every thread before
	   the program uses SIGTRAP itself. */
	if ((which & (PROGRAM_QUEUED | PROGRAM_TRAP)) != 0)
		err = take_queued();
	if ((which & PROGRAM_QUEUED) == 0)
		err = 0;
	if (err == 0 && (which & PROGRAM_STAND_IN) != 0)
		err = take(SIGIO);
	if (err >= 0 && (which & PROGRAM_TRAP) != 0) {
		err = take_open(SIGTRAP);
		trap = err;
	}
	if (err >= 0 && trap >= 0 && in_waits)
		shielded |= SHARED_BIT(trap);
	if (err >= 0 && program_hooks.fault)
		err = take_open(SIGBUS);
	return err < 0 ? err : shared_signo(queued);
}

bool program_signal_is_used(int signo)
{
	struct sigaction old;

	return next.sigaction(signo, NULL, &old) != 0 || is_handled(&old) ||
	       old.sa_handler != SIG_DFL;
}

/* ---- and leaving them ----------------------------------------------------- */

static void leave(int slot)
{
	atomic_fetch_and(&open_slots, ~SHARED_BIT(slot));
	atomic_fetch_and(&shielded, ~SHARED_BIT(slot));
}

/* Where the program uses `queued': the spare takes over, or a fresh number where there
   was no spare. A fresh number becomes the new spare. */
static void move_on(int slot)
{
	const bool leaves = slot == queued;
	int fresh = take_open(free_realtime());

	if (leaves) {
		const int to = spare != SHARED_NONE ? spare : fresh;

		if (to < 0)
			return;
		if (to == fresh)
			fresh = SHARED_NONE;
		queued = to;
		if (in_waits)
			shielded |= SHARED_BIT(to);
	}
	spare = fresh >= 0 ? fresh : SHARED_NONE;
	leave(slot);
	if (leaves && program_hooks.renumber)
		program_hooks.renumber(slots[queued].signo);
}

/* The kernel keeps one pending SIGTRAP: the program's would be lost while a counter's
   pends. So counters switch to the queued signal. */
static void leave_trap(void)
{
	if (queued == SHARED_NONE || !program_hooks.renumber || take(SIGIO) < 0)
		return;
	leave(trap);
	trap = SHARED_NONE;
	if (in_waits)
		shielded |= SHARED_BIT(queued);
	program_hooks.renumber(slots[queued].signo);
}

void shared_named(int signo)
{
	const int slot = shared_slot(signo);
	sigset_t before;

	if ((signo != SIGTRAP && signo < SIGRTMIN) || signo > SIGRTMAX ||
	    (named & bit_of(signo)) != 0)
		return;
	atomic_fetch_or(&named, bit_of(signo));
	if (slot == SHARED_NONE || (slot != queued && slot != spare && slot != trap))
		return;
	begin(&before);
	if (slot == trap)
		leave_trap();
	else
		move_on(slot);
	end(&before);
}

/* A set with nearly all numbers of a range (3 of 4) names none of them. */
static bool names_some(const sigset_t *set, int from, int to)
{
	int in = 0;

	for (int signo = from; signo <= to; signo++)
		in += sigismember(set, signo) == 1;
	return in != 0 && 4 * in < 3 * (to - from + 1);
}

void shared_named_in(const sigset_t *set)
{
	if (sigismember(set, SIGTRAP) == 1 && names_some(set, 1, SIGSYS))
		shared_named(SIGTRAP);
	if (!names_some(set, SIGRTMIN, SIGRTMAX))
		return;
	for (int signo = SIGRTMIN; signo <= SIGRTMAX; signo++)
		if (sigismember(set, signo) == 1)
			shared_named(signo);
}
