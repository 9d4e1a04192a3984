/*
 * Context: O.  Finds the device and inode that /proc/PID/maps shows for an open
 * file, for object_files.c.
 */
#ifndef MAP_IDENTITY_H
#define MAP_IDENTITY_H

#include <stdint.h>

/*
 * Stores the device and inode of the file `fd`, as memory maps show them.  On
 * btrfs and overlayfs stat(2) has other device numbers (on overlayfs also other
 * inodes) than the memory map; a profile has those of the map.  So the function
 * maps the file and looks it up in its own map.  Returns 0 or -errno.
 */
int map_identity(int fd, uint64_t *device, uint64_t *inode);

#endif
