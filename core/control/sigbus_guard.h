/*
 * Context: O.  Maps the headers of profiles so that a file that is truncated
 * meanwhile does not kill the tool by SIGBUS.  Used by control_client.c, also
 * in programs that link libmontell.
 */
#ifndef SIGBUS_GUARD_H
#define SIGBUS_GUARD_H

#include "format.h"

/*
 * Maps the header of the open profile fd, shared with its process.  If the file
 * is truncated while it is mapped, an access would raise SIGBUS.  So this
 * signal is handled while any header is mapped: the handler puts a zeroed page
 * in place of the lost one.  A SIGBUS for another reason goes to the handler
 * that was set before.  Returns NULL with errno set on failure.  Any thread may
 * call this function.
 */
struct format_header *sigbus_guard_map(int fd);

/*
 * Unmaps a header.  The last call restores the handler of SIGBUS.  Any thread
 * may call this function.
 */
void sigbus_guard_unmap(struct format_header *h);

#endif
