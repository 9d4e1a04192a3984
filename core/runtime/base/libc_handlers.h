/*
 * Context: T.  Declares functions of glibc that register handlers, for the
 * start of the library (core/runtime/life).
 */
#ifndef LIBC_HANDLERS_H
#define LIBC_HANDLERS_H

/*
 * musl's loader gives the library its own libc for glibc's.  A function that
 * musl lacks must be weak, or the program does not start; the stubs of
 * pthread_atfork and at_quick_exit refer strongly to the functions below.
 */
extern int __cxa_at_quick_exit(void (*handler)(void *), void *library)
    __attribute__((weak));
extern int __register_atfork(void (*prepare)(void), void (*parent)(void),
    void (*child)(void), void *library) __attribute__((weak));

#endif
