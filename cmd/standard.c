/* Context: O.  Descriptors 0 to 2, where who started us had closed one. */
#include "standard.h"

#include <fcntl.h>
#include <unistd.h>

void
standard_hold(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}
