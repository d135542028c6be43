#include "config.h"

#include "src/output/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/output/pager.h"

static void outfile_forget(struct outfile *o)
{
	free(o->target);
	free(o->temporary);
	free(o->text);
	*o = (struct outfile){ 0 };
}

/* Sets the mode as open() would: mkstemp() creates files that only the owner can read. */
static void outfile_mode(int fd, const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	(void)!fchmod(fd, old ? old->st_mode & 07777 : 0666 & ~mask);
}

static int outfile_temporary(struct outfile *o, const char *path, const struct stat *old)
{
	int fd;

	/* A symbolic link is followed and stays. */
	o->target = old ? realpath(path, NULL) : strdup(path);
	if (!o->target)
		return -errno;
	if (asprintf(&o->temporary, "%s.XXXXXX", o->target) < 0) {
		o->temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(o->temporary, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	outfile_mode(fd, old);
	o->stream = fdopen(fd, "w");
	if (o->stream)
		return 0;
	close(fd);
	unlink(o->temporary);
	return -ENOMEM;
}

int outfile_open(struct outfile *o, const char *path)
{
	struct stat st;
	bool there;
	int err = 0;

	*o = (struct outfile){ 0 };
	if (!path || !strcmp(path, "-")) {
		o->stream = stdout;
		return 0;
	}
	there = !stat(path, &st);
	if (!there && errno != ENOENT)
		return -errno;
	if (there && S_ISDIR(st.st_mode))
		return -EISDIR;
	if (there && access(path, W_OK))
		return -errno;
	if (there && !S_ISREG(st.st_mode)) {
		o->stream = fopen(path, "we");
		return o->stream ? 0 : -errno;
	}
	err = outfile_temporary(o, path, there ? &st : NULL);
	if (err)
		outfile_forget(o);
	return err;
}

void outfile_page(struct outfile *o)
{
	FILE *text;

	if (o->stream != stdout || !pager_wanted())
		return;
	text = open_memstream(&o->text, &o->bytes);
	if (text)
		o->stream = text;
}

static int outfile_close(struct outfile *o)
{
	int err = 0;

	errno = 0;
	if (fflush(o->stream) || ferror(o->stream))
		err = errno ? -errno : -EIO;
	if (o->stream != stdout && fclose(o->stream) && !err)
		err = -errno;
	o->stream = NULL;
	return err;
}

int outfile_commit(struct outfile *o)
{
	int err = outfile_close(o);

	if (!err && o->text)
		err = pager_show(o->text, o->bytes);
	if (!err && o->target && rename(o->temporary, o->target))
		err = -errno;
	if (err && o->temporary)
		unlink(o->temporary);
	outfile_forget(o);
	return err;
}

void outfile_abandon(struct outfile *o)
{
	if (!o->stream)
		return;
	outfile_close(o);
	if (o->temporary)
		unlink(o->temporary);
	outfile_forget(o);
}
