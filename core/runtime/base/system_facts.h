/*
 * Context: T.  Asks the kernel for facts of the machine that libmon needs in
 * each profiled process; the start of the library calls it.
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
