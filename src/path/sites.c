/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sites.c - determines whose code a frame is, and its functions.
 *
 * The profile marks the runtime's frames by its address range.  In an executable that has a
 * runtime in it, functions' names say which are the runtime's.
 */
#include "config.h"

#include "src/path/sites.h"

#include <stdlib.h>
#include <string.h>

#include "src/answers/ask.h"
#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/base/pinned.h"
#include "src/model/mpi.h"
#include "src/profile/reader/reader.h"
#include "src/toolchain/outlined.h"
#include "src/toolchain/toolchain.h"
#include "src/view/names.h"

enum {
	START_BYTES = 64,  /* _start is shorter on every machine */
	SITE_INLINED = 64, /* functions inlined into each other that are looked at */
};

/* Whether base is NAME, NAME.so…, or NAME-2.36.so. */
static bool sites_is_library(const char *base, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(base, name, n) && (!base[n] || base[n] == '.' || base[n] == '-') &&
	       strstr(base, ".so");
}

enum site_owner sites_module_owner(const struct prof_rmodule *m)
{
	static const char *const system[] = {
		"libc",
		"libpthread",
		"libm",
		"libmvec",
		"libgcc_s",
		"libstdc++",
		"libgfortran",
		"libquadmath",
		"ld-linux-x86-64",
		"ld-linux-aarch64",
		"ld-linux-riscv64-lp64d",
		"ld-linux",
		"ld",
		"linux-vdso",
		"ld-musl-x86_64",
		"ld-musl-aarch64",
	};
	const char *base = path_base(m->path);

	if (m->flags & PROF_MODULE_TOOL)
		return SITE_TOOL;
	/* Also where the OpenMP runtime is in it. */
	if (m->flags & PROF_MODULE_MAIN)
		return SITE_USER;
	if (m->flags & PROF_MODULE_RUNTIME)
		return SITE_RUNTIME;
	if (m->flags & PROF_MODULE_VDSO)
		return SITE_SYSTEM;
	for (size_t i = 0; i < sizeof(system) / sizeof(*system); i++)
		if (sites_is_library(base, system[i]))
			return SITE_SYSTEM;
	return mpi_file(m->path) != MPI_NONE ? SITE_MPI : SITE_USER;
}

/* Whether a module is a library that a compiler supplies. */
static bool sites_is_compilers(const struct prof_rmodule *m)
{
	static const char *const compilers[] = {
		"libstdc++", "libc++",	"libc++abi",   "libgcc_s",	    "libgfortran",
		"libflang",  "libm",	"libquadmath", "libatomic",	    "librt",
		"libdl",     "libutil", "libresolv",   "libFortranRuntime",
	};
	const char *base = path_base(m->path);

	for (size_t i = 0; i < sizeof(compilers) / sizeof(*compilers); i++)
		if (sites_is_library(base, compilers[i]))
			return true;
	return false;
}

static bool sites_begins(const char *path, const char *const *folders, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return false;
}

static bool sites_in_libraries(const char *path)
{
	static const char *const folders[] = { "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/" };

	return sites_begins(path, folders, sizeof(folders) / sizeof(*folders));
}

/* Whether the system, and not its user, installed the program: some of the libraries in the
   system's folders are its own. */
static bool sites_is_installed(const struct prof_file *f)
{
	static const char *const folders[] = { "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/",
					       "/usr/libexec/" };

	for (size_t i = 0; i < f->nmodules; i++)
		if (f->modules[i].flags & PROF_MODULE_MAIN)
			return sites_in_libraries(f->modules[i].path) ||
			       sites_begins(f->modules[i].path, folders,
					    sizeof(folders) / sizeof(*folders));
	return false;
}

/* Whether a module is none of the program's: the C library's and a compiler's, wherever they are,
   and those in the system's folders. */
static bool sites_is_systems(const struct prof_rmodule *m, bool installed)
{
	if (m->flags & PROF_MODULE_MAIN)
		return false;
	return sites_module_owner(m) == SITE_SYSTEM || sites_is_compilers(m) ||
	       (!installed && sites_in_libraries(m->path));
}

/* Code of a header that comes with a compiler or the system, such as std::sort(). */
static bool sites_is_header(const char *file)
{
	static const char *const folders[] = {
		"/usr/include/",
		"/include/c++/",
		"/lib/gcc/",
		"/lib/clang/",
	};

	for (size_t i = 0; file && i < sizeof(folders) / sizeof(*folders); i++)
		if (strstr(file, folders[i]))
			return true;
	return false;
}

/* The executable's entry point; 0: unknown. */
static uint64_t sites_entry(const struct resolver *r, const struct prof_file *f)
{
	for (size_t i = 0; i < f->nmodules; i++)
		if (f->modules[i].flags & PROF_MODULE_MAIN) {
			const struct answer a =
				ask(r, f, QUERY_START, PROF_LOC(f->modules[i].id, 0), true);

			return a.known ? a.at : 0;
		}
	return 0;
}

void sites_init(struct sites *s, struct names *names, const struct resolver *resolver,
		const struct prof_file *file)
{
	const bool installed = sites_is_installed(file);

	*s = (struct sites){ .names = names, .resolver = resolver, .file = file };
	s->owners = alloc_zeroed(file->nmodules + 1, sizeof(*s->owners));
	s->systems = alloc_zeroed(file->nmodules + 1, sizeof(*s->systems));
	for (size_t i = 0; i < file->nmodules; i++) {
		s->owners[i] = (uint8_t)sites_module_owner(&file->modules[i]);
		s->systems[i] = sites_is_systems(&file->modules[i], installed);
	}
	s->entry = sites_entry(resolver, file);
}

void sites_fini(struct sites *s)
{
	pinned_free(s->sites);
	pinned_free(s->lines);
	free(s->owners);
	free(s->systems);
	map_free(&s->by_location);
	map_free(&s->by_place);
	*s = (struct sites){ 0 };
}

bool sites_is_stub(const char *name)
{
	return strstr(name, "@plt");
}

static void sites_line(struct sites *s, const struct sym_function *f, const char *file,
		       unsigned number, bool systems)
{
	s->lines = pinned_grow(s->lines, s->nlines, &s->lines_room, sizeof(*s->lines));
	const uint32_t function = names_symbol(s->names, f);
	s->lines[s->nlines] = names_line(s->names, function, file, number);
	if (systems || sites_is_header(f->file ? f->file : file) || sites_is_stub(f->name))
		s->names->functions[function].library = true;
	s->nlines++;
}

static enum site_owner sites_owner(struct sites *s, const struct prof_rnode *frame,
				   const char *name)
{
	const struct prof_rmodule *m = prof_module_by_id(s->file, PROF_LOC_MODULE(frame->a));

	/* Kernel code works for its caller, as the C library does. */
	if (PROF_LOC_MODULE(frame->a) == PROF_MODULE_ID_KERNEL)
		return SITE_SYSTEM;
	if (frame->flags & PROF_FRAME_TOOL)
		return SITE_TOOL;
	if (frame->flags & PROF_FRAME_RUNTIME && !(m && m->flags & PROF_MODULE_MAIN))
		return SITE_RUNTIME;
	/* Whether a runtime that announces itself to tools is in it, among other code. */
	if (m && m->flags & PROF_MODULE_MAIN &&
	    m->flags & (PROF_MODULE_MIXED | PROF_MODULE_RUNTIME) &&
	    toolchain_is_linked_runtime_name(name))
		return SITE_RUNTIME;
	if (toolchain_is_runtime_name(name)) {
		/* A stub for calls (…@plt) is in each object that calls a runtime. */
		if (m && s->owners[m - s->file->modules] == SITE_USER && !strchr(name, '@'))
			s->linked = m;
		return SITE_RUNTIME;
	}
	return m ? s->owners[m - s->file->modules] : SITE_USER;
}

static bool sites_is_own(const struct sites *s, const struct prof_rnode *frame, uint8_t owner)
{
	const struct prof_rmodule *m = prof_module_by_id(s->file, PROF_LOC_MODULE(frame->a));

	return owner == SITE_TOOL ||
	       (owner == SITE_RUNTIME && m && toolchain_is_producer(path_base(m->path)));
}

bool sites_is_in_library(const struct sites *s, const struct prof_rnode *frame)
{
	const struct prof_rmodule *m = prof_module_by_id(s->file, PROF_LOC_MODULE(frame->a));
	const uint8_t owner = m ? s->owners[m - s->file->modules] : SITE_USER;

	if (frame->flags & PROF_FRAME_RUNTIME)
		return false;
	return frame->flags & PROF_FRAME_TOOL || owner == SITE_SYSTEM || owner == SITE_TOOL ||
	       (owner == SITE_USER && m && sites_is_compilers(m));
}

static bool sites_is_start(const struct sites *s, uint64_t loc, const char *name)
{
	static const char *const starts[] = {
		"_start",
		"__libc_start_main",
		"__libc_start_main_impl",
		"__libc_start_call_main",
		"generic_start_main",
		"clone",
		"clone3",
		"__clone",
		"__clone3",
		"__clone_internal",
		"start_thread",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strcmp(name, starts[i]))
			return true;
	return s->entry && loc >= s->entry && loc - s->entry <= START_BYTES;
}

/* Whether gcc made the body. One without lines is a jump to an equal body. */
static bool sites_is_by_gcc(const struct sym_function *body)
{
	struct outlined o;

	return body->directive || (body->linkage && outlined_parse(body->linkage, &o) && o.gnu);
}

/* Where a call that the compiler added is in the source, unlike its line table shows. */
struct sites_begin {
	size_t strays;	  /* so many of the innermost functions are there by mistake */
	const char *file; /* of line */
	unsigned line;	  /* the directive's; 0: the table's is as good */
};

/* So many of the innermost functions do not hold the construct that a call, or a static loop's own
   instruction, is of. */
static size_t sites_strays(const struct sites *s, const struct prof_rnode *frame)
{
	const bool exact = frame->flags & PROF_FRAME_EXACT;

	if (exact && ask(s->resolver, s->file, QUERY_LOOP, frame->a, true).at != frame->a)
		return 0;
	return ask(s->resolver, s->file, QUERY_STRAYS, frame->a, exact).count;
}

/*
 * gcc gives the call that begins a region or task no place, so it has that of the statement
 * before, which may be of an inlined function.  The body that is passed shows the directive's.
 * Where none is passed, or its function is not recorded there, the code around the call shows in
 * which functions it is for certain.
 */
static struct sites_begin sites_begin(struct sites *s, const struct prof_rnode *frame,
				      const struct sym_location *l)
{
	const struct resolver *r = s->resolver;
	const struct sym_function *at[SITE_INLINED];
	const size_t n = l->nframes;
	const struct sym_function *body;
	struct answer entry;
	size_t strays;

	if (n > SITE_INLINED)
		return (struct sites_begin){ 0 };
	for (size_t i = 0; i < n; i++)
		at[i] = l->frames[i].function;
	entry = ask(r, s->file, QUERY_ENTRY, frame->a, frame->flags & PROF_FRAME_EXACT);
	if (entry.known) {
		l = ask(r, s->file, QUERY_RESOLVE, entry.at, true).location;
		body = l->frames[l->nframes - 1].function;
		if (!body->origin || !sites_is_by_gcc(body))
			return (struct sites_begin){ 0 };
		for (size_t i = 0; i < n; i++)
			if (names_is_of(at[i]->origin ? at[i]->origin : at[i]->name, body->origin))
				return (struct sites_begin){ i, body->file,
							     body->directive ? body->line : 0 };
	}
	strays = n > 1 ? sites_strays(s, frame) : 0;
	return (struct sites_begin){ .strays = strays < n ? strays : 0 };
}

/* Sets the MPI call that a function is, which makes it MPI's in any module. */
static void sites_mpi(struct sites *s, const struct prof_rnode *frame, struct site *site,
		      const char *function)
{
	const struct prof_rmodule *m = prof_module_by_id(s->file, PROF_LOC_MODULE(frame->a));
	char call[MPI_CALL_BYTES];

	if (site->owner != SITE_MPI && site->owner != SITE_USER)
		return;
	site->shared = m && mpi_file(m->path) == MPI_PART;
	if (!mpi_call(function, m && mpi_file(m->path) == MPI_LIBRARY, call))
		return;
	site->owner = SITE_MPI;
	site->mpi = names_string(s->names, call);
}

static void sites_add(struct sites *s, const struct prof_rnode *frame, uint32_t number)
{
	const bool exact = frame->flags & PROF_FRAME_EXACT;
	const struct sym_location *l;
	const struct sym_function *outer;
	struct answer loop;
	struct site *site;
	const struct prof_rmodule *m = prof_module_by_id(s->file, PROF_LOC_MODULE(frame->a));
	const bool systems = m ? s->systems[m - s->file->modules] :
				 PROF_LOC_MODULE(frame->a) == PROF_MODULE_ID_KERNEL;
	struct sites_begin begin;

	s->sites = pinned_grow(s->sites, s->nsites, &s->sites_room, sizeof(*s->sites));
	l = ask(s->resolver, s->file, QUERY_RESOLVE, frame->a, exact).location;
	begin = sites_begin(s, frame, l);
	site = &s->sites[number];
	*site = (struct site){ .first = (uint32_t)s->nlines,
			       .n = (uint32_t)(l->nframes - begin.strays) };
	for (size_t i = begin.strays; i < l->nframes; i++) {
		if (i == begin.strays && begin.line)
			sites_line(s, l->frames[i].function, begin.file, begin.line, systems);
		else
			sites_line(s, l->frames[i].function, l->frames[i].file, l->frames[i].line,
				   systems);
	}
	outer = l->frames[l->nframes - 1].function;
	site->owner = (uint8_t)sites_owner(s, frame, outer->linkage);
	site->own = sites_is_own(s, frame, site->owner);
	site->library = site->owner != SITE_RUNTIME && site->owner != SITE_MPI &&
			sites_is_in_library(s, frame);
	sites_mpi(s, frame, site, outer->linkage);
	if (site->owner == SITE_USER) {
		loop = ask(s->resolver, s->file, QUERY_LOOP, frame->a, exact);
		site->loop = loop.known ? loop.at : 0;
	}
	site->start = sites_is_start(s, frame->a, outer->linkage ? outer->linkage : outer->name);
	s->nsites++;
}

const struct site *sites_find(struct sites *s, const struct prof_rnode *frame)
{
	/* The flags are part of the key, as they change the meaning of the location. */
	uint32_t number = map_get(&s->by_location, frame->a, frame->flags, UINT32_MAX);

	if (number == UINT32_MAX) {
		sites_add(s, frame, (uint32_t)s->nsites);
		map_add(&s->by_location, frame->a, frame->flags, (uint32_t)s->nsites - 1, &number);
	}
	return &s->sites[number];
}

uint32_t sites_outermost(struct sites *s, const struct prof_rnode *frame)
{
	const struct site *site = sites_find(s, frame);

	return s->names->lines[s->lines[site->first + site->n - 1]].function;
}

uint32_t sites_place(struct sites *s, uint32_t line, uint64_t loc, bool exact)
{
	const uint64_t key = (uint64_t)line << 1 | exact;
	uint32_t place;

	if (!line || s->names->lines[line].line)
		return line;
	place = map_get(&s->by_place, loc, key, 0);
	if (!place) {
		place = names_place(s->names, line,
				    ask(s->resolver, s->file, QUERY_PLACE, loc, exact).text);
		map_add(&s->by_place, loc, key, place, &place);
	}
	return place;
}
