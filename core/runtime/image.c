/*
 * Context: T.  Another program image takes over.
 *
 * A tick that is pending at exec kills the new image, whose action is the
 * default one.  So T is blocked, our clocks on this thread stop, what is
 * pending is taken off, and then the program's mask and actions go in force for
 * the image to inherit.
 */
#include "image.h"

#include "ahead.h"
#include "ancestor.h"
#include "clock.h"
#include "coarse.h"
#include "fine.h"
#include "monitor.h"
#include "record.h"
#include "seal.h"
#include "sharer.h"
#include "sigmask.h"
#include "slot.h"
#include "start.h"
#include "writers.h"

void
image_leave(struct image *i)
{
	sys_sigset t = SYS_SIGBIT(atomic_load(&view.signal));

	i->sealed = false;
	i->exposed.active = false;
	i->process_tier = i->sharer = i->histogram = false;
	i->shut = i->told = false;
	if (start_boxed())
		return;
	i->histogram = monitor_leave();
	if (!view.installed)
		return;
	if (start_active()) {
		writers_run();
		i->process_tier = mon->process_tier;
		sys_sigprocmask(SIG_BLOCK, &t, &i->mask);
		if (slot_self != NULL && slot_valid(slot_self)) {
			coarse_stop(slot_self);
			fine_stop(slot_self, FORMAT_FINE_DONE);
			record_last(slot_self);
		}
		coarse_stop_process();
		sigmask_drain();
		i->shut = ahead_is_shut();
		if (i->shut)
			loss_count(LOSS_IMAGE_FILE, 1);
		i->told = seal_for_exec();
		i->sealed = true;
		sys_sigprocmask(SIG_SETMASK, &i->mask, NULL);
	} else {
		i->sharer = sharer_leaves();
	}
	expose_begin(&i->exposed);
}

void
image_return(const struct image *i)
{
	expose_end(&i->exposed);
	if (i->histogram)
		monitor_return();
	if (i->sharer)
		sharer_stays();
	if (!i->sealed)
		return;
	seal_undo_exec();
	if (i->shut && i->told)
		ancestor_take_back(LOSS_IMAGE_FILE);
	else if (i->shut)
		loss_count(LOSS_IMAGE_FILE, UINT64_MAX);
	if (slot_self == NULL || !slot_valid(slot_self))
		return;
	slot_self->fine = FORMAT_FINE_NEVER;
	if (i->process_tier)
		clock_restart_process();
	else
		clock_start(slot_self);
}
