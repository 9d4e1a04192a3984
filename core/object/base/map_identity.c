/*
 * Context: O.  Finds the device and inode that /proc/PID/maps shows for an open
 * file, for object_files.c; see map_identity.h.
 */
#include "base/map_identity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

/*
 * Reads the device and inode of the mapping of this process that starts at the
 * address.  Returns 0 or -errno.
 */
static int
find_own_map_line(uint64_t address, uint64_t *device, uint64_t *inode)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned major, minor;
	/* a map takes up to 4 bytes for each byte of a path */
	char line[8192];
	uint64_t start;
	int ret = -ENOENT;

	if (maps == NULL)
		return -errno;
	while (ret != 0 && fgets(line, sizeof(line), maps) != NULL)
		if (sscanf(line, "%" SCNx64 "-%*x %*s %*x %x:%x %" SCNu64,
		    &start, &major, &minor, inode) == 4 && start == address) {
			*device = (uint64_t)major << 32 | minor;
			ret = 0;
		}
	fclose(maps);
	return ret;
}

int
map_identity(int fd, uint64_t *device, uint64_t *inode)
{
	void *at = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	int ret;

	if (at == MAP_FAILED)
		return -errno;
	ret = find_own_map_line((uintptr_t)at, device, inode);
	munmap(at, 1);
	return ret;
}
