/* Context: S.  Finds the header of the profile file. */
#ifndef STORE_HEADER_H
#define STORE_HEADER_H

struct format_header;

/*
 * Returns the header of the profile file, or NULL if there is no file (yet, or
 * any more).  Any thread and any signal handler may call it.
 */
struct format_header *store_header(void);

#endif
