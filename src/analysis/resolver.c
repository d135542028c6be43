/* resolver.c - symbols and call sites behind the resolver's three questions. */
#include "config.h"

#include <errno.h>
#include <stddef.h>

#include "src/analysis/callsite.h"
#include "src/analysis/resolver.h"
#include "src/analysis/symbols.h"

static const struct sym_location *lookup_resolve(void *self, const struct prof_file *f,
						 uint64_t loc, bool exact)
{
	return symbols_resolve(((struct lookup *)self)->symbols, f, loc, exact);
}

static const char *lookup_object(void *self, const struct prof_file *f, uint64_t loc)
{
	return symbols_object(((struct lookup *)self)->symbols, f, loc);
}

static enum barrier_kind lookup_barrier(void *self, const struct prof_file *f, uint64_t loc)
{
	return callsites_barrier(((struct lookup *)self)->callsites, f, loc);
}

static const char *lookup_critical(void *self, const struct prof_file *f, uint64_t loc)
{
	return callsites_critical(((struct lookup *)self)->callsites, f, loc);
}

static enum construct_kind lookup_loop(void *self, const struct prof_file *f, uint64_t loc)
{
	return callsites_loop(((struct lookup *)self)->callsites, f, loc);
}

static bool lookup_extent(void *self, const struct sym_function *function, unsigned *first,
			  unsigned *last)
{
	return symbols_extent(((struct lookup *)self)->symbols, function, first, last);
}

int lookup_open(struct lookup *l, const char *sysroot)
{
	*l = (struct lookup){
		.resolver = {
			.resolve = lookup_resolve, .object = lookup_object,
			.barrier = lookup_barrier, .critical = lookup_critical,
			.loop = lookup_loop, .extent = lookup_extent, .self = l,
		},
		.symbols = symbols_new(sysroot),
	};
	l->callsites = callsites_new(sysroot, l->symbols);
	if (l->symbols && l->callsites)
		return 0;
	lookup_close(l);
	return -ENOMEM;
}

void lookup_close(struct lookup *l)
{
	callsites_free(l->callsites);
	symbols_free(l->symbols);
	*l = (struct lookup){ 0 };
}
