/*
 * Context: S.  Counts losses, in the profile file or until there is one; all
 * that counts in the target calls it, in any thread and any signal handler.
 */
#include "base/loss_count.h"

#include "base/state.h"
#include "base/store_header.h"

/*
 * Moves the early losses of one kind to the header.  Several threads may do so
 * at once.
 */
static void
move_early_loss(struct format_header *h, unsigned which)
{
	uint64_t n = atomic_exchange(&mon->early[which], 0);

	if (n != 0)
		__atomic_fetch_add(&h->loss[which], n, __ATOMIC_RELAXED);
}

void
loss_count(enum loss which, uint64_t n)
{
	struct format_header *h = store_header();

	if (h != NULL) {
		__atomic_fetch_add(&h->loss[which], n, __ATOMIC_RELAXED);
		return;
	}
	atomic_fetch_add(&mon->early[which], n);
	/*
	 * Another thread may have made the file, and moved the early losses
	 * there, since the look above.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	h = store_header();
	if (h != NULL)
		move_early_loss(h, which);
}

void
loss_count_move_early(struct format_header *h)
{
	for (unsigned i = 0; i < LOSS_COUNT; i++)
		move_early_loss(h, i);
}
