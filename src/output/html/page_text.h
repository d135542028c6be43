/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_text.h - the HTML pages, as the build embeds them (embed.sh): what comes before the
 * data, and after them.
 */
#ifndef OMPHWC_SRC_OUTPUT_HTML_PAGE_TEXT_H
#define OMPHWC_SRC_OUTPUT_HTML_PAGE_TEXT_H

#include <stddef.h>

/* Of a report. */
extern const unsigned char page_head[], page_tail[];
extern const size_t page_head_bytes, page_tail_bytes;

/* Of comparisons of runs. */
extern const unsigned char runs_page_head[], runs_page_tail[];
extern const size_t runs_page_head_bytes, runs_page_tail_bytes;

#endif
