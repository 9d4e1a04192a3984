/*
 * Context: T.  Checks memory that the program passes to a call, and copies it.
 * For hooks, the sets of signals that these get (signal/wait_set.c), and the
 * headers of libraries (classic/monout_file.c).  In any process and thread.
 */
#ifndef USER_MEMORY_H
#define USER_MEMORY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A hook that has to read an argument may meet a pointer that the kernel would
 * refuse with EFAULT.  These functions detect that; the hook then passes the
 * pointer on as it is, and the kernel gives the answer.
 *
 * They do not guard against another thread that unmaps the memory between the
 * check and the access.  All are async-signal-safe and keep errno.
 */

/*
 * Copies the 64 signals of the kernel's set at `from`, which need not be
 * aligned and need not have the 128 bytes of a sigset_t.
 *
 * Returns false if those 8 bytes cannot be read.  Costs a system call of 0.1
 * us, or none if `from` lies in the used part of the calling thread's stack.
 * Behind a seccomp filter none of these functions checks anything.
 */
bool user_memory_read_set(const sigset_t *from, uint64_t *bits);

/*
 * Copies n bytes from `from`, where 8 <= n <= one page.  Returns false if any
 * of them cannot be read.
 */
bool user_memory_read(void *to, const void *from, size_t n);

/*
 * Copies n bytes to `to`, where 8 <= n <= one page.
 *
 * Returns false if any of them cannot be written; some may have been, as by
 * the kernel.  Costs two system calls.
 */
bool user_memory_write(void *to, const void *from, size_t n);

#endif
