/* SPDX-License-Identifier: BSD-3-Clause
 * weather - the air over land and over the sea, for some days.
 *
 * weather [DAYS]
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

class Model
{
	std::vector<double> warm;
	int inner;

      public:
	Model(size_t cells, int inner) : warm(cells, 280.0), inner(inner)
	{
	}
	void day()
	{
		const long n = static_cast<long>(warm.size());

#pragma omp parallel for num_threads(2) /* here */
		for (long i = 0; i < n; i++) {
			double t = warm[static_cast<size_t>(i)];

			for (int k = 0; k < inner; k++)
				t += 0.01 * std::sin(t + k);
			warm[static_cast<size_t>(i)] = t;
		}
	}
	double mean() const
	{
		double sum = 0;

		for (double t : warm)
			sum += t;
		return sum / static_cast<double>(warm.size());
	}
};

int main(int argc, char **argv)
{
	const int days = argc > 1 ? atoi(argv[1]) : 50;
	Model land(2000, 200), sea(200, 40);

#ifdef MENDED
	for (int i = 0; i < days; i++)
		land.day();
	for (int i = 0; i < days; i++)
		sea.day();
#else
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		for (int i = 0; i < days; i++)
			land.day();
#pragma omp section
		for (int i = 0; i < days; i++)
			sea.day();
	}
#endif
	printf("land %.3f sea %.3f\n", land.mean(), sea.mean());
}
