/*
 * Context: T.  Asks the kernel for facts of the machine that libmon needs in
 * each profiled process.  The start of the library (life/start.c) calls it,
 * once and before `mon` is set; fork children inherit the facts.
 */
#ifndef SYSTEM_FACTS_H
#define SYSTEM_FACTS_H

/*
 * Fills `config` with the sizes of a page and of a signal frame, the
 * scheduler's tick, and what timers and thread pointers do here.  Makes two
 * system calls at most.
 */
void system_facts_measure(void);

#endif
