/* Context: P.  What a profile file has of the heap. */
#ifndef DECODE_HEAP_H
#define DECODE_HEAP_H

#include "decode.h"

/* Of all paths of a file. */
struct decode_heap_total {
	uint64_t paths, lanes;
	uint64_t total_bytes, total_blocks;	/* given out */
	uint64_t freed_bytes, freed_blocks;
	uint64_t temporary_blocks, resized_blocks;
	uint64_t peak_bytes;	/* live when most was */
	uint64_t period, samples;	/* as in the file */
	uint64_t unknown_frees, missed_ends;
};

/*
 * Of blocks, and of mappings: zeros where these were not counted.  1, 0 where
 * none was, -errno.  Once a file: trees are visited.
 */
int decode_heap_totals(struct decode *d, struct decode_heap_total *blocks,
    struct decode_heap_total *maps, struct fault *f);

/* Bytes of a path that are live, and that were when most was of the process. */
uint64_t decode_heap_live(const struct format_heap *h);
uint64_t decode_heap_peak(const struct format_heap *h, uint64_t era);

#endif
