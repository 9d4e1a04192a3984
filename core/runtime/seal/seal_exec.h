/*
 * Context: T.  Seals the profile of a process image before an exec, and reopens
 * it if the exec fails.  For life/exec_image.c, in a profiled process and not
 * in a vfork child.
 */
#ifndef SEAL_EXEC_H
#define SEAL_EXEC_H

#include <stdbool.h>

/*
 * Seals the profile before an exec, but stops no other thread's clock; while
 * there are other threads, the file keeps its length.  Returns whether there
 * was no file to seal, and the losses were moved to an ancestor's file.
 */
bool seal_exec_prepare(void);

/*
 * Seals the profile by stores to memory alone, where a seccomp filter may kill
 * for a system call.  The file keeps its length and the times that the last
 * tick has written; the time of the end is not known.  Returns what
 * seal_exec_prepare() returns.
 */
bool seal_exec_confined(void);

/*
 * Reopens the profile after an exec that has failed.  If the file was removed,
 * the store begins anew at the next count.  After seal_exec_confined() it makes
 * no system call.
 */
void seal_exec_undo(void);

#endif
