/* Context: O.  -o FILE: whole or not at all, and never over a profile. */
#include "output.h"

#include "load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
output_fault(const struct output *o, const char *what, int errnum,
    struct fault *f)
{
	int ret = fault_set(f, what, FAULT_NO_OFFSET, errnum);

	f->file = o->path != NULL ? o->path : "standard output";
	return ret;
}

/* The mode that open(2) would have given: mkstemp(3) says 0600. */
static void
output_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	(void)!fchmod(fd, 0666 & ~mask);
}

static int
output_temporary(struct output *o, struct fault *f)
{
	static const char tail[] = ".XXXXXX";
	size_t bytes = strlen(o->path);
	int fd;

	o->temporary = malloc(bytes + sizeof(tail));
	if (o->temporary == NULL)
		return output_fault(o, "out of memory", ENOMEM, f);
	memcpy(o->temporary, o->path, bytes);
	memcpy(o->temporary + bytes, tail, sizeof(tail));
	fd = mkstemp(o->temporary);
	if (fd >= 0)
		o->out = fdopen(fd, "w");
	if (o->out != NULL) {
		output_mode(fd);
		return 0;
	}
	fd = errno;
	free(o->temporary);
	o->temporary = NULL;
	return output_fault(o, "cannot be created", fd, f);
}

int
output_open(struct output *o, const char *path, struct fault *f)
{
	struct stat st;

	memset(o, 0, sizeof(*o));
	o->path = path;
	if (path == NULL) {
		o->out = stdout;
		return 0;
	}
	if (load_is_profile(path)) {
		output_fault(o, "is a profile and is not overwritten", 0, f);
		f->remedy = "choose another name for the output";
		return -EEXIST;
	}
	/* A device, a FIFO, /dev/stdout: written as it is. */
	if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
		return output_temporary(o, f);
	o->out = fopen(path, "we");
	return o->out != NULL ? 0 :
	    output_fault(o, "cannot be opened", errno, f);
}

int
output_close(struct output *o, struct fault *f)
{
	int bad = fflush(o->out) != 0 || ferror(o->out);
	int errnum = errno;

	if (o->path != NULL && fclose(o->out) != 0 && !bad) {
		bad = 1;
		errnum = errno;
	}
	o->out = NULL;
	if (!bad && o->temporary != NULL &&
	    rename(o->temporary, o->path) != 0) {
		bad = 1;
		errnum = errno;
	}
	if (bad) {
		output_abandon(o);
		return output_fault(o, "cannot be written", errnum, f);
	}
	free(o->temporary);
	o->temporary = NULL;
	return 0;
}

void
output_abandon(struct output *o)
{
	if (o->temporary != NULL)
		unlink(o->temporary);
	free(o->temporary);
	o->temporary = NULL;
	if (o->out != NULL && o->path != NULL)
		fclose(o->out);
	o->out = NULL;
}
