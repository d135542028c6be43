/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exit_status.h - exit statuses of ompcount's own failures.
 */
#ifndef OMPHWC_SRC_BASE_EXIT_STATUS_H
#define OMPHWC_SRC_BASE_EXIT_STATUS_H

enum {
	COMMAND_FAILED = 1,
	COMMAND_MISUSED = 2,
	COMMAND_ABOVE = 3, /* --fail-above: more than was allowed */
};

#endif
