/*
 * Context: O.  Finds the Debian package that a file is from, and the package of
 * its symbols.  For symbols_finding.c, for a few modules a report: each call
 * reads the lists of packages until it has found the file.
 */
#ifndef PACKAGE_H
#define PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Where dpkg keeps the lists of files of packages. */
#define PACKAGE_LISTS	"/var/lib/dpkg/info"

/*
 * Writes the name of the package that has installed the file `path` into room,
 * which has `bytes` bytes, by the lists of dpkg in the directory `lists`.  A
 * list may have the path without /usr, from the time before /lib became a link
 * to /usr/lib.  Returns false if no package with a name that fits has it, or
 * there are no lists.
 */
bool package_find(const char *lists, const char *path, char *room,
    size_t bytes);

/*
 * Writes the name of the package with the symbols of that package into room,
 * which has `bytes` bytes: NAME-dbgsym, as Debian and its like name them, but
 * NAME-dbg for those that are known to be older than this rule.  Returns false
 * for packages of which it is not known.
 */
bool package_symbols(const char *package, char *room, size_t bytes);

#endif
