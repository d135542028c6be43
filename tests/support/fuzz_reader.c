/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzzes the reader.
 *
 * LLVMFuzzerTestOneInput() is libFuzzer's entry point (make fuzz, with clang).  Built with
 * FUZZ_STANDALONE there is a main() that mutates a small profile itself:
 *
 * 	fuzz_reader [SECONDS [SEED [FILE…]]]
 * 	fuzz_reader --seed FILE		writes the profile that is mutated
 *
 * With FILEs and 0 SECONDS it only reads these.  The current input is in a shared mapping
 * of ./fuzz_reader.input, which survives a crash.
 */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fnv.h"
#include "src/profile/clock.h"
#include "src/profile/reader/reader.h"
#include "tests/support/promises.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prof_file *f = NULL;
	uint32_t version;
	/* A copy of just that size: aligned, and its end is watched. */
	uint8_t *bytes = malloc(size ? size : 1);
	const char *broken;

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	if (prof_read_memory(bytes, size, "fuzz", &f, &version) == PROF_READ_OK) {
		broken = promise_broken(f);
		if (broken) {
			fprintf(stderr, "promise broken: %s\n", broken);
			abort();
		}
	} else if (f) {
		fprintf(stderr, "a failed read returned a file\n");
		abort();
	}
	prof_free(f);
	free(bytes);
	return 0;
}

#ifdef FUZZ_STANDALONE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/mkprofile.h"

enum { INPUT_BYTES = 1 << 16, CHANGES_MAX = 8 };

static const char input_name[] = "fuzz_reader.input";
static uint64_t random_state;

static uint64_t random_next(void)
{
	random_state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = random_state;

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static size_t random_below(size_t n)
{
	return (size_t)(random_next() % n);
}

/* Numbers that stand at the edges of something. */
static uint64_t random_number(size_t size)
{
	static const uint64_t edges[] = {
		0,
		1,
		2,
		7,
		8,
		31,
		32,
		33,
		4095,
		4096,
		4097,
		65535,
		65536,
		INT32_MAX,
		UINT32_MAX - 1,
		UINT32_MAX,
		(uint64_t)UINT32_MAX + 1,
		INT64_MAX,
		UINT64_MAX - 1,
		UINT64_MAX,
		PROF_CHUNK_MAGIC,
	};

	switch (random_below(4)) {
	case 0: return edges[random_below(sizeof(edges) / sizeof(edges[0]))];
	case 1: return random_below(size / PROF_GRANULE + 2); /* a node's number */
	case 2: return random_below(size + 2);		      /* an offset */
	default: return random_next() >> random_below(64);
	}
}

/* Half of all changes hit what is in use, near the start of a page. */
static size_t random_place(size_t size, size_t align)
{
	size_t at = random_below(size);

	if (random_next() & 1)
		at = at / PROF_PAGE * PROF_PAGE + random_below(768);
	at = at / align * align;
	return at < size ? at : 0;
}

static void change(uint8_t *data, size_t *size)
{
	size_t n = *size, width = (size_t)1 << random_below(4), at;
	uint64_t number = random_number(n);

	switch (random_below(8)) {
	case 0: /* a bit */ data[random_place(n, 1)] ^= (uint8_t)(1u << random_below(8)); break;
	case 1: /* one granule becomes another */
		if (n >= 2 * PROF_GRANULE)
			memmove(data + random_place(n - PROF_GRANULE, PROF_GRANULE),
				data + random_place(n - PROF_GRANULE, PROF_GRANULE), PROF_GRANULE);
		break;
	case 2: /* one page becomes another */
		if (n >= 2 * PROF_PAGE)
			memmove(data + random_place(n - PROF_PAGE, PROF_PAGE),
				data + random_place(n - PROF_PAGE, PROF_PAGE), PROF_PAGE);
		break;
	case 3: /* cut */
		if (!random_below(8))
			*size = 1 + random_below(n);
		break;
	case 4: /* a hole */
		at = random_place(n, 8);
		memset(data + at, 0, random_below(n - at < 64 ? n - at : 64));
		break;
	default: /* a number */
		at = random_place(n, width);
		if (at + width <= n)
			memcpy(data + at, &number, width);
		break;
	}
}

/* A profile with something of each kind. */
static void make_names(struct mkprofile *m)
{
	static const char text[] = "names";
	const struct prof_names names = { fnv(FNV_BEGIN, text, sizeof(text)), sizeof(text),
					  PROF_NAMES_VERSION, 0 };
	const uint64_t at = mk_chunk(m, PROF_CHUNK_NAMES, 0, PROF_PAGE) + sizeof(struct prof_chunk);

	memcpy(mk_bytes(m) + at, &names, sizeof(names));
	memcpy(mk_bytes(m) + at + sizeof(names), text, sizeof(text));
}

static void make_timeline(struct mkprofile *m, uint32_t thread, uint32_t node)
{
	struct prof_cell cells[4] = { 0 };

	for (uint32_t i = 0; i < 4; i++)
		cells[i] = (struct prof_cell){
			.node = node,
			.bucket = i / 2,
			.weight = i,
			.samples = (uint64_t)i << PROF_CELL_SAMPLES_SHIFT | PROF_CELL_KEY(0, i),
		};
	mk_timeline(m, thread, 20, cells, 4);
}

static void make_trace(struct mkprofile *m, uint32_t thread, uint32_t node)
{
	struct prof_traced events[8] = { 0 };

	for (uint32_t i = 0; i < 8; i++)
		events[i] = (struct prof_traced){
			.ticks = i, .context = node, .kind = (uint8_t)(i + 1), .state = (uint8_t)i
		};
	mk_trace(m, thread, events, 8);
}

static struct mkprofile *make_seed(void)
{
	struct mkprofile *m = mk_new();
	uint32_t module = mk_module(m, "/bin/app", PROF_MODULE_MAIN), t0, t1, context, at;

	mk_event(m, "cycles:u", PROF_UNIT_EVENTS);
	mk_text(m, PROF_INFO_HOST, "node17");
	mk_text(m, PROF_INFO_CPUS, "0-3");
	mk_text(m, PROF_INFO_TOPOLOGY, "node 0 0-3");
	mk_text(m, PROF_INFO_LAUNCHER, "slurm");
	mk_text(m, PROF_INFO_RANK, "3");
	mk_text(m, PROF_INFO_SIZE, "4");
	mk_text(m, PROF_INFO_LOCAL_RANK, "1");
	mk_text(m, PROF_INFO_NODE, "1");
	mk_text(m, PROF_INFO_ARRAY_TASK, "2");
	mk_text(m, PROF_INFO_STEP, "0");
	mk_info(m, PROF_INFO_ARGV, "app\0-x\0", 7);
	t0 = mk_thread(m, PROF_THREAD_INITIAL, 1);
	t1 = mk_thread(m, PROF_THREAD_WORKER, 2);
	context = mk_path(m, mk_root(m, t0), PROF_LOC(module, 1), PROF_LOC(module, 2));
	mk_stats(m, context, PROF_STATS_TEAM, 1, 2);
	mk_cpu(m, mk_root(m, t1), 0, 300, 5, 50);
	for (unsigned i = 0; i < 8; i++) {
		at = mk_boundary(m, i % 2 ? context : mk_root(m, t1), context,
				 i % 3 ? PROF_BOUNDARY_REGION : PROF_BOUNDARY_TASK);
		context = mk_path(m, at, PROF_LOC(module, 3), PROF_LOC(module, 4));
		at = mk_construct(m, context, PROF_LOC(module, 6), PROF_CONSTRUCT_SINGLE);
		mk_leaf(m, mk_object(m, at, 5, 0), 0, i, PROF_CAUSE_NONE, i, i);
	}
	make_timeline(m, t0, mk_root(m, t0));
	make_timeline(m, t1, context);
	make_trace(m, t0, context);
	make_trace(m, t1, context);
	make_names(m);
	return m;
}

static int read_given(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		FILE *in = fopen(argv[i], "rb");
		uint8_t *bytes = malloc(1 << 26);
		size_t size;

		if (!in || !bytes) {
			perror(argv[i]);
			return 1;
		}
		size = fread(bytes, 1, 1 << 26, in);
		fclose(in);
		LLVMFuzzerTestOneInput(bytes, size);
		free(bytes);
	}
	return 0;
}

static double seconds_now(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) / 1e9;
}

static uint8_t *map_input(void)
{
	int fd = open(input_name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	void *p = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, INPUT_BYTES))
		p = mmap(NULL, INPUT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return p == MAP_FAILED ? NULL : p;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 2, end = seconds_now() + seconds;
	struct mkprofile *seed = make_seed();
	unsigned long runs = 0;
	uint8_t *input;

	if (argc == 3 && !strcmp(argv[1], "--seed")) {
		int err = mk_write(seed, argv[2]);

		mk_free(seed);
		return err ? 1 : 0;
	}
	input = map_input();
	random_state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	if (!input || mk_size(seed) > INPUT_BYTES) {
		perror(input_name);
		return 1;
	}
	if (argc > 3 && read_given(argc - 3, argv + 3))
		return 1;
	for (; seconds_now() < end; runs++) {
		size_t size = mk_size(seed), changes = 1 + random_below(CHANGES_MAX);

		memcpy(input, mk_bytes(seed), size);
		while (changes--)
			change(input, &size);
		LLVMFuzzerTestOneInput(input, size);
	}
	unlink(input_name);
	munmap(input, INPUT_BYTES);
	mk_free(seed);
	printf("PASS: %lu damaged profiles read\n", runs);
	return runs > 0 || seconds == 0 ? 0 : 1;
}
#endif
