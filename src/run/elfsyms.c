/*
 * elfsyms.c - reads dynamic symbol tables with their versions.
 */
#include "config.h"

#include "src/run/elfsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/grow.h"

/* The relevant sections of an open file. */
struct image {
	int fd;
	Elf *elf;
	Elf_Data *symbols, *versions, *needs, *definitions;
	size_t nsymbols, strings, need_strings, definition_strings;
};

static int add(struct elfsyms *s, const char *name, const char *version, struct elfsym flags)
{
	struct elfsym *sym = grow(s->list, s->n, &s->room, sizeof(*sym));

	if (!sym)
		return -ENOMEM;
	s->list = sym;
	sym += s->n;
	*sym = flags;
	sym->name = name ? strdup(name) : NULL;
	sym->version = version ? strdup(version) : NULL;
	if ((name && !sym->name) || (version && !sym->version)) {
		free(sym->name);
		free(sym->version);
		return -ENOMEM;
	}
	s->n++;
	return 0;
}

static void take_section(struct image *im, Elf_Scn *scn, const GElf_Shdr *sh)
{
	switch (sh->sh_type) {
	case SHT_DYNSYM:
		im->symbols = elf_getdata(scn, NULL);
		im->nsymbols = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
		im->strings = sh->sh_link;
		break;
	case SHT_GNU_versym: im->versions = elf_getdata(scn, NULL); break;
	case SHT_GNU_verneed:
		im->needs = elf_getdata(scn, NULL);
		im->need_strings = sh->sh_link;
		break;
	case SHT_GNU_verdef:
		im->definitions = elf_getdata(scn, NULL);
		im->definition_strings = sh->sh_link;
		break;
	}
}

static void image_close(struct image *im)
{
	elf_end(im->elf);
	close(im->fd);
}

static int image_open(struct image *im, const char *path)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	*im = (struct image){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) };
	if (im->fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	im->elf = elf_begin(im->fd, ELF_C_READ_MMAP, NULL);
	while (im->elf && (scn = elf_nextscn(im->elf, scn)))
		if (gelf_getshdr(scn, &sh))
			take_section(im, scn, &sh);
	if (im->symbols)
		return 0;
	image_close(im);
	return -ENOEXEC;
}

/* A version that the file needs from another one. */
struct need {
	const char *file;
	const char *version;
	bool weak;
	unsigned index;
};

/*
 * Calls visit for each needed version until it returns non-zero, and returns that.  Offsets
 * come from the file: a step of 0 or past the end ends the list.
 */
static int each_need(const struct image *im, int (*visit)(const struct need *need, void *arg),
		     void *arg)
{
	GElf_Verneed vn;
	GElf_Vernaux va;
	int ret;

	if (!im->needs)
		return 0;
	for (int at = 0; gelf_getverneed(im->needs, at, &vn); at += (int)vn.vn_next) {
		int aux = at + (int)vn.vn_aux;

		for (int i = 0; i < vn.vn_cnt && gelf_getvernaux(im->needs, aux, &va); i++) {
			struct need need = {
				.file = elf_strptr(im->elf, im->need_strings, vn.vn_file),
				.version = elf_strptr(im->elf, im->need_strings, va.vna_name),
				.weak = va.vna_flags & VER_FLG_WEAK,
				.index = va.vna_other & 0x7fff,
			};

			ret = need.file && need.version ? visit(&need, arg) : 0;
			if (ret || (int)va.vna_next <= 0)
				break;
			aux += (int)va.vna_next;
		}
		if ((int)vn.vn_next <= 0)
			break;
	}
	return 0;
}

struct wanted {
	struct elfsyms *out;
	const char *soname;
	unsigned index; /* of the current symbol */
	struct need found;
	int ret;
};

static int want_version(const struct need *need, void *arg)
{
	struct wanted *w = arg;

	if (strcmp(need->file, w->soname) == 0)
		w->ret = add(w->out, NULL, need->version, (struct elfsym){ .weak = need->weak });
	return w->ret;
}

static int find_version(const struct need *need, void *arg)
{
	struct wanted *w = arg;

	if (need->index == w->index)
		w->found = *need;
	return 0;
}

static bool has_prefix(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (strncmp(name, *prefixes, strlen(*prefixes)) == 0)
			return true;
	return false;
}

/* The version index of symbol i; 1 (no version) if there is no table. */
static unsigned version_index(const struct image *im, size_t i, bool *hidden)
{
	GElf_Versym v;

	*hidden = false;
	if (!im->versions || !gelf_getversym(im->versions, (int)i, &v))
		return 1;
	*hidden = v & 0x8000;
	return v & 0x7fff;
}

static int need_symbol(const struct image *im, size_t i, struct wanted *w,
		       const char *const *prefixes)
{
	const char *name;
	GElf_Sym sym;
	bool hidden;
	struct elfsym flags = { .weak = false };

	if (!gelf_getsym(im->symbols, (int)i, &sym) || sym.st_shndx != SHN_UNDEF)
		return 0;
	name = elf_strptr(im->elf, im->strings, sym.st_name);
	if (!name || !*name)
		return 0;
	flags.weak = GELF_ST_BIND(sym.st_info) == STB_WEAK;
	w->index = version_index(im, i, &hidden);
	w->found = (struct need){ .file = NULL };
	if (w->index > 1)
		each_need(im, find_version, w);
	if (w->found.file && strcmp(w->found.file, w->soname) == 0)
		return add(w->out, name, w->found.version, flags);
	if (w->found.file)
		return 0;
	return has_prefix(name, prefixes) ? add(w->out, name, NULL, flags) : 0;
}

int elfsyms_needs(struct elfsyms *s, const char *path, const char *soname,
		  const char *const *prefixes)
{
	struct wanted w = { .out = s, .soname = soname };
	struct image im;
	int ret = image_open(&im, path);

	if (ret)
		return ret;
	each_need(&im, want_version, &w);
	ret = w.ret;
	for (size_t i = 0; ret == 0 && i < im.nsymbols; i++)
		ret = need_symbol(&im, i, &w, prefixes);
	image_close(&im);
	return ret;
}

/* The names of the versions that im defines, by index. */
struct defined {
	const char *name[256];
	bool base[256];
};

static void read_definitions(const struct image *im, struct defined *d)
{
	GElf_Verdef vd;
	GElf_Verdaux va;

	*d = (struct defined){ .name = { NULL } };
	if (!im->definitions)
		return;
	for (int at = 0; gelf_getverdef(im->definitions, at, &vd); at += (int)vd.vd_next) {
		const unsigned index = vd.vd_ndx & 0x7fff;

		if (index < 256 && gelf_getverdaux(im->definitions, at + (int)vd.vd_aux, &va)) {
			d->name[index] = elf_strptr(im->elf, im->definition_strings, va.vda_name);
			d->base[index] = vd.vd_flags & VER_FLG_BASE;
		}
		if ((int)vd.vd_next <= 0)
			break;
	}
}

static int export_symbol(const struct image *im, size_t i, const struct defined *d,
			 struct elfsyms *s)
{
	struct elfsym flags = { .weak = false };
	const char *name, *version = NULL;
	unsigned index;
	GElf_Sym sym;

	if (!gelf_getsym(im->symbols, (int)i, &sym) || sym.st_shndx == SHN_UNDEF ||
	    GELF_ST_BIND(sym.st_info) == STB_LOCAL)
		return 0;
	name = elf_strptr(im->elf, im->strings, sym.st_name);
	if (!name || !*name)
		return 0;
	index = version_index(im, i, &flags.hidden);
	if (index == 0)
		return 0;
	flags.base = index == 1 || (index < 256 && d->base[index]);
	if (!flags.base && index < 256)
		version = d->name[index];
	return add(s, name, version, flags);
}

int elfsyms_exports(struct elfsyms *s, const char *path)
{
	struct defined d;
	struct image im;
	int ret = image_open(&im, path);

	if (ret)
		return ret;
	read_definitions(&im, &d);
	for (size_t i = 2; ret == 0 && i < 256; i++)
		if (d.name[i] && !d.base[i])
			ret = add(s, NULL, d.name[i], (struct elfsym){ .weak = false });
	for (size_t i = 0; ret == 0 && i < im.nsymbols; i++)
		ret = export_symbol(&im, i, &d, s);
	image_close(&im);
	return ret;
}

void elfsyms_free(struct elfsyms *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->list[i].name);
		free(s->list[i].version);
	}
	free(s->list);
	*s = (struct elfsyms){ .list = NULL };
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* As check_match() in ld.so: the same version, or an export without one. */
static bool meets(const struct elfsym *e, const struct elfsym *need)
{
	if (!same(e->name, need->name))
		return false;
	if (!need->name || (need->version && e->version))
		return same(e->version, need->version);
	if (need->version)
		return e->base && !e->hidden;
	return !e->hidden;
}

bool elfsyms_met(const struct elfsyms *exports, const struct elfsym *need)
{
	for (size_t i = 0; i < exports->n; i++)
		if (meets(&exports->list[i], need))
			return true;
	return false;
}

bool elfsyms_mentions(const char *path, const char *name)
{
	const char *const prefixes[] = { name, NULL };
	struct elfsyms syms = { .list = NULL };
	bool found = false;

	if (elfsyms_needs(&syms, path, "", prefixes) == 0)
		elfsyms_exports(&syms, path);
	for (size_t i = 0; i < syms.n && !found; i++)
		found = syms.list[i].name && strcmp(syms.list[i].name, name) == 0;
	elfsyms_free(&syms);
	return found;
}

/* Before glibc 2.34 thread functions were in a library of their own. */
bool elfsyms_imports(const char *path, const char *name)
{
	const char *const prefixes[] = { name, NULL };
	struct elfsyms syms = { .list = NULL };
	bool found = false;

	if (elfsyms_needs(&syms, path, "libc.so.6", prefixes) == 0)
		elfsyms_needs(&syms, path, "libpthread.so.0", prefixes);
	for (size_t i = 0; i < syms.n && !found; i++)
		found = syms.list[i].name && !syms.list[i].weak &&
			strcmp(syms.list[i].name, name) == 0;
	elfsyms_free(&syms);
	return found;
}
