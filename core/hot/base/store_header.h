/*
 * Context: S.  Finds the header of the profile file.  All of the target calls
 * it; it makes no system call.
 */
#ifndef STORE_HEADER_H
#define STORE_HEADER_H

struct format_header;

/*
 * Returns the header of the profile file (of private memory if the place is
 * CONFIG_PLACE_MEMORY), or NULL if there is none (yet, or any more).  `mon` is
 * not NULL.  Any thread and any signal handler may call it.
 */
struct format_header *store_header(void);

#endif
