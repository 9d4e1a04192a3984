/* Context: P.  Following an index in a profile file; the decoder's own. */
#ifndef DECODE_INDEX_H
#define DECODE_INDEX_H

#include "decode.h"

/*
 * May `bytes` at `index` be read?  `from` is the offset of the link that says
 * so.  0 there is no record (index 0), 1 yes, DECODE_INDEX_TRUNCATED, -errno
 * with *f set.
 */
/* Leads out of the copy of a file that is not sealed */
#define DECODE_INDEX_TRUNCATED 2

int decode_index_peek(const struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f);

/* The same of a record that some writer may have taken and not yet filled. */
int decode_index_peek_record(const struct decode *d, uint64_t from,
    uint32_t index, size_t bytes, struct fault *f);

/* 0, or -errno if a record was met there before. */
int decode_index_claim(struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f);

/*
 * decode_index_peek_record(), and once a record; a cut is counted and gives 0.
 */
int decode_index_visit(struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f);

/*
 * The next record of a list that was checked; its link comes first in it.
 * *index is the cursor, 0 to start at `head`.  1, 0 at the end, -errno.
 */
int decode_index_next(const struct decode *d, uint32_t head, uint32_t *index,
    void *out, size_t bytes, struct fault *f);

/*
 * 0, or -errno where a sealed file names a module that is not listed; `at` is
 * where it does.  In another that is a cut.
 */
int decode_index_check_module(struct decode *d, uint64_t at, uint32_t module,
    struct fault *f);

/* A record, or a header, that nobody has written. */
bool decode_index_is_zero(const unsigned char *bytes, size_t count);

bool decode_index_is_marked(const unsigned char *map, uint32_t unit);
void decode_index_mark(unsigned char *map, uint32_t unit);
uint64_t decode_index_offset(uint32_t index);

#endif
