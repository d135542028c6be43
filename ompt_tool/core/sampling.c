/* sampling.c - see sampling.h. */
#include "config.h"

#include "ompt_tool/core/sampling.h"

struct sampling sampling;
