/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_asm.c - prints machine code with costs.
 *
 * A source line precedes the instructions compiled from it.  An instruction's cost is that
 * of samples that interrupted there; without precise events, that may be one or two
 * instructions after the one that took the time.  A call's is also that of the runtime's waits and
 * overhead in it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/answers/lookup.h"
#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/model/model.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/symbols/symbols.h"
#include "src/tables/insns.h"
#include "src/view/view.h"

enum { AROUND_BYTES = 48, ADDRESS_WIDTH = 10 };

/* ---- objdump of the binutils ------------------------------------------ */

extern char **environ;

/* Starts objdump with its standard output in *fd and its messages discarded. */
static int objdump_start(const char *path, uint64_t lo, uint64_t hi, pid_t *pid, int *fd)
{
	char start[48], stop[48], command[] = "objdump", code[] = "-dC";
	char raw[] = "--no-show-raw-insn", end[] = "--";
	char *argv[] = {
		command, code, raw, start, stop, end, (char *)(uintptr_t)path, NULL,
	};
	posix_spawn_file_actions_t actions;
	int pipes[2], err;

	snprintf(start, sizeof(start), "--start-address=%#" PRIx64, lo);
	snprintf(stop, sizeof(stop), "--stop-address=%#" PRIx64, hi);
	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	err = posix_spawn_file_actions_init(&actions);
	if (!err) {
		posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
		err = posix_spawnp(pid, command, &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(pipes[1]);
	*fd = pipes[0];
	if (err)
		close(pipes[0]);
	return err == ENOENT ? -ENOEXEC : -err;
}

/* "    11a0:\tlea    0x10(%rax),%rdi" */
static void objdump_line(char *line, void (*visit)(void *, uint64_t, const char *), void *arg)
{
	char *end, *from = line + strspn(line, " ");
	uint64_t address;

	errno = 0;
	address = strtoull(from, &end, 16);
	if (from == line || end == from || errno || end[0] != ':' || end[1] != '\t')
		return;
	end[strcspn(end, "\n")] = '\0';
	for (char *c = end; *c; c++)
		if (*c == '\t')
			*c = ' ';
	visit(arg, address, end + 2);
}

/* Calls visit for each instruction of path at lo <= ELF address < hi.  text is valid until visit
   returns.  0; -ENOEXEC: objdump is not installed; -EIO: it failed; other -errno. */
static int disassemble(const char *path, uint64_t lo, uint64_t hi,
		       void (*visit)(void *arg, uint64_t address, const char *text), void *arg)
{
	char *line = NULL;
	size_t room = 0;
	int fd = -1, status, err;
	FILE *out;
	pid_t pid;

	err = objdump_start(path, lo, hi, &pid, &fd);
	if (err)
		return err;
	out = fdopen(fd, "r");
	if (!out)
		close(fd);
	while (out && getline(&line, &room, out) >= 0)
		objdump_line(line, visit, arg);
	free(line);
	if (out)
		fclose(out);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0   ? 0 :
	       WIFEXITED(status) && WEXITSTATUS(status) == 127 ? -ENOEXEC :
								 -EIO;
}

/* ---- the listing ------------------------------------------------------- */

struct text_asm_listing {
	const struct text *text;
	const struct insns_piece *piece;
	struct lookup *lookup;
	const char *file; /* of the last printed line */
	unsigned line;
	size_t next; /* index of the piece's next instruction with samples */
	bool gap;
	struct cost *sum; /* a block */
	/* The last instruction, which ends where the next begins. */
	uint64_t address;
	char *insn;
};

/* Whether an instruction with samples is near. */
static bool listing_near(const struct text_asm_listing *l, uint64_t address)
{
	const struct insns_piece *p = l->piece;

	return (l->next < p->ninsns && p->insns[l->next].address - address <= AROUND_BYTES) ||
	       (l->next > 0 && address - p->insns[l->next - 1].address <= AROUND_BYTES);
}

static void listing_line(struct text_asm_listing *l, uint64_t address)
{
	const uint64_t loc = PROF_LOC(l->piece->module, address);
	const struct sym_location *at =
		ask(&l->lookup->resolver, l->piece->file, QUERY_RESOLVE, loc, true).location;
	const struct sym_frame *f = &at->frames[0];
	FILE *out = l->text->out;

	if (!f->line || !f->file || (f->line == l->line && f->file == l->file))
		return;
	l->line = f->line;
	l->file = f->file;
	fprintf(out, "%*s  ", (int)text_cells_width(l->text), "");
	format_name(out, f->function->name, 0);
	fputs(" (", out);
	format_text(out, path_base(f->file), 0);
	fprintf(out, ":%u)\n", f->line);
}

/* Sums the costs of the instruction before end; false: it has none. */
static bool listing_costs(struct text_asm_listing *l, uint64_t end)
{
	const size_t nevents = l->text->report->view->model->nevents;
	const struct insns_piece *p = l->piece;
	bool any = false;

	memset(l->sum, 0, nevents * OMP_CLASSES * sizeof(*l->sum));
	for (; l->next < p->ninsns && p->insns[l->next].address < end; l->next++) {
		cost_add(l->sum, p->insns[l->next].self, nevents);
		any = true;
	}
	return any;
}

/* Prints the last instruction, if it or another one near it has samples. */
static void listing_last(struct text_asm_listing *l, uint64_t end)
{
	FILE *out = l->text->out;

	if (!l->insn)
		return;
	if (!listing_near(l, l->address)) {
		l->gap = true;
	} else {
		if (l->gap)
			fprintf(out, "%*s\n", (int)text_used(l->text), "...");
		l->gap = false;
		listing_line(l, l->address);
		if (listing_costs(l, end))
			text_cells(l->text, l->sum);
		else
			fprintf(out, "%*s", (int)text_cells_width(l->text), "");
		fprintf(out, "%*" PRIx64 "  ", ADDRESS_WIDTH, l->address);
		format_text(out, l->insn, 0);
		putc('\n', out);
	}
	free(l->insn);
	l->insn = NULL;
}

static void listing_insn(void *arg, uint64_t address, const char *text)
{
	struct text_asm_listing *l = arg;

	listing_last(l, address);
	l->address = address;
	l->insn = alloc_text(text);
}

static int listing_piece(const struct text *t, const struct insns_piece *p, struct lookup *lookup,
			 const char *sysroot)
{
	struct text_asm_listing l = { .text = t, .piece = p, .lookup = lookup };
	char *path;
	int err;

	l.sum = alloc_zeroed(t->report->view->model->nevents * OMP_CLASSES + 1, sizeof(*l.sum));
	putc('\n', t->out);
	format_name(t->out, p->function, 0);
	fputs(" in ", t->out);
	format_text(t->out, p->path, 0);
	putc('\n', t->out);
	text_titles(t, NULL);
	path = alloc_printf("%s%s", sysroot, p->path);
	err = disassemble(path, p->lo, p->hi, listing_insn, &l);
	listing_last(&l, p->hi);
	free(l.sum);
	free(path);
	return err;
}

int detail_asm(FILE *out, const struct report *r, const struct detail_target *target)
{
	static const struct text_own own[] = { { "address", ADDRESS_WIDTH, COLUMN_OWN }, { 0 } };
	struct text t = { .out = out, .report = r, .own = own };
	struct insns insns;
	struct table total;
	int err = insns_build(r->view, target->lookup->symbols, target->name, &insns);

	if (err)
		return err;
	table_build(r->view, TABLE_STATE, &total);
	t.total = total.total;
	text_about(&t);
	/* A function may have copies that were never executed. */
	for (size_t i = 0; i < insns.npieces && !err; i++)
		if (insns.pieces[i].ninsns || insns.npieces == 1)
			err = listing_piece(&t, &insns.pieces[i], target->lookup,
					    target->sysroot ? target->sysroot : "");
	table_fini(&total);
	insns_fini(&insns);
	return err;
}
