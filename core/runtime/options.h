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
void options_read_for_program(char **environment);

/*
 * Writes the absolute name of a directory, which may be relative to the current
 * one, to the PATH_MAX bytes at `to`, without a final slash.  "" is the root.
 * False: there is none; `path` itself is there then.
 */
bool options_make_absolute(char *to, const char *path);

/* What follows `head`, as "PROFDIR=", or NULL. */
const char *options_value(char **environment, const char *head);

#endif
