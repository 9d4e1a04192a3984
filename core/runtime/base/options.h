/* Context: T.  The environment, read once. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

/*
 * Fill `config` from PROFDIR and PROFOPTS.  Makes no system call when PROFDIR
 * is set and empty.
 */
void options_read(char **environment);

/* The same where no profile is written: PROFDIR is left alone. */
void options_read_linked(char **environment);

/*
 * Writes the absolute name of a directory, which may be relative to the current
 * one, without a final slash, to `to`, which has PATH_MAX bytes.  "" is the
 * root.  Returns false if there is no absolute name; then `to` holds `path` as
 * it is.
 */
bool options_make_absolute(char *to, const char *path);

/* What follows `head`, as "PROFDIR=", or NULL. */
const char *options_getenv(char **environment, const char *head);

#endif
