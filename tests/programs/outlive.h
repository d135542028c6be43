/* SPDX-License-Identifier: BSD-3-Clause */
/* outlive.h - what outlive_part.cc has for outlive.cc. */
#ifndef OUTLIVE_H
#define OUTLIVE_H

double part_squares(const double *v, int n);
float part_squares_float(const float *v, int n);

#endif
