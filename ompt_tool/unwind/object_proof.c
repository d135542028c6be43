/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/unwind/object_proof.h"

#include <stdatomic.h>

enum {
	TABLE_SAMPLES = 16,
	CODE_SAMPLES = 24,
	DEEP_GROUPS = 32, /* groups of adjacent words: at most a page each */
	GROUP_WORDS = 16,
};

struct word {
	uint64_t value;
} __attribute__((packed, may_alias));

static uint64_t word_at(const void *p)
{
	return ((const struct word *)p)->value;
}

void object_proof_add(struct object_proof *p, const void *word)
{
	p->word[p->words] = word;
	p->value[p->words++] = word_at(word);
}

static uint64_t mix(uint64_t sum, uint64_t word)
{
	return (sum ^ word) * 0x9e3779b97f4a7c15u;
}

static uint64_t sum_path(const struct link_map *map)
{
	const volatile char *s = map->l_name;
	uint64_t sum = 0;

	for (unsigned i = 0; s && s[i]; i++)
		sum = mix(sum, (unsigned char)s[i]);
	return sum;
}

static uint64_t sum_samples(uint64_t sum, const struct object_samples *s)
{
	const unsigned char *at = s->at;

	for (uint32_t i = 0; i < s->n; i++, at += s->stride)
		sum = mix(sum, word_at(at));
	return sum;
}

static uint64_t sum_usual(const struct object_proof *p, const struct link_map *map)
{
	return sum_samples(sum_samples(sum_path(map), &p->tables), &p->code);
}

/* Sums groups of words from all over the code, or all words of a small code. */
static uint64_t sum_deep(const struct object *o, const struct link_map *map)
{
	const struct object_text *text = &o->text[0];
	const uintptr_t group = GROUP_WORDS * sizeof(struct word);
	uintptr_t stride = (text->bytes / DEEP_GROUPS + 7) & ~(uintptr_t)7;
	uint64_t sum = sum_path(map);

	if (stride < group)
		stride = group;
	if (!o->proof.code.n)
		return sum;
	for (uintptr_t at = 0; at < text->bytes; at += stride)
		for (uintptr_t i = at; i < at + group && i + 8 <= text->bytes; i += 8)
			sum = mix(sum, word_at((const void *)(text->start + i)));
	return sum;
}

static bool words_hold(const struct object_proof *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (word_at(p->word[i]) != p->value[i])
			return false;
	return true;
}

/* Between two reported changes little can have happened, so little is compared. Where no change
   was ever reported, an object without a build-id is compared with its samples each time. */
bool object_proof_holds(struct object *o, const struct link_map *map)
{
	const struct object_proof *p = &o->proof;
	const uint64_t epoch = object_epoch();

	if (o->program)
		return true;
	if (!words_hold(p, p->usual))
		return false;
	if (atomic_load_explicit(&o->proven, memory_order_relaxed) == epoch)
		return epoch != 0 || p->usual != p->words || sum_usual(p, map) == p->sum;
	if (!words_hold(p, p->words) || sum_usual(p, map) != p->sum ||
	    sum_deep(o, map) != p->deep_sum)
		return false;
	atomic_store_explicit(&o->proven, epoch, memory_order_relaxed);
	return true;
}

/* Chooses n words at most, evenly from the range up to end. */
static struct object_samples samples(uintptr_t from, uintptr_t end, uint32_t n)
{
	struct object_samples s = { .at = (const unsigned char *)from };

	if (end < from + sizeof(struct word))
		return s;
	s.stride = (end - 8 - from) / n + 1;
	if (s.stride < 8)
		s.stride = 8;
	s.n = (uint32_t)((end - 8 - from) / s.stride + 1);
	return s;
}

void object_proof_by_tables(struct object *o)
{
	enum { HEADER_BYTES = 12, USUAL = 0x3b031b01, PAIR_BYTES = 8 };
	struct object_proof *p = &o->proof;
	const int32_t *hdr = (const int32_t *)o->eh_hdr, *last;
	uintptr_t room = o->eh_hi - o->eh_hdr, from, to, end;
	uint64_t count;

	if (o->eh_hdr < o->eh_lo || o->eh_hdr >= o->eh_hi || o->eh_hdr % 4 ||
	    room < HEADER_BYTES + PAIR_BYTES || hdr[0] != USUAL)
		return;
	count = (uint32_t)hdr[2];
	if (!count || count > (room - HEADER_BYTES) / PAIR_BYTES)
		return;
	last = hdr + 3 + 2 * (count - 1);
	object_proof_add(p, hdr);
	object_proof_add(p, hdr + 2);
	object_proof_add(p, last);
	from = o->eh_hdr + 4 + (uintptr_t)(intptr_t)hdr[1];
	to = o->eh_hdr + (uintptr_t)(intptr_t)last[1];
	if (from < o->eh_lo || to < from || to > o->eh_hi - 8)
		return;
	object_proof_add(p, (const void *)to);
	end = to + 4 + (uint32_t)word_at((const void *)to);
	if (end > o->eh_hi || end < to + 8)
		return;
	p->tables = samples(from, end, TABLE_SAMPLES);
}

void object_proof_by_headers(struct object *o, const Elf64_Ehdr *elf)
{
	const Elf64_Phdr *program = (const Elf64_Phdr *)((uintptr_t)elf + elf->e_phoff);

	for (unsigned i = 0; i < elf->e_phnum; i++) {
		const Elf64_Phdr *p = &program[i];

		if (p->p_type != PT_LOAD || o->bias + p->p_vaddr != o->text[0].start)
			continue;
		object_proof_add(&o->proof, &elf->e_shoff);
		object_proof_add(&o->proof, &elf->e_phoff);
		object_proof_add(&o->proof, &elf->e_ehsize);
		object_proof_add(&o->proof, &p->p_type);
		object_proof_add(&o->proof, &p->p_vaddr);
		object_proof_add(&o->proof, &p->p_memsz);
		o->proof.code = samples(o->text[0].start, o->text[0].start + o->text[0].bytes,
					CODE_SAMPLES);
		return;
	}
}

void object_proof_complete(struct object *o, const struct link_map *map)
{
	o->proof.sum = sum_usual(&o->proof, map);
	o->proof.deep_sum = sum_deep(o, map);
}
