/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling.c - see sampling.h. */
#include "config.h"

#include "ompt_tool/sample/sampling.h"

struct sampling sampling;
