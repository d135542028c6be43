/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_writer.c - what prof_create() creates and what it does not touch, and space
 * allotted concurrently by many threads and by handlers that interrupt them.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/interrupt.h"
#include "tests/support/writer_fixture.h"

/* ---- creating ----------------------------------------------------------- */

START_TEST(a_new_profile_reads)
{
	struct stat st;

	umask(027);
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	ck_assert_int_eq(entries(), 1);
	ck_assert_int_eq(stat(profile, &st), 0);
	ck_assert_int_eq(st.st_size, PROF_HEADER_BYTES);
	ck_assert_int_eq(st.st_mode & 0777, 0640);
	ck_assert_int_eq(fcntl(w.fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_ge(w.fd, 3);
	ck_assert_uint_eq(w.limit_bytes, LIMIT);

	struct prof_file *f = read_back();
	ck_assert_uint_eq(f->header.pid, (uint32_t)getpid());
	ck_assert_uint_eq(f->header.run, PROF_RUN_RUNNING);
	ck_assert_uint_eq(f->header.end_monotonic_ns, 0);
	ck_assert_uint_ne(f->header.start_monotonic_ns, 0);
	ck_assert_uint_eq(f->missing_bytes, 0);
}
END_TEST

START_TEST(a_file_is_replaced_never_written)
{
	char other[128];

	put_text(profile, "");
	snprintf(other, sizeof(other), "%s/link", folder);
	ck_assert_int_eq(link(profile, other), 0);
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	ck_assert_ptr_nonnull(append_note("new"));
	check_text(other, "");
	ck_assert_uint_eq(read_back()->ntexts, 1);
}
END_TEST

static void leaves_alone(int err)
{
	struct stat before, after;

	ck_assert_int_eq(lstat(profile, &before), 0);
	int n = entries();
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), err);
	ck_assert_int_eq(lstat(profile, &after), 0);
	ck_assert_uint_eq(before.st_ino, after.st_ino);
	ck_assert_int_eq(entries(), n);
	ck_assert_ptr_null(w.base);
	ck_assert_int_eq(w.fd, -1);
}

START_TEST(what_is_no_file_is_left_alone)
{
	char other[128];

	ck_assert_int_eq(mkfifo(profile, 0600), 0);
	leaves_alone(-EEXIST);
	snprintf(other, sizeof(other), "%s/", folder);
	ck_assert_int_eq(prof_create(&w, other, LIMIT), -EISDIR);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(impossible_names)
{
	char lengthy[5000];

	memset(lengthy, 'a', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = '\0';
	ck_assert_int_eq(prof_create(&w, lengthy, LIMIT), -ENAMETOOLONG);
	lengthy[1000] = '\0';
	ck_assert_int_eq(prof_create(&w, lengthy, LIMIT), -ENAMETOOLONG);
	ck_assert_int_eq(prof_create(&w, "", LIMIT), -ENOENT);
	ck_assert_int_eq(prof_create(&w, "/nowhere/at/all", LIMIT), -ENOENT);
	put_text(profile, "");
	snprintf(lengthy, sizeof(lengthy), "%s/b", profile);
	ck_assert_int_eq(prof_create(&w, lengthy, LIMIT), -ENOTDIR);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(a_folder_that_cannot_be_written)
{
	put_text(profile, "");
	ck_assert_int_eq(chmod(folder, 0555), 0);
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), -EACCES);
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
	check_text(profile, "");
	ck_assert_int_eq(entries(), 1);
	ck_assert_int_eq(chmod(folder, 0755), 0);
}
END_TEST

START_TEST(a_killed_predecessor_is_in_nobodys_way)
{
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	prof_abandon(&w);
	ck_assert_int_eq(unlink(profile), 0);
	put_text(w.temporary, "half");
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

/* The standard streams' numbers are not for us, whoever closed them. */
START_TEST(low_descriptors_are_the_applications)
{
	struct rlimit r;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &r), 0);
	r.rlim_cur = 20;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &r), 0);
	int in = dup(0);
	close(0);
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	ck_assert_int_ge(w.fd, 3);
	ck_assert_int_eq(dup(in), 0);
	prof_abandon(&w);
	/* Not one number is free but 0: it stays the application's. */
	while (dup(in) >= 0)
		;
	close(0);
	int err = prof_create(&w, profile, LIMIT), next = dup(in);
	r.rlim_cur = r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
	ck_assert_int_eq(err, -EMFILE);
	ck_assert_int_eq(next, 0);
}
END_TEST

START_TEST(address_space_is_left_to_the_application)
{
	struct rlimit r = { (rlim_t)512 << 20, (rlim_t)512 << 20 };

	ck_assert_int_eq(setrlimit(RLIMIT_AS, &r), 0);
	ck_assert_int_eq(prof_create(&w, profile, (size_t)1 << 32), 0);
	ck_assert_uint_le(w.limit_bytes, (size_t)32 << 20);
	ck_assert_uint_ge(w.limit_bytes, (size_t)16 << 20);
	ck_assert_ptr_nonnull(append_note("x"));
}
END_TEST

START_TEST(an_end_and_no_end)
{
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	prof_end(&w, PROF_RUN_EXECED, 7);
	struct prof_file *f = read_back();
	ck_assert_uint_eq(f->header.run, PROF_RUN_EXECED);
	ck_assert_uint_eq(f->header.ticks_end, 7);
	ck_assert_uint_ge(f->header.end_monotonic_ns, f->header.start_monotonic_ns);
	prof_end(&w, PROF_RUN_RUNNING, 0);
	f = read_back();
	ck_assert_uint_eq(f->header.run, PROF_RUN_RUNNING);
	ck_assert_uint_eq(f->header.end_monotonic_ns, 0);
	prof_abandon(&w);
	prof_end(&w, PROF_RUN_EXITED, 1); /* nothing is open: nothing happens */
	prof_abandon(&w);
}
END_TEST

/* ---- room --------------------------------------------------------------- */

START_TEST(chunks_are_pages_in_a_row)
{
	uint64_t a, b;

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 3, 1, &a), 0);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_INFO, 0, PROF_PAGE + 1, &b), 0);
	ck_assert_uint_eq(a, PROF_HEADER_BYTES);
	ck_assert_uint_eq(b, a + PROF_PAGE);
	const struct prof_chunk *c = (const struct prof_chunk *)(w.base + a);
	ck_assert_uint_eq(c->magic, PROF_CHUNK_MAGIC);
	ck_assert_uint_eq(c->kind, PROF_CHUNK_NODES);
	ck_assert_uint_eq(c->offset, a);
	ck_assert_uint_eq(c->owner, 3);
	c = (const struct prof_chunk *)(w.base + b);
	ck_assert_uint_eq(c->size_bytes, 2 * PROF_PAGE);
	ck_assert_uint_eq(prof_header(&w)->used_bytes, b + 2 * PROF_PAGE);
	read_back();
}
END_TEST

/* How much of the profile's address space can be written. */
static uint64_t writable(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	const uintptr_t lo = (uintptr_t)w.base, hi = lo + w.limit_bytes;
	unsigned long begin, end;
	char line[4400], mode[5];
	uint64_t n = 0;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "%lx-%lx %4s", &begin, &end, mode) == 3 && mode[1] == 'w' &&
		    begin >= lo && end <= hi)
			n += end - begin;
	fclose(f);
	return n;
}

START_TEST(address_space_without_file_is_closed)
{
	uint64_t at;

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	ck_assert_uint_lt(writable(), prof_header(&w)->used_bytes + w.page_bytes);
	for (int i = 0; i < 5; i++) {
		ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 3 * PROF_PAGE, &at), 0);
		ck_assert_uint_ge(writable(), prof_header(&w)->used_bytes);
		ck_assert_uint_lt(writable(), prof_header(&w)->used_bytes + w.page_bytes);
	}
	prof_abandon(&w);
}
END_TEST

START_TEST(the_file_ends_at_its_limit)
{
	enum { SMALL = 16 * PROF_PAGE };
	uint64_t at;
	int n = 0, err;

	ck_assert_int_eq(prof_create(&w, profile, SMALL), 0);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, SIZE_MAX / 2, &at), -EFBIG);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, SMALL, &at), -EFBIG);
	while ((err = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 2 * PROF_PAGE, &at)) == 0)
		n++;
	ck_assert_int_eq(err, -EFBIG);
	ck_assert_int_eq(n, 7);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, PROF_PAGE, &at), 0);
	ck_assert_uint_eq(prof_header(&w)->used_bytes, SMALL);
	ck_assert_ptr_null(append_note("no room"));
	ck_assert_uint_eq(read_back()->header.refused, PROF_REFUSED_LIMIT);
	ck_assert_uint_eq(read_back()->missing_bytes, 0);
	prof_abandon(&w);
	ck_assert_int_eq(prof_create(&w, profile, PROF_PAGE), -EINVAL);
}
END_TEST

START_TEST(records_of_any_size)
{
	static char text[70000];
	size_t sizes[] = { 0, 1, 7, 8, 9, 4000, 16000, 16384, 20000, 3, 65000, 5 };
	size_t n = sizeof(sizes) / sizeof(*sizes);

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < n; i++)
		ck_assert_ptr_nonnull(prof_info_append(&w, PROF_INFO_NOTE, text, sizes[i] / 3, text,
						       sizes[i] - sizes[i] / 3));
	struct prof_file *f = read_back();
	ck_assert_uint_eq(f->ntexts, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(f->texts[i].bytes, sizes[i]);
	ck_assert_ptr_null(prof_info_append(&w, PROF_INFO_NOTE, text, 1 << 24, NULL, 0));
}
END_TEST

START_TEST(a_pending_record_is_not_read)
{
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	void *p = prof_info_append(&w, PROF_INFO_PENDING, "later", 5, NULL, 0);
	ck_assert_ptr_nonnull(append_note("sooner"));
	struct prof_file *f = read_back();
	ck_assert_uint_eq(f->ntexts, 1);
	ck_assert_uint_eq(f->unfinished, 1);
	prof_info_publish(p, PROF_INFO_NOTE);
	f = read_back();
	ck_assert_uint_eq(f->ntexts, 2);
	ck_assert_uint_eq(f->unfinished, 0);
}
END_TEST

/* ---- all at once -------------------------------------------------------- */

enum { THREADS = 6, EACH = 400, TAKEN_MAX = 4 * EACH };

/* What one thread, and the handler that interrupts it, has taken. */
struct taker {
	pthread_t id;
	uint32_t owner;
	uint64_t offset[TAKEN_MAX];
	_Atomic int n;
	_Atomic int notes, refused;
};

static struct taker takers[THREADS];
static __thread struct taker *volatile self;
static void (*take_one)(struct taker *);

static void take_chunk(struct taker *t)
{
	uint64_t at;
	size_t bytes = (size_t)(1 + t->n % 3) * PROF_PAGE;

	if (prof_chunk_new(&w, PROF_CHUNK_NODES, t->owner, bytes, &at) != 0) {
		t->refused++;
		return;
	}
	/* As a tree does: its room is its own from here on. */
	fill_chunk(at, bytes, 0);
	t->offset[t->n++] = at;
}

static void take_note(struct taker *t)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%u:%d", t->owner, t->notes++);

	/* Some of them need a chunk of their own size. */
	if (prof_info_append(&w, PROF_INFO_NOTE, text, (size_t)n, NULL, 0) == NULL)
		t->refused++;
}

static void on_interrupt(int signo, siginfo_t *info, void *u)
{
	struct taker *t = self;

	(void)signo;
	(void)info;
	(void)u;
	if (t != NULL && t->n < TAKEN_MAX - EACH && t->notes < TAKEN_MAX - EACH)
		take_one(t);
}

static void *take(void *arg)
{
	struct taker *t = self = arg;
	struct interrupt in;

	ck_assert_int_eq(interrupt_start(&in, SIGUSR1, 20000), 0);
	for (int i = 0; i < EACH; i++)
		take_one(t);
	interrupt_stop(&in);
	self = NULL;
	return NULL;
}

static void take_at_once(void (*one)(struct taker *))
{
	take_one = one;
	ck_assert_int_eq(interrupt_handle(SIGUSR1, on_interrupt), 0);
	ck_assert_int_eq(prof_create(&w, profile, (size_t)256 << 20), 0);
	for (uint32_t i = 0; i < THREADS; i++) {
		takers[i].owner = i;
		ck_assert_int_eq(pthread_create(&takers[i].id, NULL, take, &takers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(takers[i].id, NULL);
}

static int by_offset(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

START_TEST(no_two_get_the_same_chunk)
{
	static uint64_t all[THREADS * TAKEN_MAX];
	size_t n = 0, interrupted = 0;
	uint64_t end = PROF_HEADER_BYTES;

	take_at_once(take_chunk);
	for (int i = 0; i < THREADS; i++) {
		const struct taker *t = &takers[i];

		ck_assert_int_eq(t->refused, 0);
		interrupted += (size_t)t->n - EACH;
		for (int k = 0; k < t->n; k++) {
			const struct prof_chunk *c = (const void *)(w.base + t->offset[k]);

			ck_assert_uint_eq(c->offset, t->offset[k]);
			ck_assert_uint_eq(c->owner, t->owner);
			all[n++] = t->offset[k];
		}
	}
	qsort(all, n, sizeof(*all), by_offset);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(all[i], end);
		end += ((const struct prof_chunk *)(w.base + end))->size_bytes;
	}
	ck_assert_uint_eq(prof_header(&w)->used_bytes, end);
	/* Else nothing was proven. */
	ck_assert_uint_gt(interrupted, 20);
	read_back();
}
END_TEST

START_TEST(no_two_get_the_same_record)
{
	static bool seen[THREADS][TAKEN_MAX];
	size_t expected = 0;

	take_at_once(take_note);
	for (int i = 0; i < THREADS; i++) {
		ck_assert_int_eq(takers[i].refused, 0);
		expected += (size_t)takers[i].notes;
	}
	ck_assert_uint_gt(expected, THREADS * EACH + 20);
	struct prof_file *f = read_back();
	ck_assert_uint_eq(f->ntexts, expected);
	ck_assert_uint_eq(f->unfinished, 0);
	for (size_t i = 0; i < f->ntexts; i++) {
		unsigned owner, k;

		ck_assert_int_eq(sscanf(f->texts[i].text, "%u:%u", &owner, &k), 2);
		ck_assert_uint_lt(owner, THREADS);
		ck_assert_uint_lt(k, TAKEN_MAX);
		ck_assert(!seen[owner][k]);
		seen[owner][k] = true;
	}
}
END_TEST

/* ---- a file that others make shorter ------------------------------------- */

static volatile sig_atomic_t faults;

static void on_bus(int signo, siginfo_t *info, void *u)
{
	(void)signo;
	(void)u;
	faults++;
	if (!prof_holds(&w, info->si_addr) || prof_mark_dead(&w, info->si_addr) != 0)
		_exit(99);
}

static void catch_bus(void)
{
	struct sigaction sa = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };

	ck_assert_int_eq(sigaction(SIGBUS, &sa, NULL), 0);
}

/* Everything that is done with a writer. */
static void use_it_all(void *note, uint64_t chunk)
{
	uint64_t at;

	memcpy(note, "changed", 7);
	fill_chunk(chunk, 3 * PROF_PAGE, 1);
	prof_header(&w)->lost[0]++;
	for (int i = 0; i < 100; i++) {
		append_note("as long as there is room in the chunk it goes nowhere");
		ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, PROF_PAGE, &at), -ESTALE);
	}
	prof_end(&w, PROF_RUN_EXITED, 1);
}

START_TEST(a_file_made_shorter)
{
	static const off_t lengths[] = { 0, 100, PROF_PAGE, 2 * PROF_PAGE, 4 * PROF_PAGE };
	struct stat st;
	uint64_t at;

	catch_bus();
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
		w.nevents = 3;
		void *note = append_note("something");
		ck_assert_ptr_nonnull(note);
		ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 3 * PROF_PAGE, &at), 0);
		uint64_t used = prof_header(&w)->used_bytes;
		faults = 0;
		ck_assert_int_eq(truncate(profile, lengths[i]), 0);
		use_it_all(note, at);
		ck_assert_int_ge(faults, 1);
		ck_assert_int_le(faults, 3);
		ck_assert(w.dead);
		ck_assert_uint_eq(prof_header(&w)->used_bytes, used);
		ck_assert_uint_eq(prof_header(&w)->nevents, 3);
		prof_abandon(&w);
		ck_assert_int_eq(stat(profile, &st), 0);
		ck_assert_int_eq(st.st_size, lengths[i]);
		ck_assert_int_eq(unlink(profile), 0);
	}
}
END_TEST

/* Noticed before anything faults: no hole of zeros comes in the place of what was. */
START_TEST(a_file_made_shorter_is_not_made_longer)
{
	struct stat st;
	uint64_t at;

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	ck_assert_ptr_nonnull(append_note("something"));
	ck_assert_int_eq(truncate(profile, 0), 0);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, PROF_PAGE, &at), -ESTALE);
	ck_assert_int_eq(stat(profile, &st), 0);
	ck_assert_int_eq(st.st_size, 0);
	ck_assert_uint_eq(prof_header(&w)->refused, PROF_REFUSED_DAMAGED);
}
END_TEST

START_TEST(an_address_that_is_not_ours)
{
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	ck_assert(prof_holds(&w, w.base));
	ck_assert(prof_holds(&w, w.base + w.limit_bytes - 1));
	ck_assert(!prof_holds(&w, w.base + w.limit_bytes));
	ck_assert(!prof_holds(&w, w.base - 1));
	ck_assert(!prof_holds(&w, &w));
	ck_assert_int_eq(prof_mark_dead(&w, &w), -EINVAL);
	ck_assert(!w.dead);
	ck_assert_ptr_nonnull(append_note("still here"));
	ck_assert_uint_eq(read_back()->ntexts, 1);
	prof_abandon(&w);
	ck_assert(!prof_holds(&w, NULL));
}
END_TEST

static void *write_on(void *arg)
{
	struct taker *t = arg;
	uint64_t at;

	for (int i = 0; i < 2000; i++) {
		append_note("more");
		if (prof_chunk_new(&w, PROF_CHUNK_NODES, 0, PROF_PAGE, &at) == 0)
			fill_chunk(at, PROF_PAGE, 1);
		if (i == 100 && t == takers)
			ck_assert_int_eq(truncate(profile, 0), 0);
	}
	return NULL;
}

START_TEST(a_file_made_shorter_under_threads)
{
	catch_bus();
	ck_assert_int_eq(prof_create(&w, profile, (size_t)256 << 20), 0);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&takers[i].id, NULL, write_on, &takers[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(takers[i].id, NULL);
	ck_assert(w.dead);
	prof_end(&w, PROF_RUN_EXITED, 1);
}
END_TEST

static void add(TCase *c)
{
	tcase_add_test(c, a_file_made_shorter);
	tcase_add_test(c, a_file_made_shorter_is_not_made_longer);
	tcase_add_test(c, an_address_that_is_not_ours);
	tcase_add_test(c, a_file_made_shorter_under_threads);
	tcase_add_test(c, a_new_profile_reads);
	tcase_add_test(c, a_file_is_replaced_never_written);
	tcase_add_test(c, what_is_no_file_is_left_alone);
	tcase_add_test(c, impossible_names);
	tcase_add_test(c, a_folder_that_cannot_be_written);
	tcase_add_test(c, a_killed_predecessor_is_in_nobodys_way);
	tcase_add_test(c, low_descriptors_are_the_applications);
	tcase_add_test(c, address_space_is_left_to_the_application);
	tcase_add_test(c, an_end_and_no_end);
	tcase_add_test(c, chunks_are_pages_in_a_row);
	tcase_add_test(c, address_space_without_file_is_closed);
	tcase_add_test(c, the_file_ends_at_its_limit);
	tcase_add_test(c, records_of_any_size);
	tcase_add_test(c, a_pending_record_is_not_read);
	tcase_add_test(c, no_two_get_the_same_chunk);
	tcase_add_test(c, no_two_get_the_same_record);
}

int main(void)
{
	return run_writer_suite("writer", add);
}
