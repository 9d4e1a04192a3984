/*
 * Context: T.  Reads the options from the environment, once, at the start of
 * the library.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

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

#endif
