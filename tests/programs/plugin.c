/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin - a library for dlstorm to load, with work and unwind tables. */
int plugin_work(int n);

static int step(int n)
{
	return n < 2 ? n : plugin_work(n - 1) + plugin_work(n - 2);
}

int plugin_work(int n)
{
	return step(n);
}
