/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi.c - names of MPI's functions: prefixes and suffixes are removed, the rest is looked up. */
#include "config.h"

#include "src/model/mpi.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/path.h"
#include "src/model/mpi_names.h"

/* ---- libraries ------------------------------------------------------- */

static bool mpi_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether base is NAME.so…, NAME12.so or NAME-HASH.so; with NAME* also NAMEmore.so. */
static bool mpi_is_named(const char *base, const char *name)
{
	const size_t n = strcspn(name, "*");

	return !strncmp(base, name, n) && (name[n] == '*' || !mpi_is_letter(base[n])) &&
	       strstr(base + n, ".so");
}

enum mpi_file mpi_file(const char *path)
{
	static const struct {
		const char *name;
		enum mpi_file is;
	} files[] = {
		/* MPICH, Intel MPI, MVAPICH, Cray MPI */
		{ "libmpi", MPI_LIBRARY },
		{ "libmpich*", MPI_LIBRARY },
		{ "libmpifort*", MPI_LIBRARY },
		{ "libmpicxx*", MPI_LIBRARY },
		{ "libmpi_cray*", MPI_LIBRARY },
		{ "libmpi_gnu*", MPI_LIBRARY },
		{ "libmpi_intel*", MPI_LIBRARY },
		{ "libmpi_nvidia*", MPI_LIBRARY },
		{ "libmpi_amd*", MPI_LIBRARY },
		{ "libmpi_mt*", MPI_LIBRARY },
		{ "libpmpi*", MPI_LIBRARY },
		/* OpenMPI */
		{ "libmpi_cxx", MPI_LIBRARY },
		{ "libmpi_mpifh", MPI_LIBRARY },
		{ "libmpi_usempi*", MPI_LIBRARY },
		{ "libmpi_java", MPI_LIBRARY },
		{ "libmpi_ibm*", MPI_LIBRARY },
		{ "libopen-rte", MPI_PART },
		{ "libopen-pal", MPI_PART },
		{ "libprrte", MPI_PART },
		{ "libpmix", MPI_PART },
		{ "mca_*", MPI_PART },
		/* Networks */
		{ "libucp", MPI_PART },
		{ "libuct*", MPI_PART },
		{ "libucs*", MPI_PART },
		{ "libucm*", MPI_PART },
		{ "libfabric", MPI_PART },
		{ "libpsm*", MPI_PART },
		{ "libmxm", MPI_PART },
		{ "libhcoll*", MPI_PART },
		{ "libcxi", MPI_PART },
	};
	const char *base = path_base(path);

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (mpi_is_named(base, files[i].name))
			return files[i].is;
	return MPI_NONE;
}

/* ---- calls ----------------------------------------------------------- */

static bool strip_prefix(const char **name, const char *prefix)
{
	const size_t n = strlen(prefix);

	if (strncasecmp(*name, prefix, n) != 0)
		return false;
	*name += n;
	return true;
}

static size_t strip_suffix(const char *name, size_t n, const char *suffix)
{
	const size_t bytes = strlen(suffix);

	return n > bytes && !strncmp(name + n - bytes, suffix, bytes) ? n - bytes : n;
}

/* The length of a name without what Fortran compilers and libraries add. */
static size_t length_in_c(const char *name)
{
	static const char *const suffixes[] = { "_f08ts", "_fts", "_f08", "_f" };
	size_t n = strlen(name);

	while (n > 1 && name[n - 1] == '_')
		n--;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (strip_suffix(name, n, suffixes[i]) != n)
			return strip_suffix(name, n, suffixes[i]);
	return n;
}

struct mpi_key {
	const char *name; /* not terminated */
	size_t bytes;
};

static int compare_name(const void *key, const void *name)
{
	const struct mpi_key *k = key;
	const char *of = *(const char *const *)name;
	const int order = strncasecmp(k->name, of, k->bytes);

	return order ? order : -(of[k->bytes] != '\0');
}

static const char *mpi_find_name(const char *name, size_t bytes)
{
	const struct mpi_key key = { name, bytes };
	const char *const *found =
		bsearch(&key, mpi_names, mpi_names_count, sizeof(*mpi_names), compare_name);

	return found ? *found : NULL;
}

/* Fortran's names have one case: the first letter is a capital in C. */
static void copy_name(char *to, const char *name, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (char)(i == 0 && name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' :
									    name[i]);
	to[bytes] = '\0';
}

const char *mpi_call(const char *function, bool library, char call[MPI_CALL_BYTES])
{
	static const char prefix[] = "MPI_";
	const char *name = function, *found;
	size_t bytes;

	if (!name)
		return NULL;
	/* OpenMPI's functions for Fortran are ompi_send_f and the like. */
	if (!strip_prefix(&name, "mpi_") && !strip_prefix(&name, "pmpi_") &&
	    !(library && (strip_prefix(&name, "ompi_") || strip_prefix(&name, "pompi_")) &&
	      strip_suffix(name, strlen(name), "_f") != strlen(name)))
		return NULL;
	bytes = length_in_c(name);
	if (sizeof(prefix) + bytes > MPI_CALL_BYTES || !mpi_is_letter(*name))
		return NULL;
	found = mpi_find_name(name, bytes);
	if (!found && !library)
		return NULL;
	memcpy(call, prefix, sizeof(prefix));
	copy_name(call + sizeof(prefix) - 1, found ? found : name, found ? strlen(found) : bytes);
	return call;
}
