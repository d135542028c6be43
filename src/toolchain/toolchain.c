/* SPDX-License-Identifier: BSD-3-Clause */
/* toolchain.c - looks names up in the descriptions. */
#include "config.h"

#include "src/toolchain/toolchain.h"

#include <string.h>

#include "src/toolchain/toolchains.h"

static const struct toolchain *const all[] = { &toolchain_gnu, &toolchain_llvm, &toolchain_other };

enum { ALL = sizeof(all) / sizeof(*all) };

const struct toolchain *toolchain_number(size_t i)
{
	return i < ALL ? all[i] : NULL;
}

static bool matches(const char *pattern, const char *name)
{
	const char *star, *part;
	size_t n;

	if (!pattern || !name)
		return false;
	star = strchr(pattern, '*');
	n = star ? (size_t)(star - pattern) : strlen(pattern);
	if (strncmp(pattern, name, n) != 0)
		return false;
	name += n;
	if (!star)
		return !*name || *name == '@';
	part = star + 1;
	n = strcspn(part, "*");
	while (n && *name && strncmp(name, part, n) != 0)
		name++;
	return !n || *name;
}

static bool matches_any(const char *const *patterns, const char *name)
{
	for (; patterns && *patterns; patterns++)
		if (matches(*patterns, name))
			return true;
	return false;
}

/* libomp also provides libgomp's entry points, possibly as __kmp_api_GOMP_…, and
   libomphwc-gomp.so wraps libgomp's in on_GOMP_…. */
const char *toolchain_plain(const char *name)
{
	static const char api[] = "__kmp_api_", on[] = "on_GOMP_", on_omp[] = "on_omp_";

	if (!name)
		return NULL;
	if (!strncmp(name, api, sizeof(api) - 1))
		return name + sizeof(api) - 1;
	if (!strncmp(name, on, sizeof(on) - 1) || !strncmp(name, on_omp, sizeof(on_omp) - 1))
		return name + 3;
	return name;
}

bool toolchain_matches(const char *pattern, const char *name)
{
	return matches(pattern, toolchain_plain(name));
}

const struct toolchain_entry *toolchain_entry(const char *name)
{
	static const struct toolchain_entry none;

	name = toolchain_plain(name);
	/* Whether a description may have the entry point of that name. */
	for (size_t i = 0; name && i < ALL; i++)
		for (size_t k = 0;
		     k < all[i]->nentries && (!all[i]->names || matches_any(all[i]->names, name));
		     k++)
			if (matches(all[i]->entries[k].name, name))
				return &all[i]->entries[k];
	return &none;
}

bool toolchain_rule(const char *entry, enum prof_state state, struct leaf_verdict *v)
{
	entry = toolchain_plain(entry);
	for (size_t i = 0; entry && i < ALL; i++)
		for (size_t k = 0; k < all[i]->nrules; k++) {
			const struct toolchain_rule *r = &all[i]->rules[k];

			if (!(r->states & UINT32_C(1) << state) || !matches(r->entry, entry))
				continue;
			*v = r->is;
			return true;
		}
	return false;
}

const struct toolchain_span *toolchain_span(const char *name, bool *begins)
{
	name = toolchain_plain(name);
	for (size_t i = 0; name && i < ALL; i++)
		for (size_t k = 0; k < all[i]->nspans; k++) {
			const struct toolchain_span *s = &all[i]->spans[k];

			*begins = matches(s->begin, name);
			if (*begins || matches(s->end, name))
				return s;
		}
	return NULL;
}

bool toolchain_is_runtime_name(const char *name)
{
	for (size_t i = 0; name && i < ALL; i++)
		if (matches_any(all[i]->names, name))
			return true;
	return false;
}

bool toolchain_is_linked_runtime_name(const char *name)
{
	if (toolchain_is_runtime_name(name))
		return true;
	for (size_t i = 0; name && i < ALL; i++) {
		const char *const *part = all[i]->mangled;

		if (matches_any(all[i]->linked_names, name))
			return true;
		for (; part && *part && !strncmp(name, "_Z", 2); part++)
			if (strstr(name, *part))
				return true;
	}
	return false;
}

bool toolchain_lists(enum toolchain_list list, const char *name)
{
	for (size_t i = 0; name && i < ALL; i++)
		if (matches_any(all[i]->lists[list], name))
			return true;
	return false;
}

/* ---- runtimes as a whole --------------------------------------------- */

const struct toolchain *toolchain_of_runtime(const char *identity)
{
	for (size_t i = 0; i < ALL; i++)
		if (identity && (matches_any(all[i]->identities, identity) ||
				 matches_any(all[i]->files, identity)))
			return all[i];
	return &toolchain_other;
}

const struct toolchain *toolchain_of_file(const char *file)
{
	for (size_t i = 0; i < ALL; i++)
		if (matches_any(all[i]->files, file))
			return all[i];
	return &toolchain_other;
}

bool toolchain_is_producer(const char *file)
{
	for (size_t i = 0; i < ALL; i++) {
		const char *producer = all[i]->producer;

		if (producer && !strncmp(producer, file, strcspn(producer, ".")))
			return true;
	}
	return false;
}

bool toolchain_is_device(const struct toolchain *t, const char *file)
{
	return matches(t->device, file);
}

bool toolchain_is_affinity(const char *setting)
{
	const size_t n = strcspn(setting, "=");

	for (size_t i = 0; i < ALL; i++)
		for (const char *const *a = all[i]->affinities; a && *a; a++)
			if (strlen(*a) == n && !strncmp(*a, setting, n))
				return true;
	return false;
}
