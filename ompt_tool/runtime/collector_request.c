/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An entry is its header, then room for parameters and answer; an entry with sz 0 ends the
 * list. Answers of 8 bytes are aligned to 8.
 */
#include "config.h"

#include "ompt_tool/runtime/collector_gomp.h"

struct header {
	int sz, number, ec, rsz;
};

struct number_entry {
	struct header header;
	uint64_t value;
};

struct state_entry {
	struct header header;
	int state;
	uint64_t wait_id;
};

struct register_entry {
	struct header header;
	int event;
	collector_callback *callback;
};

#define HEADER(entry, what) \
	{ \
		(int)sizeof(struct entry), what, OMP_ERRCODE_ERROR, 0 \
	}

int collector_request(collector_api *api, OMP_COLLECTORAPI_REQUEST what)
{
	struct {
		struct header one;
		int end;
	} list = { { (int)sizeof(struct header), what, OMP_ERRCODE_ERROR, 0 }, 0 };

	return api(&list) == 0 ? list.one.ec : OMP_ERRCODE_ERROR;
}

int collector_register(collector_api *api, int event, collector_callback *callback)
{
	struct {
		struct register_entry one;
		int end;
	} list = { { HEADER(register_entry, OMP_REQ_REGISTER), event, callback }, 0 };

	return api(&list) == 0 ? list.one.header.ec : OMP_ERRCODE_ERROR;
}

static uint64_t answered(const struct number_entry *e)
{
	return e->header.ec == OMP_ERRCODE_OK ? e->value : 0;
}

void collector_regions(collector_api *api, uint64_t *current, uint64_t *parent)
{
	struct {
		struct number_entry current, parent;
		int end;
	} list = { { HEADER(number_entry, OMP_REQ_CURRENT_PRID), 0 },
		   { HEADER(number_entry, OMP_REQ_PARENT_PRID), 0 },
		   0 };

	api(&list);
	*current = answered(&list.current);
	*parent = answered(&list.parent);
}

int collector_state(collector_api *api, uint64_t *wait_id, uint64_t *region)
{
	struct {
		struct state_entry state;
		struct number_entry current;
		int end;
	} list = { { HEADER(state_entry, OMP_REQ_STATE), 0, 0 },
		   { HEADER(number_entry, OMP_REQ_CURRENT_PRID), 0 },
		   0 };

	api(&list);
	*region = answered(&list.current);
	if (list.state.header.ec != OMP_ERRCODE_OK) {
		*wait_id = 0;
		return 0;
	}
	*wait_id = list.state.wait_id;
	return list.state.state;
}
