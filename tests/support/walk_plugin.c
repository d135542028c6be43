/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_plugin.c - a library whose code is the same for every FRAME, except for a number,
 * while its unwind rules differ.
 */
#include "config.h"

#include "tests/support/walk_plugin.h"

void walk_plugin(void (*f)(void))
{
	volatile char room[FRAME];

	room[FRAME - 1] = 1;
	__asm__ volatile("" : : "r"(room) : "memory");
	f();
	room[0] = room[FRAME - 1];
}
