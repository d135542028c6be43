/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/diff/noise.h"

#include <math.h>
#include <stdlib.h>

struct noise_mean noise_mean(const double *values, const double *sampling, size_t n)
{
	struct noise_mean m = { .deviation = NAN, .freedom = INFINITY };
	double squares = 0;

	for (size_t i = 0; i < n; i++) {
		m.mean += values[i] / (double)n;
		m.variance += sampling[i] / (double)n / (double)n;
	}
	m.sampling = m.variance;
	if (n < 2)
		return m;
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - m.mean) * (values[i] - m.mean);
	m.deviation = sqrt(squares / (double)(n - 1));
	if (m.deviation * m.deviation / (double)n > m.variance) {
		m.variance = m.deviation * m.deviation / (double)n;
		m.freedom = (double)(n - 1);
	}
	return m;
}

/* The median of a variance that k + 1 values give, in units of the true one: that of the
   chi-squared distribution (Wilson and Hilferty). */
static double median_variance(double k)
{
	return pow(1 - 2 / (9 * k), 3);
}

double noise_excess(const struct noise_mean *m, size_t n)
{
	if (n < 2 || m->sampling <= 0)
		return NAN;
	return m->deviation * m->deviation / (double)n / m->sampling /
	       median_variance((double)(n - 1));
}

static int compare_numbers(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double noise_common(double *excesses, size_t n)
{
	if (n < NOISE_EXCESSES)
		return 1;
	qsort(excesses, n, sizeof(*excesses), compare_numbers);
	return fmax(1, (excesses[(n - 1) / 2] + excesses[n / 2]) / 2);
}

void noise_raise(struct noise_mean *m, double common)
{
	if (common * m->sampling <= m->variance)
		return;
	m->variance = common * m->sampling;
	m->freedom = INFINITY;
}

static void noise_borrow(struct noise_mean *to, const struct noise_mean *from, size_t runs)
{
	const double one = from->deviation * from->deviation;

	if (one <= to->variance)
		return;
	to->variance = one;
	to->freedom = (double)(runs - 1);
}

void noise_share(struct noise_mean *a, size_t runs_a, struct noise_mean *b, size_t runs_b)
{
	if (runs_a == 1 && runs_b > 1)
		noise_borrow(a, b, runs_b);
	else if (runs_b == 1 && runs_a > 1)
		noise_borrow(b, a, runs_a);
}

/* Student's t for 5 % is below 3 from four degrees of freedom on. */
double noise_factor(double freedom)
{
	static const double student[] = { 12.71, 12.71, 4.30, 3.18 };

	return freedom < 4 ? student[(int)freedom] : 3;
}

/* A variance that sampling gives has no part in the uncertainty of the sum. */
static double noise_part(const struct noise_mean *m)
{
	return isinf(m->freedom) ? 0 : m->variance * m->variance / m->freedom;
}

double noise_bound(const struct noise_mean *a, const struct noise_mean *b)
{
	const double sum = a->variance + b->variance, parts = noise_part(a) + noise_part(b);

	return noise_factor(parts > 0 ? sum * sum / parts : INFINITY) * sqrt(sum);
}
