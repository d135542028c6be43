/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi.c - names of MPI's functions: prefixes and suffixes are removed, the rest is looked up. */
#include "config.h"

#include "src/model/mpi.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/path.h"

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

/* clang-format off */
const char *const mpi_names[] = {
	"Abort", "Accumulate", "Add_error_class", "Add_error_code", "Add_error_string", "Address",
	"Aint_add", "Aint_diff", "Allgather", "Allgather_init", "Allgatherv", "Allgatherv_init",
	"Alloc_mem", "Allreduce", "Allreduce_init", "Alltoall", "Alltoall_init", "Alltoallv",
	"Alltoallv_init", "Alltoallw", "Alltoallw_init", "Attr_delete", "Attr_get", "Attr_put",
	"Barrier", "Barrier_init", "Bcast", "Bcast_init", "Bsend", "Bsend_init", "Buffer_attach",
	"Buffer_detach", "Cancel", "Cart_coords", "Cart_create", "Cart_get", "Cart_map",
	"Cart_rank", "Cart_shift", "Cart_sub", "Cartdim_get", "Close_port", "Comm_accept",
	"Comm_c2f", "Comm_call_errhandler", "Comm_compare", "Comm_connect", "Comm_create",
	"Comm_create_errhandler", "Comm_create_from_group", "Comm_create_group",
	"Comm_create_keyval", "Comm_delete_attr", "Comm_disconnect", "Comm_dup",
	"Comm_dup_with_info", "Comm_f2c", "Comm_free", "Comm_free_keyval", "Comm_get_attr",
	"Comm_get_errhandler", "Comm_get_info", "Comm_get_name", "Comm_get_parent", "Comm_group",
	"Comm_idup", "Comm_idup_with_info", "Comm_join", "Comm_rank", "Comm_remote_group",
	"Comm_remote_size", "Comm_set_attr", "Comm_set_errhandler", "Comm_set_info",
	"Comm_set_name", "Comm_size", "Comm_spawn", "Comm_spawn_multiple", "Comm_split",
	"Comm_split_type", "Comm_test_inter", "Compare_and_swap", "Dims_create",
	"Dist_graph_create", "Dist_graph_create_adjacent", "Dist_graph_neighbors",
	"Dist_graph_neighbors_count", "Errhandler_c2f", "Errhandler_create", "Errhandler_f2c",
	"Errhandler_free", "Errhandler_get", "Errhandler_set", "Error_class", "Error_string",
	"Exscan", "Exscan_init", "Fetch_and_op", "File_c2f", "File_call_errhandler", "File_close",
	"File_create_errhandler", "File_delete", "File_f2c", "File_get_amode",
	"File_get_atomicity", "File_get_byte_offset", "File_get_errhandler", "File_get_group",
	"File_get_info", "File_get_position", "File_get_position_shared", "File_get_size",
	"File_get_type_extent", "File_get_view", "File_iread", "File_iread_all", "File_iread_at",
	"File_iread_at_all", "File_iread_shared", "File_iwrite", "File_iwrite_all",
	"File_iwrite_at", "File_iwrite_at_all", "File_iwrite_shared", "File_open",
	"File_preallocate", "File_read", "File_read_all", "File_read_all_begin",
	"File_read_all_end", "File_read_at", "File_read_at_all", "File_read_at_all_begin",
	"File_read_at_all_end", "File_read_ordered", "File_read_ordered_begin",
	"File_read_ordered_end", "File_read_shared", "File_seek", "File_seek_shared",
	"File_set_atomicity", "File_set_errhandler", "File_set_info", "File_set_size",
	"File_set_view", "File_sync", "File_write", "File_write_all", "File_write_all_begin",
	"File_write_all_end", "File_write_at", "File_write_at_all", "File_write_at_all_begin",
	"File_write_at_all_end", "File_write_ordered", "File_write_ordered_begin",
	"File_write_ordered_end", "File_write_shared", "Finalize", "Finalized", "Free_mem",
	"Gather", "Gather_init", "Gatherv", "Gatherv_init", "Get", "Get_accumulate",
	"Get_address", "Get_count", "Get_elements", "Get_elements_x", "Get_library_version",
	"Get_processor_name", "Get_version", "Graph_create", "Graph_get", "Graph_map",
	"Graph_neighbors", "Graph_neighbors_count", "Graphdims_get", "Grequest_complete",
	"Grequest_start", "Group_c2f", "Group_compare", "Group_difference", "Group_excl",
	"Group_f2c", "Group_free", "Group_from_session_pset", "Group_incl", "Group_intersection",
	"Group_range_excl", "Group_range_incl", "Group_rank", "Group_size",
	"Group_translate_ranks", "Group_union", "Iallgather", "Iallgatherv", "Iallreduce",
	"Ialltoall", "Ialltoallv", "Ialltoallw", "Ibarrier", "Ibcast", "Ibsend", "Iexscan",
	"Igather", "Igatherv", "Improbe", "Imrecv", "Ineighbor_allgather", "Ineighbor_allgatherv",
	"Ineighbor_alltoall", "Ineighbor_alltoallv", "Ineighbor_alltoallw", "Info_c2f",
	"Info_create", "Info_delete", "Info_dup", "Info_f2c", "Info_free", "Info_get",
	"Info_get_nkeys", "Info_get_nthkey", "Info_get_string", "Info_get_valuelen", "Info_set",
	"Init", "Init_thread", "Initialized", "Intercomm_create", "Intercomm_merge", "Iprobe",
	"Irecv", "Ireduce", "Ireduce_scatter", "Ireduce_scatter_block", "Irsend",
	"Is_thread_main", "Iscan", "Iscatter", "Iscatterv", "Isend", "Isendrecv",
	"Isendrecv_replace", "Issend", "Keyval_create", "Keyval_free", "Lookup_name",
	"Message_c2f", "Message_f2c", "Mprobe", "Mrecv", "Neighbor_allgather",
	"Neighbor_allgather_init", "Neighbor_allgatherv", "Neighbor_allgatherv_init",
	"Neighbor_alltoall", "Neighbor_alltoall_init", "Neighbor_alltoallv",
	"Neighbor_alltoallv_init", "Neighbor_alltoallw", "Neighbor_alltoallw_init", "Op_c2f",
	"Op_commutative", "Op_create", "Op_f2c", "Op_free", "Open_port", "Pack", "Pack_external",
	"Pack_external_size", "Pack_size", "Parrived", "Pcontrol", "Pready", "Pready_list",
	"Pready_range", "Precv_init", "Probe", "Psend_init", "Publish_name", "Put",
	"Query_thread", "Raccumulate", "Recv", "Recv_init", "Reduce", "Reduce_init",
	"Reduce_local", "Reduce_scatter", "Reduce_scatter_block", "Reduce_scatter_block_init",
	"Reduce_scatter_init", "Register_datarep", "Request_c2f", "Request_f2c", "Request_free",
	"Request_get_status", "Rget", "Rget_accumulate", "Rput", "Rsend", "Rsend_init", "Scan",
	"Scan_init", "Scatter", "Scatter_init", "Scatterv", "Scatterv_init", "Send", "Send_init",
	"Sendrecv", "Sendrecv_replace", "Session_c2f", "Session_f2c", "Session_finalize",
	"Session_get_info", "Session_get_nth_pset", "Session_get_num_psets",
	"Session_get_pset_info", "Session_init", "Ssend", "Ssend_init", "Start", "Startall",
	"Status_c2f", "Status_f2c", "Status_set_cancelled", "Status_set_elements",
	"Status_set_elements_x", "T_category_changed", "T_category_get_categories",
	"T_category_get_cvars", "T_category_get_index", "T_category_get_info",
	"T_category_get_num", "T_category_get_pvars", "T_cvar_get_index", "T_cvar_get_info",
	"T_cvar_get_num", "T_cvar_handle_alloc", "T_cvar_handle_free", "T_cvar_read",
	"T_cvar_write", "T_enum_get_info", "T_enum_get_item", "T_finalize", "T_init_thread",
	"T_pvar_get_index", "T_pvar_get_info", "T_pvar_get_num", "T_pvar_handle_alloc",
	"T_pvar_handle_free", "T_pvar_read", "T_pvar_readreset", "T_pvar_reset",
	"T_pvar_session_create", "T_pvar_session_free", "T_pvar_start", "T_pvar_stop",
	"T_pvar_write", "Test", "Test_cancelled", "Testall", "Testany", "Testsome", "Topo_test",
	"Type_c2f", "Type_commit", "Type_contiguous", "Type_create_darray",
	"Type_create_f90_complex", "Type_create_f90_integer", "Type_create_f90_real",
	"Type_create_hindexed", "Type_create_hindexed_block", "Type_create_hvector",
	"Type_create_indexed_block", "Type_create_keyval", "Type_create_resized",
	"Type_create_struct", "Type_create_subarray", "Type_delete_attr", "Type_dup",
	"Type_extent", "Type_f2c", "Type_free", "Type_free_keyval", "Type_get_attr",
	"Type_get_contents", "Type_get_envelope", "Type_get_extent", "Type_get_extent_x",
	"Type_get_name", "Type_get_true_extent", "Type_get_true_extent_x", "Type_hindexed",
	"Type_hvector", "Type_indexed", "Type_lb", "Type_match_size", "Type_set_attr",
	"Type_set_name", "Type_size", "Type_size_x", "Type_struct", "Type_ub", "Type_vector",
	"Unpack", "Unpack_external", "Unpublish_name", "Wait", "Waitall", "Waitany", "Waitsome",
	"Win_allocate", "Win_allocate_shared", "Win_attach", "Win_c2f", "Win_call_errhandler",
	"Win_complete", "Win_create", "Win_create_dynamic", "Win_create_errhandler",
	"Win_create_keyval", "Win_delete_attr", "Win_detach", "Win_f2c", "Win_fence", "Win_flush",
	"Win_flush_all", "Win_flush_local", "Win_flush_local_all", "Win_free", "Win_free_keyval",
	"Win_get_attr", "Win_get_errhandler", "Win_get_group", "Win_get_info", "Win_get_name",
	"Win_lock", "Win_lock_all", "Win_post", "Win_set_attr", "Win_set_errhandler",
	"Win_set_info", "Win_set_name", "Win_shared_query", "Win_start", "Win_sync", "Win_test",
	"Win_unlock", "Win_unlock_all", "Win_wait", "Wtick", "Wtime",
};
/* clang-format on */

const size_t mpi_names_count = sizeof(mpi_names) / sizeof(*mpi_names);

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
