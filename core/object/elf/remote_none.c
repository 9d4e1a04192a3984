/* Context: O.  For builds without a library to ask servers with. */
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
