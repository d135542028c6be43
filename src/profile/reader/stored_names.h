/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stored_names.h - takes the stored names of a profile, whose contents are not examined.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_STORED_NAMES_H
#define OMPHWC_SRC_PROFILE_READER_STORED_NAMES_H

struct chunk;
struct prof_file;

/* Takes the names of a NAMES chunk; they replace earlier ones.  0 or -ENOMEM. */
int names_take(struct prof_file *f, const unsigned char *bytes, const struct chunk *c);

#endif
