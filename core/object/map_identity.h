/* Context: O.  What /proc/PID/maps would call an open file. */
#ifndef MAP_IDENTITY_H
#define MAP_IDENTITY_H

#include <stdint.h>

/*
 * On btrfs and overlayfs stat(2) and the memory map have other device numbers
 * (and inodes, there) for one file; a profile has those of the map.  So it is
 * mapped here and looked up.  0 or -errno.
 */
int map_identity(int fd, uint64_t *device, uint64_t *inode);

#endif
