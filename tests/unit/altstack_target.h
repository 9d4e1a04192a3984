/* Context: O.  For tests of alternate signal stacks: sets them and looks. */
#ifndef ALTSTACK_TARGET_H
#define ALTSTACK_TARGET_H

#include "clock/cpu_timer.h"
#include "base/thread_clock.h"
#include "signal/altstack.h"
#include "target.h"
#include "thread/signal_stack.h"
#include "thread/thread_slot.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern struct thread_slot *self;

void altstack_target_start(void);

void altstack_target_end(void);

stack_t altstack_target_real(void);

stack_t altstack_target_seen(void);

bool altstack_target_is_none(stack_t s);

extern char large[64 << 10], tight[8192];

int altstack_target_set(void *base, size_t bytes, int flags, stack_t *old);

#endif
