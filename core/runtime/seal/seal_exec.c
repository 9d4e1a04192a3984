/*
 * Context: T.  Seals the profile before an exec, for exec_image.c; see
 * seal_exec.h.
 */
#include "seal/seal_exec.h"

#include "base/loss_count.h"
#include "base/state.h"
#include "base/store_header.h"
#include "seal/profile_end.h"
#include "seal/profile_file.h"
#include "seal/profile_need.h"
#include "seal/seal_sums.h"
#include "store/ancestor.h"
#include "store/store.h"
#include "store/store_create.h"
#include "thread/children.h"
#include "thread/private_fds.h"

/*
 * Returns whether this thread alone writes to the file, so that it can be
 * truncated.
 */
static bool
is_only_writer(void)
{
	return atomic_load(&mon->live) <= 1 && !mon->store.local;
}

bool
seal_exec_prepare(void)
{
	struct format_header *h;
	bool moved = false;
	uint64_t used;

	if (store_create_used_cpu())
		store_create_before_exit();
	h = store_header();
	if (h == NULL)
		moved = ancestor_move_losses();
	if (h == NULL || config.place == CONFIG_PLACE_MEMORY)
		return moved;
	profile_end_write(h, FORMAT_END_EXEC, -1);
	if (!is_only_writer())
		return false;
	if (profile_need_is_none(h)) {
		mon->store.removed = private_fds_run(profile_file_remove,
		    NULL) == 0;
		return false;
	}
	used = profile_end_close(h);
	private_fds_run(profile_file_resize, &used);
	return false;
}

bool
seal_exec_confined(void)
{
	struct format_header *h = store_header();

	if (h == NULL)
		return ancestor_move_losses();
	if (config.place == CONFIG_PLACE_MEMORY)
		return false;
	loss_count_move_early(h);
	children_write_count();
	h->exit_status = -1;
	h->end = FORMAT_END_EXEC;
	__atomic_store_n(&h->state, FORMAT_SEALED, __ATOMIC_RELEASE);
	return false;
}

/* Extends the file again, which was truncated to `used`. */
static void
reopen_profile(struct format_header *h)
{
	uint64_t used = h->used & ~(uint64_t)FORMAT_CLOSED;
	uint64_t limit = profile_file_size_limit(), cap;

	if (limit < h->cap && used <= limit)
		h->cap = limit;
	cap = h->cap;
	/*
	 * Without room the file stays truncated and closed: losses are counted.
	 */
	if (cap > limit || private_fds_run(profile_file_resize, &cap) != 0)
		return;
	__atomic_store_n(&h->ready, (used + config.page - 1) &
	    ~(config.page - 1), __ATOMIC_RELEASE);
	__atomic_store_n(&h->used, used, __ATOMIC_RELEASE);
}

void
seal_exec_undo(void)
{
	struct format_header *h = store_header();

	if (h == NULL || config.place == CONFIG_PLACE_MEMORY)
		return;
	if (mon->store.removed) {
		store_discard();
		return;
	}
	if ((h->used & FORMAT_CLOSED) != 0)
		reopen_profile(h);
	seal_sums_undo(h);
	h->end = FORMAT_END_NONE;
	h->end_mono = h->end_real = 0;
	__atomic_store_n(&h->state, FORMAT_LIVE, __ATOMIC_RELEASE);
}
