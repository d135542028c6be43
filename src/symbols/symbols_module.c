/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_module.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/profile/reader/reader.h"

static bool has_symtab(Dwfl_Module *mod, Elf *elf)
{
	GElf_Addr bias;
	Elf_Scn *scn = NULL;
	GElf_Shdr h;
	Dwarf *dwarf;

	for (int i = 0; i < 2 && elf; i++) {
		while ((scn = elf_nextscn(elf, scn)))
			if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB)
				return true;
		dwarf = dwfl_module_getdwarf(mod, &bias);
		elf = dwarf ? dwarf_getelf(dwarf) : NULL;
	}
	return false;
}

struct symbols_module *symbols_module_new(const struct prof_rmodule *p, const char *folder,
					  const char *sysroot)
{
	struct symbols_module *m = alloc_zeroed(1, sizeof(*m));
	const char *slash;
	Dwarf *dwarf;

	m->path = alloc_text(p->path);
	slash = strrchr(m->path, '/');
	m->name = slash && slash[1] ? slash + 1 : m->path;
	memcpy(m->build_id, p->build_id, sizeof(m->build_id));
	m->build_id_bytes = p->build_id_bytes;
	symbols_file_open(&m->file, p, folder, sysroot);
	if (m->file.dwfl) {
		dwarf = symbols_file_dwarf(&m->file, &m->dwarf_bias);
		symbols_units_load(&m->units, dwarf);
		symbols_table_load(&m->table, m->file.mod);
		symbols_frames_load(&m->frames, m->file.elf);
		m->stripped = !has_symtab(m->file.mod, m->file.elf);
	}
	return m;
}

void symbols_module_free(struct symbols_module *m)
{
	if (!m)
		return;
	map_free(&m->by_die);
	symbols_units_free(&m->units);
	symbols_table_free(&m->table);
	symbols_file_close(&m->file);
	free(m->path);
	free(m);
}

bool symbols_module_is(const struct symbols_module *m, const struct prof_rmodule *p)
{
	return !strcmp(m->path, p->path) && m->build_id_bytes == p->build_id_bytes &&
	       !memcmp(m->build_id, p->build_id, p->build_id_bytes);
}

const char *symbols_module_trouble(const struct symbols_module *m)
{
	if (m->file.trouble)
		return m->file.trouble;
	if (!m->nameless)
		return NULL;
	if (!m->table.count)
		return "stripped: it has no names";
	return m->stripped ? "stripped: it has only the names that it exports" :
			     "some of its code has no name";
}
