/* SPDX-License-Identifier: BSD-3-Clause */
/* toolchains.h - the descriptions.  Private to the folder. */
#ifndef OMPHWC_SRC_TOOLCHAIN_TOOLCHAINS_H
#define OMPHWC_SRC_TOOLCHAIN_TOOLCHAINS_H

#include "src/toolchain/states.h"
#include "src/toolchain/toolchain.h"

extern const struct toolchain toolchain_gnu, toolchain_llvm, toolchain_other;

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#endif
