/*
 * Context: T.  Seals the profile of a process image before an exec, and reopens
 * it if the exec fails.
 */
#ifndef SEAL_EXEC_H
#define SEAL_EXEC_H

#include <stdbool.h>

/*
 * Seals the profile before an exec, but stops no other thread's clock.  Returns
 * whether there was no file to seal, and the losses were moved to an ancestor's
 * file.
 */
bool seal_exec_prepare(void);

/* Reopens the profile after an exec that has failed. */
void seal_exec_undo(void);

#endif
