/* runtime.c - see runtime.h. */
#include "config.h"

#include "ompt_tool/core/runtime.h"

const struct runtime *_Atomic runtime_current;
