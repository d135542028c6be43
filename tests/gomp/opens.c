/* SPDX-License-Identifier: BSD-3-Clause */
/* opens.c - opens libraries and calls their functions twice: LIBRARY:FUNCTION... Prints what
   they return. A function's name that begins with "wait_" returns nothing; a library whose
   path is preceded by "-" is closed after the calls. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int call(char *argument)
{
	char *name = strchr(argument, ':');
	const int close = *argument == '-';
	void *library, *f;

	*name++ = '\0';
	library = dlopen(argument + close, RTLD_NOW);
	f = library ? dlsym(library, name) : NULL;
	if (!f) {
		printf("%s\n", dlerror());
		return 1;
	}
	if (strncmp(name, "wait_", 5) == 0) {
		((void (*)(void))f)();
		printf("%s\n", name);
	} else {
		const int first = ((int (*)(void))f)();

		printf("%s %d %d\n", name, first, ((int (*)(void))f)());
	}
	if (close)
		dlclose(library);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= call(argv[i]);
	return failed;
}
