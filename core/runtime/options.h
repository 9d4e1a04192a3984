/* Context: T.  The environment, read once. */
#ifndef OPTIONS_H
#define OPTIONS_H

/*
 * Fill `config` from PROFDIR and PROFOPTS.  Makes no system call when PROFDIR
 * is set and empty.
 */
void options_read(char **environment);

#endif
