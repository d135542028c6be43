/* runtime.c - see runtime.h. */
#include "config.h"

#include "ompt_tool/omp/runtime.h"

const struct runtime *_Atomic runtime_current;
