/* SPDX-License-Identifier: BSD-3-Clause
 * Many functions with regions, tasks and other constructs, hundreds of bodies: what profiles of
 * tests/support/random_profiles.c are of.  It is not run.
 */
/* clang-format off */
#define OMP(directive) _Pragma(#directive)
#define FUNCTION(n) \
	static inline double inner_##n(double x) \
	{ \
		return x * n + 1; \
	} \
	void many_##n(double *a, int count); \
	void many_##n(double *a, int count) \
	{ \
		OMP(omp parallel for schedule(dynamic)) \
		for (int i = 0; i < count; i++) \
			a[i] += inner_##n(a[i]); \
		OMP(omp parallel) \
		{ \
			OMP(omp single) \
			{ \
				OMP(omp task) \
				a[0] += n; \
				OMP(omp task) \
				many_##n(a, count / 2); \
				OMP(omp taskwait) \
			} \
			OMP(omp critical) \
			a[1] += inner_##n(a[0]); \
			OMP(omp for) \
			for (int i = 0; i < count; i++) \
				a[i] *= n; \
		} \
		OMP(omp parallel sections) \
		{ \
			OMP(omp section) \
			a[2] += n; \
			OMP(omp section) \
			many_##n(a, count / 3); \
		} \
	}

#define TEN(t) \
	FUNCTION(t##0) FUNCTION(t##1) FUNCTION(t##2) FUNCTION(t##3) FUNCTION(t##4) \
	FUNCTION(t##5) FUNCTION(t##6) FUNCTION(t##7) FUNCTION(t##8) FUNCTION(t##9)
/* clang-format on */

TEN(1)
TEN(2)
TEN(3)
TEN(4)
TEN(5)
TEN(6)
TEN(7)
TEN(8)
TEN(9)

int main(void)
{
	return 0;
}
