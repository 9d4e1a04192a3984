/* Context: T.  The environment, read once. */
#ifndef OPTIONS_H
#define OPTIONS_H

/*
 * Fill `config` from PROFDIR and PROFOPTS.  argv0 may be NULL.  Makes no system
 * call when PROFDIR is set and empty.
 */
void options_read(void);

#endif
