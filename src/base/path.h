/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path.h - parts of paths.
 */
#ifndef OMPHWC_SRC_BASE_PATH_H
#define OMPHWC_SRC_BASE_PATH_H

/* The last component of a path, within it; NULL for NULL. */
const char *path_base(const char *path);

#endif
