/* SPDX-License-Identifier: BSD-3-Clause
 * names - the distances between names, by edits.
 *
 * names [NAMES]
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

class Row
{
	std::vector<int> cells;

      public:
	explicit Row(size_t n) : cells(n)
	{
	}
	int &operator[](size_t i)
	{
		return cells[i];
	}
	void swap(Row &other)
	{
		cells.swap(other.cells);
	}
};

#ifdef MENDED
static int distance(const std::string &a, const std::string &b, Row &above, Row &row)
{
#else
static int distance(const std::string &a, const std::string &b)
{
	Row above(b.size() + 1);
#endif
	for (size_t k = 0; k <= b.size(); k++)
		above[k] = static_cast<int>(k);
	for (size_t i = 1; i <= a.size(); i++) {
#ifndef MENDED
		Row row(b.size() + 1); /* here */
#endif
		row[0] = static_cast<int>(i);
		for (size_t k = 1; k <= b.size(); k++)
			row[k] = std::min({ above[k] + 1, row[k - 1] + 1,
					    above[k - 1] + (a[i - 1] != b[k - 1]) });
		above.swap(row);
	}
	return above[b.size()];
}

int main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 2500;
	std::vector<std::string> names;
	long sum = 0;

	for (long i = 0; i < n; i++)
		names.push_back(std::string(1, static_cast<char>('a' + i * 7 % 26)) +
				std::to_string(i * 7919));
#pragma omp parallel
	{
#ifdef MENDED
		Row above(100), row(100);
#endif
#pragma omp for reduction(+ : sum) schedule(dynamic, 10)
		for (long i = 0; i < n; i++)
			for (long k = 0; k < i; k++)
				sum += distance(names[static_cast<size_t>(i)],
						names[static_cast<size_t>(k)]
#ifdef MENDED
						,
						above, row
#endif
				);
	}
	printf("mean %.3f\n", static_cast<double>(sum) /
				      (static_cast<double>(n) * static_cast<double>(n - 1) / 2));
}
