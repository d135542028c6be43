/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writers block all signals and hold a spin lock. So a handler never interrupts a
 * writer of its own thread, and one that meets another thread's writer reads again.
 */
#include "config.h"

#include "ompt_tool/program/shared.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "ompt_tool/program/deliver.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/witness.h"
#include "src/profile/syscalls.h"

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
static _Atomic uint32_t shielded;
static _Atomic int queued = SHARED_NONE, spare = SHARED_NONE, trap = SHARED_NONE;
/* Sets of numbers: those that the program uses, that counters send, that they have left. */
static _Atomic uint64_t named, sent, left;
static bool in_waits;

/* ---- writers, one at a time ---------------------------------------------- */

static atomic_flag busy = ATOMIC_FLAG_INIT;

/* The store under way, complete before the disposition changes: shared_forked() repeats it. */
static struct {
	struct shared *slot;
	struct sigaction act;
} stored;

static uint64_t begin(void)
{
	const uint64_t all = ~UINT64_C(0), before = mask_change(SIG_SETMASK, &all);

	for (unsigned tries = 0; atomic_flag_test_and_set_explicit(&busy, memory_order_acquire);)
		call_give_way(tries++);
	return before;
}

static void end(uint64_t before)
{
	atomic_flag_clear_explicit(&busy, memory_order_release);
	mask_change(SIG_SETMASK, &before);
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

void shared_remove(sigset_t *set, uint32_t which)
{
	for (int i = 0; i < nslots; i++)
		if ((which & SHARED_BIT(i)) != 0)
			sigdelset(set, slots[i].signo);
}

uint64_t shared_left(void)
{
	return left;
}

uint64_t shared_shielded_bits(void)
{
	uint64_t bits = 0;

	for (int i = 0; i < nslots; i++)
		if ((shielded & SHARED_BIT(i)) != 0)
			bits |= mask_bit(slots[i].signo);
	return bits;
}

uint32_t shared_shielded(void)
{
	return shielded;
}

/* ---- dispositions --------------------------------------------------------- */

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

	if (!shared_has_handler(program) || (program->sa_flags & SA_RESTART) != 0 ||
	    (in_waits && (sent & mask_bit(signo)) != 0))
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
	uint64_t before;

	if (old)
		shared_disposition(slot, old);
	if (!act)
		return;
	before = begin();
	store(&slots[slot], act);
	install(slots[slot].signo, act, NULL);
	end(before);
}

/* Lets the kernel ignore a signal that the program ignores. True when that changed the
   kernel's disposition. */
static bool ignore(int slot)
{
	struct sigaction program, kernel;

	shared_disposition(slot, &program);
	return !shared_has_handler(&program) && program.sa_handler == SIG_IGN &&
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
	uint64_t before;

	before = begin();
	for (int i = 0; i < nslots; i++)
		if (slots[i].true_for != 0 || ignore(i)) {
			slots[i].true_for++;
			changed |= SHARED_BIT(i);
		}
	end(before);
	return changed;
}

void shared_dispositions_back(uint32_t changed)
{
	uint64_t before;

	if (changed == 0)
		return;
	before = begin();
	for (int i = 0; i < nslots; i++)
		if ((changed & SHARED_BIT(i)) != 0 && --slots[i].true_for == 0)
			handle_again(i);
	end(before);
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

/* The numbers in the group beside those that counters send (witness.h); 0: none yet. */
enum role { MARKER, WHOLE, OF_TRAP, OF_BUS, ROLES };
static int roles[ROLES];
static uint64_t older; /* witnesses of earlier generations' groups */

static uint64_t bit_of(int slot)
{
	return slot != SHARED_NONE ? mask_bit(slots[slot].signo) : 0;
}

static uint64_t group(void)
{
	uint64_t bits = bit_of(queued) | bit_of(spare) | older;

	for (int i = 0; i < ROLES; i++)
		if (roles[i] != 0)
			bits |= mask_bit(roles[i]);
	return bits;
}

static uint64_t realtime(void)
{
	uint64_t bits = 0;

	for (int signo = SIGRTMIN; signo <= SIGRTMAX; signo++)
		bits |= mask_bit(signo);
	return bits;
}

/* Searches from the middle upward: programs mostly use the lowest, and libraries the
   highest. */
static int free_realtime(void)
{
	enum { MIDDLE = 10 };
	const int n = SIGRTMAX - SIGRTMIN + 1;

	for (int i = 0; i < n; i++) {
		const int signo = SIGRTMIN + (MIDDLE + i) % n;
		struct sigaction old;

		if (((named | group()) & mask_bit(signo)) == 0 &&
		    shared_slot(signo) == SHARED_NONE && next.sigaction(signo, NULL, &old) == 0 &&
		    !shared_has_handler(&old) && old.sa_handler == SIG_DFL)
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

/* Takes a number that counters send. */
static int take_sent(int signo)
{
	if (signo > 0)
		atomic_fetch_or(&sent, mask_bit(signo));
	return take(signo);
}

static int take_queued(void)
{
	int slot = take_sent(free_realtime());

	if (slot < 0)
		return slot;
	queued = slot;
	if (in_waits)
		shielded |= SHARED_BIT(slot);
	slot = take_sent(free_realtime());
	spare = slot >= 0 ? slot : SHARED_NONE;
	return 0;
}

static void add_own(struct witness *w, int i, int signo, int number)
{
	w->own[i].signal = mask_bit(signo);
	w->own[i].witness = number != 0 ? mask_bit(number) : 0;
}

/* A generation of the group as it is now, with a new witness for the whole. Without a free
   number for each role all masks are literal: a thread that blocks the counters' signal
   has no samples meanwhile. */
static void publish(void)
{
	const bool of_trap = shared_slot(SIGTRAP) != SHARED_NONE,
		   of_bus = shared_slot(SIGBUS) != SHARED_NONE;
	struct witness w = { 0 };
	bool enough = true;

	if (roles[WHOLE] != 0)
		older |= mask_bit(roles[WHOLE]);
	roles[WHOLE] = 0;
	for (int i = 0; i < ROLES; i++) {
		if (roles[i] != 0 || (i == OF_TRAP && !of_trap) || (i == OF_BUS && !of_bus))
			continue;
		/* With our handler: the kernel does not block all of them where the
		   program blocks the group. */
		const int slot = take(free_realtime());

		enough = enough && slot >= 0;
		roles[i] = slot >= 0 ? slots[slot].signo : 0;
	}
	if (enough) {
		w = (struct witness){ .group = group(),
				      .marker = mask_bit(roles[MARKER]),
				      .whole = mask_bit(roles[WHOLE]),
				      .sent = bit_of(queued) | bit_of(spare),
				      .shield = bit_of(spare),
				      .shielded = bit_of(trap),
				      .open = bit_of(trap) | (of_bus ? mask_bit(SIGBUS) : 0) };
		add_own(&w, 0, SIGTRAP, roles[OF_TRAP]);
		add_own(&w, 1, SIGBUS, roles[OF_BUS]);
	}
	witness_publish(&w);
}

/* The numbers of a mask that this program or its parent set before are not free. */
static void name_inherited(void)
{
	atomic_fetch_or(&named, shared_names(mask_change(SIG_BLOCK, NULL)) & realtime());
}

int program_signals_take(unsigned which)
{
	int err = 0;

	in_waits = (which & PROGRAM_IN_WAITS) != 0;
	name_inherited();
	/* With SIGTRAP these are a reserve: they must be open in every thread before
	   the program uses SIGTRAP itself. */
	if ((which & (PROGRAM_QUEUED | PROGRAM_TRAP)) != 0)
		err = take_queued();
	if ((which & PROGRAM_QUEUED) == 0)
		err = 0;
	if (err == 0 && (which & PROGRAM_STAND_IN) != 0)
		err = take(SIGIO);
	if (err >= 0 && (which & PROGRAM_TRAP) != 0) {
		err = take_sent(SIGTRAP);
		trap = err;
	}
	if (err >= 0 && trap >= 0 && in_waits)
		shielded |= SHARED_BIT(trap);
	if (err >= 0 && program_hooks.fault)
		err = take(SIGBUS);
	if (err >= 0)
		publish();
	return err < 0 ? err : shared_signo(queued);
}

bool program_signal_is_used(int signo)
{
	struct sigaction old;

	return next.sigaction(signo, NULL, &old) != 0 || shared_has_handler(&old) ||
	       old.sa_handler != SIG_DFL;
}

/* ---- and leaving them ----------------------------------------------------- */

static void leave(int slot)
{
	atomic_fetch_and(&sent, ~bit_of(slot));
	atomic_fetch_or(&left, bit_of(slot));
	atomic_fetch_and(&shielded, ~SHARED_BIT(slot));
}

/* Where the program uses `queued': the spare takes over, or a fresh number where there
   was no spare. A fresh number becomes the new spare. */
static void move_on(int slot)
{
	const bool leaves = slot == queued;
	int fresh = take_sent(free_realtime());

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
	/* First of all, so that no counter sends a number that masks block. */
	if (leaves && program_hooks.renumber)
		program_hooks.renumber(slots[queued].signo);
	publish();
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
	publish();
}

/* A witness or the marker leaves the group; another number takes its role. */
static void leave_role(int signo)
{
	for (int i = 0; i < ROLES; i++)
		if (roles[i] == signo)
			roles[i] = 0;
	older &= ~mask_bit(signo);
	witness_forget(signo);
	publish();
}

static bool is_in_group(int signo)
{
	const struct witness *w = witness_now();

	return w && (w->group & mask_bit(signo)) != 0;
}

void shared_named(int signo)
{
	const int slot = shared_slot(signo);
	uint64_t before, program;

	if ((signo != SIGTRAP && signo < SIGRTMIN) || signo > SIGRTMAX ||
	    (named & mask_bit(signo)) != 0)
		return;
	atomic_fetch_or(&named, mask_bit(signo));
	if (slot == SHARED_NONE ||
	    (slot != queued && slot != spare && slot != trap && !is_in_group(signo)))
		return;
	before = begin();
	program = witness_decode(before);
	if (slot == trap) {
		leave_trap();
	} else if (slot == queued || slot == spare) {
		move_on(slot);
	} else {
		leave_role(signo);
		/* It may stand in this thread's mask for what it was the witness of. Held
		   signals stay blocked. */
		if (!witness_is_literal(before))
			before = witness_encode(program) |
				 (before & program & ~witness_now()->group);
	}
	end(before);
}

bool shared_are_most(uint64_t set)
{
	return 4 * mask_count(set & realtime()) >= 3 * mask_count(realtime());
}

/* A set with nearly all numbers of a range (3 of 4) names none of them, but those of the
   group that it leaves out. */
uint64_t shared_names(uint64_t set)
{
	const uint64_t all = realtime(), rt = set & all, low = set & (mask_bit(SIGSYS + 1) - 1);
	const struct witness *w = witness_now();
	uint64_t names = 0;

	if (4 * mask_count(low) < 3 * SIGSYS)
		names |= low & mask_bit(SIGTRAP);
	if (rt == all)
		return names & ~named;
	if (!shared_are_most(rt))
		names |= rt;
	else if (w)
		names |= w->group & ~rt;
	return names & ~named;
}

void shared_named_in(const sigset_t *set)
{
	const uint64_t names = shared_names(mask_get(set));

	for (int signo = 1; names != 0 && signo <= SIGRTMAX; signo++)
		if ((names & mask_bit(signo)) != 0)
			shared_named(signo);
}
