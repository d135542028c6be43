/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * try_formats.h - declares the writers of the command try.
 */
#ifndef OMPHWC_SRC_OUTPUT_TRY_FORMATS_H
#define OMPHWC_SRC_OUTPUT_TRY_FORMATS_H

#include <stdio.h>

struct tried;

void try_text_write(FILE *out, const struct tried *t);

void try_json_write(FILE *out, const struct tried *t);

#endif
