/*
 * Context: T.  Seals the profile at exit(3) and quick_exit(3).  Called by the
 * start of the library and by the hook of quick_exit(3).  _exit(2) and signals
 * run no handler: hook_exit.c has the former.
 */
#ifndef EXIT_HANDLERS_H
#define EXIT_HANDLERS_H

/*
 * Registers the handlers, before the program registers its own.  A library that
 * is only linked seals in its destructor, not at exit(3).
 */
void exit_handlers_register(void);

/* Notes the status of quick_exit(3), for the seal after its handlers. */
void exit_handlers_note_quick_exit(int status);

#endif
