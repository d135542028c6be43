/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elfsyms.h - which functions a program's or library's dynamic symbols are of.
 */
#ifndef OMPHWC_SRC_RUN_ELFSYMS_H
#define OMPHWC_SRC_RUN_ELFSYMS_H

#include <stdbool.h>

/* Whether the file at path needs or defines that function. False for what is no ELF file. */
bool elfsyms_mentions(const char *path, const char *name);

#endif
