/*
 * Context: O.  Stands for export_pprof.c in builds without protobuf-c or zlib:
 * the callers say that the format cannot be written.
 */
#include "tools/export_pprof.h"

#include <errno.h>

int
export_pprof(struct model *m, FILE *out)
{
	(void)m;
	(void)out;
	return -ENOTSUP;
}
