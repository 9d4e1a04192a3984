/*
 * Context: P.  Turns an index in a profile into a checked offset; used by the
 * decoder's files only.  Each link is checked here; what a record says of its
 * own length is checked by the files of texts, blocks, names and points.
 */
#ifndef DECODE_INDEX_H
#define DECODE_INDEX_H

#include "decode/decode.h"

/* Result: the link leads out of the copy of a file that is not sealed. */
#define DECODE_INDEX_TRUNCATED 2

/*
 * Checks whether `bytes` at `index` lie in the copy.  `from` is the offset of
 * the link with this index, for the fault.  Returns 1, 0 for index 0 (no
 * record), DECODE_INDEX_TRUNCATED, or -errno with *f set.
 */
int decode_index_peek(const struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f);

/*
 * Checks as decode_index_peek(), but in a file that is not sealed also returns
 * DECODE_INDEX_TRUNCATED for a record that is all zero: a writer may have taken
 * its space and not yet filled it.
 */
int decode_index_peek_record(const struct decode *d, uint64_t from,
    uint32_t index, size_t bytes, struct fault *f);

/*
 * Marks the units of a record that decode_index_peek() has found in the copy as
 * met; part of a unit at the end is not marked.  Returns 0, or -EINVAL with *f
 * set if a record with one of these units was met before.
 */
int decode_index_claim(struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f);

/*
 * Checks a record as decode_index_peek_record() and claims it as
 * decode_index_claim().  A truncated link is counted in d->cut and gives 0.
 * Returns 1, 0 or -errno with *f set.
 */
int decode_index_visit(struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f);

/*
 * Copies the next record of a list that was checked; its link is its first
 * field.  *index is the cursor, 0 to start at `head`.  Returns 1 with *out and
 * *index set, 0 at the end, -errno with *f set.
 */
int decode_index_next(const struct decode *d, uint32_t head, uint32_t *index,
    void *out, size_t bytes, struct fault *f);

/*
 * Checks that `module` is 0 or a listed module.  `at` is the offset of the
 * record that names it.  Returns 0, or -EINVAL with *f set if the file is
 * sealed and the module is not listed.  In a file that is not sealed, counts it
 * in d->cut and returns 0.
 */
int decode_index_check_module(struct decode *d, uint64_t at, uint32_t module,
    struct fault *f);

/*
 * Returns whether all `count` bytes are 0, as in a record or header that no
 * writer has filled.
 */
bool decode_index_is_zero(const unsigned char *bytes, size_t count);

/*
 * Tests and sets the bit of a unit in d->seen, d->listed or a map of that size;
 * a unit is an index.
 */
bool decode_index_is_marked(const unsigned char *map, uint32_t unit);
void decode_index_mark(unsigned char *map, uint32_t unit);
/* Returns the file offset of an index. */
uint64_t decode_index_offset(uint32_t index);

#endif
