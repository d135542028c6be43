/* SPDX-License-Identifier: BSD-3-Clause
 * words - how often each word stands in a text, which is made up.
 *
 * words [WORDS]
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <vector>

class Counter
{
	std::mutex lock;
	std::unordered_map<uint32_t, long> seen;

      public:
	void add(uint32_t word, long n = 1)
	{
		std::lock_guard<std::mutex> guard(lock); /* here */
		seen[word] += n;
	}
	void add(const std::unordered_map<uint32_t, long> &words)
	{
		for (const auto &w : words)
			add(w.first, w.second);
	}
	size_t words() const
	{
		return seen.size();
	}
};

static uint32_t word_at(long i)
{
	uint64_t x = static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15u;

	for (int k = 0; k < 20; k++)
		x ^= x >> 29, x *= 0xbf58476d1ce4e5b9u;
	return static_cast<uint32_t>(x % 2000);
}

static void count_words(Counter &counter, long words)
{
#pragma omp parallel
	{
#ifdef MENDED
		std::unordered_map<uint32_t, long> mine;
#endif
#pragma omp for schedule(static)
		for (long i = 0; i < words; i++)
#ifdef MENDED
			mine[word_at(i)]++;
		counter.add(mine);
#else
			counter.add(word_at(i));
#endif
	}
}

int main(int argc, char **argv)
{
	Counter counter;

	count_words(counter, argc > 1 ? atol(argv[1]) : 8000000);
	printf("%zu words\n", counter.words());
}
