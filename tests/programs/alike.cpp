// SPDX-License-Identifier: BSD-3-Clause
// alike - functions, kernels and calling contexts whose names differ only in their middle.
#include <cmath>
#include <cstdio>
#include <vector>

namespace solver {
namespace detail {
namespace implementation {

template <class T, int N> struct Field {
	std::vector<T> v = std::vector<T>(N);

	double energy_of_everything(double a)
	{
		double s = 0;
#pragma omp parallel for reduction(+ : s)
		for (int i = 0; i < N; i++)
			s += std::sin(v[i] + a * i);
		return s;
	}
};

template <class F> void ParallelFor(int n, F f)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		f(i);
}

} // namespace implementation
} // namespace detail
} // namespace solver

using namespace solver::detail::implementation;

struct galaxy {
	std::vector<double> a = std::vector<double>(200000);

	void gravity()
	{
		ParallelFor(200000, [this](int i) { a[i] = std::sin(a[i] + i); });
	}
	void drift()
	{
		ParallelFor(200000, [this](int i) { a[i] = std::cos(a[i] + i); });
	}
	void collide()
	{
		ParallelFor(200000, [this](int i) { a[i] = std::tan(a[i] + i); });
	}
};

#define KEPT __attribute__((noinline))

static double sum;

KEPT static void kernel(int n)
{
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += std::sin(i);
}

// No tail calls.
KEPT static void solve(int n)
{
	kernel(n);
	__asm__ volatile("");
}

KEPT static void step(int n)
{
	solve(n);
	__asm__ volatile("");
}

KEPT static void advance(int n)
{
	step(n);
	__asm__ volatile("");
}

KEPT static void fluid(int n)
{
	advance(n);
	__asm__ volatile("");
}

KEPT static void solid(int n)
{
	advance(n);
	__asm__ volatile("");
}

int main()
{
	static Field<double, 200000> whole;
	static Field<float, 100000> half;
	static galaxy g;

	for (int k = 0; k < 25; k++) {
		sum += whole.energy_of_everything(k) + half.energy_of_everything(k);
		g.gravity();
		g.drift();
		g.collide();
		fluid(200000);
		solid(150000);
	}
	printf("%g\n", sum);
	return 0;
}
