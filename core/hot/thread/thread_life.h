/*
 * Context: S.  Adds up how long the threads of the process have lived, and how
 * long those that have ended waited for a processor; doc/design/waiting.md.
 * Called where slots are taken and given back (thread.c, hook_fork.c,
 * altstack.c, thread_scan.c, thread_slot.c), and where the header's times are
 * written (thread_record.c, header_fill.c, seal_sums.c).  Functions that read a
 * clock or a file of /proc are not called in a frozen process.
 */
#ifndef THREAD_LIFE_H
#define THREAD_LIFE_H

#include "base/state.h"

/*
 * Begins the life of the thread of s, before or as its slot becomes live; the
 * thread itself or the one that attaches it calls it.  The caller has set
 * life.born, .cpu, .delay and .found, which are 0 in a slot that was cleared.
 */
void thread_life_begin(struct thread_slot *s);

/*
 * Sets the beginning of the life of thread s->tid, which the caller has just
 * made by clone(2).
 */
void thread_life_set_new(struct thread_slot *s);

/*
 * Sets the beginning of the life of thread s->tid, which a scan has found, to
 * where it can have begun at the latest: its age is at least the time that it
 * ran and waited for a processor.  Such a life counts as one whose birth was
 * not seen.  If that was before the beginning of the image, the life begins
 * now, and counts as any other.  Opens a descriptor, as run_delay_read() does.
 */
void thread_life_set_found(struct thread_slot *s);

/*
 * Sets the beginning of the life of the calling thread, whose slot is s, to
 * now.  Its waiting until now belongs to no life; if it has set a seccomp
 * filter, that is not asked for, and then no part of its later waiting is
 * known.  Call it where private_fds_run() may be called.
 */
void thread_life_set_met(struct thread_slot *s);

/*
 * Ends the life of the calling thread, whose slot is s, and adds up how long it
 * waited for a processor.  The kernel is asked for that only with clock=wall,
 * for a thread that was without a processor for 0.25 s and has set no seccomp
 * filter, because asking takes a helper thread (private_fds.h).  The seal asks
 * for the first thread.  Call it neither in our handlers nor in a frozen
 * process.
 */
void thread_life_end(struct thread_slot *s);

/*
 * Asks the first thread how long it has waited for a processor, if that was not
 * done yet.  After an exec the answer also has the waiting of earlier images,
 * and to ask at every start would take 25 us.  So what the thread has waited
 * since its birth is known later only as a part of its time without a
 * processor, which is added to those who were not asked.  Opens a descriptor,
 * as run_delay_read() does.
 */
void thread_life_ask_first(void);

/*
 * Takes back a life that a second slot of the thread has begun.  Does nothing
 * if the life is over.  Whoever clears the slot calls it.
 */
void thread_life_drop(struct thread_slot *s);

/*
 * Ends the life of a thread that is gone, whose end was not seen, at the CPU
 * time that is known of it.  Without any, a life that a scan has found is taken
 * back.  Whoever reclaims the slot calls it.
 */
void thread_life_lost(struct thread_slot *s);

/*
 * Returns the CPU time of the life of s, whose thread has used `cpu` in all;
 * both are ns.
 */
static inline uint64_t
thread_life_ran(const struct thread_slot *s, uint64_t cpu)
{
	return cpu > s->life.cpu ? cpu - s->life.cpu : 0;
}

/*
 * Returns how long the thread of s, with that CPU time, has been without a
 * processor from its birth to its end, or to `now` if it lives; ns.
 */
uint64_t thread_life_off(const struct thread_slot *s, uint64_t now,
    uint64_t cpu);

/*
 * Returns how long a thread has waited for a processor in its life, of which
 * `off` was without one: the kernel's number was `before` at its beginning and
 * is `delay` now.  All are ns.  Returns RUN_DELAY_UNKNOWN if one of the two is
 * that.
 */
uint64_t thread_life_delay(uint64_t before, uint64_t off, uint64_t delay);

/*
 * Adds up the waiting and the CPU time of threads that ended while an exec that
 * has failed had sealed their lives.
 */
void thread_life_add_late(void);

/*
 * Writes the sums up to h->cpu_mono into the header, unless the seal has
 * written the final ones.  Leaves lived_ns as it is while another thread, or
 * what the caller has interrupted, changes the account.  Makes no system call.
 */
void thread_life_write(struct format_header *h);

#endif
