/* Context: T.  Reads the options from the environment, once. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

/*
 * Fills `config` from PROFDIR and PROFOPTS, and makes a relative PROFDIR
 * absolute in the environment.  Makes no system call if PROFDIR is set and
 * empty.
 */
void options_read(char **environment);

/*
 * Fills `config` as options_read() does, for a library that is only linked: no
 * profile is written, and PROFDIR is left alone.
 */
void options_read_linked(char **environment);

/*
 * Writes the absolute name of the directory `path`, which may be relative to
 * the current one, without a final slash, to `to`, which has PATH_MAX bytes.
 * "" stands for the root.  Returns false if there is no absolute name; then
 * `to` holds `path` as it is.
 */
bool options_make_absolute(char *to, const char *path);

/*
 * Returns the text behind `head` in the entry that begins with it, or NULL.
 * head: a name with an equals sign, as "PROFDIR=".
 */
const char *options_getenv(char **environment, const char *head);

#endif
