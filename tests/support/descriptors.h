/* SPDX-License-Identifier: BSD-3-Clause */
/* descriptors.h - how many descriptors this process has open, with the one that counts them. */
#ifndef OMPHWC_TESTS_DESCRIPTORS_H
#define OMPHWC_TESTS_DESCRIPTORS_H

#include <dirent.h>

static inline int descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

#endif
