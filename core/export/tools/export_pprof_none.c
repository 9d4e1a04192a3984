/* Context: O.  For builds without protobuf-c or zlib. */
#include "tools/export_pprof.h"

#include <errno.h>

int
export_pprof(struct model *m, FILE *out)
{
	(void)m;
	(void)out;
	return -ENOTSUP;
}
