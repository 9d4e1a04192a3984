/* Context: O.  prof --info: what a profile has of the heap. */
#include "heapinfo.h"

#include "heaps.h"

/*
 * Returns the difference, or 0 if it would be below zero: a profile that is
 * read while its process counts may show more ends than beginnings.
 */
static uint64_t
live(uint64_t total, uint64_t freed)
{
	return total > freed ? total - freed : 0;
}

static void
maps(const struct infoput *to, const struct heaps_total *t)
{
	infoput_number(to, "maps.paths", t->paths);
	infoput_number(to, "maps.total_bytes", t->total_bytes);
	infoput_number(to, "maps.total_blocks", t->total_blocks);
	infoput_number(to, "maps.live_bytes",
	    live(t->total_bytes, t->freed_bytes));
	infoput_number(to, "maps.live_blocks",
	    live(t->total_blocks, t->freed_blocks));
	infoput_number(to, "maps.peak_bytes", t->peak_bytes);
	infoput_number(to, "maps.resized_blocks", t->resized_blocks);
}

int
heapinfo(const struct infoput *to, struct decode *d, struct fault *f)
{
	struct heaps_total t, mapped;
	int got = heaps_add(d, &t, &mapped, f);

	if (got != 1)
		return got;
	if (d->header.maps != 0)
		maps(to, &mapped);
	infoput_number(to, "heap.paths", t.paths);
	infoput_number(to, "heap.total_bytes", t.total_bytes);
	infoput_number(to, "heap.total_blocks", t.total_blocks);
	infoput_number(to, "heap.live_bytes",
	    live(t.total_bytes, t.freed_bytes));
	infoput_number(to, "heap.live_blocks",
	    live(t.total_blocks, t.freed_blocks));
	infoput_number(to, "heap.peak_bytes", t.peak_bytes);
	infoput_number(to, "heap.temporary_blocks", t.temporary_blocks);
	infoput_number(to, "heap.resized_blocks", t.resized_blocks);
	if (t.period != 0) {
		infoput_number(to, "heap.period", t.period);
		infoput_number(to, "heap.samples", t.samples);
	}
	infoput_number(to, "heap.unknown_frees", t.unknown_frees);
	infoput_number(to, "heap.missed_ends", t.missed_ends);
	return 0;
}
