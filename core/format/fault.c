/*
 * Context: P.  Fills error records, for all readers and commands of the tools;
 * see fault.h.
 */
#include "fault.h"

#include <errno.h>
#include <stddef.h>

int
fault_set(struct fault *f, const char *what, uint64_t offset, int errnum)
{
	*f = (struct fault){
		.what = what,
		.offset = offset,
		.errnum = errnum,
	};
	return errnum != 0 ? -errnum : -EINVAL;
}

int
fault_set_line(struct fault *f, const char *what, uint64_t line)
{
	int ret = fault_set(f, what, FAULT_NO_OFFSET, 0);

	f->line = line;
	return ret;
}

int
fault_set_no_memory(struct fault *f)
{
	return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
}
