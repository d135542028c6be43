/*
 * callsite_construct.c - which construct the call of a runtime's function begins.
 *
 * Names are libomp's and libgomp's.
 */
#include "config.h"

#include <string.h>

#include "src/callsite/callsite.h"
#include "src/profile/format.h"

bool callsite_is_called(const char *name, const char *beginning, const char *part)
{
	static const char api[] = "__kmp_api_";
	const size_t n = strlen(beginning);

	if (!strncmp(name, api, sizeof(api) - 1))
		name += sizeof(api) - 1;
	return !strncmp(name, beginning, n) && strstr(name + n, part);
}

/* ---- kinds ----------------------------------------------------------- */

enum construct_kind callsite_schedule(uint64_t number)
{
	/* Modifiers (monotonic, nonmonotonic) are the topmost bits; what is
	   distributed, ordered or not merged has its own numbers, 32 apart. */
	switch (number & 0x1fffffff) {
	case 33:
	case 34:
	case 65:
	case 66:
	case 161:
	case 162:
	case 193:
	case 194: return CONSTRUCT_FOR_STATIC;
	case 35:
	case 67:
	case 163:
	case 195: return CONSTRUCT_FOR_DYNAMIC;
	case 36:
	case 42:
	case 43:
	case 68:
	case 164:
	case 196: return CONSTRUCT_FOR_GUIDED;
	case 37:
	case 69:
	case 165:
	case 197: return CONSTRUCT_FOR_RUNTIME;
	case 38:
	case 70:
	case 166:
	case 198: return CONSTRUCT_FOR_AUTO;
	}
	return CONSTRUCT_FOR;
}

static bool schedule_accept(void *arg, uint64_t number)
{
	enum construct_kind *kind = arg;

	*kind = callsite_schedule(number);
	return *kind != CONSTRUCT_FOR;
}

enum construct_kind callsite_construct(const struct callsite_code *c, uint64_t return_address,
				       const char *called)
{
	static const struct {
		const char *beginning, *part;
		enum construct_kind kind;
	} names[] = {
		{ "__kmpc_for_static_init", "", CONSTRUCT_FOR_STATIC },
		{ "__kmpc_dist_for_static_init", "", CONSTRUCT_FOR_STATIC },
		{ "__kmpc_distribute_static_init", "", CONSTRUCT_DISTRIBUTE },
		{ "__kmpc_team_static_init", "", CONSTRUCT_DISTRIBUTE },
		{ "__kmpc_fork_teams", "", CONSTRUCT_TEAMS },
		{ "__kmpc_taskloop", "", CONSTRUCT_TASKLOOP },
		{ "__kmpc_master", "", CONSTRUCT_MASTER },
		{ "GOMP_loop_", "runtime_", CONSTRUCT_FOR_RUNTIME },
		{ "GOMP_loop_", "static_", CONSTRUCT_FOR_STATIC },
		{ "GOMP_loop_", "dynamic_", CONSTRUCT_FOR_DYNAMIC },
		{ "GOMP_loop_", "guided_", CONSTRUCT_FOR_GUIDED },
		{ "GOMP_parallel_loop_", "runtime", CONSTRUCT_FOR_RUNTIME },
		{ "GOMP_parallel_loop_", "static", CONSTRUCT_FOR_STATIC },
		{ "GOMP_parallel_loop_", "dynamic", CONSTRUCT_FOR_DYNAMIC },
		{ "GOMP_parallel_loop_", "guided", CONSTRUCT_FOR_GUIDED },
		{ "GOMP_loop_", "start", CONSTRUCT_FOR },
		{ "GOMP_sections", "start", CONSTRUCT_SECTIONS },
		{ "GOMP_parallel_sections", "", CONSTRUCT_SECTIONS },
		{ "GOMP_teams_reg", "", CONSTRUCT_TEAMS },
		{ "GOMP_taskloop", "", CONSTRUCT_TASKLOOP },
		{ "GOMP_barrier", "", CONSTRUCT_BARRIER },
	};
	enum construct_kind kind = CONSTRUCT_FOR;

	if (!called)
		return CONSTRUCT_UNKNOWN;
	if (callsite_is_called(called, "__kmpc_dispatch_init", "") ||
	    callsite_is_called(called, "__kmpc_dist_dispatch_init", "")) {
		callsite_argument(c, return_address, 2, schedule_accept, &kind);
		return kind;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (callsite_is_called(called, names[i].beginning, names[i].part))
			return names[i].kind;
	return CONSTRUCT_UNKNOWN;
}
