/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_decode.h - the decoders behind flow_decode(), one for each machine.
 */
#ifndef OMPHWC_SRC_CODE_FLOW_DECODE_H
#define OMPHWC_SRC_CODE_FLOW_DECODE_H

#include <stdbool.h>
#include <stdint.h>

struct callsite_code;
struct flow_insn;

/* Each as flow_decode(). */
bool flow_decode_x86_64(const struct callsite_code *c, uint64_t address, struct flow_insn *i);
bool flow_decode_aarch64(const struct callsite_code *c, uint64_t address, struct flow_insn *i);
bool flow_decode_riscv64(const struct callsite_code *c, uint64_t address, struct flow_insn *i);

#endif
