/* resolver.c - symbol look-up behind the resolver's three questions. */
#include "config.h"

#include <stddef.h>

#include "src/analysis/resolver.h"
#include "src/analysis/symbols.h"

static const struct sym_location *resolver_resolve(void *self, const struct prof_file *f,
						   uint64_t loc, bool exact)
{
	return symbols_resolve(self, f, loc, exact);
}

static const char *resolver_object(void *self, const struct prof_file *f, uint64_t loc)
{
	return symbols_object(self, f, loc);
}

struct resolver resolver_symbols(struct symbols *s)
{
	return (struct resolver){
		.resolve = resolver_resolve,
		.object = resolver_object,
		.self = s,
	};
}
