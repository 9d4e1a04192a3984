/*
 * Context: T.  Reads the options from the environment, once, at the start of
 * the library (life/start.c), before `mon` is set.  Fork children inherit them.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

/*
 * Fills `config` from PROFDIR and PROFOPTS, and makes a relative PROFDIR
 * absolute in the environment.  Sets config.place to CONFIG_PLACE_OFF if the
 * process is not to be profiled.  Makes no system call if PROFDIR is set and
 * empty.
 */
void options_read(char **environment);

/*
 * Fills `config` as options_read() does, for a library that is only linked: no
 * profile is written, and PROFDIR is left alone.
 */
void options_read_linked(char **environment);

#endif
