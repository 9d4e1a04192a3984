/*
 * Context: O.  Opens those of the descriptors 0 to 2 that were closed when the
 * tool was started.  main() of prof and of tprof call this before any file is
 * opened.
 */
#ifndef STD_FDS_H
#define STD_FDS_H

/*
 * Opens /dev/null for closed descriptors among 0 to 2, so that no file is
 * opened where messages go.  It is opened for reading only: a write to a closed
 * standard output still fails visibly.  Programs that the tool executes have
 * the descriptors closed again.  If /dev/null cannot be opened, they stay
 * closed and nothing is reported.
 */
void std_fds_open(void);

#endif
