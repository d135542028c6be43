/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/stack/stack_profile.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/path.h"
#include "src/path/sites.h"
#include "src/profile/reader/reader.h"
#include "src/stack/stack_process.h"
#include "src/toolchain/runtime_name.h"

enum { PAGE = 4096, SEGMENTS_MAX = 64, NOTES_MAX = 4096, LABEL_BYTES = 48 };

struct stack_profile_building {
	struct prof_file *f;
	const struct stack_process *p;
	size_t modules_room, nodes_room, texts_room;
};

/* ---- modules ----------------------------------------------------------------------- */

/* The build-id among the notes of a segment. */
static void module_notes(struct prof_rmodule *m, const unsigned char *notes, size_t bytes)
{
	while (bytes >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr n;
		size_t name, whole;

		memcpy(&n, notes, sizeof(n));
		if (n.n_namesz > bytes || n.n_descsz > bytes)
			return;
		name = sizeof(n) + ((n.n_namesz + 3) & ~3u);
		whole = name + ((n.n_descsz + 3) & ~3u);
		if (whole > bytes)
			return;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
		    !memcmp(notes + sizeof(n), "GNU", 4) && n.n_descsz <= sizeof(m->build_id)) {
			memcpy(m->build_id, notes + name, n.n_descsz);
			m->build_id_bytes = n.n_descsz;
			return;
		}
		notes += whole;
		bytes -= whole;
	}
}

static void module_build_id(const struct stack_process *p, struct prof_rmodule *m,
			    const Elf64_Phdr *h)
{
	_Alignas(8) unsigned char notes[NOTES_MAX];
	const size_t bytes = h->p_memsz < sizeof(notes) ? h->p_memsz : sizeof(notes);

	module_notes(m, notes, stack_process_read(p, m->bias + h->p_vaddr, notes, bytes));
}

/* What the object's own head in memory shows: its bias, and its build-id. */
static void module_head(const struct stack_process *p, struct prof_rmodule *m)
{
	Elf64_Phdr h[SEGMENTS_MAX];
	Elf64_Ehdr e;
	size_t n;

	m->bias = m->map_start;
	if (stack_process_read(p, m->map_start, &e, sizeof(e)) != sizeof(e) ||
	    memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 || e.e_ident[EI_CLASS] != ELFCLASS64 ||
	    e.e_phentsize != sizeof(*h))
		return;
	n = e.e_phnum < SEGMENTS_MAX ? e.e_phnum : SEGMENTS_MAX;
	n = stack_process_read(p, m->map_start + e.e_phoff, h, n * sizeof(*h)) / sizeof(*h);
	for (size_t i = 0; i < n; i++)
		if (h[i].p_type == PT_LOAD) {
			m->bias = m->map_start - h[i].p_vaddr / PAGE * PAGE;
			break;
		}
	for (size_t i = 0; i < n && !m->build_id_bytes; i++)
		if (h[i].p_type == PT_NOTE)
			module_build_id(p, m, &h[i]);
}

static uint32_t module_flags(const struct stack_process *p, const char *path)
{
	static const char own[] = "libomphwc";

	if (p->exe && !strcmp(path, p->exe))
		return PROF_MODULE_MAIN;
	if (!strcmp(path, "[vdso]"))
		return PROF_MODULE_VDSO;
	if (prof_is_runtime_name(path, strlen(path)))
		return PROF_MODULE_RUNTIME;
	return strncmp(path_base(path), own, sizeof(own) - 1) ? 0 : PROF_MODULE_TOOL;
}

static void add_modules(struct stack_profile_building *b)
{
	struct prof_file *f = b->f;

	for (size_t i = 0; i < b->p->nranges; i++) {
		const struct stack_range *r = &b->p->ranges[i];
		struct prof_rmodule *m;

		/* Whether the module that was added last goes on in a range. */
		if (f->nmodules && r->path && r->offset &&
		    !strcmp(f->modules[f->nmodules - 1].path, r->path)) {
			f->modules[f->nmodules - 1].map_end = r->hi;
			continue;
		}
		if (!r->path || (r->path[0] != '/' && strcmp(r->path, "[vdso]") != 0) ||
		    r->offset || f->nmodules >= PROF_MODULE_ID_KERNEL - 1)
			continue;
		f->modules = grow(f->modules, f->nmodules, &b->modules_room, sizeof(*f->modules));
		m = &f->modules[f->nmodules++];
		*m = (struct prof_rmodule){
			.id = (uint32_t)f->nmodules,
			.flags = module_flags(b->p, r->path),
			.path = alloc_text(r->path),
			.map_start = r->lo,
			.map_end = r->hi,
		};
		module_head(b->p, m);
	}
}

static const struct prof_rmodule *stack_profile_module_at(const struct prof_file *f, uint64_t at)
{
	for (size_t i = 0; i < f->nmodules; i++)
		if (f->modules[i].map_start <= at && at < f->modules[i].map_end)
			return &f->modules[i];
	return NULL;
}

uint64_t stack_profile_location(const struct prof_file *f, uint64_t at)
{
	const struct prof_rmodule *m = stack_profile_module_at(f, at);

	return m ? PROF_LOC(m->id, at - m->bias) : PROF_LOC(0, at);
}

bool stack_profile_is_system(const struct prof_file *f, uint64_t at)
{
	const struct prof_rmodule *m = stack_profile_module_at(f, at);
	const enum site_owner owner = m ? sites_module_owner(m) : SITE_USER;

	return owner == SITE_SYSTEM || owner == SITE_RUNTIME || owner == SITE_TOOL;
}

/* ---- threads ----------------------------------------------------------------------- */

static uint32_t stack_profile_add_node(struct stack_profile_building *b, struct prof_rnode n)
{
	struct prof_file *f = b->f;

	f->nodes = grow(f->nodes, f->nnodes, &b->nodes_room, sizeof(*f->nodes));
	f->nodes[f->nnodes] = n;
	return (uint32_t)f->nnodes++;
}

static void add_thread(struct stack_profile_building *b, uint32_t i)
{
	const struct stack_thread *t = &b->p->threads[i];
	struct prof_thread *of = &b->f->threads[i].t;
	uint32_t node = stack_profile_add_node(b, (struct prof_rnode){ .parent = PROF_NONE,
								       .context = PROF_NONE,
								       .kind = PROF_NODE_ROOT,
								       .thread = i,
								       .a = i });

	*of = (struct prof_thread){ .index = i, .tid = (uint32_t)t->tid };
	of->kind = t->tid == b->p->pid ? PROF_THREAD_INITIAL : PROF_THREAD_UNKNOWN;
	for (size_t k = t->nframes; k-- > 0;) {
		const struct stack_frame *frame = &t->frames[k];
		const struct prof_rmodule *m =
			stack_profile_module_at(b->f, frame->exact ? frame->pc : frame->pc - 1);
		struct prof_rnode n = {
			.parent = node,
			.context = PROF_NONE,
			.kind = PROF_NODE_FRAME,
			.thread = i,
			.flags = frame->exact ? PROF_FRAME_EXACT : 0,
			.a = m ? PROF_LOC(m->id, frame->pc - m->bias) : PROF_LOC(0, frame->pc),
		};

		if (m && m->flags & PROF_MODULE_RUNTIME)
			n.flags |= PROF_FRAME_RUNTIME;
		if (m && m->flags & PROF_MODULE_TOOL)
			n.flags |= PROF_FRAME_TOOL;
		node = stack_profile_add_node(b, n);
		if (b->f->nodes[node].flags & PROF_FRAME_RUNTIME && of->kind == PROF_THREAD_UNKNOWN)
			of->kind = PROF_THREAD_WORKER;
	}
	stack_profile_add_node(b, (struct prof_rnode){ .parent = node,
						       .context = PROF_NONE,
						       .kind = PROF_NODE_LEAF,
						       .state = t->asleep ? PROF_ASLEEP : 0,
						       .flags = t->whole ? 0 : PROF_CAUSE_NO_RULES,
						       .thread = i,
						       .a = 1,
						       .b = 1 });
}

/* ---- the whole ------------------------------------------------------------------------ */

static void add_text(struct stack_profile_building *b, enum prof_info_kind kind, const char *text)
{
	struct prof_file *f = b->f;

	if (!text)
		return;
	f->texts = grow(f->texts, f->ntexts, &b->texts_room, sizeof(*f->texts));
	f->texts[f->ntexts++] = (struct prof_text){
		.kind = (uint32_t)kind,
		.text = alloc_text(text),
		.bytes = strlen(text),
	};
}

struct prof_file *stack_profile_of(const struct stack_process *p)
{
	struct stack_profile_building b = { .f = alloc_zeroed(1, sizeof(*b.f)), .p = p };
	struct prof_header *h = &b.f->header;

	b.f->path = alloc_printf("/proc/%d", (int)p->pid);
	h->pid = (uint32_t)p->pid;
	h->start_realtime_ns = p->start_ns;
	h->nevents = 1;
	h->run = PROF_RUN_RUNNING;
	/* Which threads slept is known where wall time is sampled. */
	h->events[0].flags = PROF_EVENT_WALL;
	snprintf(h->events[0].label, LABEL_BYTES, "stack");
	add_text(&b, PROF_INFO_EXE, p->exe);
	add_text(&b, PROF_INFO_CWD, p->cwd);
	add_modules(&b);
	b.f->threads = alloc_zeroed(p->nthreads + 1, sizeof(*b.f->threads));
	b.f->nthreads = p->nthreads;
	for (size_t i = 0; i < p->nthreads; i++)
		add_thread(&b, (uint32_t)i);
	return b.f;
}
