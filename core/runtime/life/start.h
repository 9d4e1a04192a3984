/*
 * Context: T.  Starts and ends the library, for its constructor and destructor
 * (preload/init.c) and for hooks: the first hook that is called starts it
 * (real.c); those of monitor(3C), profil(2), sprofil(3) and monstartup(3) start
 * a linked one.
 */
#ifndef START_H
#define START_H

/*
 * Reads how the library was loaded; if it was preloaded, reads the options and
 * begins to profile.  A linked library begins in start_linked().  Further calls
 * do nothing, and do not wait for the first one.  Hooks call it, too, because
 * they can run before the constructor of libmon.
 * `environment` is the process's vector itself: a relative PROFDIR is made
 * absolute in it.
 */
void start_library(char **environment);

/*
 * Starts counting in a library that is linked and not preloaded, when the
 * program asks for it.  Waits while another thread does so; a signal handler in
 * the thread that does so returns at once.  Further calls do nothing, nor does
 * a call in a preloaded library.
 */
void start_linked(void);

/*
 * Ends a library that is only linked, which then writes its files; in a process
 * that is not profiled, writes the file of monitor().  Called by the destructor
 * that runs last.
 */
void start_library_end(void);

#endif
