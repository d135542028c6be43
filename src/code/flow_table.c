/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_table.c - entries of tables, whatever machine's. */
#include "config.h"

#include "src/code/flow_table.h"

#include <elf.h>
#include <string.h>

#include "src/code/callsite_code.h"

enum flow_jump flow_table_find(const struct callsite_code *c, const struct flow_path *p,
			       struct flow_table *t)
{
	enum flow_jump is = FLOW_JUMP_UNKNOWN;

	*t = (struct flow_table){ 0 };
	if (c->machine == EM_X86_64)
		is = flow_table_x86_64(c, p, t);
	else if (c->machine == EM_AARCH64)
		is = flow_table_aarch64(c, p, t);
	if (is == FLOW_JUMP_TABLE && (!t->n || t->n > FLOW_TABLE_MAX))
		return FLOW_JUMP_UNKNOWN;
	return is;
}

bool flow_table_target(const struct callsite_code *c, const struct flow_table *t, unsigned i,
		       uint64_t *target)
{
	const unsigned char *p = c->at(c->self, t->entries + (uint64_t)i * t->bytes, t->bytes);
	uint64_t entry = 0;

	if (!p)
		return false;
	/* Little-endian both; the file's and, as the loader's mapping is, ours. */
	memcpy(&entry, p, t->bytes);
	if (t->is_signed && t->bytes < 8 && entry >> (t->bytes * 8 - 1))
		entry |= UINT64_MAX << (t->bytes * 8);
	*target = t->base + (entry << t->shift);
	return true;
}
