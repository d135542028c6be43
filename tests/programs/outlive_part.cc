// SPDX-License-Identifier: BSD-3-Clause
/* outlive_part.cc - the shared library of outlive.cc: a template with a parallel region. */
#include "outlive.h"

template <typename T> static T sum_of_squares(const T *v, int n)
{
	T sum = 0;

#pragma omp parallel for schedule(static) reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += v[i] * v[i];
	return sum;
}

double part_squares(const double *v, int n)
{
	return sum_of_squares(v, n);
}

float part_squares_float(const float *v, int n)
{
	return sum_of_squares(v, n);
}
