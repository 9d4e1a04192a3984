/* Context: O.  Descriptors 0 to 2, where who started us had closed one. */
#ifndef STD_FDS_H
#define STD_FDS_H

/*
 * A file must not be opened where messages go.  For reading alone: that writing
 * to what was closed fails is still said.  A program that we run has them
 * closed.
 */
void std_fds_open(void);

#endif
