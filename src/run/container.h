/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * container.h - programs that start others in a container, or below another root folder.
 *
 * What they start has files of its own. Where that is given LD_PRELOAD and lacks libomphwc.so, or
 * has another C library, each of its programs complains, or ends.
 */
#ifndef OMPHWC_SRC_RUN_CONTAINER_H
#define OMPHWC_SRC_RUN_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether command starts a container into which library can't be loaded, as far as its words and
   the environment show; then *why is the reason, and what to do. launcher: ranks' launchers may
   precede the container's. */
bool container_refuses(char *const *command, bool launcher, const char *library, char *why,
		       size_t bytes);

#endif
