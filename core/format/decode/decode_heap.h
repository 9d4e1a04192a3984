/*
 * Context: P.  Sums of the heap in a profile, for `prof --info`
 * (heap/heap_info.c), which makes no model, and the live and peak bytes of one
 * call path, also for the model (read/read_profile_heap.c).
 */
#ifndef DECODE_HEAP_H
#define DECODE_HEAP_H

#include "decode/decode.h"

/* Sums over all call paths of a file. */
struct decode_heap_total {
	/* Call paths; allocation thread records, 0 in maps */
	uint64_t paths, alloc_threads;
	uint64_t total_bytes, total_blocks;	/* allocated */
	uint64_t freed_bytes, freed_blocks;
	uint64_t temporary_blocks, resized_blocks;
	uint64_t peak_bytes;	/* live bytes when the most bytes were live */
	uint64_t period, samples;	/* period of the file; chosen blocks */
	/* As in format_alloc_thread; 0 in maps */
	uint64_t unknown_frees, missed_ends;
};

/*
 * Sums up the heap: *blocks for allocated blocks, *maps for mappings; zeros for
 * what was not counted.  Visits trees, so it may be called once a file and not
 * together with decode_tree().  Returns 1, 0 if the file has no heap, or -errno
 * with *f set.
 */
int decode_heap_totals(struct decode *d, struct decode_heap_total *blocks,
    struct decode_heap_total *maps, struct fault *f);

/*
 * Returns the bytes of a call path that are live at the end, or (_peak) that
 * were live at the heap's peak; `era` is format_memory.era.
 */
uint64_t decode_heap_live(const struct format_heap *h);
uint64_t decode_heap_peak(const struct format_heap *h, uint64_t era);

#endif
