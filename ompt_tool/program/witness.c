/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/program/witness.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "src/profile/bare_call.h"

/* Owned by this file. Each is constant once ngenerations counts it, but for `whole', which
   witness_forget() clears. */
static struct witness generations[WITNESS_GENERATIONS];
static _Atomic int ngenerations;
static _Atomic uint64_t emitted; /* the witnesses that a mask was made with */

const struct witness *witness_now(void)
{
	const int n = atomic_load_explicit(&ngenerations, memory_order_acquire);

	return n == 0 ? NULL : &generations[n - 1];
}

bool witness_publish(const struct witness *w)
{
	const int n = ngenerations;

	if (n == WITNESS_GENERATIONS)
		return false;
	generations[n] = *w;
	atomic_store_explicit(&ngenerations, n + 1, memory_order_release);
	return true;
}

static uint64_t whole_of(const struct witness *w)
{
	return __atomic_load_n(&w->whole, __ATOMIC_RELAXED);
}

void witness_forget(int signo)
{
	for (int i = 0; i < ngenerations; i++)
		if (whole_of(&generations[i]) == mask_bit(signo))
			__atomic_store_n(&generations[i].whole, 0, __ATOMIC_RELAXED);
}

/* The generation that a mask was made in: the oldest whose witness of the group it has. That
   of a newer one was a number like others before, and a newer mask has none of an older
   one's group. */
static const struct witness *generation_of(uint64_t kernel)
{
	const int n = atomic_load_explicit(&ngenerations, memory_order_acquire);

	for (int i = 0; i < n - 1; i++)
		if ((kernel & whole_of(&generations[i])) != 0)
			return &generations[i];
	return &generations[n - 1];
}

/* An encoded mask has an open signal where that is held, but not the numbers for samples with it;
   the mask of a sleep may, but not with the whole group. */
static bool is_literal(const struct witness *w, uint64_t kernel)
{
	const uint64_t group = w->group & ~w->marker;

	return (kernel & w->marker) != 0 || (w->sent != 0 && (kernel & group) == group &&
					     (kernel & w->open & ~w->shielded) != 0);
}

static bool is_partial(const struct witness *w, uint64_t set)
{
	return (set & w->group) != 0 && (set & w->group) != w->group;
}

uint64_t witness_literal(uint64_t program, bool marked)
{
	const struct witness *w = witness_now();

	return w && (marked || is_partial(w, program)) ? program | w->marker : program;
}

uint64_t witness_encode(uint64_t program)
{
	const struct witness *w = witness_now();
	uint64_t kernel;

	if (!w)
		return program;
	if (is_partial(w, program))
		return program | w->marker;
	kernel = program & ~w->group & ~w->open;
	for (int i = 0; i < WITNESS_OWN; i++)
		if ((program & w->open & w->own[i].signal) != 0)
			kernel |= w->own[i].witness;
	if ((program & w->group) != 0)
		kernel |= whole_of(w);
	if ((kernel & w->group & ~emitted) != 0)
		atomic_fetch_or(&emitted, kernel & w->group);
	return kernel;
}

/* The marker is the program's where most of the group is: it was not named by itself. */
static uint64_t decode_literal(const struct witness *w, uint64_t kernel)
{
	const bool most = 2 * mask_count(kernel & w->group & ~w->marker) >= mask_count(w->group);

	return most ? kernel : kernel & ~w->marker;
}

uint64_t witness_decode(uint64_t kernel)
{
	const struct witness *w = witness_now();
	uint64_t program;

	if (!w)
		return kernel;
	w = generation_of(kernel);
	if (is_literal(w, kernel))
		return decode_literal(w, kernel);
	program = kernel & ~w->group;
	if ((kernel & w->shield) != 0)
		program &= ~w->shielded;
	for (int i = 0; i < WITNESS_OWN; i++)
		if ((kernel & w->own[i].witness) != 0)
			program |= w->own[i].signal;
	if ((kernel & whole_of(w)) != 0)
		program |= w->group;
	return program;
}

bool witness_is_literal(uint64_t kernel)
{
	return witness_now() && is_literal(generation_of(kernel), kernel);
}

bool witness_is_old(uint64_t kernel)
{
	return ngenerations > 1 && generation_of(kernel) != witness_now();
}

uint64_t witness_unblock(uint64_t program)
{
	const struct witness *w = witness_now();
	uint64_t kernel = program;

	for (int i = 0; w && i < WITNESS_OWN; i++)
		if ((program & w->own[i].signal) != 0)
			kernel |= w->own[i].witness;
		else
			kernel &= ~w->own[i].witness;
	return kernel;
}

uint64_t witness_emitted(void)
{
	return emitted;
}

uint64_t mask_change(int how, const uint64_t *bits)
{
	uint64_t before = 0;

	bare_call(SYS_rt_sigprocmask, how, (long)bits, (long)&before, sizeof(before), 0, 0);
	return before;
}
