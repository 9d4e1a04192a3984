/*
 * Context: O.  Opens closed standard descriptors, at the start of main() of
 * prof and tprof; see std_fds.h.
 */
#include "common/std_fds.h"

#include <fcntl.h>
#include <unistd.h>

void
std_fds_open(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}
