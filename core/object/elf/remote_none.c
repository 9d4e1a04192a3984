/*
 * Context: O.  Stands for remote_debuginfod.c in a build without libdebuginfod:
 * no server is ever asked; see remote.h.
 */
#include "elf/remote.h"

#include <errno.h>

int
remote_allow(double seconds)
{
	(void)seconds;
	return -ENOSYS;
}

struct remote_sum
remote_sum(void)
{
	return (struct remote_sum) { .asked = 0 };
}

int
remote_debugfile(struct elf_file *debug, const unsigned char *id, size_t bytes,
    struct debugfile_refused *refused)
{
	(void)debug, (void)id, (void)bytes, (void)refused;
	return -ENOENT;
}
