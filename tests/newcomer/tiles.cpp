/* SPDX-License-Identifier: BSD-3-Clause
 * tiles - unpacks the tiles of a map, and computes their shadows.
 *
 * tiles [ROUNDS]
 */
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

using Tile = std::vector<double>;

static Tile unpack(int number)
{
	Tile t(40000);
	double x = 0.1 + 0.001 * (number % 500);

	for (double &h : t) {
		for (int i = 0; i < 25; i++)
			x = 3.9 * x * (1 - x);
		h = x;
	}
	return t;
}

static double shadow(const Tile &tile)
{
	const long n = static_cast<long>(tile.size());
	double sum = 0;

#pragma omp parallel for reduction(+ : sum) schedule(static) /* here */
	for (long i = 0; i < n; i++)
		for (int angle = 1; angle < 8; angle++)
			sum += std::atan(tile[static_cast<size_t>(i)] * angle);
	return sum;
}

#ifndef MENDED
/* Unpacks tiles by threads of its own, some before they are asked for. */
class Store
{
	std::vector<Tile> tiles;
	std::vector<bool> ready;
	std::mutex lock;
	std::condition_variable changed;
	std::vector<std::thread> pool;
	size_t next = 0, used = 0;

	void run()
	{
		std::unique_lock<std::mutex> guard(lock);

		for (size_t mine; (mine = next++) < tiles.size();) {
			changed.wait(guard, [&] { return mine < used + 16; });
			guard.unlock();
			Tile t = unpack(static_cast<int>(mine));
			guard.lock();
			tiles[mine] = std::move(t);
			ready[mine] = true;
			changed.notify_all();
		}
	}

      public:
	explicit Store(int n) : tiles(static_cast<size_t>(n)), ready(static_cast<size_t>(n))
	{
		for (int i = 0; i < 2; i++)
			pool.emplace_back(&Store::run, this);
	}
	~Store()
	{
		for (std::thread &t : pool)
			t.join();
	}
	Tile take(int i)
	{
		const size_t at = static_cast<size_t>(i);
		std::unique_lock<std::mutex> guard(lock);

		changed.wait(guard, [&] { return ready[at]; });
		used = at + 1;
		changed.notify_all();
		return std::move(tiles[at]);
	}
};
#endif

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 160;
	double sum = 0;

#ifdef MENDED
	for (int first = 0; first < n; first += 16) {
		std::vector<Tile> tiles(16);

#pragma omp parallel for schedule(dynamic, 1)
		for (int i = 0; i < 16; i++)
			tiles[static_cast<size_t>(i)] = unpack(first + i);
		for (const Tile &t : tiles)
			sum += shadow(t);
	}
#else
	Store store(n);

	for (int i = 0; i < n; i++)
		sum += shadow(store.take(i));
#endif
	printf("shadow %.6f\n", sum);
}
