/*
 * Context: S.  Counts losses of a process that has no file in the file of an
 * ancestor, for store_create.c, the seal and execs; see ancestor.h.
 *
 * A child that is forked in a jail, or by a user who may not write to the
 * directory, cannot reach a place for its file.  The header of the ancestor's
 * file stays mapped in the child: adding to a loss there needs no path and no
 * permission.
 */
#include "store/ancestor.h"

#include "base/mmap_area.h"
#include "base/store_header.h"
#include "store/store.h"

void
ancestor_share_header(void)
{
	struct format_header *h = store_header();

	if (h == NULL || lineage.ancestor == h ||
	    config.place == CONFIG_PLACE_MEMORY ||
	    sys_madvise(h, FORMAT_HEADER, MADV_DOFORK) != 0)
		return;
	lineage.ancestor = h;
}

bool
ancestor_move_header(const void *base)
{
	void *place;

	if (base != lineage.ancestor)
		return true;
	place = mmap_area_alloc(FORMAT_HEADER);
	if (place == NULL)
		return false;
	if ((void *)SYS(mremap, base, FORMAT_HEADER, FORMAT_HEADER,
	    MREMAP_MAYMOVE | MREMAP_FIXED, place, 0) != place) {
		mmap_area_unmap(place, FORMAT_HEADER);
		return false;
	}
	lineage.ancestor = place;
	return true;
}

/*
 * Returns the header that this process inherited, or NULL.  The header of its
 * own file does not count.
 */
static struct format_header *
ancestor_header(void)
{
	struct format_header *h = lineage.ancestor;

	return (unsigned char *)h == mon->store.base ? NULL : h;
}

static void
add_ancestor_loss(enum loss which, uint64_t n)
{
	__atomic_fetch_add(&ancestor_header()->loss[which], n,
	    __ATOMIC_RELAXED);
}

void
ancestor_count_no_file(void)
{
	if (ancestor_header() != NULL &&
	    !atomic_exchange(&mon->counted_fileless, true))
		add_ancestor_loss(LOSS_CHILD_FILE, 1);
}

void
ancestor_uncount_no_file(void)
{
	if (ancestor_header() != NULL && atomic_exchange(&mon->counted_fileless,
	    false))
		add_ancestor_loss(LOSS_CHILD_FILE, UINT64_MAX);
}

bool
ancestor_move_losses(void)
{
	if (ancestor_header() == NULL)
		return false;
	for (unsigned i = 0; i < LOSS_COUNT; i++) {
		uint64_t n = atomic_exchange(&mon->early[i], 0);

		if (n != 0)
			add_ancestor_loss(i, n);
	}
	return true;
}

void
ancestor_uncount_loss(enum loss which)
{
	if (ancestor_header() != NULL)
		add_ancestor_loss(which, UINT64_MAX);
}

bool
ancestor_repair_page(const void *address)
{
	const unsigned char *h = (void *)ancestor_header(), *p = address;

	return h != NULL && p >= h && p < h + FORMAT_HEADER &&
	    store_replace_page((uintptr_t)p);
}
