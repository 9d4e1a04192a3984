/*
 * Context: S.  The fine clock: a perf event on the CPU time that a thread uses
 * in user mode.  Each signal of it is a tick that empties the event's ring.
 * Ticks (tick_count.c), clock_switch.c and thread_slot.c use it; core/runtime
 * stops it before a seal, an exec, a seccomp filter, a move or the loss of an
 * alternate stack.  A caller has `busy` of s or is its thread, unless the
 * comment says otherwise.
 */
#ifndef PERF_CLOCK_H
#define PERF_CLOCK_H

#include "base/state.h"

/*
 * Starts the fine clock of the calling thread, whose slot is s, and writes the
 * outcome to s->fine_clock.state.  Does nothing if the thread has one, if libc
 * did not make the thread, if none is asked for, if one was refused to it (or
 * eight in a row to the process), or in a frozen process.  The caller holds
 * `busy` and has signals blocked.
 */
void perf_clock_arm(struct thread_slot *s);

/*
 * Stops the fine clock of s and counts the samples in its rings.  next: the new
 * s->fine_clock.state.  Does nothing if the clock is off.  The caller is the
 * thread itself, or holds `busy` of s.
 */
void perf_clock_stop(struct thread_slot *s, unsigned next);

/*
 * Stops the fine clock of s and gives it its whole budget again, so that the
 * next coarse tick may start it at another rate.  The thread's own tick calls
 * it.
 */
void perf_clock_reset(struct thread_slot *s);

/*
 * Returns whether fd, the si_fd of a signal, is the descriptor that the perf
 * event of s had, or that the event before had.  The tick's handler calls it,
 * before it takes `busy`.  A tick that stops the event or starts another one
 * may have a signal of the old event waiting behind it.
 */
bool perf_clock_is_sender(const struct thread_slot *s, int fd);

/*
 * Releases the perf event of s, whose thread is gone; whoever clears the slot
 * calls it.  Samples in its rings are counted as lost.
 */
void perf_clock_discard(struct thread_slot *s);

/* Returns whether the perf event of s has to get another period now. */
bool perf_clock_is_period_due(const struct thread_slot *s);

/*
 * Gives the perf event of the calling thread, whose slot is s, another period.
 * The handler calls it after a fine tick, so that no part of a period is lost.
 */
void perf_clock_new_period(struct thread_slot *s);

/*
 * Returns whether the fine clock of s has been on for as long as it may be at
 * full rate.
 */
bool perf_clock_is_spent(const struct thread_slot *s);

/*
 * Returns the mean of the periods that the fine clock of s gets from now on,
 * ns: what is asked for, at the rate of perf_rate.h, past the budget at
 * CLOCK_PERIOD_LATER at least.
 */
uint64_t perf_clock_mean_period(const struct thread_slot *s);

/*
 * Counts the samples in the ring of the fine clock of s.  pc: where the present
 * tick found the thread; samples whose entries are lost count there.  The
 * caller holds `busy`.
 */
void perf_clock_drain(struct thread_slot *s, uintptr_t pc);

/*
 * Compares the time that the fine clock of s has counted with s->cpu.ns, which
 * is up to date, and writes the excess to s->fine_clock.debt, from where later
 * samples are reduced.
 */
void perf_clock_reconcile(struct thread_slot *s);

#endif
