/* flow_decode.c - the decoder of the code's machine. */
#include "config.h"

#include "src/code/flow_decode.h"

#include <elf.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"

bool flow_decode(const struct callsite_code *c, uint64_t address, struct flow_insn *i)
{
	switch (c->machine) {
	case EM_X86_64: return flow_decode_x86_64(c, address, i);
	case EM_AARCH64: return flow_decode_aarch64(c, address, i);
	case EM_RISCV: return flow_decode_riscv64(c, address, i);
	}
	return false;
}
