/*
 * Context: T.  Changes the file of this process for seal.c and seal_exec.c:
 * sets its length, moves it to its directory, removes it.
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
 * Returns the limit of file sizes in bytes, in whole pages; 0 if it cannot be
 * read.  It may have been lowered: a file that grows past it kills the process
 * by SIGXFSZ.
 */
uint64_t profile_file_size_limit(void);

/*
 * Copies the first `used` bytes of a profile that lies in a local directory to
 * its final one: whole, as NAME.part, then renamed; then removes the local
 * file.  used: from profile_end_close().  Returns false if that fails; then the
 * pointer file there still says where the profile is.
 */
bool profile_file_move_to_final(uint64_t used);

/*
 * Removes the file and what its directory has for it.  Returns as
 * profile_file_resize() does.
 */
int profile_file_remove(void *unused);

#endif
