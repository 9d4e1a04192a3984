/*
 * Context: T.  Seals the profile at exit(3) and quick_exit(3).  _exit(2) and
 * fatal signals run no exit handler: hook_exit.c seals at _exit(2); after a
 * fatal signal the tools find the profile as the process left it.
 */
#ifndef EXIT_HANDLERS_H
#define EXIT_HANDLERS_H

/*
 * Registers our exit handlers.  Called at the start of the library, before the
 * program registers its own: the first one registered runs last.  Where
 * libmon.so is linked and not preloaded, its destructor seals at exit(3), and
 * only the handler of quick_exit(3) is registered.
 */
void exit_handlers_register(void);

/*
 * Notes the status of quick_exit(3), whose hook calls it, for the seal, which
 * comes after the handlers of at_quick_exit(3).
 */
void exit_handlers_note_quick_exit(int status);

#endif
