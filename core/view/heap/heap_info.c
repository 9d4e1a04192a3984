/*
 * Context: O.  Prints what prof --info shows of the heap in a profile, for
 * info_file(); see heap_info.h.
 */
#include "heap/heap_info.h"

#include "decode/decode_heap.h"

/*
 * Returns the difference, or 0 if it would be below zero: a profile that is
 * read while its process counts may show more ends than beginnings.
 */
static uint64_t
live_difference(uint64_t total, uint64_t freed)
{
	return total > freed ? total - freed : 0;
}

static void
print_mapping_info(const struct info_print *to,
    const struct decode_heap_total *t)
{
	info_print_number(to, "maps.paths", t->paths);
	info_print_number(to, "maps.total_bytes", t->total_bytes);
	info_print_number(to, "maps.total_blocks", t->total_blocks);
	info_print_number(to, "maps.live_bytes",
	    live_difference(t->total_bytes, t->freed_bytes));
	info_print_number(to, "maps.live_blocks",
	    live_difference(t->total_blocks, t->freed_blocks));
	info_print_number(to, "maps.peak_bytes", t->peak_bytes);
	info_print_number(to, "maps.resized_blocks", t->resized_blocks);
}

int
heap_info_print(const struct info_print *to, struct decode *d, struct fault *f)
{
	struct decode_heap_total t, mapped;
	int got = decode_heap_totals(d, &t, &mapped, f);

	if (got != 1)
		return got;
	if (d->header.maps != 0)
		print_mapping_info(to, &mapped);
	info_print_number(to, "heap.paths", t.paths);
	info_print_number(to, "heap.total_bytes", t.total_bytes);
	info_print_number(to, "heap.total_blocks", t.total_blocks);
	info_print_number(to, "heap.live_bytes",
	    live_difference(t.total_bytes, t.freed_bytes));
	info_print_number(to, "heap.live_blocks",
	    live_difference(t.total_blocks, t.freed_blocks));
	info_print_number(to, "heap.peak_bytes", t.peak_bytes);
	info_print_number(to, "heap.temporary_blocks", t.temporary_blocks);
	info_print_number(to, "heap.resized_blocks", t.resized_blocks);
	if (t.period != 0) {
		info_print_number(to, "heap.period", t.period);
		info_print_number(to, "heap.samples", t.samples);
	}
	info_print_number(to, "heap.unknown_frees", t.unknown_frees);
	info_print_number(to, "heap.missed_ends", t.missed_ends);
	return 0;
}
