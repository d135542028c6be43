/* SPDX-License-Identifier: BSD-3-Clause
 * knapsack - the most valuable things that a bag holds.
 *
 * knapsack [THINGS]
 */
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

struct Thing {
	int weight, value;
};

static std::array<Thing, 64> things;
static int all;

static int best_of(int first, int room)
{
	if (first == all)
		return 0;
	const Thing &t = things[static_cast<size_t>(first)];
	const int without = best_of(first + 1, room);

	return room < t.weight ? without :
				 std::max(without, t.value + best_of(first + 1, room - t.weight));
}

static int best(int first, int room)
{
	int with = 0, without = 0;

	if (first == all)
		return 0;
#ifdef MENDED
	if (first > 6)
		return best_of(first, room);
#endif
	const Thing &t = things[static_cast<size_t>(first)];

#pragma omp task shared(without) /* here */
	without = best(first + 1, room);
	if (room >= t.weight)
		with = t.value + best(first + 1, room - t.weight);
#pragma omp taskwait
	return std::max(with, without);
}

int main(int argc, char **argv)
{
	int value = 0;

	all = argc > 1 ? atoi(argv[1]) : 20;
	for (int i = 0; i < all; i++)
		things[static_cast<size_t>(i)] = { 3 + i * 5 % 11, 10 + i * 7 % 13 };
#pragma omp parallel
#pragma omp single
	value = best(0, all * 5);
	printf("value %d\n", value);
}
