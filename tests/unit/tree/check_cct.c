/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_cct.c - calling-context trees: every node is found again, once, also when handlers
 * and other threads add nodes concurrently, and without room.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ompt_tool/tree/cct.h"
#include "tests/support/interrupt.h"
#include "tests/support/writer_fixture.h"

static struct cct tree;

static uint64_t random_state = 88172645463325252u;

static uint64_t draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void plant(struct cct *t, uint32_t owner)
{
	cct_init(t, &w, owner);
	ck_assert_uint_ne(cct_root(t), 0);
	ck_assert_uint_eq(cct_root(t), t->root);
}

static void plant_first(void)
{
	ck_assert_int_eq(prof_create(&w, profile, (size_t)64 << 20), 0);
	prof_header(&w)->nthreads = 8;
	prof_header(&w)->nevents = 1;
	plant(&tree, 0);
}

static uint32_t frame(uint32_t parent, uint64_t location)
{
	return cct_child(&tree, parent, PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, 0), location);
}

/* ---- one thread --------------------------------------------------------- */

struct key {
	uint32_t parent, info, node;
	uint64_t value;
};

/* Few values for each key, so that each occurs repeatedly, under many parents. */
static void draw_key(struct key *k, const struct key *keys, int n)
{
	const struct key *up = n == 0 ? NULL : &keys[draw() % (uint64_t)n];

	k->parent = up == NULL || draw() % 4 == 0 ? tree.root : up->node;
	k->info = PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, draw() % 3);
	k->value = draw() % 2 != 0 ? draw() % 50 :
				     PROF_LOC(1 + draw() % 3, 0x1000 + draw() % 50 * 16);
}

static const struct key *look_for(const struct key *k, const struct key *keys, int n)
{
	for (int i = 0; i < n; i++)
		if (keys[i].parent == k->parent && keys[i].info == k->info &&
		    keys[i].value == k->value)
			return &keys[i];
	return NULL;
}

START_TEST(random_keys_are_found_again)
{
	enum { KEYS = 4000 };
	static struct key keys[KEYS];
	int n = 0, again = 0;

	plant_first();
	for (int i = 0; i < 3 * KEYS && n < KEYS; i++) {
		struct key k;

		draw_key(&k, keys, n);
		k.node = cct_child(&tree, k.parent, k.info, k.value);
		ck_assert_uint_ne(k.node, 0);
		const struct key *known = look_for(&k, keys, n);
		if (known != NULL) {
			ck_assert_uint_eq(known->node, k.node);
			again++;
		} else {
			keys[n++] = k;
		}
	}
	ck_assert_int_gt(again, 100);
	for (int i = 0; i < n; i++) {
		const struct prof_node *node = cct_node(&w, keys[i].node);

		ck_assert_uint_eq(node->parent, keys[i].parent);
		ck_assert_uint_eq(node->info, keys[i].info);
		ck_assert_uint_eq(node->value, keys[i].value);
	}
	ck_assert_uint_eq(read_back()->nnodes, (unsigned)n + 1);
}
END_TEST

START_TEST(leaves_are_told_by_their_word)
{
	uint32_t a, b;

	plant_first();
	a = cct_child(&tree, tree.root, PROF_NODE_INFO(PROF_NODE_LEAF, 0, PROF_STATE_SERIAL, 0), 0);
	cct_node(&w, a)->samples = 7;
	cct_node(&w, a)->weight = 70;
	b = cct_child(&tree, tree.root, PROF_NODE_INFO(PROF_NODE_LEAF, 0, PROF_STATE_IDLE, 0), 0);
	ck_assert_uint_ne(a, b);
	ck_assert_uint_eq(a, cct_child(&tree, tree.root,
				       PROF_NODE_INFO(PROF_NODE_LEAF, 0, PROF_STATE_SERIAL, 0), 0));
	ck_assert_uint_eq(cct_node(&w, a)->samples, 7);
	ck_assert_uint_eq(cct_node(&w, b)->samples, 0);
	ck_assert_uint_eq(cct_node(&w, b)->weight, 0);
}
END_TEST

static int depth(uint32_t n)
{
	if (n == 0)
		return 0;
	int l = depth(cct_node(&w, n)->left), r = depth(cct_node(&w, n)->right);

	return 1 + (l > r ? l : r);
}

/* Successive return addresses, as in a large function, and as many functions. */
START_TEST(many_siblings_are_found_in_few_steps)
{
	enum { SIBLINGS = 30000 };

	plant_first();
	for (uint64_t i = 0; i < SIBLINGS; i++)
		ck_assert_uint_ne(frame(tree.root, PROF_LOC(1, 0x400000 + i * 5)), 0);
	ck_assert_int_le(depth(cct_node(&w, tree.root)->child), 4 * 15);
	uint64_t used = prof_header(&w)->used_bytes;
	for (uint64_t i = 0; i < SIBLINGS; i++)
		frame(tree.root, PROF_LOC(1, 0x400000 + i * 5));
	ck_assert_uint_eq(prof_header(&w)->used_bytes, used);
}
END_TEST

START_TEST(a_deep_path)
{
	uint32_t n;

	plant_first();
	n = tree.root;
	for (int i = 0; i < 20000; i++)
		n = frame(n, PROF_LOC(1, 0x1000));
	ck_assert_uint_ne(n, 0);
	ck_assert_uint_eq(read_back()->nnodes, 20001);
}
END_TEST

/* ---- at the same time ----------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 4000, VALUES = 400 };

struct adder {
	pthread_t id;
	struct cct tree;
	uint32_t parent;
	uint64_t state;
	_Atomic uint64_t added; /* by the thread and its handler */
};

static struct adder adders[THREADS];
static __thread struct adder *volatile self;
static _Atomic uint64_t from_handlers;

/* A path of two frames and a leaf, of values that all adders draw from. */
static void add_one(struct adder *a, uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	uint64_t r = *state >> 33;
	uint32_t info = PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, 0);
	uint32_t n = cct_child(&a->tree, a->parent, info, PROF_LOC(1, r % VALUES));

	n = cct_child(&a->tree, n, info, PROF_LOC(2, r / VALUES % 3));
	n = cct_child(&a->tree, n, PROF_NODE_INFO(PROF_NODE_LEAF, 0, PROF_STATE_PARALLEL, 0), 0);
	/* Check's assertions must not be used in handlers. */
	if (n == 0)
		abort();
	atomic_fetch_add((_Atomic uint64_t *)&cct_node(&w, n)->samples, 1);
	a->added++;
}

static void on_interrupt(int signo, siginfo_t *info, void *u)
{
	static __thread uint64_t state = 99;
	struct adder *a = self;

	(void)signo;
	(void)info;
	(void)u;
	if (a != NULL) {
		add_one(a, &state);
		from_handlers++;
	}
}

static void *add_many(void *arg)
{
	struct adder *a = self = arg;
	struct interrupt in;

	ck_assert_int_eq(interrupt_start(&in, SIGUSR1, 20000), 0);
	for (int i = 0; i < ROUNDS; i++)
		add_one(a, &a->state);
	interrupt_stop(&in);
	self = NULL;
	return NULL;
}

/* The samples found by a new look-up: all that were added, unless some were added to a node
   that lost a race. */
static uint64_t found(const struct adder *a)
{
	uint32_t info = PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, 0);
	uint64_t sum = 0;

	for (uint64_t v = 0; v < VALUES * 3; v++) {
		uint32_t n = cct_child(&tree, a->parent, info, PROF_LOC(1, v % VALUES));

		n = cct_child(&tree, n, info, PROF_LOC(2, v / VALUES));
		n = cct_child(&tree, n, PROF_NODE_INFO(PROF_NODE_LEAF, 0, PROF_STATE_PARALLEL, 0),
			      0);
		sum += cct_node(&w, n)->samples;
	}
	return sum;
}

static void add_at_once(int threads)
{
	ck_assert_int_eq(interrupt_handle(SIGUSR1, on_interrupt), 0);
	for (int i = 0; i < threads; i++)
		ck_assert_int_eq(pthread_create(&adders[i].id, NULL, add_many, &adders[i]), 0);
	for (int i = 0; i < threads; i++)
		pthread_join(adders[i].id, NULL);
	/* Otherwise nothing was proven. */
	ck_assert_uint_gt(from_handlers, 20);
}

/* Each time the tree is empty, so that handlers meet nodes being created. */
START_TEST(a_handler_adds_to_the_tree_it_interrupts)
{
	plant_first();
	for (int round = 0; round < 5; round++) {
		struct adder *a = &adders[0];

		plant(&a->tree, 0);
		a->parent = a->tree.root;
		a->state = (uint64_t)round;
		a->added = 0;
		add_at_once(1);
		ck_assert_uint_eq(found(a), a->added);
	}
	read_back();
}
END_TEST

/* Keys of which the first two share a link, and so on. */
struct meeting {
	struct cct tree;
	uint32_t root, mine, others;
	uint64_t my_value, others_value;
};

static void add_mine(void *arg)
{
	struct meeting *m = arg;

	m->mine =
		cct_child(&m->tree, m->root, PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, 0), m->my_value);
}

static void add_others(void *arg)
{
	struct meeting *m = arg;

	m->others = cct_child(&m->tree, m->root, PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, 0),
			      m->others_value);
}

static void check_meeting(struct meeting *m)
{
	uint32_t mine = m->mine, others = m->others;

	ck_assert_uint_ne(mine, 0);
	ck_assert_uint_ne(others, 0);
	ck_assert(m->my_value == m->others_value ? mine == others : mine != others);
	add_mine(m);
	add_others(m);
	ck_assert_uint_eq(mine, m->mine);
	ck_assert_uint_eq(others, m->others);
	ck_assert_uint_eq(cct_node(&w, mine)->value, m->my_value);
	ck_assert_uint_eq(cct_node(&w, others)->value, m->others_value);
}

static struct meeting meeting;

/* Between any two instructions, with more or less room left. */
START_TEST(a_handler_between_any_two_instructions)
{
	static const uint64_t values[][2] = { { 5, 5 }, { 7, 1000 } };
	enum { NODES = 4096 / 32 - 1 };
	struct meeting *m = &meeting;
	int n = 1;

	plant_first();
	for (size_t k = 0; k < sizeof(values) / sizeof(*values); k++)
		for (int left = 0; left < 3; left += 2) {
			bool more = true;

			for (n = 1; more; n++) {
				plant(&m->tree, 0);
				m->root = m->tree.root;
				for (uint64_t i = 1; i + (uint64_t)left < NODES; i++)
					cct_child(&m->tree, m->root,
						  PROF_NODE_INFO(PROF_NODE_OBJECT, 0, 0, 0), i);
				m->my_value = values[k][0];
				m->others_value = values[k][1];
				m->mine = m->others = 0;
				more = interrupt_at(n, add_mine, add_others, m);
				if (!more)
					add_others(m);
				check_meeting(m);
			}
		}
	read_back();
#ifdef __x86_64__
	ck_assert_int_gt(n, 60);
#endif
}
END_TEST

START_TEST(threads_share_a_parent)
{
	uint64_t added = 0;

	plant_first();
	uint32_t shared = frame(tree.root, PROF_LOC(1, 0x10));
	for (uint32_t i = 0; i < THREADS; i++) {
		plant(&adders[i].tree, i + 1);
		adders[i].parent = shared;
		adders[i].state = i % 2; /* some in lockstep with others */
	}
	add_at_once(THREADS);
	for (int i = 0; i < THREADS; i++)
		added += adders[i].added;
	ck_assert_uint_eq(found(&adders[0]), added);
	struct prof_file *f = read_back();
	ck_assert_uint_ge(f->nnodes, VALUES * 3);
}
END_TEST

/* ---- no room ---------------------------------------------------------------- */

START_TEST(a_full_file_keeps_what_it_has)
{
	uint32_t last = 0, n;
	uint64_t i = 0;

	ck_assert_int_eq(prof_create(&w, profile, 16 * PROF_PAGE), 0);
	plant(&tree, 0);
	while ((n = frame(tree.root, PROF_LOC(1, ++i))) != 0)
		last = n;
	ck_assert_uint_gt(i, 500);
	ck_assert_uint_eq(frame(tree.root, PROF_LOC(1, i - 1)), last);
	ck_assert_uint_eq(frame(last, PROF_LOC(1, i - 1)), 0);
	prof_header(&w)->nthreads = 1;
	ck_assert_uint_eq(read_back()->nnodes, i);
}
END_TEST

static void limit_files(rlim_t bytes)
{
	struct rlimit r = { bytes, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &r);
}

/* After the disk was full, room is requested again, but not for each sample. */
START_TEST(room_that_comes_back)
{
	uint32_t n;
	int tries = 0;

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	limit_files(2 * PROF_PAGE);
	plant(&tree, 0);
	for (uint64_t i = 0; frame(tree.root, PROF_LOC(1, i)) != 0; i++)
		;
	limit_files(RLIM_INFINITY);
	while ((n = frame(tree.root, PROF_LOC(2, 1))) == 0 && tries < 100000)
		tries++;
	ck_assert_uint_ne(n, 0);
	ck_assert_int_gt(tries, 100);
}
END_TEST

START_TEST(a_tree_without_a_root)
{
	struct prof_header before;

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	limit_files(PROF_HEADER_BYTES);
	cct_init(&tree, &w, 0);
	uint32_t root = cct_root(&tree);
	limit_files(RLIM_INFINITY);
	ck_assert_uint_eq(root, 0);
	before = *prof_header(&w);
	/* Node 0 is the file's header. */
	ck_assert_uint_eq(frame(0, PROF_LOC(1, 1)), 0);
	ck_assert_mem_eq(&before, prof_header(&w), sizeof(before));
	for (int i = 0; i < 100000 && root == 0; i++)
		root = cct_root(&tree);
	ck_assert_uint_ne(root, 0);
	ck_assert_uint_ne(frame(root, PROF_LOC(1, 1)), 0);
	prof_header(&w)->nthreads = 1;
	ck_assert_uint_eq(read_back()->nnodes, 2);
}
END_TEST

/* ---- a file into which others write ------------------------------------------- */

enum { OVERWRITINGS = 6 };

/* Changes the file from outside; older: what it once contained. */
static void overwrite(int how, const unsigned char *older, size_t bytes)
{
	static unsigned char now[4 << 20];
	const int fd = open(profile, O_RDWR);
	const uint32_t nodes = (uint32_t)(bytes / PROF_GRANULE);

	ck_assert_int_ge(fd, 0);
	ck_assert_uint_le(bytes, sizeof(now));
	ck_assert_int_eq(pread(fd, now, bytes, 0), (ssize_t)bytes);
	for (size_t i = 0; how == 0 && i < bytes; i++)
		now[i] = 0;
	for (size_t i = PROF_HEADER_BYTES; how == 1 && i < bytes; i++)
		now[i] = (unsigned char)draw();
	if (how == 2)
		memcpy(now, older, bytes);
	for (uint32_t i = PROF_HEADER_BYTES / PROF_GRANULE; how >= 3 && i < nodes; i++) {
		struct prof_node *n = (struct prof_node *)now + i;
		uint32_t *const link[] = { &n->left, &n->right, &n->child, &n->parent };
		uint32_t *l = link[draw() % 4];

		if (draw() % 8 != 0)
			continue;
		*l = how == 3 ? *l ^ 1u << draw() % 32 : (uint32_t)draw();
		if (how == 4)
			n->left = n->right = n->child = n->parent = i;
	}
	ck_assert_int_eq(pwrite(fd, now, bytes, 0), (ssize_t)bytes);
	close(fd);
}

/* Whatever is in the file, look-ups end, and what they find is in the file. */
START_TEST(others_write_into_the_file)
{
	enum { KEYS = 3000 };
	static struct key keys[KEYS];
	static unsigned char older[4 << 20];
	size_t bytes;

	ck_assert_int_eq(prof_create(&w, profile, (size_t)64 << 20), 0);
	plant(&tree, 0);
	for (int i = 0; i < KEYS; i++) {
		draw_key(&keys[i], keys, i);
		keys[i].node = cct_child(&tree, keys[i].parent, keys[i].info, keys[i].value);
		if (i == KEYS / 2)
			memcpy(older, w.base, w.open_bytes);
	}
	bytes = w.open_bytes;
	ck_assert_uint_le(bytes, sizeof(older));
	overwrite(_i % OVERWRITINGS, older, bytes);
	for (int i = 0; i < 4 * KEYS; i++) {
		const struct key *k = &keys[draw() % KEYS];
		const uint32_t n = cct_child(&tree, k->node, k->info, draw() % 1000);
		const uint32_t old = cct_child(&tree, k->parent, k->info, k->value);

		ck_assert_uint_lt(n, w.nodes);
		ck_assert_uint_lt(old, w.nodes);
		if (n != 0)
			cct_node(&w, n)->a++;
		ck_assert_uint_lt(cct_find(&w, k->node, PROF_NODE_LEAF), w.nodes);
		append_note("records, too, are found by what is in the file");
	}
	prof_end(&w, PROF_RUN_EXITED, 1);
	ck_assert(w.overwritten);
	ck_assert_uint_eq(prof_header(&w)->refused, PROF_REFUSED_DAMAGED);
}
END_TEST

static void add(TCase *c)
{
	tcase_add_loop_test(c, others_write_into_the_file, 0, 2 * OVERWRITINGS);
	tcase_add_test(c, random_keys_are_found_again);
	tcase_add_test(c, leaves_are_told_by_their_word);
	tcase_add_test(c, many_siblings_are_found_in_few_steps);
	tcase_add_test(c, a_deep_path);
	tcase_add_test(c, a_handler_adds_to_the_tree_it_interrupts);
	tcase_add_test(c, a_handler_between_any_two_instructions);
	tcase_add_test(c, threads_share_a_parent);
	tcase_add_test(c, a_full_file_keeps_what_it_has);
	tcase_add_test(c, room_that_comes_back);
	tcase_add_test(c, a_tree_without_a_root);
}

int main(void)
{
	return run_writer_suite("cct", add);
}
