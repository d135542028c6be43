/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elfsyms.c - reads dynamic symbol tables.
 */
#include "config.h"

#include "src/run/elfsyms.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static bool section_mentions(Elf *elf, Elf_Scn *section, const GElf_Shdr *head, const char *name)
{
	const size_t n = head->sh_entsize != 0 ? head->sh_size / head->sh_entsize : 0;
	Elf_Data *const symbols = elf_getdata(section, NULL);
	const char *found;
	GElf_Sym symbol;

	for (size_t i = 0; symbols && i < n; i++) {
		if (!gelf_getsym(symbols, (int)i, &symbol))
			break;
		found = elf_strptr(elf, head->sh_link, symbol.st_name);
		if (found && strcmp(found, name) == 0)
			return true;
	}
	return false;
}

bool elfsyms_mentions(const char *path, const char *name)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	Elf_Scn *section = NULL;
	bool found = false;
	GElf_Shdr head;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && !found && (section = elf_nextscn(elf, section)))
		found = gelf_getshdr(section, &head) && head.sh_type == SHT_DYNSYM &&
			section_mentions(elf, section, &head, name);
	elf_end(elf);
	close(fd);
	return found;
}
