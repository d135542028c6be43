/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise.h - whether the difference of two means is more than chance.
 *
 * The variance of a mean is the largest of that between the runs, that of sampling, and what
 * the other rows say that it should be; of a single run only the second is known.  Pure
 * functions.
 */
#ifndef OMPHWC_SRC_DIFF_NOISE_H
#define OMPHWC_SRC_DIFF_NOISE_H

#include <stddef.h>

struct noise_mean {
	double mean;
	double deviation; /* between the runs (standard deviation); NaN: only one run */
	double variance;  /* of the mean */
	double sampling;  /* the part of sampling in it */
	double freedom;	  /* degrees of freedom of variance; infinite: that of sampling */
};

/* The mean of n >= 1 values; sampling[i] is the variance of values[i] by sampling. */
struct noise_mean noise_mean(const double *values, const double *sampling, size_t n);

/* The variance between n > 1 runs, in units of that of sampling, with a median of 1 where only
   sampling changes the runs; NaN: unknown. */
double noise_excess(const struct noise_mean *m, size_t n);

/* The median of n numbers, which are sorted; at least 1, and 1 of fewer than
   NOISE_EXCESSES. */
double noise_common(double *excesses, size_t n);
enum { NOISE_EXCESSES = 8 };

/* Takes common times the variance by sampling, if that is more.  Few runs of a single row are
   close to each other by chance; those of many rows are not. */
void noise_raise(struct noise_mean *m, double common);

/* If a has one run and b several, takes the variance between b's runs for a, too, if it is
   larger than what a has; and the other way round. */
void noise_share(struct noise_mean *a, size_t runs_a, struct noise_mean *b, size_t runs_b);

/* The difference of two means that chance explains: three standard errors, which chance
   exceeds in 0.27 % of cases where sampling gives them; more where so few runs give them that
   chance would exceed these in more than 5 % (Welch's t-test). */
double noise_bound(const struct noise_mean *a, const struct noise_mean *b);

/* The number of standard errors; freedom: degrees of freedom. */
double noise_factor(double freedom);

#endif
