/*
 * Context: T.  Decides whether the process has a file, for seal.c and
 * seal_exec.c; see profile_need.h.
 */
#include "seal/profile_need.h"

#include "base/state.h"
#include "base/store_header.h"
#include "store/store_create.h"

STATE_START static bool
has_early_loss(void)
{
	for (unsigned i = 0; i < LOSS_COUNT; i++)
		if (atomic_load(&mon->early[i]) != 0)
			return true;
	return false;
}

STATE_START static bool
is_always_written(void)
{
	return config.empty || config.place == CONFIG_PLACE_FILE ||
	    has_early_loss();
}

/*
 * Returns whether the process writes a file although it counted nothing: the
 * first process of a run always writes mon.out.
 */
STATE_START static bool
is_written_empty(void)
{
	return is_always_written() || store_create_maybe_first();
}

STATE_START bool
profile_need_exists(void)
{
	return is_written_empty() || store_create_used_cpu();
}

bool
profile_need_is_none(const struct format_header *h)
{
	for (unsigned i = 0; i < LOSS_COUNT; i++)
		if (h->loss[i] != 0)
			return false;
	if (h->threads != 0 || h->arcs != 0 || h->alloc_threads != 0)
		return false;
	/* Children that could create no file count their losses in this one. */
	if (lineage.ancestor == h && h->children != 0)
		return false;
	return h->stopped_ns != 0 ? !is_written_empty() :
	    mon->made_ahead && !profile_need_exists();
}

void
profile_need_create(void)
{
	mon->store.retry_mono = 0;
	if (store_header() != NULL)
		return;
	if (is_always_written())
		store_create_if_due();
	else
		store_create_before_exit();
}
