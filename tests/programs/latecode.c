/* SPDX-License-Identifier: BSD-3-Clause
 * latecode PLUGIN SECONDS - works in a library that is loaded while regions go on: in a region of
 * its own, in a region of the program's, and outside of regions.  Built with -DPLUGIN: that library.
 */
#include "work.h"

#ifdef PLUGIN
KEEP void late_work(double s)
{
	crunch_for((int64_t)(s * 1e9));
}

KEEP void late_region(double s)
{
#pragma omp parallel num_threads(2)
	late_work(s);
}
#else
#include <dlfcn.h>

static void (*work)(double);

KEEP void own_region(double s)
{
#pragma omp parallel num_threads(2)
	{
		if (work)
			work(s);
		else
			crunch_for((int64_t)(s * 1e9));
		STAY();
	}
}

KEEP void serial(double s)
{
	work(s);
	STAY();
}

int main(int argc, char **argv)
{
	const double part = argc > 2 ? atof(argv[2]) / 40 : 0;
	void (*region)(double);
	void *h;

	for (int i = 0; i < 10; i++)
		own_region(part);
	h = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!h)
		return 1;
	*(void **)&work = dlsym(h, "late_work");
	*(void **)&region = dlsym(h, "late_region");
	for (int i = 0; i < 10; i++) {
		own_region(part);
		serial(part);
		region(part);
	}
	return 0;
}
#endif
