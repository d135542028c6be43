/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collector_request.h - requests to a runtime with the Collector API.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_REQUEST_H
#define OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_REQUEST_H

#include <stdint.h>

#include "ompt_tool/collector/omp_collector_api.h"

typedef int collector_api(void *requests);
typedef void collector_callback(OMP_COLLECTORAPI_EVENT event);

/* Each makes one request and returns its error code (OMP_COLLECTORAPI_EC); OMP_ERRCODE_ERROR
   where the runtime did not read the request. */
int collector_request(collector_api *api, OMP_COLLECTORAPI_REQUEST what);
int collector_register(collector_api *api, int event, collector_callback *callback);

/* The region that the calling thread is in, and the one around it; 0: none, or not known.
   Not async-signal-safe. */
void collector_regions(collector_api *api, uint64_t *current, uint64_t *parent);

/* The calling thread's state (0: not known), what it waits for, and its region, by one call
   of the runtime. Async-signal-safe. */
int collector_state(collector_api *api, uint64_t *wait_id, uint64_t *region);

#endif
