/*
 * Context: O.  Reads and truncates the bytes of a tprof.out, for its reader and
 * tprof analyze; see tprof_file.h.
 */
#include "foreign/tprof_file.h"

#include "classic/tprof.h"
#include "load.h"
#include "read_file.h"

#include <stdlib.h>

bool
tprof_file_trim(struct read_tprof_request *file, const struct fault *f)
{
	if (f->errnum != 0 || f->offset == FAULT_NO_OFFSET ||
	    f->offset < TPROF_RECORD || f->offset >= file->size)
		return false;
	file->size = f->offset;
	return true;
}

bool
tprof_file_probe(const char *path)
{
	unsigned char first[TPROF_RECORD];

	return tprof_is(first, read_file_head(path, first, sizeof(first)));
}

int
tprof_file_read(struct read_tprof_request *file, const char *path,
    struct fault *f)
{
	unsigned char *bytes;
	int ret;

	/* Most files are no tprof.out, and may be long. */
	if (!file->asked && !tprof_file_probe(path))
		return LOAD_OTHER;
	ret = read_file_all(path, &bytes, &file->size, f);
	file->bytes = bytes;
	if (ret != 0)
		free(bytes);
	return ret == READ_FILE_NONE ? LOAD_OTHER : ret;
}
