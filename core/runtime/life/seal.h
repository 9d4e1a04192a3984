/* Context: T.  The end of a profile: nothing rests on it but tidiness. */
#ifndef SEAL_H
#define SEAL_H

#include <stdbool.h>

#include "format.h"

/*
 * Stop the clocks, write end and times, cut the file to what is used.  Makes
 * the file first where one is owed though nothing was counted.
 */
void seal_process(enum format_end end, int status);

/*
 * Seals the file if the calling thread is the last of the process.  The thread
 * is about to end by exit(2) with this status, which runs no exit handler.
 */
void seal_thread(int status);

/*
 * For exec: seals, but stops no other thread's clock; seal_undo_exec() follows
 * if it failed.  Returns whether there was no file to seal, and the losses were
 * moved to an ancestor's.
 */
bool seal_for_exec(void);
void seal_undo_exec(void);

#endif
