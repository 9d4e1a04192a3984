/*
 * Context: S.  Visits the slots of all threads.  Scans for threads, the helper
 * of clock=wall, changes of all clocks, freezes, dlclose(3), and the seal call
 * it.
 */
#ifndef THREAD_SLOT_EACH_H
#define THREAD_SLOT_EACH_H

#include "base/state.h"

/*
 * Visits every slot that is not free, with `arg`: also slots that are being set
 * up or whose thread has ended.  A slot may be freed or taken by another thread
 * during the visit.  Any thread and any signal handler may call it.
 */
typedef void thread_slot_visit(struct thread_slot *s, void *arg);
void thread_slot_for_each(thread_slot_visit *visit, void *arg);

#endif
