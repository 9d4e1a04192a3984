/* Context: O.  Where protobuf-c is not there. */
#include "export_pprof.h"

#include <errno.h>

int
export_pprof(struct model *m, FILE *out)
{
	(void)m;
	(void)out;
	return -ENOTSUP;
}
