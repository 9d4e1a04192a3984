/*
 * Context: T.  Changes the file of this process: its length, its directory, its
 * being there.
 *
 * All but profile_file_size_limit() must run by private_fds_run(): in the
 * process's own table, a file that another thread opens meanwhile would get
 * another number.
 */
#ifndef PROFILE_FILE_H
#define PROFILE_FILE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Sets the length of the file to *bytes, a uint64_t.  Returns 0 or -errno;
 * -ESTALE if its path names another file now.
 */
int profile_file_resize(void *bytes);

/*
 * Returns the limit of file sizes in bytes, in whole pages.  It may have been
 * lowered: a file that grows past it kills the process by SIGXFSZ.
 */
uint64_t profile_file_size_limit(void);

/*
 * Copies the first `used` bytes of the profile to its final directory: whole,
 * under another name, then renamed.  Returns false if that fails; then the
 * pointer file there still tells where the profile is.
 */
bool profile_file_move_to_final(uint64_t used);

/*
 * Removes the file and what its directory has for it.  Returns as
 * profile_file_resize() does.
 */
int profile_file_remove(void *unused);

#endif
