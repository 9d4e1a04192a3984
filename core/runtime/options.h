/* Context: T.  The environment, read once. */
#ifndef OPTIONS_H
#define OPTIONS_H

/*
 * Fill `config` from PROFDIR and PROFOPTS.  Makes no system call when PROFDIR
 * is set and empty.
 */
void options_read(char **environment);

/* The same where no profile is written: PROFDIR is left alone. */
void options_read_for_program(char **environment);

/* What follows `head`, as "PROFDIR=", or NULL. */
const char *options_value(char **environment, const char *head);

#endif
