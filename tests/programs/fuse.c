/* SPDX-License-Identifier: BSD-3-Clause
 * fuse.c FOLDER STALL [cached|read|slow] - a file system in memory at FOLDER, by the kernel's FUSE protocol.
 *
 * Its files can't be mapped shared (direct_io), unless it is "cached". While the file STALL is there it
 * answers nothing, as a server that has stalled; with "read" it answers all else but reads of files.
 * Keeps in STALL.most how many files were open for writing at once, at most, and in STALL.names a line for each
 * call that changed names; "slow": a write takes 10 ms.
 * Prints "ready" when it is mounted. Only root can mount. 77: not here.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { NODES = 4096, MESSAGE_BYTES = 1 << 18, WRITE_BYTES = 1 << 17 };

/* Number 1 is the root. A node without a parent is unlinked, or free. */
static struct node {
	uint64_t parent;
	char name[256];
	uint32_t mode, nlink;
	unsigned char *data;
	size_t bytes;
	time_t changed;
} nodes[NODES] = { [1] = { .parent = 1, .mode = S_IFDIR | 0777, .nlink = 2 } };
static uint64_t used = 2;
static bool direct, stalls_at_read, slow;
static const char *stall;
static int writers, most_writers;
static int dev;

static struct fuse_attr attr_of(uint64_t id)
{
	const struct node *n = &nodes[id];

	return (struct fuse_attr){
		.ino = id,
		.size = n->bytes,
		.blocks = (n->bytes + 511) / 512,
		.mtime = (uint64_t)n->changed,
		.ctime = (uint64_t)n->changed,
		.mode = n->mode,
		.nlink = n->nlink,
		.uid = getuid(),
		.gid = getgid(),
		.blksize = 4096,
	};
}

static void answer(uint64_t unique, int err, const void *what, size_t bytes)
{
	struct fuse_out_header h = { .len = (uint32_t)(sizeof(h) + bytes),
				     .error = -err,
				     .unique = unique };
	struct iovec v[2] = { { &h, sizeof(h) }, { (void *)(uintptr_t)what, bytes } };

	if (writev(dev, v, bytes ? 2 : 1) < 0 && errno != ENOENT)
		perror("fuse: answer");
}

/* Calls that change names, for whoever counts them. */
static void note_change(uint32_t opcode)
{
	char path[4096];
	FILE *f;

	if (opcode != FUSE_CREATE && opcode != FUSE_MKDIR && opcode != FUSE_SYMLINK &&
	    opcode != FUSE_UNLINK && opcode != FUSE_RMDIR && opcode != FUSE_RENAME &&
	    opcode != FUSE_RENAME2)
		return;
	snprintf(path, sizeof(path), "%s.names", stall);
	f = fopen(path, "a");
	if (f) {
		fprintf(f, "%u\n", opcode);
		fclose(f);
	}
}

static void count_writer(uint32_t flags, int more)
{
	char path[4096];
	FILE *f;

	if ((flags & O_ACCMODE) == O_RDONLY)
		return;
	writers += more;
	if (writers <= most_writers)
		return;
	most_writers = writers;
	snprintf(path, sizeof(path), "%s.most", stall);
	f = fopen(path, "w");
	if (f) {
		fprintf(f, "%d\n", most_writers);
		fclose(f);
	}
}

static uint64_t find(uint64_t parent, const char *name)
{
	for (uint64_t i = 2; i < used; i++)
		if (nodes[i].parent == parent && strcmp(nodes[i].name, name) == 0)
			return i;
	return 0;
}

static struct fuse_entry_out entry_of(uint64_t id)
{
	return (struct fuse_entry_out){ .nodeid = id, .attr = attr_of(id) };
}

static uint64_t make(uint64_t parent, const char *name, uint32_t mode)
{
	const uint64_t id = used++;

	if (id >= NODES)
		exit(1);
	nodes[id] =
		(struct node){ .parent = parent, .mode = mode, .nlink = 1, .changed = time(NULL) };
	snprintf(nodes[id].name, sizeof(nodes[id].name), "%s", name);
	return id;
}

static void resize(struct node *n, size_t bytes)
{
	n->data = realloc(n->data, bytes + 1);
	if (!n->data)
		exit(1);
	if (bytes > n->bytes)
		memset(n->data + n->bytes, 0, bytes - n->bytes);
	n->bytes = bytes;
	n->changed = time(NULL);
}

static void reply_entry(const struct fuse_in_header *h, uint64_t id)
{
	const struct fuse_entry_out e = entry_of(id);

	answer(h->unique, 0, &e, sizeof(e));
}

static void create(const struct fuse_in_header *h, const struct fuse_create_in *in,
		   const char *name)
{
	struct {
		struct fuse_entry_out e;
		struct fuse_open_out o;
	} out = { .o.open_flags = direct ? FOPEN_DIRECT_IO : 0 };

	count_writer(in->flags, 1);
	out.e = entry_of(make(h->nodeid, name, in->mode));
	answer(h->unique, 0, &out, sizeof(out));
}

static void rename_to(const struct fuse_in_header *h, uint64_t folder, uint32_t flags,
		      const char *name)
{
	const char *to = name + strlen(name) + 1;
	const uint64_t id = find(h->nodeid, name), there = find(folder, to);

	if (flags & ~1u || (there && flags & 1)) {
		answer(h->unique, flags & ~1u ? EINVAL : EEXIST, NULL, 0);
		return;
	}
	if (there)
		nodes[there].parent = 0;
	nodes[id].parent = folder;
	snprintf(nodes[id].name, sizeof(nodes[id].name), "%s", to);
	answer(h->unique, 0, NULL, 0);
}

static void read_folder(const struct fuse_in_header *h, const struct fuse_read_in *in)
{
	static char out[MESSAGE_BYTES];
	size_t n = 0;

	for (uint64_t i = in->offset > 2 ? in->offset : 2; i < used; i++) {
		const size_t name = strlen(nodes[i].name),
			     bytes = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + name);
		struct fuse_dirent *d = (struct fuse_dirent *)(void *)(out + n);

		if (nodes[i].parent != h->nodeid)
			continue;
		if (n + bytes > in->size)
			break;
		memset(d, 0, bytes);
		*d = (struct fuse_dirent){ .ino = i,
					   .off = i + 1,
					   .namelen = (uint32_t)name,
					   .type = nodes[i].mode >> 12 };
		memcpy(out + n + FUSE_NAME_OFFSET, nodes[i].name, name);
		n += bytes;
	}
	answer(h->unique, 0, out, n);
}

static void read_file(const struct fuse_in_header *h, const struct fuse_read_in *in)
{
	const struct node *n = &nodes[h->nodeid];
	const size_t left = in->offset < n->bytes ? n->bytes - in->offset : 0;

	answer(h->unique, 0, n->data + (left ? in->offset : 0), left < in->size ? left : in->size);
}

static void write_file(const struct fuse_in_header *h, const struct fuse_write_in *in)
{
	struct node *n = &nodes[h->nodeid];
	const struct fuse_write_out out = { .size = in->size };

	if (in->offset + in->size > n->bytes)
		resize(n, in->offset + in->size);
	if (slow)
		usleep(10000);
	memcpy(n->data + in->offset, in + 1, in->size);
	n->changed = time(NULL);
	answer(h->unique, 0, &out, sizeof(out));
}

static void set_attr(const struct fuse_in_header *h, const struct fuse_setattr_in *in)
{
	struct fuse_attr_out out = { 0 };

	if (in->valid & FATTR_SIZE)
		resize(&nodes[h->nodeid], in->size);
	if (in->valid & FATTR_MODE)
		nodes[h->nodeid].mode = (nodes[h->nodeid].mode & S_IFMT) | (in->mode & 07777);
	out.attr = attr_of(h->nodeid);
	answer(h->unique, 0, &out, sizeof(out));
}

static void remove_name(const struct fuse_in_header *h, const char *name)
{
	const uint64_t id = find(h->nodeid, name);

	for (uint64_t i = 2; id && i < used; i++)
		if (nodes[i].parent == id) {
			answer(h->unique, ENOTEMPTY, NULL, 0);
			return;
		}
	if (id)
		nodes[id].parent = 0;
	answer(h->unique, id ? 0 : ENOENT, NULL, 0);
}

static void begin(const struct fuse_in_header *h, const struct fuse_init_in *in)
{
	const struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = in->minor < FUSE_KERNEL_MINOR_VERSION ? in->minor :
								 FUSE_KERNEL_MINOR_VERSION,
		.flags = in->flags & (FUSE_BIG_WRITES | FUSE_ASYNC_READ),
		.max_write = WRITE_BYTES,
		.max_background = 16,
		.congestion_threshold = 12,
	};

	answer(h->unique, 0, &out, sizeof(out));
}

static void serve(const struct fuse_in_header *h)
{
	const void *in = h + 1;
	const char *name = in;
	const struct fuse_open_out opened = { .open_flags = direct && h->opcode == FUSE_OPEN ?
								    FOPEN_DIRECT_IO :
								    0 };
	const struct fuse_attr_out attr = { .attr = attr_of(h->nodeid) };
	const struct fuse_statfs_out fs = { .st = { .blocks = 1 << 20,
						    .bfree = 1 << 19,
						    .bavail = 1 << 19,
						    .bsize = 4096,
						    .namelen = 255,
						    .frsize = 4096 } };
	uint64_t id;

	switch (h->opcode) {
	case FUSE_INIT: begin(h, in); return;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT: return;
	case FUSE_LOOKUP:
		id = find(h->nodeid, name);
		if (id)
			reply_entry(h, id);
		else
			answer(h->unique, ENOENT, NULL, 0);
		return;
	case FUSE_GETATTR: answer(h->unique, 0, &attr, sizeof(attr)); return;
	case FUSE_SETATTR: set_attr(h, in); return;
	case FUSE_CREATE:
		create(h, in, (const char *)((const struct fuse_create_in *)in + 1));
		return;
	case FUSE_MKDIR:
		reply_entry(h, make(h->nodeid, (const char *)((const struct fuse_mkdir_in *)in + 1),
				    S_IFDIR | ((const struct fuse_mkdir_in *)in)->mode));
		return;
	case FUSE_SYMLINK:
		id = make(h->nodeid, name, S_IFLNK | 0777);
		resize(&nodes[id], strlen(name + strlen(name) + 1));
		memcpy(nodes[id].data, name + strlen(name) + 1, nodes[id].bytes);
		reply_entry(h, id);
		return;
	case FUSE_READLINK:
		answer(h->unique, 0, nodes[h->nodeid].data, nodes[h->nodeid].bytes);
		return;
	case FUSE_UNLINK:
	case FUSE_RMDIR: remove_name(h, name); return;
	case FUSE_RENAME:
		rename_to(h, ((const struct fuse_rename_in *)in)->newdir, 0,
			  (const char *)((const struct fuse_rename_in *)in + 1));
		return;
	case FUSE_RENAME2:
		rename_to(h, ((const struct fuse_rename2_in *)in)->newdir,
			  ((const struct fuse_rename2_in *)in)->flags,
			  (const char *)((const struct fuse_rename2_in *)in + 1));
		return;
	case FUSE_OPEN: count_writer(((const struct fuse_open_in *)in)->flags, 1); /* fallthrough */
	case FUSE_OPENDIR: answer(h->unique, 0, &opened, sizeof(opened)); return;
	case FUSE_READ: read_file(h, in); return;
	case FUSE_READDIR: read_folder(h, in); return;
	case FUSE_WRITE: write_file(h, in); return;
	case FUSE_STATFS: answer(h->unique, 0, &fs, sizeof(fs)); return;
	case FUSE_RELEASE:
		count_writer(((const struct fuse_release_in *)in)->flags, -1); /* fallthrough */
	case FUSE_RELEASEDIR:
	case FUSE_FLUSH:
	case FUSE_FSYNC:
	case FUSE_FSYNCDIR:
	case FUSE_ACCESS: answer(h->unique, 0, NULL, 0); return;
	}
	answer(h->unique, ENOSYS, NULL, 0);
}

int main(int argc, char **argv)
{
	static char message[MESSAGE_BYTES] __attribute__((aligned(8)));
	char options[128];

	if (argc < 3)
		return 2;
	direct = argc < 4 || strcmp(argv[3], "cached") != 0;
	stall = argv[2];
	slow = argc > 3 && strcmp(argv[3], "slow") == 0;
	stalls_at_read = argc > 3 && strcmp(argv[3], "read") == 0;
	dev = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=%u,group_id=%u,allow_other", dev, (unsigned)getuid(),
		 (unsigned)getgid());
	if (dev < 0 ||
	    mount("omphwc-test", argv[1], "fuse.omphwc", MS_NOSUID | MS_NODEV, options) != 0) {
		perror("fuse: mount");
		return 77;
	}
	puts("ready");
	fflush(stdout);
	for (;;) {
		const struct fuse_in_header *h =
			(const struct fuse_in_header *)(const void *)message;

		if (read(dev, message, sizeof(message)) > 0) {
			while ((!stalls_at_read || h->opcode == FUSE_READ) &&
			       access(argv[2], F_OK) == 0)
				usleep(20000);
			note_change(h->opcode);
			serve(h);
		} else if (errno == ENODEV) {
			return 0;
		}
	}
}
