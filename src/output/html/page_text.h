/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_text.h - the HTML page, as the build embeds it (embed.sh): what comes before the
 * data, and after them.
 */
#ifndef OMPHWC_SRC_OUTPUT_HTML_PAGE_TEXT_H
#define OMPHWC_SRC_OUTPUT_HTML_PAGE_TEXT_H

#include <stddef.h>

extern const unsigned char page_head[], page_tail[];
extern const size_t page_head_bytes, page_tail_bytes;

#endif
